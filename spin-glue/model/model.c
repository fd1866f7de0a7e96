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

/* The variable with the program's state. */
static const char *state_name(const struct job *job)
{
	return has_views(job) ? "concrete" : "vm";
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
	const char *next = job->formula->fairness == LTL_WEAK ? "vm_weak_turn(now.vm" : "vm_strong_turn(now.fair_idle";
	return text("now.fair_turn = %s, now.fair_turn + (now.fair_turn == " MODEL_MOVED "), %u);", next, threads);
}

/* The guard and the step of an outcome. */
static char *option_text(const struct job *job, unsigned threads, int choice)
{
	const char *state = state_name(job);
	char *before = text("VM_THREADS_UNMATCHED(); %s%s", has_views(job) ? "VM_UNMATCHED(concrete); " : "",
			    is_identified(job) ? "" : "if (!vm_has_places()) VM_UNMATCHED(place); ");
	char *take = is_identified(job) ? text("vm_take_identified(&now.%s, &now.identity, &now.last, &now.used, depth, ", state) :
					  text("vm_take(&now.%s, &now.place, ", state);
	char *allowed = is_identified(job) ? text("vm_allowed_identified (now.%s, now.identity, now.last, now.used, ", state) :
					     text("vm_allowed (now.%s, now.place, ", state);
	char *after = finishing_text(job, threads);
	char *option = text("\t:: d_step { c_expr { %sPthread->_pid, %d) } ->\n"
			    "\t\tc_code { %s%sPthread->_pid, %d);%s%s } }%s",
			    allowed, choice, before, take, choice, *after ? " " : "", after, choice + 1 < VM_OPTIONS ? "\n" : "");
	free(before);
	free(allowed);
	free(take);
	free(after);
	return option;
}

static char *all_options(const struct job *job, unsigned threads)
{
	char *options = text("%s", "");
	for (int i = 0; i < VM_OPTIONS; i++) {
		char *option = option_text(job, threads, i), *longer = text("%s%s", options, option);
		free(option);
		free(options);
		options = longer;
	}
	return options;
}

char *model_text(const struct job *job, unsigned threads)
{
	char *path = data_file("model.pml.in"), *template = read_file(path, NULL);
	if (!template)
		fail("cannot read '%s': %s", path, strerror(errno));
	char *number = text("%u", threads), *options = all_options(job, threads);
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
		{ "@STATE@", state_name(job) },
		{ "@MORE@", more },
		{ "@OPTIONS@", options },
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
	free(options);
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
