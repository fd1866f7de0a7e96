/* SPDX-License-Identifier: MIT
 *
 * See rules.h.
 */
#include "rules.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[RULES] = {
#define RULE(name, word) [RULE_##name] = word,
#include "rule.def"
#undef RULE
};

static VM_OWN struct {
	bool known, off[RULES];
} rules;

static void look(void)
{
	const char *at = getenv("BITSPIN_RULES_OFF");
	rules.known = true;
	for (size_t length; at && *at; at += length + (at[length] == ' ')) {
		unsigned rule = 0;
		length = strcspn(at, " ");
		while (rule < RULES && (strlen(words[rule]) != length || memcmp(words[rule], at, length) != 0))
			rule++;
		if (rule == RULES)
			VM_BUG("BITSPIN_RULES_OFF has no rule's word: %s", at);
		rules.off[rule] = true;
	}
}

bool vm_rule_is_off(enum vm_rule rule)
{
	if (!rules.known)
		look();
	return rules.off[rule];
}
