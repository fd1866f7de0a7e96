/* SPDX-License-Identifier: MIT
 *
 * Which reductions an image asks for, and why others are off: by the options (the table below), by what the translator finds
 * (translator/translate.c), by what the VM decides (runtime/search/base/plan.def), or as a search has found that one does not suit.
 */
#include "program.h"
#include "../formula/formula.h"
#include "../options/options.h"

#include <assert.h>

static bool counts_steps(const struct program *program)
{
	return program->formula && program->formula->counts_steps;
}

static bool is_bounded(const struct program *program)
{
	return program->inputs->options.bounded;
}

static bool is_bounded_otherwise(const struct program *program)
{
	return program->inputs->options.bounded && program->inputs->options.identity != IDENTITY_STATE;
}

static bool keeps_output(const struct program *program)
{
	return program->inputs->options.output;
}

/* Has the program operations?  Their monitor, and what they are called, say which thread is which. */
static bool has_operations(const struct program *program)
{
	return program->operations;
}

static const struct row {
	bool (*holds)(const struct program *program);
	unsigned off;
	const char *why;
} rows[] = {
	{ counts_steps, REDUCTION_ALL, "the formula may count steps" },
	{ is_bounded, REDUCTION_ALL & ~REDUCTIONS_IN_BOUND, "preemptions are bounded" },
	{ is_bounded_otherwise, REDUCTIONS_IN_BOUND, "preemptions are bounded" },
	{ has_operations, REDUCTION_SYMMETRY, "the operations of linearize tell threads apart" },
	{ has_operations, REDUCTION_UNREAD, "the monitor of linearize looks at memory" },
	{ keeps_output, REDUCTION_SLICING | REDUCTION_UNREAD, "all that is printed is wanted (--output)" },
};

unsigned plan_reductions(const struct program *program)
{
	unsigned wanted = program->inputs->options.reductions & ~program->without;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].holds(program))
			wanted &= ~rows[i].off;
	assert((wanted | REDUCTION_ALL) == REDUCTION_ALL);
	return wanted;
}

void plan_withdraw(struct program *program, unsigned reduction, const char *why)
{
	assert((reduction | REDUCTION_ALL) == REDUCTION_ALL);
	assert(why);
	program->without |= reduction;
	if (!program->withdrawn)
		program->withdrawn = json_object();
	for (unsigned i = 0; i < REDUCTIONS; i++)
		if (reduction >> i & 1)
			json_object_set_new(program->withdrawn, reductions[i].name, json_string(why));
}

/* Return why reduction `number` is off; NULL if it is on, nobody has asked for it, or the program has nothing for it. */
static const char *why_off(const struct program *program, const json_t *off, unsigned number)
{
	assert(number < REDUCTIONS);
	const char *name = reductions[number].name, *why = json_string_value(json_object_get(off, name));
	if ((program->without | ~program->inputs->options.reductions) >> number & 1)
		return json_string_value(json_object_get(program->withdrawn, name));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if ((rows[i].off >> number & 1) && rows[i].holds(program))
			return rows[i].why;
	return why ? why : program->why_off[number];
}

json_t *plan_reasons(const struct program *program, const json_t *off)
{
	json_t *reasons = json_object();
	for (unsigned i = 0; i < REDUCTIONS; i++) {
		const char *why = why_off(program, off, i);
		if (why)
			json_object_set_new(reasons, reductions[i].name, json_string(why));
	}
	return reasons;
}
