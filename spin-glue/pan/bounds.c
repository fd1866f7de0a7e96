/* SPDX-License-Identifier: MIT
 *
 * What is printed while a search goes from bound to bound on preemptions: a line for each that it has completed.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../options/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *bounds_in_words(size_t preemptions)
{
	return preemptions ? text("with up to %zu preemption%s", preemptions, preemptions == 1 ? "" : "s") :
			     text("without preemptions");
}

static void print_line(unsigned preemptions, double states, double before, double seconds)
{
	printf("up to %u preemption%s: %.0f state%s, %.0f new, %.2f s\n", preemptions, plural(preemptions), states, plural(states),
	       states > before ? states - before : 0, seconds);
	fflush(stdout);
}

static void take_line(struct job *job, const char *line)
{
	json_error_t error;
	json_t *record = json_loads(line, 0, &error);
	const char *type = json_string_value(json_object_get(record, "type"));
	if (type && strcmp(type, "bound") == 0) {
		double states = json_number_value(json_object_get(record, "states"));
		unsigned preemptions = (unsigned)json_integer_value(json_object_get(record, "preemptions"));
		if (preemptions >= resume_bounds(job)) /* else an earlier run has told */
			print_line(preemptions, states, job->search.told_states,
				   json_number_value(json_object_get(record, "seconds")));
		job->search.told_states = states;
	}
	json_decref(record);
}

bool bounds_are_told(const struct job *job)
{
	return job->inputs->options.iterate && !job->inputs->options.quiet && !job->inputs->options.json;
}

void bounds_tell(struct job *job)
{
	FILE *file = fopen(job->search.records, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	if (!file)
		return;
	fseek(file, job->search.told, SEEK_SET);
	while ((length = getline(&line, &size, file)) > 0 && line[length - 1] == '\n') { /* else it is being written */
		job->search.told += length;
		take_line(job, line);
	}
	free(line);
	fclose(file);
}

void bounds_tell_search(struct job *job)
{
	const struct statistics *s = &job->result.statistics;
	print_line(job->program.bound, s->states, job->search.told_states, s->search_seconds);
	job->search.told_states = s->states;
}
