/* SPDX-License-Identifier: MIT
 *
 * Counterexamples of formulas: a stem and a loop.  pan's trail tells where the loop begins; replayed with the loop twice, it
 * proves that the loop closes: the program is in the same state before it, after it, and after it once more.
 *
 * Where threads are symmetric, pan's loop leads back to the same state but for which thread is which.  After some rounds each
 * thread is where it was, and these rounds together are the loop.  A join that the search did not wait for may be made up for in
 * the first rounds; then these belong to the stem.
 *
 * Two kinds of pan do not say well where the loop begins: one of several processes (-DNCORE) says nothing, and one that is fair
 * itself (-f) may name too late a state, as what it remembers of a state is the depth of one of the copies that differ in what its
 * fairness counts.  Then the loop begins with the first state that is that of the end, if it can be gone round from there: a longer
 * loop than pan's is as fair.
 *
 * A trail without a loop shows a violation where the claim fails, or comes to its end.  pan goes on behind that (-e, -c0), and
 * writes more trails; a replay ends where the claim fails first.  It also writes trails of cycles that are closed elsewhere, which
 * show nothing.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../base/fields.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct trail {
	struct list head, stem, loop; /* lines; those of a claim's moves included */
	bool cyclic;
	long long stem_steps, loop_steps; /* of the program */
	int twice;                        /* rounds of pan's loop up to the end of the program's second */
};

/* How often a loop is gone round: twice, unless threads change places. */
enum { TWICE = 2, MORE = 8, MOST_ROUNDS = 1024, MOST_STEPS = 200000 };

/* Read a trail.  A line is "DEPTH:PROCESS:TRANSITION"; negative depths are about the model (-2: a claim), and -1 begins the
 * loop.  Return false if there is no trail. */
static bool read_trail(struct trail *trail, const char *path)
{
	assert(trail->head.count + trail->stem.count + trail->loop.count == 0);
	char *bytes = read_file(path, NULL), *rest = bytes, *line;
	bool there = bytes != NULL;
	while (rest && (line = strsep(&rest, "\n"))) {
		long depth, process;
		if (sscanf(line, "%ld:%ld:", &depth, &process) != 2)
			continue;
		if (depth == -1) {
			trail->cyclic = true;
			continue;
		}
		if (depth < 0) {
			list_add(&trail->head, line);
			continue;
		}
		list_add(trail->cyclic ? &trail->loop : &trail->stem, strchr(line, ':'));
		if (process > 0) /* 0 is the claim */
			*(trail->cyclic ? &trail->loop_steps : &trail->stem_steps) += 1;
	}
	free(bytes);
	return there;
}

static void trail_release(struct trail *trail)
{
	list_release(&trail->head);
	list_release(&trail->stem);
	list_release(&trail->loop);
}

static void put_lines(FILE *out, const struct list *lines, long *depth)
{
	for (size_t i = 0; i < lines->count; i++)
		fprintf(out, "%ld%s\n", (*depth)++, lines->items[i]);
}

/* Write the trail with so many rounds of its loop to a file of the work directory.  Return its path. */
static char *unrolled(const struct job *job, const struct trail *trail, int rounds)
{
	assert(rounds > 0);
	long depth = 0;
	char *path = text("%s/twice.trail", job->program.work);
	FILE *out = fopen(path, "we");
	for (size_t i = 0; out && i < trail->head.count; i++)
		fprintf(out, "%s\n", trail->head.items[i]);
	if (out)
		put_lines(out, &trail->stem, &depth);
	for (int i = 0; out && i < rounds; i++)
		put_lines(out, &trail->loop, &depth);
	if (!out || fclose(out) != 0)
		fail("cannot write to '%s'", job->program.work);
	return path;
}

/* Return the records of states, one for each step, in order. */
static json_t *states_of(const json_t *records)
{
	json_t *states = json_array(), *record;
	size_t i;
	json_array_foreach (records, i, record) {
		const char *type = json_string_value(json_object_get(record, "type"));
		if (type && strcmp(type, "state") == 0)
			json_array_append(states, record);
	}
	return states;
}

/* Return the state after `step`, counted from 1; NULL if there is none. */
static const json_t *state_after(const json_t *states, long long step)
{
	return step > 0 ? json_array_get(states, (size_t)step - 1) : NULL;
}

static long long state_of(const json_t *record)
{
	return record ? json_integer_value(json_object_get(record, "state")) : -1;
}

/* After so many rounds; NO_STATE before the first step, which has no record. */
enum { NO_STATE = -1 };
static long long state_of_round(const struct trail *trail, const json_t *states, int round)
{
	return state_of(state_after(states, trail->stem_steps + round * trail->loop_steps));
}

/* Is the program in the same state after round `from`, after `length` more, and after as many again? */
static bool recurs(const struct trail *trail, const json_t *states, int from, int length)
{
	long long before = state_of_round(trail, states, from), once = state_of_round(trail, states, from + length),
		  twice = state_of_round(trail, states, from + 2 * length);
	return once != NO_STATE && once == twice && (before == once || (before == NO_STATE && from == 0 && trail->stem_steps == 0));
}

/* Does the loop bring the program back to where it was within so many rounds?  Make these rounds the loop then. */
static bool closes(struct trail *trail, const json_t *states, int rounds)
{
	assert(rounds > 0);
	trail->twice = TWICE;
	if (trail->loop_steps == 0)
		return (long long)json_array_size(states) >= trail->stem_steps; /* else the trail is not one of this program */
	for (int length = 1; 2 * length <= rounds; length++)
		for (int from = 0; from + 2 * length <= rounds; from++)
			if (recurs(trail, states, from, length)) {
				trail->stem_steps += from * trail->loop_steps;
				trail->loop_steps *= length;
				trail->twice = from + 2 * length;
				return true;
			}
	return false;
}

/* Let the loop begin after so many steps of the program. */
static void begin_loop(struct trail *trail, long long after)
{
	struct list all = { 0 };
	long long steps = 0, total = trail->stem_steps + trail->loop_steps;
	assert(after >= 0 && after <= total);
	for (size_t i = 0; i < trail->stem.count; i++)
		list_add(&all, trail->stem.items[i]);
	for (size_t i = 0; i < trail->loop.count; i++)
		list_add(&all, trail->loop.items[i]);
	list_release(&trail->stem);
	list_release(&trail->loop);
	for (size_t i = 0; i < all.count; i++) {
		list_add(steps < after ? &trail->stem : &trail->loop, all.items[i]);
		steps += strncmp(all.items[i], ":0:", strlen(":0:")) != 0; /* not the claim's */
	}
	assert(steps == total); /* as many as read_trail() has counted */
	list_release(&all);
	trail->stem_steps = after;
	trail->loop_steps = total - after;
}

/* Replay the trail with so many rounds of the loop, and return the records. */
static json_t *replayed_rounds(struct job *job, const char *pan, const char *directory, const struct trail *trail, int rounds,
			       json_t **states)
{
	char *path = unrolled(job, trail, rounds);
	json_t *records = replay(job, pan, directory, path);
	free(path);
	*states = states_of(records);
	return records;
}

/* Replay the trail with as many rounds as the loop needs that the trail marks; NULL if it does not close. */
static json_t *replayed_as_marked(struct job *job, const char *pan, const char *directory, struct trail *trail, json_t **states)
{
	for (int rounds = TWICE; rounds == TWICE || (rounds <= MOST_ROUNDS && rounds * trail->loop_steps <= MOST_STEPS);
	     rounds *= MORE) {
		json_t *records = replayed_rounds(job, pan, directory, trail, rounds, states);
		if (closes(trail, *states, rounds))
			return records;
		json_decref(*states);
		json_decref(records);
	}
	return NULL;
}

/* Replay the trail with a loop that begins earlier than the trail marks; NULL if none closes. */
static json_t *replayed_from_earlier(struct job *job, const char *pan, const char *directory, struct trail *trail, json_t **states)
{
	json_t *known, *records = replayed_rounds(job, pan, directory, trail, 1, &known);
	json_decref(records);
	long long last = trail->stem_steps + trail->loop_steps, marked = trail->stem_steps,
		  end = state_of(state_after(known, last));
	for (long long from = 1; end != NO_STATE && from < marked && !process_out_of_time(); from++) {
		if (state_of(state_after(known, from)) != end)
			continue;
		begin_loop(trail, from);
		records = replayed_rounds(job, pan, directory, trail, TWICE, states);
		if (closes(trail, *states, TWICE)) {
			trail->cyclic = true;
			json_decref(known);
			return records;
		}
		json_decref(*states);
		json_decref(records);
	}
	json_decref(known);
	begin_loop(trail, marked);
	return NULL;
}

/* Has the claim, process 0, come to its end in the replay just made, or to an assertion?  Pan prints in two lines where a process
 * is.  (Trails of several processes lack the last step, in which the assertion fails.) */
static bool claim_has_ended(const char *output)
{
	static const char claim[] = "proc 0 (", *const ends[] = { "-end-", "assert(" };
	const char *at = strstr(output, claim), *next = at ? strchr(at, '\n') : NULL;
	for (size_t i = 0; next && i < sizeof ends / sizeof *ends; i++)
		if (strncmp(next + 1 + strspn(next + 1, " \t"), ends[i], strlen(ends[i])) == 0)
			return true;
	return false;
}

/* Has the claim failed, as pan's `output` of the replay says? */
static bool claim_has_failed(const char *output)
{
	for (const char *line = output; line; line = strchr(line, '\n'), line += line != NULL) {
		unsigned long n;
		int length = 0;
		if (sscanf(line, "pan:%lu:%n", &n, &length) == 1 && length && is_claims_error(line + length))
			return true;
	}
	return false;
}

/* Replay the trail to where the claim fails, or ends; return NULL if it does neither. */
static json_t *replayed_to_failure(struct job *job, const char *pan, const char *directory, struct trail *trail, json_t **states)
{
	json_t *records = replayed_rounds(job, pan, directory, trail, 1, states);
	char *path = text("%s/" REPLAY_OUTPUT, job->program.work), *output = read_file(path, NULL);
	long long steps = (long long)json_array_size(*states);
	bool failed = output && claim_has_failed(output);
	if (failed || (output && claim_has_ended(output) && steps >= trail->stem_steps)) {
		trail->stem_steps = steps < trail->stem_steps ? steps : trail->stem_steps;
		trail->loop_steps = 0;
		trail->twice = 1;
	} else {
		json_decref(*states);
		json_decref(records);
		records = NULL;
	}
	free(output);
	free(path);
	return records;
}

/* Replay the trail with as many rounds as the loop needs to close; return NULL if it does not. */
static json_t *replayed_loop(struct job *job, const char *pan, const char *directory, struct trail *trail, json_t **states)
{
	json_t *records = trail->cyclic ? replayed_as_marked(job, pan, directory, trail, states) :
					  replayed_to_failure(job, pan, directory, trail, states);
	if (!records)
		records = replayed_from_earlier(job, pan, directory, trail, states);
	if (records)
		free(unrolled(job, trail, trail->twice)); /* for others, see pan.h */
	return records;
}

static bool moves_in(const json_t *trace, long long thread, long long from)
{
	size_t i;
	json_t *event;
	json_array_foreach (trace, i, event)
		if (json_integer_value(json_object_get(event, "step")) > from &&
		    json_integer_value(json_object_get(event, "thread")) == thread)
			return true;
	return false;
}

#define GOES_ROUND "goes round in a loop for ever" /* says a report of a thread of which no event tells */

/* Count the states of the loop in which the thread could go on. */
static long long times_enabled(const json_t *states, long long thread, long long from, long long to)
{
	long long times = 0;
	for (long long step = from + 1; step <= to; step++) {
		size_t i;
		json_t *of;
		json_array_foreach (json_object_get(state_after(states, step), "threads"), i, of)
			times += json_integer_value(json_object_get(of, "thread")) == thread &&
				json_boolean_value(json_object_get(of, "enabled"));
	}
	return times;
}

/* Does the thread move in the loop, even if no event in the trace shows it? */
static bool goes_round(const json_t *states, long long thread, long long from, long long to)
{
	bool moves = false;
	for (long long step = from + 1; step <= to; step++) {
		const json_t *moved = json_object_get(state_after(states, step), "moved");
		moves = moves || (moved && json_integer_value(moved) == thread);
	}
	return moves;
}

/* Return the threads of which the trace shows nothing in the loop, and why. */
static json_t *starving(const json_t *states, const json_t *trace, long long from, long long to)
{
	assert(from <= to);
	json_t *all = json_array(), *thread;
	size_t i;
	json_array_foreach (json_object_get(state_after(states, to), "threads"), i, thread) {
		long long number = json_integer_value(json_object_get(thread, "thread"));
		if (moves_in(trace, number, from))
			continue;
		json_t *entry = json_deep_copy(thread);
		long long times = times_enabled(states, number, from, to);
		json_object_del(entry, "type");
		json_object_del(entry, "interruptible");
		if (goes_round(states, number, from, to))
			json_object_set_new(entry, "waits", json_string(GOES_ROUND));
		else if (times && times >= to - from)
			json_object_set_new(entry, "waits", json_string("could run all the time, but never gets its turn"));
		else if (times)
			json_object_set_new(entry, "waits", json_string("could run now and then, but never gets its turn"));
		json_array_append_new(all, entry);
	}
	return all;
}

/* What a thread does in the loop. */
struct round {
	const json_t *first, *last; /* events, by line; NULL: there are none */
	const json_t *read;         /* the only thing that it does is to look at this; NULL: it does more */
	bool several_files;
};

static struct round round_of(const json_t *trace, long long thread, long long from)
{
	struct round round = { 0 };
	bool more = false;
	size_t i;
	json_t *event;
	json_array_foreach (trace, i, event) {
		if (field_number(event, "step") <= from || field_number(event, "thread") != thread ||
		    field_number(event, "line") == 0 || field_is(event, "action", "again") || field_is(event, "action", "holds"))
			continue;
		bool looks = field_is(event, "action", "read") ||
			(field_is(event, "action", "atomic") && !json_is_true(json_object_get(event, "write")));
		more = more || !looks || (round.read && strcmp(field_text(round.read, "detail"), field_text(event, "detail")) != 0);
		round.read = event;
		if (!round.first || field_number(event, "line") < field_number(round.first, "line"))
			round.first = event;
		if (!round.last || field_number(event, "line") > field_number(round.last, "line"))
			round.last = event;
		round.several_files = round.several_files ||
			strcmp(field_text(round.first, "file"), field_text(event, "file")) != 0;
	}
	round.read = more ? NULL : round.read;
	return round;
}

/* Return who goes round where in the loop, as "thread 0 goes round c14.c:18 (x is 0)". */
static char *who_goes_round(const json_t *trace, const json_t *starving, long long from)
{
	enum { THREADS = 64, MOST = 3 };
	char *all = text("%s", "");
	int count = 0;
	for (long long thread = 0; thread < THREADS; thread++) {
		struct round round = round_of(trace, thread, from);
		const json_t *of, *first = round.first;
		size_t i;
		json_array_foreach (starving, i, of)
			if (!first && field_number(of, "thread") == thread && field_is(of, "waits", GOES_ROUND))
				first = of;
		if (!first || count++ >= MOST)
			continue;
		char *where = text("%s:%lld", base_name(field_text(first, "file")), field_number(first, "line")),
		     *to = round.several_files ? text(" and other files") :
			round.last && field_number(round.last, "line") != field_number(first, "line") ?
						 text(" to :%lld", field_number(round.last, "line")) :
						 text("%s", ""),
		     *why = round.read ? text(" (%s)", field_text(round.read, "detail")) : text("%s", "");
		char *more = text("%s%sthread %lld goes round %s%s%s", all, *all ? ", " : "", thread, where, to, why);
		free(where);
		free(to);
		free(why);
		free(all);
		all = more;
	}
	if (count > MOST || count == 0) {
		char *more = count ? text("%s and others", all) : text("the loop goes on for ever");
		free(all);
		all = more;
	}
	return all;
}

/* Could some thread be interrupted in each state of the loop?  No signal comes so late. */
static bool is_late(const json_t *states, long long from, long long to)
{
	bool late = to > from;
	for (long long step = from + 1; late && step <= to; step++) {
		size_t i;
		json_t *of;
		late = false;
		json_array_foreach (json_object_get(state_after(states, step), "threads"), i, of)
			late = late || json_is_true(json_object_get(of, "interruptible"));
	}
	return late;
}

/* Return the events of the stem and of one round of the loop. */
static json_t *trace_from(const json_t *records, long long last)
{
	json_t *trace = json_array(), *record;
	size_t i;
	json_array_foreach (records, i, record) {
		const char *type = json_string_value(json_object_get(record, "type"));
		if (!type || strcmp(type, "event") != 0 || json_integer_value(json_object_get(record, "step")) > last)
			continue;
		json_object_del(record, "type");
		json_array_append(trace, record);
	}
	return trace;
}

/* ---- shorter ones -------------------------------------------------------------------------------------------------- */

static size_t length_of(const char *path)
{
	struct trail trail = { 0 };
	read_trail(&trail, path);
	size_t length = trail.stem.count + trail.loop.count;
	trail_release(&trail);
	return length;
}

/* Search to `depth`, and return the violation of the trail that is found, NULL if there is none.  That trail is at `path` then,
 * otherwise what was there before. */
static json_t *found_within(struct job *job, const char *pan, const char *path, const char *formula, size_t depth)
{
	char *aside = text("%s/longer.trail", job->program.work);
	json_t *found = NULL;
	if (rename(path, aside) == 0) {
		search_again(job, pan, depth);
		bool there = file_exists(path);
		found = there ? lasso_of(job, pan, job->program.work, base_name(path), formula) : NULL;
		if (found && json_object_get(found, "late")) {
			json_decref(found);
			found = NULL;
		}
		if (!found)
			rename(aside, path);
		if (!found && there) /* "twice.trail" is to be that of the trail */
			json_decref(lasso_of(job, pan, job->program.work, base_name(path), formula));
	}
	free(aside);
	return found;
}

json_t *shorter_lasso(struct job *job, const char *pan, json_t *violation, const char *formula)
{
	enum { MOST_STATES = 20000, TRIES = 8 }; /* a second or so; no seconds, so that the same program has the same story */
	char *path = text("%s/model.pml.trail", job->program.work);
	size_t least = 0, length = length_of(path);
	bool small = job->result.statistics.states <= MOST_STATES && !is_by_several(job);
	for (int i = 0; small && i < TRIES && least + 1 < length && !process_out_of_time(); i++) {
		size_t depth = least + (length - least) / 2;
		json_t *found = found_within(job, pan, path, formula, depth);
		if (!found) {
			least = depth;
			continue;
		}
		json_decref(violation);
		violation = found;
		length = length_of(path) < depth ? length_of(path) : depth;
	}
	free(path);
	return violation;
}

json_t *lasso_of(struct job *job, const char *pan, const char *directory, const char *name, const char *formula)
{
	struct trail trail = { 0 };
	char *path = text("%s/%s", directory, name);
	if (!read_trail(&trail, path)) {
		free(path);
		return NULL;
	}
	json_t *states, *records = replayed_loop(job, pan, directory, &trail, &states), *violation = NULL;
	if (records) {
		assert(trail.twice > 0 && (trail.cyclic || trail.loop_steps == 0));
		long long last = trail.stem_steps + trail.loop_steps;
		json_t *trace = trace_from(records, last);
		json_t *starve = trail.cyclic ? starving(states, trace, trail.stem_steps, last) : json_array();
		char *who = trail.loop_steps ? who_goes_round(trace, starve, trail.stem_steps) : text("%s", ""),
		     *message = text("%s does not hold%s%s", formula,
				     trail.loop_steps      ? ": " :
					     !trail.cyclic ? ": nothing that happens later can change this" :
							     "",
				     who);
		free(who);
		violation = json_pack("{s:s, s:s, s:s, s:i, s:i, s:s, s:i, s:s, s:I, s:o, s:o}", "kind", "ltl", "message", message,
				      "file", "", "line", 0, "column", 0, "function", "", "thread", 0, "formula", formula, "loop",
				      (json_int_t)(trail.cyclic ? trail.stem_steps + 1 : 0), "starving", starve, "trace", trace);
		free(message);
		if (is_late(states, trail.stem_steps, last))
			json_object_set_new(violation, "late", json_true());
		json_decref(states);
		json_decref(records);
	}
	trail_release(&trail);
	free(path);
	return violation;
}
