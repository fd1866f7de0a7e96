/* SPDX-License-Identifier: MIT
 *
 * From the events of a trace to lines for people: what a thread does at one place in one step is one line.
 */
#include "story.h"
#include "output.h"
#include "fold.h"
#include "screen.h"
#include "../base/base.h"
#include "../base/fields.h"

#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ENDLESS = 5000 /* rounds of a loop that a step has at most (LOOP_BUDGET of the VM) */ };

static bool is(const json_t *event, const char *action)
{
	return strcmp(field_text(event, "action"), action) == 0;
}

static bool same_line(const json_t *a, const json_t *b)
{
	static const char *const separate[] = { "output", "blocked", "fault", "omitted" };
	for (size_t i = 0; i < sizeof separate / sizeof *separate; i++)
		if (is(b, separate[i]) || (a && is(a, separate[i])))
			return false;
	if (a && is(b, "holds")) /* its place is where the thread has come to by this step */
		return field_number(a, "step") == field_number(b, "step");
	return a && field_number(a, "step") == field_number(b, "step") && field_number(a, "thread") == field_number(b, "thread") &&
		field_number(a, "line") == field_number(b, "line") && strcmp(field_text(a, "file"), field_text(b, "file")) == 0;
}

/* Return what happened in `event`, as "lock m", in words that read well after one another; clean and malloc'ed. */
static char *words_of(const json_t *event)
{
	char *plain = event_words(event), *words = clean(plain, strlen(plain));
	free(plain);
	return words;
}

/* ---- what matters -------------------------------------------------------------------------------------------------- */

/* Return which thread has written to each address: its number, or -1 if several have.  Add to `later` the addresses that are
 * written when there is more than one thread. */
static json_t *writers_of(const json_t *trace, json_t *later)
{
	json_t *writers = json_object();
	const json_t *event;
	size_t i;
	bool several = false;
	json_array_foreach (trace, i, event) {
		const char *address = field_text(event, "address");
		several = several || is(event, "create");
		if (!*address || !json_is_true(json_object_get(event, "write")))
			continue;
		if (several)
			json_object_set_new(later, address, json_true());
		const json_t *known = json_object_get(writers, address);
		long long thread = field_number(event, "thread");
		if (!known)
			json_object_set_new(writers, address, json_integer(thread));
		else if (json_integer_value(known) != thread)
			json_object_set_new(writers, address, json_integer(-1));
	}
	return writers;
}

/* Does the message tell of this place?  After which word: "freed", "allocated", "locked" or "". */
static bool is_told(const char *message, const json_t *event, const char *word)
{
	char *place = text("%s%s%s:%lld", word, *word ? " at " : "", base_name(field_text(event, "file")),
			   field_number(event, "line"));
	size_t length = strlen(place);
	bool found = false;
	for (const char *p = message; !found && (p = strstr(p, place)); p++)
		found = !isdigit((unsigned char)p[length]) && (p == message || !(isalnum((unsigned char)p[-1]) || p[-1] == '/'));
	free(place);
	return found && field_number(event, "line") > 0;
}

/* Does the message name the object of the event, as in "offset 12 of v#1, which has 12 bytes"? */
static bool is_named(const char *message, const json_t *event)
{
	const char *object = field_text(event,
					is(event, "free") ? "detail" : "object"); /* the object of free() is the first member */
	size_t length = strlen(object);
	for (const char *p = message; length && (p = strstr(p, object)); p++)
		if ((p == message || p[-1] == ' ' || p[-1] == '(') && strchr(", )", p[length])) /* or the end */
			return true;
	return false;
}

/* Return what `event` has to do with `violation`; NULL if the report does not refer to it. */
static const char *part_in(const json_t *violation, const json_t *event)
{
	const char *message = field_text(violation, "message");
	const json_t *other = json_object_get(violation, "other");
	bool access = is(event, "read") || is(event, "write") || is(event, "atomic");
	if (other && access && field_number(other, "thread") == field_number(event, "thread") &&
	    field_number(other, "line") == field_number(event, "line") &&
	    strcmp(field_text(other, "file"), field_text(event, "file")) == 0)
		return "the first access";
	if (is(event, "free") && is_told(message, event, "freed"))
		return "here it is freed";
	bool of_block = field_is(violation, "kind", "out-of-bounds") || field_is(violation, "kind", "memory-leak");
	if (is(event, "allocate") && (is_told(message, event, "allocated") || (of_block && is_named(message, event))))
		return "here it is allocated";
	if (is(event, "lock") && is_told(message, event, "locked"))
		return "here it is locked";
	char *lost = text("overwritten by thread %lld", field_number(event, "thread"));
	bool loses = access && is_told(message, event, lost) && json_is_true(json_object_get(event, "write"));
	free(lost);
	return loses ? "here the last pointer to it is lost" : NULL;
}

/* Is the lock that event number `at` is about given back by the thread later? */
static bool is_given_back(const json_t *trace, size_t at)
{
	const json_t *lock = json_array_get(trace, at);
	for (size_t i = at + 1; i < json_array_size(trace); i++) {
		const json_t *event = json_array_get(trace, i);
		if (is(event, "unlock") && field_number(event, "thread") == field_number(lock, "thread") &&
		    strcmp(field_text(event, "address"), field_text(lock, "address")) == 0)
			return true;
	}
	return false;
}

/* Return the parts of which some event is about an object that the message names: then no other object's events have them. */
static json_t *named_parts(const json_t *violation)
{
	json_t *named = json_object();
	const json_t *event;
	size_t i;
	json_array_foreach (json_object_get(violation, "trace"), i, event) {
		const char *part = part_in(violation, event);
		if (part && is_named(field_text(violation, "message"), event))
			json_object_set_new(named, part, json_true());
	}
	return named;
}

/* Return the numbers of the events that have a part in `violation`; of several with the same part, thread and place, only the
 * last one. */
static json_t *parts_of(const json_t *violation)
{
	json_t *last = json_object(), *parts = json_object(), *named = named_parts(violation);
	const json_t *trace = json_object_get(violation, "trace");
	const json_t *event;
	size_t i;
	json_array_foreach (trace, i, event) {
		const char *part = part_in(violation, event);
		bool other = part && json_object_get(named, part) && !is_named(field_text(violation, "message"), event);
		if (!part || other || (is(event, "lock") && is_given_back(trace, i)))
			continue;
		char *key = text("%s %lld %s:%lld", part, field_number(event, "thread"), field_text(event, "file"),
				 field_number(event, "line"));
		json_object_set_new(last, key, json_integer((json_int_t)i));
		free(key);
	}
	const char *key;
	json_t *at;
	json_object_foreach (last, key, at) {
		char *index = text("%lld", (long long)json_integer_value(at));
		json_object_set_new(parts, index, json_true());
		free(index);
	}
	json_decref(named);
	json_decref(last);
	return parts;
}

/* ---- lines --------------------------------------------------------------------------------------------------------- */

#define MOST 5 /* events on a line */

/* What an event says, on a line. */
struct words {
	char *text;
	bool matters; /* it is told in any case */
};

/* under way */
struct teller {
	const json_t *violation;
	json_t *writers, *parts; /* NULL: all is told */
	json_t *later, *told;    /* written by several threads; "THREAD ADDRESS" of reads of others that were told */
	struct line line;
	const json_t *before; /* the last event of the line; NULL: there is no line yet */
	void (*take)(void *context, struct line *line);
	void *context;
	struct words *words; /* of the line */
	size_t count, capacity;
	long long again, round; /* how often the last `round` events that are told are repeated, beyond what was told; 0: not */
	uint64_t idle;          /* which of the latest events were not told, a bit for each; the latest is bit 0 */
	size_t index, again_at; /* of the event that is told, and of the one that says `again` */
	long long loop;         /* first step of the loop of a lasso that has not begun yet; 0: none */
	size_t reads;
};

static void append(char **to, const char *separator, const char *words)
{
	char *all = text("%s%s%s", *to, separator, words);
	free(*to);
	*to = all;
}

/* Return the length of the round that the words of the line repeat; their number if they repeat none. */
static size_t round_of(const struct teller *t)
{
	for (size_t period = 1; 2 * period <= t->count; period++) {
		size_t i = period;
		while (i < t->count && strcmp(t->words[i].text, t->words[i - period].text) == 0)
			i++;
		if (i == t->count && t->count % period == 0)
			return period;
	}
	return t->count;
}

/* Return the words of the line.  Of many, only the first, the last and those that matter are told, unless all are wanted. */
static char *joined(const struct teller *t, size_t count)
{
	char *all = text("%s", t->words[0].text);
	size_t left = 0;
	assert(count > 0 && count <= t->count);
	for (size_t i = 1; i < count; i++) {
		if (t->writers && i >= MOST && i + 1 < count && !t->words[i].matters) {
			left++;
			continue;
		}
		char *more = text("; ... %zu more; ", left);
		append(&all, left ? more : "; ", t->words[i].text);
		free(more);
		left = 0;
	}
	return all;
}

/* Complete the line: what repeats itself is told once, with how often. */
static void complete(struct teller *t)
{
	size_t round = t->writers ? round_of(t) : t->count;
	assert(t->count > 0 && t->count % round == 0);
	bool mine = t->again && t->round <= (long long)t->count && t->round % (long long)round == 0 && round < t->count;
	long long times = (long long)(t->count / round) + (mine ? t->again * t->round / (long long)round : 0);
	t->line.text = joined(t, round);
	if (times > 1) {
		char *number = text_number(times);
		/* how long a busy wait goes on decides only how much of it a step has */
		char *all = times < ENDLESS ? text("%s, %s times", t->line.text, number) :
					      text("%s, again and again", t->line.text);
		free(t->line.text);
		free(number);
		t->line.text = all;
	}
	t->again = mine ? 0 : t->again;
	for (size_t i = 0; i < t->count; i++)
		free(t->words[i].text);
	t->count = 0;
}

/* Say that what is above goes on, so many times. */
static void say_again(struct teller *t)
{
	if (!t->again)
		return;
	char *number = text_number(t->again);
	struct line line = { .kind = LINE_FOLDED, .thread = -1, .height = 1, .step = t->line.step };
	line.first = line.last = t->again_at;
	line.text = text("... the same again, %s times", number);
	free(number);
	t->again = 0;
	t->take(t->context, &line);
}

static void flush(struct teller *t)
{
	assert(t->before || t->count == 0);
	if (!t->before)
		return;
	complete(t);
	t->before = NULL;
	struct line taken = { .step = t->line.step, .last = t->line.last };
	t->take(t->context, &t->line);
	t->line = taken;
	say_again(t);
}

static void put_words(struct teller *t, char *words, bool matters)
{
	assert(words);
	if (t->count == t->capacity) {
		t->capacity = t->capacity ? 2 * t->capacity : 16;
		t->words = realloc(t->words, t->capacity * sizeof *t->words);
		if (!t->words)
			BUG("out of memory");
	}
	t->words[t->count++] = (struct words){ words, matters };
}

static void begin(struct teller *t, enum line_kind kind, const json_t *event, char *words)
{
	flush(t);
	t->line = (struct line){ .kind = kind, .thread = -1, .height = 1, .step = field_number(event, "step") };
	if (kind == LINE_STEP || kind == LINE_OUTPUT)
		t->line.thread = (int)field_number(event, "thread");
	t->line.event = json_incref((json_t *)event);
	t->line.actions = text("%s", field_text(event, "action"));
	t->line.first = t->line.last = t->index;
	t->before = event;
	put_words(t, words, false);
}

static void add(struct teller *t, const json_t *event, char *words, bool matters)
{
	assert(t->before && t->count);
	char *actions = text("%.200s %s", t->line.actions, field_text(event, "action"));
	free(t->line.actions);
	t->line.actions = actions;
	t->line.last = t->index;
	t->before = event;
	put_words(t, words, matters);
}

/* Add a line for each line that the program prints. */
static void add_output(struct teller *t, const json_t *event)
{
	const char *p = field_text(event, "detail");
	while (*p) {
		size_t n = strcspn(p, "\n");
		begin(t, LINE_OUTPUT, event, clean(p, n));
		p += n + (p[n] == '\n');
	}
	flush(t);
}

/* Is the event one of main, as --call has made it, that looks at main's own? */
static bool is_harness(const json_t *event)
{
	return is(event, "read") && strncmp(field_text(event, "object"), "__bitspin_", strlen("__bitspin_")) == 0;
}

/* Does the event only read what no other thread writes in this story, or what main has written before there were others and this
 * thread has read before? */
static bool is_idle(const struct teller *t, const json_t *event)
{
	const char *address = field_text(event, "address");
	if (!t->writers || !is(event, "read") || !*address || json_is_true(json_object_get(event, "relevant")))
		return false;
	long long thread = field_number(event, "thread");
	const json_t *writer = json_object_get(t->writers, address);
	if (!writer || json_integer_value(writer) == thread)
		return true;
	char *key = text("%lld %s", thread, address);
	bool again = !json_object_get(t->later, address) && json_object_get(t->told, key);
	json_object_set_new(t->told, key, json_true());
	free(key);
	return again;
}

/* Return how many of the latest `round` events were told. */
static long long told_of(const struct teller *t, long long round)
{
	long long told = 0;
	for (int i = 0; i < round && i < 64; i++)
		told += !(t->idle >> i & 1);
	return told;
}

static void tell(struct teller *t, const json_t *event, size_t index, bool last)
{
	char key[32];
	t->index = index;
	snprintf(key, sizeof key, "%zu", index);
	const char *part = json_object_get(t->parts, key) ? part_in(t->violation, event) : NULL;
	if (strcmp(field_text(t->violation, "kind"), "deadlock") == 0 && is(event, "fault"))
		return; /* who waits for what has been said, thread by thread */
	if (is_harness(event))
		return;
	if (is(event, "omitted")) {
		begin(t, LINE_MARK, event, text("%s", field_text(event, "detail")));
		flush(t);
		return;
	}
	if (is(event, "again")) {
		t->round = told_of(t, field_number(event, "round"));
		t->again_at = index;
		t->again = t->before && t->round ? field_number(event, "times") : 0;
		return;
	}
	t->idle <<= 1;
	if (t->loop && field_number(event, "step") >= t->loop) {
		begin(t, LINE_MARK, event, text("and then, again and again:"));
		flush(t);
		t->loop = 0;
	}
	if (is(event, "output")) {
		add_output(t, event);
		return;
	}
	bool in_loop = field_number(t->violation, "loop") && field_number(event, "step") >= field_number(t->violation, "loop");
	if (!part && !last && !in_loop && is_idle(t, event)) {
		t->reads++;
		t->idle |= 1;
		return;
	}
	bool fits = t->writers || t->count < MOST; /* where all are told, a loop on a line gets many lines */
	if (t->before && fits && same_line(t->before, event))
		add(t, event, words_of(event), part);
	else
		begin(t, LINE_STEP, event, words_of(event));
	if (part || json_object_get(event, "note"))
		t->line.note = part ? part : field_text(event, "note");
	t->line.kept = t->line.kept || part || is(event, "fault") || is(event, "blocked");
	if (json_is_true(json_object_get(event, "relevant"))) {
		long long distance = field_number(event, "distance");
		t->line.distance = t->line.relevant && t->line.distance < distance ? t->line.distance : distance;
		t->line.relevant = true;
	}
}

/* Tell a trace that was left in a file, with no more than one of its lines in memory. */
static void tell_file(struct teller *t, const char *path)
{
	FILE *file = *path ? fopen(path, "re") : NULL;
	char *line = NULL;
	size_t capacity = 0;
	json_t *before = NULL;
	while (file && getline(&line, &capacity, file) > 0) {
		json_t *event = strstr(line, "\"type\":\"event\"") ? json_loads(line, 0, NULL) : NULL;
		if (!event)
			continue;
		if (process_out_of_time()) {
			begin(t, LINE_MARK, event, text("the time limit is reached: the rest is left out"));
			json_decref(event);
			break;
		}
		tell(t, event, SIZE_MAX, true);
		json_decref(before); /* the line that is under way has a reference to its first event, and needs the last one */
		before = event;
	}
	flush(t);
	json_decref(before);
	free(line);
	if (file)
		fclose(file);
}

size_t story_lines(const json_t *violation, bool all, void (*take)(void *context, struct line *line), void *context)
{
	const json_t *trace = json_object_get(violation, "trace"), *event;
	size_t i, count = json_array_size(trace);
	struct teller t = {
		.violation = violation,
		.later = json_object(),
		.told = json_object(),
		.parts = parts_of(violation),
		.take = take,
		.context = context,
		.loop = field_number(violation, "loop"),
	};
	if (!all)
		t.writers = writers_of(trace, t.later);
	json_array_foreach (trace, i, event)
		tell(&t, event, i, i + 3 >= count && !field_number(violation, "loop"));
	tell_file(&t, field_text(violation, "trace_file"));
	flush(&t);
	assert(!t.before && t.count == 0);
	free(t.words);
	json_decref(t.writers);
	json_decref(t.later);
	json_decref(t.told);
	json_decref(t.parts);
	return t.reads;
}
