/* SPDX-License-Identifier: MIT
 *
 * How a run of a subcommand begins and ends.
 */
#include "commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct job *current;

/* An early end is reported in the files, too, that were asked for. */
static void report_end(enum verdict verdict, const char *message)
{
	current->verdict = verdict;
	current->reason = text("%s", message);
	report_write(current);
}

void command_begin(struct job *job, char command, int argc, char **argv)
{
	job_init(job);
	current = job;
	fail_tell(report_end);
	options_parse(&job->options, command, argc, argv);
	colour_choose(job->options.colour);
	echo_commands(job->options.verbose);
	if (job->options.verbose)
		work_keep();
}

void command_end(struct job *job)
{
	fail_tell(NULL);
	current = NULL;
	job_release(job);
}

void check_output_files(struct options *o)
{
	if (o->keep)
		make_directories(o->keep);
	report_check_files(o);
	const char *const files[] = { o->output, o->graph, o->plot };
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		int fd = files[i] ? open(files[i], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
		if (files[i] && fd < 0)
			fail("cannot write '%s': %s", files[i], strerror(errno));
		if (fd >= 0)
			close(fd);
	}
}
