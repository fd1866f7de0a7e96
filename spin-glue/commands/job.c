/* SPDX-License-Identifier: MIT
 *
 * How a run of a subcommand begins and ends.
 */
#include "commands.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../report/report.h"
#include "../report/screen.h"

#include <assert.h>
#include <stdlib.h>

static struct job *current;

/* Write an early end into the files that were asked for, too. */
static void report_end(enum verdict verdict, const char *message)
{
	assert(current);
	current->result.verdict = verdict;
	current->result.reason = text("%s", message);
	report_write(current);
}

void command_begin(struct job *job, char command, int argc, char **argv)
{
	assert(!current);
	job_init(job);
	current = job;
	fail_tell(report_end);
	options_parse(&job->inputs->options, command, argc, argv);
	targets_check(&job->inputs->options);
	colour_choose(job->inputs->options.colour);
	echo_commands(job->inputs->options.verbose);
	if (job->inputs->options.verbose)
		work_keep();
}

void command_end(struct job *job)
{
	assert(current == job);
	fail_tell(NULL);
	current = NULL;
	job_release(job);
}
