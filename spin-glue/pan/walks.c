/* SPDX-License-Identifier: MIT
 *
 * Random walks, which bitspin-drive makes (runtime/search/walks.h): there is no pan in them, so what they find has a schedule and
 * no trail.
 */
#include "pan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum search_end end_named(const char *limit, bool more_threads)
{
	if (!limit)
		return SEARCH_DONE;
	return strcmp(limit, "hidden pointers") == 0      ? SEARCH_HIDDEN_POINTERS :
		strcmp(limit, "spins") == 0               ? SEARCH_NO_SPINS :
		strcmp(limit, "threads") || !more_threads ? SEARCH_DONE :
							    SEARCH_MORE_THREADS;
}

static void take_record(struct job *job, json_t *record, bool more_threads, enum search_end *end)
{
	const char *type = json_string_value(json_object_get(record, "type"));
	if (type && strcmp(type, "walks") == 0) {
		json_decref(job->walks);
		job->walks = json_incref(record);
		json_object_del(record, "type");
	} else if (type && strcmp(type, "violation") == 0) {
		json_array_append(job->violations, record);
	} else if (type && strcmp(type, "inconclusive") == 0 && *end == SEARCH_DONE) {
		const char *limit = json_string_value(json_object_get(record, "limit"));
		*end = interrupts_asked(job, limit) ? SEARCH_INTERRUPTS : end_named(limit, more_threads);
	} else if (type && strcmp(type, "statistics") == 0) {
		unsigned threads = (unsigned)json_integer_value(json_object_get(record, "threads"));
		job->threads_used = threads > job->threads_used ? threads : job->threads_used;
		if (interrupts_found(job, record) && *end == SEARCH_DONE && !json_array_size(job->violations))
			*end = SEARCH_INTERRUPTS;
	}
}

static enum search_end read_results(struct job *job, bool more_threads)
{
	char *lines = read_file(job->result, NULL), *rest = lines, *line;
	enum search_end end = SEARCH_DONE;
	while (rest && (line = strsep(&rest, "\n"))) {
		json_t *record = *line ? json_loads(line, 0, NULL) : NULL; /* the last line may be cut short */
		if (record)
			take_record(job, record, more_threads, &end);
		json_decref(record);
	}
	free(lines);
	return end;
}

enum search_end walks_run(struct job *job, const struct walks *plan, bool more_threads)
{
	char *drive = data_file("bitspin-drive"), *schedule = text("%s/" FOUND_SCHEDULE, job->work);
	char *seed = text("%lu", plan->seed), *seconds = text("%.3f", plan->seconds), *most = text("%lu", plan->most);
	char *output = text("%s/walks.out", job->work), *image = text("BITSPIN_IMAGE=%s", job->image);
	char *result = text("BITSPIN_RESULT=%s", job->result);
	const char *const argv[] = { drive, "walk", seed, seconds, most, schedule, NULL };
	const char *more = more_threads ? "BITSPIN_MORE_THREADS=yes" : "BITSPIN_MORE_THREADS=";
	char *memory = text("BITSPIN_MEMORY=%s", job->allotment ? job->allotment : "");
	const char *const environment[] = { image, result, more, memory, NULL };
	int status = 0;
	json_array_clear(job->violations);
	json_decref(job->walks);
	job->walks = NULL;
	unlink(job->result);
	enum process_end how = process_run(&(struct process){ .argv = argv,
							      .output = output,
							      .errors = output,
							      .environment = environment },
					   &status);
	enum search_end end = read_results(job, more_threads);
	job->scheduled = json_array_size(job->violations) > 0;
	if (how == PROCESS_SIGNALLED) {
		char *said = read_file(output, NULL);
		fail("internal error: bitspin-drive died of signal %d%s%.*s; this is a bug in bitspin, please report it", status,
		     said && *said ? ": " : "", said ? (int)strcspn(said, "\n") : 0, said ? said : "");
	}
	if (how == PROCESS_NOT_FOUND)
		fail("cannot start '%s'", drive);
	char *const all[] = { drive, schedule, seed, seconds, most, output, image, result, memory };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	return end;
}
