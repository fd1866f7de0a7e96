/* SPDX-License-Identifier: MIT
 *
 * Searches that begin again, as they took for granted what is not so: what each limit takes back.  What people are told who run
 * pan by hand is in runtime/state/limit.def.  A search that needs more room (threads, depth, objects) is another thing: widen.c.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../../runtime/state/end.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(VM_LIMITS <= 8 * sizeof(limit_set), "a set has room for all");

/* What a limit takes back.  A limit that begins a search again (limit.def) and has no line here does not compile. */
struct row {
	bool always; /* also if there is a violation and no more are asked for: it may come of what is taken back */
	bool hidden; /* that pointers are not in disguise */
	bool sets;   /* that sets tell enough of inputs */
	enum image_interrupts interrupts; /* that signals interrupt threads at fewer places */
	unsigned reduction;
};
#define TAKES_BACK_HIDDEN_POINTERS \
	{ \
		.always = true, .hidden = true \
	}
#define TAKES_BACK_RELATED \
	{ \
		.sets = true \
	}
#define TAKES_BACK_SLICING \
	{ \
		.always = true, .reduction = REDUCTION_SLICING \
	}
#define TAKES_BACK_SLICING_UNSET \
	{ \
		.always = true, .reduction = REDUCTION_SLICING \
	}
#define TAKES_BACK_SPINS \
	{ \
		.always = true, .reduction = REDUCTION_SPINS \
	}
#define TAKES_BACK_SYMMETRY \
	{ \
		.always = true, .reduction = REDUCTION_SYMMETRY \
	}
#define TAKES_BACK_INTERRUPTS \
	{ \
		.interrupts = INTERRUPTS_PLACES \
	}
#define TAKES_BACK_INTERRUPTS_SHARED \
	{ \
		.interrupts = INTERRUPTS_SHARED \
	}
#define TAKES_BACK_INTERRUPTS_ALL \
	{ \
		.interrupts = INTERRUPTS_ALL \
	}

#define ROW_CUTS(name) \
	{ \
		0 \
	}
#define ROW_NOTES(name) \
	{ \
		0 \
	}
#define ROW_ENDS(name) \
	{ \
		0 \
	}
#define ROW_WIDENS(name) \
	{ \
		0 \
	}
#define ROW_AGAIN(name) TAKES_BACK_##name

static const struct {
	const char *name;
	enum vm_limit_effect what;
	struct row row;
} limits[VM_LIMITS] = {
#define LIMIT(name, text, what, meaning, advice) [LIMIT_##name] = { text, VM_LIMIT_##what, ROW_##what(name) },
#include "../../runtime/state/limit.def"
#undef LIMIT
};

enum vm_limit limit_named(const char *name)
{
	unsigned limit = 0;
	while (limit < VM_LIMITS && (!name || strcmp(name, limits[limit].name) != 0))
		limit++;
	return (enum vm_limit)limit;
}

bool limit_cuts(enum vm_limit limit)
{
	enum vm_limit_effect what = limit < VM_LIMITS ? limits[limit].what : VM_LIMIT_CUTS;
	return what != VM_LIMIT_NOTES && what != VM_LIMIT_ENDS;
}

bool limits_end(limit_set met, bool more_threads)
{
	for (unsigned i = 0; i < VM_LIMITS; i++) {
		enum vm_limit_effect what = limits[i].what;
		bool ends = what == VM_LIMIT_ENDS || what == VM_LIMIT_AGAIN || (what == VM_LIMIT_WIDENS && more_threads);
		if (ends && (met & limit_bit((enum vm_limit)i)))
			return true;
	}
	return false;
}

/* Does the limit begin the search again?  `enough`: the search has found a violation, and no more are asked for. */
static bool takes_back(unsigned limit, limit_set met, bool enough)
{
	assert(limit < VM_LIMITS);
	return (met & limit_bit((enum vm_limit)limit)) && limits[limit].what == VM_LIMIT_AGAIN &&
		(limits[limit].row.always || !enough);
}

bool restart_casts_doubt(limit_set met)
{
	bool any = false;
	for (unsigned i = 0; i < VM_LIMITS; i++)
		any = any || takes_back(i, met, true);
	return any;
}

void restart_note(struct job *job, enum vm_limit limit, const json_t *record)
{
	const char *reason = json_string_value(json_object_get(record, "reason")),
		   *file = json_string_value(json_object_get(record, "file"));
	long long line = json_integer_value(json_object_get(record, "line"));
	char *why = line && file ? text("%s (%s:%lld)", reason, from_here(file), line) : text("%s", reason ? reason : "");
	if (limit < VM_LIMITS)
		plan_withdraw(&job->program, limits[limit].row.reduction, why);
	free(why);
}

bool restart(struct job *job, limit_set met)
{
	bool again = false, enough = json_array_size(job->result.violations) > 0 && !job->inputs->options.all;
	for (unsigned i = 0; i < VM_LIMITS; i++) {
		if (!takes_back(i, met, enough))
			continue;
		const struct row *row = &limits[i].row;
		assert(row->hidden || row->sets || row->interrupts ||
		       row->reduction); /* else the search would begin again for ever */
		again = true;
		job->program.hidden = job->program.hidden || row->hidden;
		if (row->sets)
			inputs_meet(job);
		if (row->interrupts)
			interrupts_ask(job, row->interrupts);
	}
	return again;
}
