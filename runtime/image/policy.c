/* SPDX-License-Identifier: MIT
 *
 * See policy.h.
 */
#include "policy.h"
#include "image.h"

#include <assert.h>
#include <string.h>

static const struct row {
	const char *name;
	enum builtin_policy policy;
	unsigned flags;
	const char *data, *assumption;
} rows[] = {
#define ROW(policy, name, run, prepare, arguments, flags, data, assumption) { name, POLICY_##policy, flags, data, assumption },
#include "../externals/builtin.def"
#undef ROW
};

static const struct row *find(const char *name)
{
	assert(name);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

bool image_builtin_exists(const char *name)
{
	return find(name) != NULL;
}

enum builtin_policy builtin_policy(const char *name)
{
	const struct row *row = find(name);
	return row ? row->policy : POLICY_UNKNOWN;
}

const char *builtin_reason(const char *name)
{
	assert(builtin_policy(name) == POLICY_REFUSED);
	assert(find(name)->data);
	return find(name)->data;
}

const char *builtin_assumption(const char *name)
{
	const struct row *row = find(name);
	return row ? row->assumption : NULL;
}

unsigned builtin_flags(const char *name)
{
	const struct row *row = find(name);
	return row ? row->flags : 0;
}

bool builtin_returns_twice(const char *name)
{
	const struct row *row = find(name);
	return row && (row->flags & BUILTIN_TWICE);
}

bool builtin_may_be_quiet(const char *name)
{
	const struct row *row = find(name);
	return row &&
		(row->policy == POLICY_NOTHING || row->policy == POLICY_HOST || (row->policy == POLICY_VM && row->flags == 0) ||
		 (row->flags & (BUILTIN_TRIES | BUILTIN_YIELDS | BUILTIN_SLEEPS)));
}

/* ---- faults of the environment ------------------------------------------------------------------------------------- */

unsigned builtin_injection_of(unsigned flags)
{
	assert(__builtin_popcount(flags & (BUILTIN_ALLOCATES | BUILTIN_CREATES | BUILTIN_SPURIOUS)) <= 1);
	if (flags & BUILTIN_ALLOCATES)
		return INJECT_MALLOC;
	if (flags & BUILTIN_CREATES)
		return INJECT_CREATE;
	if (flags & BUILTIN_SPURIOUS)
		return INJECT_SPURIOUS_WAKEUP;
	return builtin_deadline(flags) ? INJECT_TIMEOUT : IMAGE_INJECTIONS;
}

unsigned builtin_injection(const char *name)
{
	const struct row *row = find(name);
	return row ? builtin_injection_of(row->flags) : IMAGE_INJECTIONS;
}

unsigned builtin_injection_usual(unsigned injection)
{
	static const uint32_t usual[IMAGE_INJECTIONS] = {
#define INJECTION(name, text, usual, meaning) usual,
#include "inject.def"
#undef INJECTION
	};
	assert(injection < IMAGE_INJECTIONS);
	return usual[injection];
}
