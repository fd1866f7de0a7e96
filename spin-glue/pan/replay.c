/* SPDX-License-Identifier: MIT
 *
 * Counterexamples: pan replays a trail through the same VM, which writes down what happens; here it becomes a trace.
 */
#include "pan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take_record(json_t *record, json_t *trace, json_t **violation)
{
	const char *type = json_string_value(json_object_get(record, "type"));
	if (type && strcmp(type, "event") == 0) {
		json_object_del(record, "type");
		json_array_append(trace, record);
	} else if (type && strcmp(type, "violation") == 0 && !*violation) {
		json_object_del(record, "type");
		*violation = json_incref(record);
	}
}

json_t *replay(struct job *job, const char *pan, const char *directory, const char *trail)
{
	char *result = text("%s/replay.json", job->work), *output = text("%s/replay.out", job->work);
	char *image = text("BITSPIN_IMAGE=%s", job->image), *to = text("BITSPIN_RESULT=%s", result);
	char *wanted = job->options.trace ? absolute_path(job->options.trace) : NULL;
	char *trace = text("BITSPIN_TRACE=%s", wanted ? wanted : "");
	const char *const argv[] = { pan, "-r", trail, "-n", NULL }, *const environment[] = { image, to, trace, NULL };
	int status;
	unlink(result);
	struct process process = {
		.argv = argv,
		.directory = directory,
		.output = output,
		.errors = output,
		.environment = environment,
	};
	process_run(&process, &status);
	char *lines = read_file(result, NULL), *rest = lines, *line;
	json_t *records = json_array();
	while (rest && (line = strsep(&rest, "\n")) && !process_out_of_time()) {
		json_error_t error;
		json_t *record = json_loads(line, 0, &error);
		if (record)
			json_array_append_new(records, record);
	}
	free(lines);
	free(result);
	free(output);
	free(image);
	free(to);
	free(wanted);
	free(trace);
	return records;
}

json_t *trace_of(struct job *job, const char *pan, const char *directory, const char *trail)
{
	json_t *records = replay(job, pan, directory, trail), *trace = json_array(), *violation = NULL, *record;
	size_t i;
	json_array_foreach (records, i, record)
		take_record(record, trace, &violation);
	if (violation)
		json_object_set(violation, "trace", trace);
	json_decref(trace);
	json_decref(records);
	return violation;
}
