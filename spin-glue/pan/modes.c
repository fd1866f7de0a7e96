/* SPDX-License-Identifier: MIT
 *
 * The searches other than pan's usual one (--search, --cores, --seed): what pan is told, what they may conclude, and random walks,
 * which need no pan.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../../runtime/state/machine.h"

#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BITS       36 /* of pan's -w: an array of 2^36 bits is 8 GB, which has room for billions of states */
#define USUAL_BITS      31 /* the same where nobody has asked for memory */
#define LEAST_BITS      24
#define TABLE_BITS      21
#define SEVERAL_BITS    24 /* the table of several processes does not grow */
#define LEAST_FOR_LARGE (4ul << 30)

enum { WALK_SECONDS = 10 };

bool is_partial(const struct options *o)
{
	return o->search == SEARCH_HASH_COMPACT || o->search == SEARCH_BITSTATE || o->search == SEARCH_RANDOM;
}

bool is_by_several(const struct job *job)
{
	return job->inputs->options.cores > 1 && !job->program.formula;
}

unsigned long memory_limit(const struct options *o)
{
	return o->max_memory ? o->max_memory << 20 : image_usual_memory();
}

/* Take at most a quarter of the memory that `o` allows: each state touches several pages, and more makes no difference to most
 * searches. */
int array_bits(const struct options *o)
{
	int bits = LEAST_BITS, most = o->max_memory ? MOST_BITS : USUAL_BITS;
	while (bits < most && (1ul << (bits + 1)) / 8 <= memory_limit(o) / 4)
		bits++;
	assert(bits >= LEAST_BITS && bits <= MOST_BITS);
	return bits;
}

void search_arguments(const struct job *job, struct list *argv)
{
	const struct options *o = &job->inputs->options;
	int bits = TABLE_BITS;
	if (o->search == SEARCH_BITSTATE)
		bits = array_bits(o);
	else if (is_by_several(job))
		bits = o->search == SEARCH_BREADTH_FIRST && memory_limit(o) >= LEAST_FOR_LARGE ? SEVERAL_BITS + 1 : SEVERAL_BITS;
	list_addf(argv, "-w%d", bits);
	if (job->program.formula)
		return;
	if (is_by_several(job) && o->search == SEARCH_BREADTH_FIRST)
		list_addf(argv, "-u%lu", o->cores);
	if (o->seed)
		list_addf(argv, "-RS%lu", o->seed & 0x7fffffff);
	if (o->seed && is_partial(o))
		list_addf(argv, "-h%lu", o->seed % 100 + 1); /* another hash function misses other states */
}

char *with_inputs(const struct job *job, char *reason)
{
	if (!job->program.narrowed)
		return reason;
	char *both = text("%s, with only a few values of %s", reason, job->program.input);
	free(reason);
	return both;
}

char *partial_reason(const struct job *job)
{
	const struct statistics *s = &job->result.statistics;
	if (job->inputs->options.search == SEARCH_RANDOM) {
		const char *why = json_string_value(json_object_get(job->result.walks, "why"));
		if (s->walks < 1)
			return text("no random walk came to its end%s%s", why ? ": " : "", why ? why : "");
		char *cut = s->unfinished > 0 ? text("; %.0f of them %s cut%s%s", s->unfinished, s->unfinished > 1 ? "were" : "was",
						     why ? ": " : "", why ? why : "") :
						text("%s", "");
		char *reason = text("no violation in %.0f random walk%s (%.0f step%s)%s", s->walks, plural(s->walks), s->steps,
				    plural(s->steps), cut);
		free(cut);
		return with_inputs(job, reason);
	}
	struct coverage coverage = coverage_of(job);
	char *part = coverage_in_words(&coverage);
	char *reason = text("no violation, %s of states estimated (%.0f state%s seen)", part, s->states, plural(s->states));
	free(part);
	return with_inputs(job, reason);
}

/* ---- random walks ----------------------------------------------------------------------------------------------------- */

enum search_end walks_search(struct job *job, bool more_threads)
{
	const struct options *o = &job->inputs->options;
	struct statistics *s = &job->result.statistics;
	struct walks plan = {
		.seed = o->seed ? o->seed : 1,
		.most = o->walks,
		.seconds = o->walks || o->max_time ? 0 : WALK_SECONDS,
	};
	enum search_end end = walks_run(job, &plan, more_threads);
	if (end != SEARCH_DONE)
		return end;
	s->walks = json_number_value(json_object_get(job->result.walks, "walks"));
	s->transitions = s->steps = json_number_value(json_object_get(job->result.walks, "steps"));
	s->unfinished = json_number_value(json_object_get(job->result.walks, "unfinished"));
	s->search_seconds = json_number_value(json_object_get(job->result.walks, "seconds"));
	bool found = json_array_size(job->result.violations) > 0;
	job->search.complete = found;
	job->result.verdict = found ? VERDICT_VIOLATED : VERDICT_INCONCLUSIVE;
	free(job->result.reason);
	job->result.reason = found ? NULL : partial_reason(job);
	return SEARCH_DONE;
}

/* ---- several processes ------------------------------------------------------------------------------------------------ */

/* List the trails that processes have left, whatever their names. */
static void trails_of(const char *directory, struct list *trails)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;
	while (entries && (entry = readdir(entries))) {
		size_t length = strlen(entry->d_name);
		if (strncmp(entry->d_name, "model.pml", 9) == 0 && length > 5 && strcmp(entry->d_name + length - 5, "trail") == 0)
			list_add(trails, entry->d_name);
	}
	if (entries)
		closedir(entries);
}

void several_forget_trails(const struct job *job)
{
	struct list trails = { 0 };
	trails_of(job->program.work, &trails);
	for (size_t i = 0; i < trails.count; i++) {
		char *path = text("%s/%s", job->program.work, trails.items[i]);
		remove(path);
		free(path);
	}
	list_release(&trails);
}

/* Return the violation among `violations` that is the same as `violation`; NULL if none is. */
static json_t *same_as(const json_t *violations, const json_t *violation)
{
	json_t *reported;
	size_t i;
	const json_t *end = json_object_get(violation, "end"), *placed = end ? end : violation; /* of a leak */
	json_array_foreach (violations, i, reported)
		if (json_equal(json_object_get(reported, "kind"), json_object_get(violation, "kind")) &&
		    json_equal(json_object_get(reported, "line"), json_object_get(placed, "line")))
			return reported;
	return NULL;
}

bool several_choose_violation(struct job *job, const char *pan)
{
	struct list trails = { 0 };
	json_t *chosen = NULL;
	trails_of(job->program.work, &trails);
	for (size_t i = 0; i < trails.count && !chosen; i++) {
		json_t *violation = trace_of(job, pan, job->program.work, trails.items[i]);
		chosen = violation ? json_incref(same_as(job->result.violations, violation)) : NULL;
		char *from = text("%s/%s", job->program.work, trails.items[i]), *to = text("%s/model.pml.trail", job->program.work);
		if (chosen && strcmp(from, to) != 0)
			rename(from, to);
		free(from);
		free(to);
		json_decref(violation);
	}
	list_release(&trails);
	if (!chosen)
		return false;
	json_array_clear(job->result.violations);
	json_array_append_new(job->result.violations, chosen);
	assert(json_array_size(job->result.violations) == 1);
	return true;
}
