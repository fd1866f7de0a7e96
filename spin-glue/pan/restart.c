/* SPDX-License-Identifier: MIT
 *
 * Searches that begin again, as they took for granted what is not so: what each limit takes back.  What people are told who run
 * pan by hand is in runtime/state/limit.def.  A search that needs more room (threads, depth, objects) is another thing: widen.c.
 */
#include "pan.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(VM_LIMITS <= 8 * sizeof(limit_set), "a set has room for all");

static const struct row {
	enum vm_limit limit;
	bool always; /* also if there is a violation, which may come of it */
	/* what is taken back: */
	bool hidden;                      /* that pointers are not in disguise */
	enum image_interrupts interrupts; /* that signals interrupt threads at fewer places */
	unsigned reduction;
} rows[] = {
	/* the first that was met counts */
	{ LIMIT_HIDDEN_POINTERS, .always = true, .hidden = true },
	{ LIMIT_SLICING, .always = true, .reduction = REDUCTION_SLICING },
	{ LIMIT_SLICING_UNSET, .always = true, .reduction = REDUCTION_SLICING },
	{ LIMIT_SPINS, .always = true, .reduction = REDUCTION_SPINS },
	{ LIMIT_SYMMETRY, .always = true, .reduction = REDUCTION_SYMMETRY },
	{ LIMIT_INTERRUPTS_ALL, .interrupts = INTERRUPTS_ALL },
	{ LIMIT_INTERRUPTS_SHARED, .interrupts = INTERRUPTS_SHARED },
	{ LIMIT_INTERRUPTS, .interrupts = INTERRUPTS_PLACES },
};

enum vm_limit limit_named(const char *name)
{
	static const char *const names[] = {
#define LIMIT(name, text, meaning, advice) text,
#include "../../runtime/state/limit.def"
#undef LIMIT
	};
	unsigned limit = 0;
	while (limit < VM_LIMITS && (!name || strcmp(name, names[limit]) != 0))
		limit++;
	return (enum vm_limit)limit;
}

/* NULL: none. */
static const struct row *first_of(limit_set limits, bool violated)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if ((limits & limit_bit(rows[i].limit)) && (rows[i].always || !violated))
			return &rows[i];
	return NULL;
}

bool restart_is_called_for(limit_set limits)
{
	return first_of(limits, false) != NULL;
}

bool restart_casts_doubt(limit_set limits)
{
	return first_of(limits, true) != NULL;
}

void restart_note(struct job *job, enum vm_limit limit, const json_t *record)
{
	const char *reason = json_string_value(json_object_get(record, "reason")),
		   *file = json_string_value(json_object_get(record, "file"));
	long long line = json_integer_value(json_object_get(record, "line"));
	char *why = line && file ? text("%s (%s:%lld)", reason, from_here(file), line) : text("%s", reason ? reason : "");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].limit == limit)
			plan_withdraw(job, rows[i].reduction, why);
	free(why);
}

bool restart(struct job *job, limit_set limits)
{
	const struct row *row = first_of(limits, json_array_size(job->violations) > 0);
	if (!row)
		return false;
	job->hidden = job->hidden || row->hidden;
	if (row->interrupts)
		interrupts_ask(job, row->interrupts);
	job->options.reductions &= ~row->reduction;
	return true;
}
