/* SPDX-License-Identifier: MIT
 *
 * The trace of a violation as a story for people.
 */
#include "report.h"

#include <stdlib.h>
#include <string.h>

/* a source file, by lines */
struct source {
	char *name, *bytes;
	struct source *next;
};

static const char *source_bytes(const char *name)
{
	static struct source *sources;
	for (struct source *s = sources; s; s = s->next)
		if (strcmp(s->name, name) == 0)
			return s->bytes;
	struct source *s = calloc(1, sizeof *s);
	if (!s)
		BUG("out of memory");
	*s = (struct source){ .name = text("%s", name), .bytes = read_file(name, NULL), .next = sources };
	sources = s;
	return s->bytes;
}

/* A line of a source file without its indentation; its length. */
static const char *source_line(const char *file, long long line, int *length)
{
	const char *p = source_bytes(file);
	while (p && --line > 0) {
		p = strchr(p, '\n');
		p = p ? p + 1 : NULL;
	}
	p = p ? p + strspn(p, " \t") : "";
	*length = (int)strcspn(p, "\n");
	return p;
}

static const char *string_of(const json_t *event, const char *key)
{
	const char *value = json_string_value(json_object_get(event, key));
	return value ? value : "";
}

static long long number_of(const json_t *event, const char *key)
{
	return json_integer_value(json_object_get(event, key));
}

static bool same_line(const json_t *a, const json_t *b)
{
	static const char *const separate[] = { "output", "blocked", "fault", "omitted" };
	for (size_t i = 0; i < sizeof separate / sizeof *separate; i++)
		if (strcmp(string_of(b, "action"), separate[i]) == 0)
			return false;
	if (a && strcmp(string_of(b, "action"), "holds") == 0) /* its place is where the thread has come to by this step */
		return number_of(a, "step") == number_of(b, "step");
	return a && number_of(a, "step") == number_of(b, "step") && number_of(a, "thread") == number_of(b, "thread") &&
		number_of(a, "line") == number_of(b, "line") && strcmp(string_of(a, "file"), string_of(b, "file")) == 0;
}

static bool same_action(const json_t *a, const json_t *b)
{
	static const char *const keys[] = { "file", "action", "detail" };
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(string_of(a, keys[i]), string_of(b, keys[i])) != 0)
			return false;
	return number_of(a, "thread") == number_of(b, "thread") && number_of(a, "line") == number_of(b, "line");
}

/* How many steps in a row, from the event at `i` on and not across the beginning of the loop, are this one action: as a
 * thread makes that waits for something to change. */
static size_t rounds(const json_t *trace, size_t i, long long loop)
{
	const json_t *event = json_array_get(trace, i);
	size_t n = 1;
	for (; i + n < json_array_size(trace); n++) {
		const json_t *next = json_array_get(trace, i + n), *after = json_array_get(trace, i + n + 1);
		long long step = number_of(next, "step");
		if (!same_action(event, next) || step == number_of(json_array_get(trace, i + n - 1), "step") ||
		    (after && step == number_of(after, "step")) || (loop && number_of(event, "step") < loop && step >= loop))
			break;
	}
	return n;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* "lock m": what happened, in words that read well after one another. */
static void print_action(const json_t *event)
{
	/* They speak for themselves. */
	static const char *const speaking[] = { "read", "write", "atomic", "exit", "call", "fault", "blocked", "holds" };
	const char *action = string_of(event, "action"), *detail = string_of(event, "detail");
	for (size_t i = 0; i < sizeof speaking / sizeof *speaking; i++)
		if (strcmp(action, speaking[i]) == 0) {
			print_plain(detail, strlen(detail));
			return;
		}
	printf("%s ", action);
	print_plain(detail, strlen(detail));
}

static void print_output(const json_t *event)
{
	const char *p = string_of(event, "detail");
	while (*p) {
		int n = (int)strcspn(p, "\n");
		printf("                      | ");
		print_plain(p, (size_t)n);
		putchar('\n');
		p += n + (p[n] == '\n');
	}
}

static void print_head(const json_t *event, bool switched)
{
	char thread[24] = "", place[64] = "", source[56] = "";
	int length;
	const char *line = source_line(string_of(event, "file"), number_of(event, "line"), &length);
	if (switched)
		snprintf(thread, sizeof thread, "thread %lld", number_of(event, "thread"));
	if (number_of(event, "line"))
		snprintf(place, sizeof place, "%s:%lld", base_name(string_of(event, "file")), number_of(event, "line"));
	snprintf(source, sizeof source, "%.*s", length, line);
	printf("%s%-10s%s %-20s %-48.48s  ", colour(COLOUR_BOLD), thread, colour(COLOUR_NONE), place, source);
}

/* The threads that the loop of a lasso leaves out. */
static void print_starving(const json_t *violation)
{
	const json_t *thread;
	size_t i;
	json_array_foreach (json_object_get(violation, "starving"), i, thread) {
		printf("meanwhile thread %lld, at %s:%lld, ", number_of(thread, "thread"), base_name(string_of(thread, "file")),
		       number_of(thread, "line"));
		print_plain(string_of(thread, "waits"), strlen(string_of(thread, "waits")));
		putchar('\n');
	}
}

/* What the preemptions are needed for. */
static void print_switches(const json_t *violation)
{
	const json_t *preemption, *words;
	size_t i;
	json_array_foreach (json_object_get(violation, "switches"), i, preemption)
		if ((words = json_object_get(preemption, "text")))
			printf("for this, %s\n", json_string_value(words));
	if (json_is_true(json_object_get(json_object_get(violation, "schedule"), "fewest")))
		puts("no schedule with fewer switches between threads leads to it");
}

void story_print(const json_t *violation)
{
	const json_t *trace = json_object_get(violation, "trace"), *before = NULL;
	size_t i;
	json_t *event;
	long long thread = -1;
	bool deadlock = strcmp(string_of(violation, "kind"), "deadlock") == 0;
	size_t times;
	long long loop = number_of(violation, "loop"); /* its first step; 0: there is none */
	json_array_foreach (trace, i, event) {
		if (deadlock && strcmp(string_of(event, "action"), "fault") == 0)
			continue; /* who waits for what has been said, thread by thread */
		bool output = strcmp(string_of(event, "action"), "output") == 0;
		if (strcmp(string_of(event, "action"), "omitted") == 0) {
			printf("%s---- %s ----\n", before ? "\n" : "", string_of(event, "detail"));
			before = NULL;
			thread = -1;
			continue;
		}
		if (loop && number_of(event, "step") >= loop) {
			printf("%s---- and then, again and again: ----\n", before ? "\n" : "");
			before = NULL;
			thread = -1;
			loop = 0;
		}
		if (before && !output && same_line(before, event)) {
			fputs("; ", stdout);
			print_action(event);
			before = event;
			continue;
		}
		if (before)
			putchar('\n');
		before = NULL;
		if (output) {
			print_output(event);
			continue;
		}
		print_head(event, number_of(event, "thread") != thread);
		print_action(event);
		thread = number_of(event, "thread");
		before = event;
		times = rounds(trace, i, loop);
		if (times > 1)
			printf(" (%zu times)", times);
		i += times - 1;
	}
	if (before)
		putchar('\n');
	print_starving(violation);
	print_switches(violation);
}
