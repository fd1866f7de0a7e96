/* SPDX-License-Identifier: MIT
 *
 * The rules of rule.def, each of which tests can leave out.
 */
#ifndef BITSPIN_RULES_H
#define BITSPIN_RULES_H

#include <stdbool.h>

enum vm_rule {
#define RULE(name, word) RULE_##name,
#include "rule.def"
#undef RULE
	RULES
};

/* Does BITSPIN_RULES_OFF name the rule? */
bool vm_rule_is_off(enum vm_rule rule);

#endif
