/* SPDX-License-Identifier: MIT
 *
 * From a number of threads to a model in Promela.
 */
#include "model.h"
#include "../../runtime/bitspin_vm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *replaced(const char *where, const char *what, const char *by)
{
	const char *at = strstr(where, what);
	if (!at)
		BUG("the model's template has no %s", what);
	return text("%.*s%s%s", (int)(at - where), where, by, at + strlen(what));
}

/* With masks or abstractions the state is not what is matched on, but its view is. */
static bool has_views(const struct job *job)
{
	return job->options.masks.count || job->options.abstractions.count;
}

/* Under another identity than that of states, more than these tells nodes apart. */
static bool is_identified(const struct job *job)
{
	return job->options.identity != IDENTITY_STATE;
}

bool model_keeps_visited(const struct job *job)
{
	const struct options *o = &job->options;
	bool in_order = o->cores <= 1 || !o->seed;
	return o->search == SEARCH_DEPTH_FIRST && in_order && !job->formula && !o->bounded && !has_views(job) &&
		!is_identified(job);
}

bool model_is_of_crew(const struct job *job)
{
	return model_keeps_visited(job) && job->options.cores > 1;
}

/* The program's state. */
static const char *state_name(const struct job *job)
{
	return has_views(job) ? "now.concrete" : "VM_STATE ()";
}

static bool is_fair(const struct job *job)
{
	return job->formula && job->formula->fairness != LTL_UNFAIR;
}

/* What a step does when the state is the next one. */
static char *finishing_text(const struct job *job, unsigned threads)
{
	if (has_views(job))
		return text("%s", "now.vm = vm_view(now.concrete);");
	if (!is_fair(job))
		return text("%s", "");
	const char *move = job->formula->fairness == LTL_WEAK ? "vm_weak_move(now.vm, " MODEL_MOVED :
								"vm_strong_move(" MODEL_MOVED ", &now.fair_idle";
	return text("%s, &now.fair_turn, &now.fair_left, %u);", move, threads);
}

/* May the thread do anything, and is the outcome of this number allowed?  The latter is a macro. */
static char *enabled_text(const struct job *job)
{
	const char *how = is_identified(job) ? "vm_enabled_identified (%s, Pthread->_pid)" :
					       "VM_OPTIONS_OF (%s, now.place, Pthread->_pid)";
	return text(how, state_name(job));
}

static char *guard_text(const struct job *job)
{
	const char *how = is_identified(job) ? "vm_allowed_identified (%s, now.identity, now.last, now.used, Pthread->_pid, n)" :
					       "VM_OPTIONS_OF (%s, now.place, Pthread->_pid) >> n & 1";
	return text(how, state_name(job));
}

/* Its step: what comes before, and the call up to the number. */
static char *step_text(const struct job *job)
{
	static const char before[] = "VM_THREADS_UNMATCHED(); ", no_place[] = "if (!vm_has_places()) VM_UNMATCHED(place); ";
	const char *views = has_views(job) ? "VM_UNMATCHED(concrete); " : "", *name = has_views(job) ? "concrete" : "vm";
	if (is_identified(job))
		return text("%s%svm_take_identified(&now.%s, &now.identity, &now.last, &now.used, Pthread->_pid, ", before, views,
			    name);
	if (has_views(job))
		return text("%s%s%svm_take(&now.%s, &now.place, Pthread->_pid, ", before, no_place, views, name);
	return text("%s%sVM_TAKE(Pthread->_pid, ", before, no_place);
}

static char *all_outcomes(const struct job *job)
{
	char *outcomes = text("%s", "");
	int count = model_is_of_crew(job) ? VM_JUMP + 1 : VM_OPTIONS;
	for (int i = 0; i < count; i++) {
		char *longer = text("%s%sOUTCOME(%d)", outcomes, i ? " " : "", i);
		free(outcomes);
		outcomes = longer;
	}
	return outcomes;
}

char *model_text(const struct job *job, unsigned threads)
{
	char *path = data_file("model.pml.in"), *template = read_file(path, NULL);
	if (!template)
		fail("cannot read '%s': %s", path, strerror(errno));
	char *number = text("%u", threads), *outcomes = all_outcomes(job), *guard = guard_text(job), *enabled = enabled_text(job),
	     *step = step_text(job);
	char *after = finishing_text(job, threads), *finish = text("%s%s", *after ? " " : "", after);
	static const char place[] =
		"int place; /* under a bound on preemptions: on the way to a violation that the VM has found */\n";
	static const char identified[] =
		"int identity; /* tells equal states apart: what happened before what */\n"
		"byte last, used; /* under a bound: the thread that moved last, the preemptions so far */\n";
	char *more = text("%s%s", has_views(job) ? "int concrete; /* the state; `vm` is its view, which is matched on */\n" : "",
			  is_identified(job) ? identified : place);
	const char *const parts[][2] = {
		{ "@SCHEDULES@", is_fair(job) ? "VM_SCHEDULES_FAIR" : "VM_SCHEDULES_UNFAIR" },
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
	char *claim = job->formula ? formula_claim(job->formula, threads) : NULL;
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

/* For replay: the formula that the model's claim is for. */
bool keep_formula(const struct job *job, const char *directory)
{
	char *path = text("%s/formula", directory);
	const char *name = job->formula ? job->formula->name : "";
	bool good = *name ? write_file(path, name, strlen(name)) : unlink(path) == 0 || errno == ENOENT;
	free(path);
	return good;
}
