/* SPDX-License-Identifier: MIT
 *
 * What the steps of a search have met (state/met.h), as the command gets it; the form is in bitspin_vm.h.
 */
#ifndef BITSPIN_MET_JSON_H
#define BITSPIN_MET_JSON_H

#include <jansson.h>

json_t *vm_met_json(void);

#endif
