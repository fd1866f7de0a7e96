/* SPDX-License-Identifier: MIT
 *
 * From the records of a replay (runtime/bitspin_vm.h) to a schedule that a native program can keep.
 *
 * A thread has its turn until it gets to its next one.  So of several turns of a thread in a row, only the first needs to be waited
 * for, unless there is something to say of another: a value, a thread that is made, a second half of the same call.  Turns
 * that begin where the native program has nothing to wait at (in the C library, at the head of a loop) are part of those before.
 */
#include "native.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* where a thread rests */
struct stop {
	int key;
	unsigned count;
	bool begun;
	bool known; /* the native program gets there, too */
};

struct reader {
	struct schedule *s;
	struct stop stops[NATIVE_THREADS];
	struct native_turn *current; /* the turn under way; it may be one that is left out */
	struct native_turn spare;
	int last[NATIVE_THREADS]; /* the last turn of each thread that is kept */
	long long *steps;         /* of each turn that is kept */
	long long step;           /* of the turn under way */
	bool all;                 /* keep all: rounds of a loop must be alike */
};

static int key_of(struct schedule *s, const char *file, unsigned line, const char *operation)
{
	assert(*operation);
	for (size_t i = 0; i < s->nkeys; i++)
		if (s->keys[i].line == line && strcmp(s->keys[i].operation, operation) == 0 && strcmp(s->keys[i].file, file) == 0)
			return (int)i;
	s->keys = realloc(s->keys, (s->nkeys + 1) * sizeof *s->keys);
	if (!s->keys)
		BUG("out of memory");
	s->keys[s->nkeys] = (struct translator_key){ text("%s", file), line, text("%s", operation) };
	return (int)s->nkeys++;
}

/* Is it to be waited for? */
static bool is_needed(const struct reader *r, const struct native_turn *turn)
{
	const struct schedule *s = r->s;
	if (r->all || s->nturns == 0 || s->turns[s->nturns - 1].thread != turn->thread || turn->choice)
		return true;
	return turn->key < 0 || turn->begun;
}

static void add_turn(struct reader *r, const struct native_turn *turn, long long step)
{
	struct schedule *s = r->s;
	assert(turn->thread >= 0 && turn->thread < NATIVE_THREADS);
	s->turns = realloc(s->turns, (s->nturns + 1) * sizeof *s->turns);
	r->steps = realloc(r->steps, (s->nturns + 1) * sizeof *r->steps);
	if (!s->turns || !r->steps)
		BUG("out of memory");
	assert(s->nturns == 0 || r->steps[s->nturns - 1] <= step); /* find_loop() looks for the first of a round */
	r->steps[s->nturns] = step;
	assert(turn->key < (int)s->nkeys);
	s->turns[s->nturns] = *turn;
	r->current = &s->turns[s->nturns];
	int before = r->last[turn->thread];
	if (before >= 0)
		s->turns[before].next = (int)s->nturns;
	else
		s->first[turn->thread] = (int)s->nturns;
	r->last[turn->thread] = (int)s->nturns++;
}

/* Keep the turn under way, even if it was left out so far.  Return it. */
static struct native_turn *keep(struct reader *r)
{
	if (r->current == &r->spare && r->spare.thread >= 0 && r->spare.count)
		add_turn(r, &r->spare, r->step);
	return r->current;
}

static void read_turn(struct reader *r, const json_t *record, int thread)
{
	assert(thread >= 0 && thread < NATIVE_THREADS);
	struct schedule *s = r->s;
	const struct stop *stop = &r->stops[thread];
	struct native_turn turn = {
		.thread = thread,
		.key = stop->key,
		.count = stop->count,
		.begun = stop->begun,
		.choice = (int)field_number(record, "choice"),
		.born = -1,
		.next = -1,
	};
	s->all++;
	r->spare = turn;
	r->step = field_number(record, "step");
	r->current = &r->spare;
	if (stop->known && is_needed(r, &turn))
		add_turn(r, &turn, r->step);
	r->stops[thread] = (struct stop){ .key = -1 };
}

static void read_rest(struct reader *r, const json_t *record, int thread)
{
	const char *operation = field_text(record, "operation"), *file = field_text(record, "file");
	struct stop *stop = &r->stops[thread];
	*stop = (struct stop){ .count = (unsigned)field_number(record, "count"), .known = true };
	stop->begun = json_boolean_value(json_object_get(record, "begun"));
	if (strcmp(operation, "exit") == 0 && !*file)
		stop->key = NATIVE_EXIT;
	else if (*file && stop->count && strncmp(operation, "__bitspin_", 10) != 0) /* those are not the program's */
		stop->key = key_of(r->s, file, (unsigned)field_number(record, "line"), operation);
	else
		*stop = (struct stop){ .key = -1 };
}

static void read_record(struct reader *r, const json_t *record)
{
	const char *type = field_text(record, "type");
	long long thread = field_number(record, "thread");
	if (thread < 0 || thread >= NATIVE_THREADS)
		return;
	if (strcmp(type, "turn") == 0) {
		read_turn(r, record, (int)thread);
	} else if (strcmp(type, "rest") == 0) {
		read_rest(r, record, (int)thread);
	} else if (strcmp(type, "born") == 0 && r->current) {
		keep(r)->born = (int)thread;
		r->s->nthreads = thread >= r->s->nthreads ? (int)thread + 1 : r->s->nthreads;
	} else if (strcmp(type, "value") == 0 && r->current) {
		struct native_turn *turn = keep(r);
		turn->has_value = 1;
		turn->value = field_number(record, "value");
	} else if (strcmp(type, "fails") == 0 && r->current) {
		keep(r)->fails = 1;
		r->s->fails = true;
	} else if (strcmp(type, "given") == 0) {
		char *number = text("%lld", field_number(record, "argument"));
		json_object_set(r->s->given, number, json_object_get(record, "bytes"));
		free(number);
	}
}

/* Find the loop of a lasso, which is in the steps [first, last] of the replay twice.  The second round is cut off.  What one round
 * adds to the counts is the difference between both rounds.  Return false if the rounds are not alike. */
static bool find_loop(struct reader *r, long long first, long long last)
{
	assert(first > 0 && r->all);
	struct schedule *s = r->s;
	long long round = (last - first + 1) / 2;
	size_t begin = 0, second = 0;
	while (begin < s->nturns && r->steps[begin] < first)
		begin++;
	while (second < s->nturns && r->steps[second] < first + round)
		second++;
	size_t length = second - begin;
	if (length == 0 || s->nturns - second != length)
		return false;
	s->increments = calloc(s->nturns, sizeof *s->increments);
	if (!s->increments)
		BUG("out of memory");
	for (size_t i = begin; i < second; i++) {
		const struct native_turn *a = &s->turns[i], *b = &s->turns[i + length];
		if (a->thread != b->thread || a->key != b->key || b->count < a->count)
			return false;
		s->increments[i] = b->count - a->count;
	}
	s->loop = (int)begin;
	s->nturns = second;
	for (size_t i = 0; i < second; i++)
		if (s->turns[i].next >= (int)second)
			s->turns[i].next -= (int)length;
	return true;
}

/* Read from the trace of `violation` which threads hang at its end.  If it is no deadlock, no thread has to hang. */
static void read_hangs(struct schedule *s, const json_t *violation)
{
	assert(s->nthreads <= NATIVE_THREADS);
	bool named[NATIVE_THREADS] = { false };
	size_t i;
	json_t *event;
	s->hangs = strcmp(field_text(violation, "kind"), "deadlock") == 0;
	json_array_foreach (json_object_get(violation, "trace"), i, event) {
		long long thread = field_number(event, "thread");
		if (strcmp(field_text(event, "action"), "blocked") == 0 && thread >= 0 && thread < NATIVE_THREADS)
			named[thread] = true;
	}
	for (int t = 0; s->hangs && t < s->nthreads; t++)
		s->hanging[t] = named[t];
}

/* Return what happens in the trace that a native run cannot be made to do, or NULL; see runtime/image/inject.def. */
static const char *find_unforced(const json_t *violation)
{
	size_t i;
	json_t *event;
	json_array_foreach (json_object_get(violation, "trace"), i, event) {
		const char *detail = field_text(event, "detail");
		if (strstr(detail, "weak-cas") || strstr(detail, "fails spuriously"))
			return "a weak compare-and-exchange that fails for no reason";
		if (strncmp(detail, "interrupted by ", strlen("interrupted by ")) == 0)
			return "a signal that interrupts a thread where the schedule says";
	}
	return NULL;
}

/* Return the first step in which a value is not the newest, under another memory model than sc; 0 if there is none. */
static long long find_stale(const json_t *violation)
{
	size_t i;
	json_t *event;
	json_array_foreach (json_object_get(violation, "trace"), i, event)
		if (json_is_true(json_object_get(event, "stale")))
			return field_number(event, "step");
	return 0;
}

struct schedule *schedule_new(const json_t *records, const json_t *violation)
{
	struct schedule *s = calloc(1, sizeof *s);
	struct reader r = { .s = s };
	size_t i;
	json_t *record;
	long long last = 0, loop = field_number(violation, "loop");
	if (!s)
		BUG("out of memory");
	r.all = loop != 0;
	s->given = json_object();
	s->nthreads = 1;
	s->loop = -1;
	for (int t = 0; t < NATIVE_THREADS; t++)
		s->first[t] = r.last[t] = r.stops[t].key = -1;
	add_turn(&r, &(struct native_turn){ .key = NATIVE_START, .born = -1, .next = -1 }, 0);
	json_array_foreach (records, i, record) {
		read_record(&r, record);
		last = field_number(record, "step") > last ? field_number(record, "step") : last;
	}
	for (int t = 0; t < NATIVE_THREADS; t++)
		if (r.stops[t].known)
			s->rests[t] = (struct native_rest){ r.stops[t].key, r.stops[t].count, r.stops[t].begun };
	read_hangs(s, violation);
	s->unforced = find_unforced(violation);
	s->stale = find_stale(violation);
	if (loop && !find_loop(&r, loop, last))
		s->unforced = "a loop whose rounds are not alike for the native program";
	static const char *const ends[] = { "abort",         "__assert_fail", "bitspin_assert",
					    "bitspin_error", "reach_error",   "__VERIFIER_error",
					    "exit" };
	for (i = 0; i < sizeof ends / sizeof *ends; i++)
		key_of(s, field_text(violation, "file"), (unsigned)field_number(violation, "line"), ends[i]);
	s->steps = r.steps;
	return s;
}

void schedule_release(struct schedule *s)
{
	for (size_t i = 0; i < s->nkeys; i++) {
		free((char *)s->keys[i].file);
		free((char *)s->keys[i].operation);
	}
	free(s->keys);
	free(s->turns);
	free(s->steps);
	free(s->increments);
	json_decref(s->given);
	free(s);
}

/* ---- as C ------------------------------------------------------------------------------------------------------------ */

static void put_string(FILE *out, const char *bytes)
{
	fputc('"', out);
	for (; *bytes; bytes++)
		fprintf(out, *bytes >= ' ' && *bytes < 127 && !strchr("\"\\?", *bytes) ? "%c" : "\\%03o", (unsigned char)*bytes);
	fputc('"', out);
}

bool schedule_stands_for(const struct translator_extern *e)
{
	bool ours = strncmp(e->name, "__VERIFIER_", 11) == 0 || strncmp(e->name, "bitspin_", 8) == 0;
	return !ours && strcmp(e->name, "*") != 0 && e->policy != EXTERN_NATIVE && e->policy != EXTERN_REFUSE;
}

/* Write the functions that the user describes (--extern).  The program calls them by these names (program.c): it may link one of
 * the C library that has the name, and clang knows the types of some. */
static void put_externs(FILE *out, const struct job *job)
{
	for (size_t i = 0; i < job->inputs->world.nexterns; i++) {
		const struct translator_extern *e = &job->inputs->world.externs[i];
		if (!schedule_stands_for(e))
			continue;
		switch (e->policy) {
		case EXTERN_NOP: fprintf(out, "long bitspin_native_%s() { return 0; }\n", e->name); break;
		case EXTERN_CHOOSE:
		case EXTERN_PURE:
			fprintf(out, "long bitspin_native_%s() { return bitspin_native_value((long long)%lluull); }\n", e->name,
				(unsigned long long)e->low);
			break;
		case EXTERN_FRESH:
			fprintf(out, "void *bitspin_native_%s() { return calloc(1, %lldull); }\n", e->name, (long long)e->low);
			break;
		case EXTERN_ARGUMENT:
			fprintf(out,
				"long bitspin_native_%s(long a0, long a1, long a2, long a3, long a4, long a5) { return a%lld; }\n",
				e->name, (long long)e->low);
			break;
		default: break; /* the linker finds it, or does not */
		}
	}
}

static void put_threads(FILE *out, const struct schedule *s)
{
	fputs("static const struct native_rest rests[] = {\n", out);
	for (int t = 0; t < s->nthreads; t++)
		fprintf(out, "\t{ %d, %u, %d },\n", s->rests[t].key, s->rests[t].count, s->rests[t].begun);
	fputs("};\nstatic const int first[] = { ", out);
	for (int t = 0; t < s->nthreads; t++)
		fprintf(out, "%d, ", s->first[t]);
	fputs("};\nstatic const int hanging[] = { ", out);
	for (int t = 0; t < s->nthreads; t++)
		fprintf(out, "%d, ", s->hanging[t]);
	fputs("};\n", out);
}

bool schedule_write(const struct schedule *s, const struct job *job, const char *path)
{
	assert(s->nthreads > 0 && s->nthreads <= NATIVE_THREADS && s->loop < (int)s->nturns);
	assert(s->nturns > 0 && (s->loop < 0 || s->increments));
	FILE *out = fopen(path, "we");
	if (!out)
		return false;
	fputs("#include \"bitspin_native.h\"\n#include <stdlib.h>\nlong long bitspin_native_value(long long usual);\n", out);
	fputs("static const struct native_key keys[] = {\n", out);
	for (size_t i = 0; i < s->nkeys; i++) {
		const char *slash = strrchr(s->keys[i].file, '/');
		fputs("\t{ ", out);
		put_string(out, slash ? slash + 1 : s->keys[i].file);
		fprintf(out, ", %u, ", s->keys[i].line);
		put_string(out, s->keys[i].operation);
		fputs(" },\n", out);
	}
	fputs("};\nstatic const struct native_turn turns[] = {\n", out);
	for (size_t i = 0; i < s->nturns; i++) {
		const struct native_turn *t = &s->turns[i];
		fprintf(out, "\t{ %d, %d, %u, %d, %d, %d, %d, (long long)%lluull, %d, %d },\n", t->thread, t->key, t->count,
			t->choice, t->born, t->fails, t->has_value, (unsigned long long)t->value, t->begun, t->next);
	}
	fputs("};\nstatic const unsigned increments[] = { ", out);
	for (size_t i = 0; s->increments && i < s->nturns; i++)
		fprintf(out, "%u, ", s->increments[i]);
	fputs("0 };\n", out);
	put_threads(out, s);
	fprintf(out,
		"const struct native_schedule bitspin_native_schedule = {\n\tkeys, %zu, turns, %zu, rests, first, hanging, %d, %d, %d, "
		"%d, increments, %d, { %d, %d }, %d\n};\n",
		s->nkeys, s->nturns, s->nthreads, s->hangs, s->loop, s->loop >= 0 ? NATIVE_ROUNDS : 0, s->repeat, s->racers[0],
		s->racers[1], s->from_start);
	put_externs(out, job);
	return fclose(out) == 0;
}
