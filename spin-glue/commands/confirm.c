/* SPDX-License-Identifier: MIT
 *
 * bitspin confirm: from a counterexample to a native run that shows the same.  bitspin replay --gdb: the same run under gdb.
 */
#include "commands.h"
#include "../base/base.h"
#include "../native/native.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../pan/pan.h"
#include "../report/report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NOT_CONFIRMED = 1, NOTHING = 3 };

/* Return the schedule of `violation`, from the records of its replay (BITSPIN_TURNS).  A lasso is replayed with its loop twice. */
static struct schedule *schedule_of(struct job *job, const char *pan, const char *directory, json_t *violation)
{
	assert(json_is_string(json_object_get(violation, "kind")));
	bool lasso = strcmp(json_string_value(json_object_get(violation, "kind")), "ltl") == 0;
	char *twice = text("%s/twice.trail", job->program.work);
	json_t *turns = lasso ? replay(job, pan, directory, twice) : json_incref(json_object_get(violation, "turns"));
	struct schedule *schedule = schedule_new(turns, violation);
	json_decref(turns);
	json_object_del(violation, "turns");
	free(twice);
	return schedule;
}

static bool is_directory(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Take the program from a directory of --keep, with a trail that was there before. */
static void open_kept(struct native *n, struct list *bitcode, struct list *linked, const char *directory, const char *trail)
{
	assert(!n->schedule && bitcode->count == 0);
	struct job *job = n->job;
	char *pan = text("%s/pan", directory);
	kept_read(job, directory, bitcode, linked);
	json_t *violation = replay_kept(job, directory, trail);
	kept_compare(directory, trail, violation);
	json_array_append_new(job->result.violations, violation);
	n->violation = violation;
	n->schedule = schedule_of(job, pan, directory, violation);
	free(pan);
}

static int confirm_kept(struct job *job)
{
	assert(job->inputs->options.files.count == 1);
	struct list bitcode = { 0 }, linked = { 0 };
	struct native n = { .job = job, .bitcode = &bitcode, .linked = &linked };
	char *directory, *trail;
	unsigned long repeat = job->inputs->options.repeat; /* the others are those of the check */
	find_trail(job->inputs->options.files.items[0], &directory, &trail);
	open_kept(&n, &bitcode, &linked, directory, trail);
	job->inputs->options.repeat = repeat;
	bool good = native_confirm(&n);
	schedule_release((struct schedule *)n.schedule);
	list_release(&bitcode);
	list_release(&linked);
	free(directory);
	free(trail);
	return good ? 0 : NOT_CONFIRMED;
}

static int confirm_program(struct job *job, int argc, char **argv)
{
	struct list bitcode = { 0 }, linked = { 0 };
	struct formulas formulas = { 0 };
	char *pan = check_files(job, &bitcode, &formulas);
	json_t *violation = json_array_get(job->result.violations, 0), *other;
	struct schedule *schedule = violation ?
		schedule_of(job, job->search.pan ? job->search.pan : pan, job->program.work, violation) :
		NULL;
	int status = NOTHING;
	size_t i;
	json_array_foreach (job->result.violations, i, other)
		json_object_del(other, "turns");
	report_write(job);
	if (!report_takes_stdout(&job->inputs->options))
		report_print(job);
	if (!violation || job->result.verdict != VERDICT_VIOLATED) {
		puts("nothing to confirm: the check found no violation");
	} else {
		struct native n = {
			.job = job, .bitcode = &bitcode, .linked = &linked, .violation = violation, .schedule = schedule
		};
		kept_libraries(argc, argv, &linked);
		process_limit_time(0); /* what that was for is over */
		status = native_confirm(&n) ? 0 : NOT_CONFIRMED;
		schedule_release(schedule);
	}
	free(pan);
	list_release(&bitcode);
	list_release(&linked);
	formulas_release(&formulas);
	return status;
}

int command_confirm(int argc, char **argv)
{
	struct job job;
	command_begin(&job, 'N', argc, argv);
	setenv("BITSPIN_TURNS", "1", 1); /* replays tell whose turn it is */
	bool kept = job.inputs->options.files.count == 1 && is_directory(job.inputs->options.files.items[0]);
	int status = kept ? confirm_kept(&job) : confirm_program(&job, argc, argv);
	command_end(&job);
	return status;
}

int debug_kept(struct job *job, const char *directory, const char *trail)
{
	struct list bitcode = { 0 }, linked = { 0 };
	struct native n = { .job = job, .bitcode = &bitcode, .linked = &linked };
	setenv("BITSPIN_TURNS", "1", 1);
	open_kept(&n, &bitcode, &linked, directory, trail);
	int status = native_debug(&n);
	schedule_release((struct schedule *)n.schedule);
	list_release(&bitcode);
	list_release(&linked);
	return status;
}
