/* SPDX-License-Identifier: MIT
 *
 * From a number of threads to a model in Promela.
 */
#include "model.h"
#include "../base/base.h"
#include "../formula/formula.h"
#include "../options/options.h"
#include "../program/program.h"
#include "../../ltl/ltl.h"
#include "../../runtime/bitspin_vm.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *replaced(const char *where, const char *what, const char *by)
{
	const char *at = strstr(where, what);
	if (!at)
		BUG("the model's template has no %s", what);
	assert(!strstr(at + strlen(what), what)); /* once */
	return text("%.*s%s%s", (int)(at - where), where, by, at + strlen(what));
}

/* Are states matched by their views, which leave out what masks and abstractions say? */
static bool has_views(const struct program *program)
{
	return program->inputs->options.masks.count || program->inputs->options.abstractions.count;
}

/* Are nodes of the search told apart by more than their states (--identity)? */
static bool is_identified(const struct program *program)
{
	return program->inputs->options.identity != IDENTITY_STATE;
}

bool model_keeps_visited(const struct program *program)
{
	const struct options *o = &program->inputs->options;
	bool in_order = o->cores <= 1 || !o->seed;
	return o->search == SEARCH_DEPTH_FIRST && in_order && !program->formula && !o->bounded && !has_views(program) &&
		!is_identified(program);
}

bool model_is_of_crew(const struct program *program)
{
	return model_keeps_visited(program) && program->inputs->options.cores > 1;
}

/* Return the name of the variable of the model that has the program's state. */
static const char *state_name(const struct program *program)
{
	return has_views(program) ? "now.concrete" : "VM_STATE ()";
}

static bool is_fair(const struct program *program)
{
	return program->formula && program->formula->fairness != LTL_UNFAIR;
}

/* Return what a step of the model does when the next state is known. */
static char *finishing_text(const struct program *program, unsigned threads)
{
	assert(!is_fair(program) || !has_views(program));
	if (has_views(program))
		return text("%s", "now.vm = vm_view(now.concrete);");
	if (!is_fair(program))
		return text("%s", "");
	const char *move = program->formula->fairness == LTL_WEAK ? "vm_weak_move(now.vm, " MODEL_MOVED :
								    "vm_strong_move(" MODEL_MOVED ", &now.fair_idle";
	return text("%s, &now.fair_turn, &now.fair_left, %u);", move, threads);
}

/* Return the guard of a step: may the thread do anything, and is the outcome of this number allowed?  The latter is a macro. */
static char *enabled_text(const struct program *program)
{
	const char *how = is_identified(program) ? "vm_enabled_identified (%s, Pthread->_pid)" :
						   "VM_OPTIONS_OF (%s, now.place, Pthread->_pid)";
	return text(how, state_name(program));
}

static char *guard_text(const struct program *program)
{
	const char *how = is_identified(program) ?
		"vm_allowed_identified (%s, now.identity, now.last, now.used, Pthread->_pid, n)" :
		"VM_OPTIONS_OF (%s, now.place, Pthread->_pid) >> n & 1";
	return text(how, state_name(program));
}

/* Return a step of the model: what comes before the call, and the call up to the outcome's number. */
static char *step_text(const struct program *program)
{
	static const char before[] = "VM_THREADS_UNMATCHED(); ", no_place[] = "if (!vm_has_places()) VM_UNMATCHED(place); ";
	const char *views = has_views(program) ? "VM_UNMATCHED(concrete); " : "", *name = has_views(program) ? "concrete" : "vm";
	if (is_identified(program))
		return text("%s%svm_take_identified(&now.%s, &now.identity, &now.last, &now.used, Pthread->_pid, ", before, views,
			    name);
	if (has_views(program))
		return text("%s%s%svm_take(&now.%s, &now.place, Pthread->_pid, ", before, no_place, views, name);
	return text("%s%sVM_TAKE(Pthread->_pid, ", before, no_place);
}

static char *all_outcomes(const struct program *program)
{
	char *outcomes = text("%s", "");
	int count = model_is_of_crew(program) ? VM_JUMP + 1 : VM_OPTIONS;
	for (int i = 0; i < count; i++) {
		char *longer = text("%s%sOUTCOME(%d)", outcomes, i ? " " : "", i);
		free(outcomes);
		outcomes = longer;
	}
	return outcomes;
}

char *model_text(const struct program *program, unsigned threads)
{
	assert(threads > 0);
	assert(!program->formula || !is_identified(program));
	char *path = data_file("model.pml.in"), *template = read_file(path, NULL);
	if (!template)
		fail("cannot read '%s': %s", path, strerror(errno));
	char *number = text("%u", threads), *outcomes = all_outcomes(program), *guard = guard_text(program),
	     *enabled = enabled_text(program), *step = step_text(program);
	char *after = finishing_text(program, threads), *finish = text("%s%s", *after ? " " : "", after);
	static const char place[] =
		"int place; /* under a bound on preemptions: on the way to a violation that the VM has found */\n";
	static const char identified[] =
		"int identity; /* tells equal states apart: what happened before what */\n"
		"byte last, used; /* under a bound: the thread that moved last, the preemptions so far */\n";
	char *more = text("%s%s",
			  has_views(program) ? "int concrete; /* the state; `vm` is its view, which is matched on */\n" : "",
			  is_identified(program) ? identified : place);
	const char *const parts[][2] = {
		{ "@SCHEDULES@", is_fair(program) ? "VM_SCHEDULES_FAIR" : "VM_SCHEDULES_UNFAIR" },
		{ "@THREADS@", number },
		{ "@ENABLED@", enabled },
		{ "@MORE@", more },
		{ "@GUARD@", guard },
		{ "@STEP@", step },
		{ "@AFTER@", finish },
		{ "@OUTCOMES@", outcomes },
	};
	char *model = template;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		char *next = replaced(model, parts[i][0], parts[i][1]);
		free(model);
		model = next;
	}
	char *claim = program->formula ? formula_claim(program->formula, threads) : NULL;
	char *whole = claim ? text("%s\n%s", model, claim) : text("%s", model);
	free(claim);
	free(model);
	free(path);
	free(number);
	free(outcomes);
	free(guard);
	free(enabled);
	free(step);
	free(after);
	free(finish);
	free(more);
	return whole;
}

/* Write to `directory`, for replays, which formula the model's claim is for. */
bool keep_formula(const struct program *program, const char *directory)
{
	char *path = text("%s/formula", directory);
	const char *name = program->formula ? program->formula->name : "";
	bool good = *name ? write_file(path, name, strlen(name)) : unlink(path) == 0 || errno == ENOENT;
	free(path);
	return good;
}
