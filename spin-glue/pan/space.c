/* SPDX-License-Identifier: MIT
 *
 * The state space of a small program, as bitspin-drive tells it (runtime/drive_main.c).
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../options/options.h"

#include <stdlib.h>

json_t *state_profile(struct job *job, unsigned long states, double seconds)
{
	char *drive = data_file("bitspin-drive"), *most = text("%lu", states), *limit = text("%.3f", seconds);
	const char *const argv[] = { drive, "profile", most, limit, NULL };
	json_t *records = run_on_image(job, argv, job->program.work, "profile-schedule");
	free(limit);
	free(drive);
	free(most);
	return records;
}

json_t *state_space(struct job *job)
{
	enum { USUAL = 200 };
	unsigned long states = job->inputs->options.graph_states ? job->inputs->options.graph_states : USUAL;
	char *drive = data_file("bitspin-drive"), *most = text("%lu", states);
	const char *trace = job->inputs->options.trace;
	const char *const argv[] = { drive, "graph", most, NULL };
	job->inputs->options.trace = NULL; /* which is that of the counterexample */
	json_t *records = run_on_image(job, argv, job->program.work, "space-schedule");
	job->inputs->options.trace = trace;
	free(drive);
	free(most);
	return records;
}
