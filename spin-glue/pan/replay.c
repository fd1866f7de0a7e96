/* SPDX-License-Identifier: MIT
 *
 * Counterexamples: pan replays a trail through the same VM, which writes down what happens; here it becomes a trace.
 */
#include "job.h"
#include "pan.h"
#include "../base/base.h"
#include "../options/options.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGE (16 << 20) /* bytes: more are not read at once */

/* Is it a record that only BITSPIN_TURNS adds (bitspin_vm.h)? */
static bool is_about_turns(const char *type)
{
	static const char *const types[] = { "turn", "born", "rest", "value", "fails", "given" };
	for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return false;
}

static void take_record(json_t *record, json_t *trace, json_t *turns, json_t **violation)
{
	const char *type = json_string_value(json_object_get(record, "type"));
	if (type && strcmp(type, "event") == 0) {
		json_object_del(record, "type");
		json_array_append(trace, record);
	} else if (type && strcmp(type, "violation") == 0 && !*violation) {
		json_object_del(record, "type");
		*violation = json_incref(record);
	} else if (is_about_turns(type)) {
		json_array_append(turns, record);
	}
}

/* Return a record that names the file `path`, in which the events stay: a story of millions of steps can be printed, and would
 * not fit into memory. */
static json_t *left_in(const char *path)
{
	char *kept = text("%s.events", path);
	json_t *record = rename(path, kept) == 0 ? json_pack("{s:s, s:s}", "type", "events", "path", kept) : NULL;
	free(kept);
	return record;
}

/* Read the records in a file of any size, except events. */
static json_t *read_all_but_events(const char *path)
{
	static const char event[] = "\"type\":\"event\"";
	FILE *file = fopen(path, "re");
	json_t *records = json_array();
	char *line = NULL;
	size_t capacity = 0;
	while (file && getline(&line, &capacity, file) > 0 && !process_out_of_time()) {
		json_t *record = strstr(line, event) ? NULL : json_loads(line, 0, NULL);
		if (record)
			json_array_append_new(records, record);
	}
	free(line);
	if (file)
		fclose(file);
	json_array_append_new(records, left_in(path));
	return records;
}

static bool is_large(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && st.st_size > LARGE;
}

/* Will only people read the story? */
static bool is_for_people(const struct options *o)
{
	return o->story_full && !o->json && !o->html && !o->sarif && !o->junit && !o->witness;
}

/* Read the records in a file.  Return them as an array. */
static json_t *read_records(const char *path)
{
	char *lines = read_file(path, NULL), *rest = lines, *line;
	json_t *records = json_array();
	while (rest && (line = strsep(&rest, "\n")) && !process_out_of_time()) {
		json_error_t error;
		json_t *record = json_loads(line, 0, &error);
		if (record)
			json_array_append_new(records, record);
	}
	free(lines);
	return records;
}

/* Run it once more before, where inputs are sets of values, to find the inputs that lead along the path. */
static void find_inputs(const struct process *process, const char *to, const char *const *environment)
{
	enum { MOST = 9 };
	const char *with[MOST] = { to };
	struct process first = *process;
	int status;
	for (size_t i = 0; environment[i]; i++) {
		assert(i + 2 < MOST);
		with[i + 1] = environment[i];
	}
	first.environment = with;
	process_run(&first, &status);
}

/* Does the file of inputs say that smaller ones may do? */
static bool may_be_smaller(const char *path)
{
	char *lines = read_file(path, NULL);
	bool may = lines && strstr(lines, "not the smallest");
	free(lines);
	return may;
}

/* Are inputs sets of values in the image, which may have been kept? */
static bool has_sets(const char *path)
{
	struct image image;
	char error[4400];
	if (image_load(&image, path, error, sizeof error) < 0)
		return false;
	bool sets = image_inputs_are_whole(image.options->inputs);
	image_release(&image);
	return sets;
}

json_t *run_on_image(struct job *job, const char *const argv[], const char *directory, const char *schedule)
{
	assert(argv[0] && schedule && job->program.image);
	char *result = text("%s/replay.json", job->program.work), *output = text("%s/" REPLAY_OUTPUT, job->program.work);
	char *wanted = job->inputs->options.trace ? text("%s/trace", job->program.work) : NULL;
	bool sets = has_sets(job->program.image);
	char *inputs = text("BITSPIN_INPUTS_TO=%s/inputs", job->program.work);
	char *const environment[] = {
		sets ? text("BITSPIN_INPUTS=%s/inputs", job->program.work) : text("BITSPIN_INPUTS="),
		text("BITSPIN_IMAGE=%s", job->program.image),
		text("BITSPIN_RESULT=%s", result),
		text("BITSPIN_SCHEDULE=%s/%s", job->program.work, schedule),
		text("BITSPIN_TRACE=%s", wanted ? wanted : ""),
		text("BITSPIN_STORY=%s", job->inputs->options.story_full ? "full" : "short"),
		text("BITSPIN_CALLERS=%s", job->inputs->options.html ? "1" : ""),
		NULL,
	};
	int status;
	unlink(result);
	struct process process = {
		.argv = argv,
		.directory = directory,
		.output = output,
		.errors = output,
		.environment = (const char *const *)environment,
	};
	if (sets) {
		find_inputs(&process, inputs, process.environment);
		unlink(result);
	}
	process_run(&process, &status);
	bool smaller = sets && may_be_smaller(strchr(inputs, '=') + 1);
	free(inputs);
	bool leave = is_for_people(&job->inputs->options) && !job->program.formula && is_large(result);
	json_t *records = leave ? read_all_but_events(result) : read_records(result);
	if (smaller)
		json_array_append_new(records, json_pack("{s:s, s:b}", "type", "inputs", "inputs_may_be_smaller", 1));
	for (size_t i = 0; environment[i]; i++)
		free(environment[i]);
	free(result);
	free(output);
	free(wanted);
	return records;
}

json_t *replay(struct job *job, const char *pan, const char *directory, const char *trail)
{
	assert(pan && trail);
	const char *claim = job->search.claim, *const argv[] = { pan, "-r", trail, "-n", claim ? "-N" : NULL, claim, NULL };
	return run_on_image(job, argv, directory, "schedule");
}

json_t *violation_of(const json_t *records)
{
	json_t *trace = json_array(), *turns = json_array(), *violation = NULL, *record, *path = NULL;
	bool smaller = false;
	size_t i;
	json_array_foreach (records, i, record) {
		take_record(record, trace, turns, &violation);
		path = path ? path : json_object_get(record, "path");
		smaller = smaller || json_object_get(record, "inputs_may_be_smaller");
	}
	if (violation && smaller)
		json_object_set_new(violation, "inputs_may_be_smaller", json_true());
	if (violation)
		json_object_set(violation, "trace", trace);
	if (violation && path)
		json_object_set(violation, "trace_file", path);
	if (violation && json_array_size(turns))
		json_object_set(violation, "turns", turns);
	json_decref(turns);
	json_decref(trace);
	return violation;
}

json_t *trace_of(struct job *job, const char *pan, const char *directory, const char *trail)
{
	json_t *records = replay(job, pan, directory, trail), *violation = violation_of(records);
	json_decref(records);
	return violation;
}
