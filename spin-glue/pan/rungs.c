/* SPDX-License-Identifier: MIT
 *
 * What searches from bound to bound, and random walks, have reached: the records that they leave in their directory while they run
 * (runtime/bitspin_vm.h, runtime/drive_main.c).  So it is known however they end.
 */
#include "pan.h"
#include "../base/base.h"
#include "../../runtime/state/end.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool is_of(const json_t *record, const char *type)
{
	const char *own = json_string_value(json_object_get(record, "type"));
	return own && strcmp(own, type) == 0;
}

/* Does what was completed before this limit stay whole? */
static bool is_harmless(enum vm_limit limit)
{
	return !limit_cuts(limit) && limit != LIMIT_DEPTH;
}

static void take_bound(struct rungs *rungs, json_t *record)
{
	if (is_of(record, "inconclusive") && !is_harmless(limit_named(json_string_value(json_object_get(record, "limit")))))
		rungs->cut = true;
	if (is_of(record, RUNGS_IMAGE)) {
		free(rungs->image);
		rungs->image = text("%s", json_string_value(json_object_get(record, "image")));
	}
	if (is_of(record, "snapshot")) {
		free(rungs->trouble);
		rungs->trouble = text("%s", json_string_value(json_object_get(record, "trouble")));
	} else if (is_of(record, "restored")) { /* what is before it is of another run */
		free(rungs->trouble);
		rungs->trouble = NULL;
	}
	if (!is_of(record, "bound"))
		return;
	/* With each bound there may be one preemption more, from 0 on: the number of bounds tells the last one. */
	assert(json_integer_value(json_object_get(record, "preemptions")) == (json_int_t)json_array_size(rungs->bounds));
	json_object_del(record, "type");
	json_array_append(rungs->bounds, record);
}

/* Read the bounds that were completed.  The last line may be cut short. */
static void read_bounds(struct rungs *rungs, const char *directory, const char *name)
{
	char *path = text("%s/%s", directory, name), *lines = read_file(path, NULL), *rest = lines, *line;
	while (rest && (line = strsep(&rest, "\n"))) {
		json_t *record = *line ? json_loads(line, 0, NULL) : NULL;
		if (record)
			take_bound(rungs, record);
		json_decref(record);
	}
	free(lines);
	free(path);
}

/* Read how the random walks get on.  They write a record now and then; the last one that is whole has the figures of all. */
static void read_walks(struct rungs *rungs, const char *directory, const char *name)
{
	char *path = text("%s/%s", directory, name), *lines = read_file(path, NULL), *end = lines ? lines + strlen(lines) : NULL;
	json_t *last = NULL;
	while (!last && end && end > lines) {
		*--end = '\0';
		while (end > lines && end[-1] != '\n')
			end--;
		json_t *record = *end ? json_loads(end, 0, NULL) : NULL;
		if (is_of(record, "walks"))
			last = json_incref(record);
		json_decref(record);
	}
	if (last) {
		json_object_del(last, "type");
		json_array_append_new(rungs->batches, last);
	}
	free(lines);
	free(path);
}

void rungs_begin_again(const char *directory)
{
	char *path = text("%s/" RUNGS_BEGUN_AGAIN, directory);
	write_file(path, "", 0);
	free(path);
}

void rungs_read(struct rungs *rungs, const char *directory, const char *bounds)
{
	char *again = text("%s/" RUNGS_BEGUN_AGAIN, directory);
	*rungs = (struct rungs){ .bounds = json_array(), .batches = json_array(), .again = file_exists(again) };
	read_bounds(rungs, directory, bounds);
	read_walks(rungs, directory, RUNGS_WALKS);
	read_walks(rungs, directory, RUNGS_MORE_WALKS);
	if (rungs->cut)
		json_array_clear(rungs->bounds); /* what was left out may be in any of them */
	free(again);
}

void rungs_release(struct rungs *rungs)
{
	json_decref(rungs->bounds);
	json_decref(rungs->batches);
	free(rungs->image);
	free(rungs->trouble);
	*rungs = (struct rungs){ 0 };
}

static void add_walks(json_t *walks, const json_t *others)
{
	static const char *const fields[] = { "walks", "steps", "unfinished" };
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		json_int_t sum = json_integer_value(json_object_get(walks, fields[i])) +
			json_integer_value(json_object_get(others, fields[i]));
		json_object_set_new(walks, fields[i], json_integer(sum));
	}
	if (!json_object_get(walks, "why") && json_object_get(others, "why"))
		json_object_set(walks, "why", json_object_get(others, "why"));
	double seconds = json_number_value(json_object_get(walks, "seconds")) +
		json_number_value(json_object_get(others, "seconds"));
	json_object_set_new(walks, "seconds", json_real(seconds));
}

json_t *rungs_sum(const json_t *batches)
{
	json_t *sum = json_object(), *batch;
	size_t i;
	add_walks(sum, NULL);
	json_array_foreach (batches, i, batch)
		add_walks(sum, batch);
	return sum;
}

/* Say where a bitstate search has looked. */
static char *bits_in_words(const json_t *bitstate)
{
	double states = json_number_value(json_object_get(bitstate, "states"));
	const struct coverage coverage = {
		.apart = json_number_value(json_object_get(bitstate, "told_apart")),
	};
	char *part = coverage_in_words(&coverage);
	bool complete = json_is_true(json_object_get(bitstate, "complete"));
	char *words = complete ? text("in %.0f state%s (bitstate, %s of all by estimate)", states, plural(states), part) :
				 text("in %.0f state%s (bitstate, not to its end)", states, plural(states));
	free(part);
	return words;
}

/* Say how many walks there were.  The end of a walk is not seen if a limit has cut the walk, or its own length. */
static char *walks_in_words(const json_t *sum)
{
	double walks = json_number_value(json_object_get(sum, "walks"));
	double cut = json_number_value(json_object_get(sum, "unfinished"));
	const char *why = json_string_value(json_object_get(sum, "why"));
	char *of_them = cut > 0 ?
		text(" (%.0f of them were cut: %s)", cut, why ? why : "they took too many steps, or met a limit") :
		text("%s", "");
	char *words = text("in %.0f random run%s%s", walks, walks > 1 ? "s" : "", of_them);
	free(of_them);
	return words;
}

char *rungs_in_words(const struct rungs *rungs)
{
	struct list parts = { 0 };
	json_t *sum = rungs_sum(rungs->batches);
	size_t bounds = json_array_size(rungs->bounds);
	char *walks = json_number_value(json_object_get(sum, "walks")) > 0 ? walks_in_words(sum) : NULL;
	char *within = bounds ? bounds_in_words(bounds - 1) : NULL, *bits = rungs->bitstate ? bits_in_words(rungs->bitstate) : NULL;
	char *whole = NULL;
	if (within)
		list_addf(&parts, "%s (exhaustive)", within);
	if (walks)
		list_add(&parts, walks);
	if (bits)
		list_add(&parts, bits);
	for (size_t i = 0; i < parts.count; i++) {
		char *more = i == 0 ? text("no violation %s", parts.items[i]) :
				      text("%s, %s%s", whole, i + 1 == parts.count ? "and " : "", parts.items[i]);
		free(whole);
		whole = more;
	}
	assert((whole != NULL) == (within || walks || bits));
	json_decref(sum);
	list_release(&parts);
	free(walks);
	free(within);
	free(bits);
	return whole;
}

char *rungs_in_brief(const struct rungs *rungs)
{
	json_t *sum = rungs_sum(rungs->batches);
	size_t bounds = json_array_size(rungs->bounds);
	double walks = json_number_value(json_object_get(sum, "walks"));
	json_decref(sum);
	char *within = bounds ? text("up to %zu preemption%s", bounds - 1, plural((double)bounds - 1)) : NULL;
	char *runs = walks > 0 ? text("%.0f random run%s", walks, plural(walks)) : NULL;
	char *whole = within || runs ? text("%s%s%s", within ? within : "", within && runs ? ", " : "", runs ? runs : "") : NULL;
	free(within);
	free(runs);
	return whole;
}
