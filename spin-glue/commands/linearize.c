/* SPDX-License-Identifier: MIT
 *
 * bitspin linearize: is a data structure linearizable?  Phase 1 is a check of the harness in which each operation runs in one
 * piece; it notes the histories of results.  Phase 2 is a check in which operations overlap, with a monitor that knows these
 * histories (runtime/sync/operations.c).
 */
#include "commands.h"
#include "../base/base.h"
#include "../formula/formula.h"
#include "../options/options.h"
#include "../options/rows.h"
#include "../pan/job.h"
#include "../program/operations.h"
#include "../report/report.h"
#include "../simulate/simulate.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Leave out what phase 1 has nothing to do with: how schedules are chosen, and what is written. */
static void alone(struct options *o)
{
	o->json = o->html = o->sarif = o->junit = o->witness = o->graph = o->plot = o->trace = o->output = o->keep = o->tests =
		NULL;
	o->checkpoint = NULL;
	o->all = o->shortest = o->bounded = o->iterate = false;
	o->search = SEARCH_DEPTH_FIRST;
	o->cores = o->walks = 0;
	o->identity = IDENTITY_STATE;
	o->memory = MEMORY_SC; /* what one operation has written, the next one sees */
	o->staleness = 0;
}

/* Let phase 1 be one of the specification. */
static void specify(struct options *o)
{
	o->files = (struct list){ 0 };
	o->finals = (struct list){ 0 }; /* they may look at the program's own variables */
	list_add(&o->files, o->spec);
}

/* Run phase 1.  Return false if it has found something that has to be told first. */
static bool run_alone(struct job *job, struct operations *operations)
{
	assert(job->inputs->options.files.count > 0 && !operations->table);
	struct options given = job->inputs->options;
	struct list bitcode = { 0 };
	struct formulas formulas = { 0 };
	char *words, *path = text("%s/histories", job->program.work);
	operations->spec = given.spec != NULL;
	alone(&job->inputs->options);
	if (given.spec)
		specify(&job->inputs->options);
	setenv("BITSPIN_HISTORIES", path, 1);
	free(check_files(job, &bitcode, &formulas));
	unsetenv("BITSPIN_HISTORIES");
	job->inputs->options = given;
	list_release(&bitcode);
	formulas_release(&formulas);
	job->program.formulas = NULL;
	bool done = job->result.verdict == VERDICT_VERIFIED;
	if (done && (!histories_read(operations, path, &words) || (words && !operations->spec))) {
		job->result.verdict = VERDICT_INCONCLUSIVE;
		job->result.reason = operations->table ? text("the operations are not deterministic: %s", words) : words;
		done = false;
	}
	unlink(path);
	free(path);
	return done;
}

static void report(struct job *job, const struct list *bitcode, double start)
{
	job->result.statistics.seconds = seconds_now() - start;
	operations_place(job);
	if (job->inputs->options.html && bitcode->count)
		job->result.frames = frames_of(job, bitcode);
	report_write(job);
	if (!report_takes_stdout(&job->inputs->options))
		report_print(job);
}

int command_linearize(int argc, char **argv)
{
	double start = seconds_now();
	struct job job;
	struct operations operations;
	struct list bitcode = { 0 };
	struct formulas formulas = { 0 };
	command_begin(&job, 'L', argc, argv);
	if (job.inputs->options.planned.count) {
		int status = plans_run(&job, argc, argv);
		command_end(&job);
		return status;
	}
	if (job.inputs->options.operations.count == 0)
		options_set(&job.inputs->options, OPT_DEFINE, "__BITSPIN_LINEARIZE__");
	operations_read(&operations, &job.inputs->options.operations, job.inputs->options.condition);
	job.inputs->options.total_deadlocks = 1; /* operations may wait for each other for good: that is compared, too */
	job.program.operations = &operations;
	if (job.inputs->options.progress) {
		operations.progress = job.inputs->options.progress;
		progress_run(&job, &operations);
	} else if (run_alone(&job, &operations)) {
		job_begin_again(&job);
		job.program.operations = &operations;
		free(check_files(&job, &bitcode, &formulas));
	}
	report(&job, &bitcode, start);
	int status = verdict_status(job.result.verdict);
	list_release(&bitcode);
	formulas_release(&formulas);
	operations_release(&operations);
	command_end(&job);
	return status;
}
