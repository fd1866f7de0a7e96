/* SPDX-License-Identifier: MIT
 *
 * bitspin simulate: a program step by step.
 */
#include "commands.h"
#include "../base/base.h"
#include "../native/native.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../simulate/simulate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Take the image of a directory of check --keep, and return the path of the schedule there; NULL if `file` is no directory. */
static char *kept_schedule(struct session *s, const char *file)
{
	assert(!s->fixed);
	struct stat st;
	if (stat(file, &st) < 0 || !S_ISDIR(st.st_mode))
		return NULL;
	char *image = text("%s/program.image", file), *schedule = text("%s/schedule", file);
	if (!file_exists(image))
		fail("'%s' has no program.image; make it with check --keep", file);
	if (s->job->inputs->options.files.count > 1)
		fail("simulate takes one directory, or the files of a program");
	if (!file_exists(schedule))
		fail("'%s' has no schedule; check --keep leaves one when a violation is found", file);
	free(s->job->program.image);
	s->job->program.image = absolute_path(image);
	s->fixed = true;
	free(image);
	return schedule;
}

int command_simulate(int argc, char **argv)
{
	struct job job;
	command_begin(&job, 'S', argc, argv);
	struct session s = { .job = &job };
	char *kept = kept_schedule(&s, job.inputs->options.files.items[0]);
	const char *wanted = job.inputs->options.schedule ? job.inputs->options.schedule : kept;
	struct formulas formulas = { 0 };
	formulas_read(&formulas, &job.inputs->options, true);
	job.program.formulas = &formulas;
	session_begin(&s);
	if (!s.fixed)
		s.schedule.program = program_identity(&job.program);
	if (wanted && !shell_load(&s, wanted))
		return verdict_status(VERDICT_ERROR);
	show_stop(&s);
	fflush(stdout);
	shell_run(&s, &job.inputs->options.commands, job.inputs->options.script);
	int status = verdict_status(s.violation && !s.interactive ? VERDICT_VIOLATED : VERDICT_VERIFIED);
	free(kept);
	session_end(&s);
	formulas_release(&formulas);
	command_end(&job);
	return status;
}
