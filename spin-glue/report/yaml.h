/* SPDX-License-Identifier: MIT
 *
 * JSON as YAML in block style.  Strings stay in JSON's quotes, which YAML has too, so that none is taken for a number.
 */
#ifndef BITSPIN_YAML_H
#define BITSPIN_YAML_H

#include <jansson.h>
#include <stdbool.h>

void yaml_write(const json_t *value, FILE *out);

#endif
