/* SPDX-License-Identifier: MIT
 *
 * Random walks, which bitspin-drive makes (runtime/search/bound/random_walks.h): there is no pan in them, so what they find has a
 * schedule and no trail.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../../runtime/state/end.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take_record(struct job *job, json_t *record, limit_set *met)
{
	const char *type = json_string_value(json_object_get(record, "type"));
	if (type && strcmp(type, "walks") == 0) {
		json_decref(job->result.walks);
		job->result.walks = json_incref(record);
		json_object_del(record, "type");
	} else if (type && strcmp(type, "violation") == 0) {
		json_array_append(job->result.violations, record);
	} else if (type && strcmp(type, "inconclusive") == 0) {
		enum vm_limit limit = limit_named(json_string_value(json_object_get(record, "limit")));
		*met |= limit < VM_LIMITS ? limit_bit(limit) : 0;
	} else if (type && strcmp(type, "statistics") == 0) {
		unsigned threads = (unsigned)json_integer_value(json_object_get(record, "threads"));
		job->search.threads_used = threads > job->search.threads_used ? threads : job->search.threads_used;
		*met |= interrupts_found(job, record) ? limit_bit(LIMIT_INTERRUPTS) : 0;
	}
}

/* Note why a walk was cut.  The first such limit is told with the walks; without one, they were too long.  Where no walk has come
 * to its end, bitspin-drive has said nothing about walks. */
static void note_cut(struct job *job, const char *why)
{
	bool none = !job->result.walks;
	if (none)
		job->result.walks = json_pack("{s:i, s:i, s:i, s:f}", "walks", 0, "steps", 0, "unfinished", 1, "seconds", 0.0);
	if (json_integer_value(json_object_get(job->result.walks, "unfinished")) > 0)
		json_object_set_new(job->result.walks, "why",
				    json_string(why          ? why :
							none ? "the time was up during the first" :
							       "they took too many steps"));
}

static char *reason_of(const json_t *record)
{
	const char *file = json_string_value(json_object_get(record, "file"));
	const char *reason = json_string_value(json_object_get(record, "reason"));
	long long line = json_integer_value(json_object_get(record, "line"));
	if (!reason)
		return NULL;
	return line && file ? text("%s (at %s:%lld)", reason, from_here(file), line) : text("%s", reason);
}

static enum search_end read_results(struct job *job, bool more_threads)
{
	char *lines = read_file(job->search.records, NULL), *rest = lines, *line;
	limit_set met = 0;
	char *why = NULL;
	while (rest && (line = strsep(&rest, "\n"))) {
		json_t *record = *line ? json_loads(line, 0, NULL) : NULL; /* the last line may be cut short */
		const char *type = json_string_value(json_object_get(record, "type"));
		if (record)
			take_record(job, record, &met);
		bool limit = type && strcmp(type, "inconclusive") == 0;
		if (limit && !job->result.stopped && (met & limit_bit(LIMIT_STOPPED)))
			job->result.stopped = reason_of(record);
		if (limit && !why)
			why = reason_of(record);
		json_decref(record);
	}
	free(lines);
	note_cut(job, why);
	free(why);
	if (restart(job, met))
		return SEARCH_AGAIN;
	return more_threads && (met & limit_bit(LIMIT_THREADS)) ? SEARCH_MORE_THREADS : SEARCH_DONE;
}

enum search_end walks_run(struct job *job, const struct walks *plan, bool more_threads)
{
	char *drive = data_file("bitspin-drive"), *schedule = text("%s/" FOUND_SCHEDULE, job->program.work);
	char *seed = text("%lu", plan->seed), *seconds = text("%.3f", plan->seconds), *most = text("%lu", plan->most);
	char *output = text("%s/walks.out", job->program.work), *image = text("BITSPIN_IMAGE=%s", job->program.image);
	char *result = text("BITSPIN_RESULT=%s", job->search.records);
	const char *const argv[] = { drive, "walk", seed, seconds, most, schedule, NULL };
	const char *more = more_threads ? "BITSPIN_MORE_THREADS=yes" : "BITSPIN_MORE_THREADS=";
	char *memory = text("BITSPIN_MEMORY=%s", job->search.allotment ? job->search.allotment : "");
	const char *const environment[] = { image, result, more, memory, NULL };
	int status = 0;
	json_array_clear(job->result.violations);
	json_decref(job->result.walks);
	job->result.walks = NULL;
	free(job->result.stopped);
	job->result.stopped = NULL;
	unlink(job->search.records);
	enum process_end how = process_run(&(struct process){ .argv = argv,
							      .output = output,
							      .errors = output,
							      .environment = environment },
					   &status);
	job->result.end = how;
	enum search_end end = read_results(job, more_threads);
	job->search.scheduled = json_array_size(job->result.violations) > 0;
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
