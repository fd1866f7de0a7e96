/* SPDX-License-Identifier: MIT
 *
 * The operations of `bitspin linearize` in a report: as bars over time, in words, and in the verdict.
 */
#include "report.h"
#include "screen.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../pan/job.h"
#include "../program/operations.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct bar {
	long long thread;
	size_t begins, returns; /* in which column; SIZE_MAX: it has not returned */
	char *call, *result;    /* clean; NULL: it has not returned */
};

struct bars {
	struct bar items[2 * MOST_OPERATIONS];
	size_t count, columns;
};

static struct bar *under_way(struct bars *bars, long long thread)
{
	for (size_t i = bars->count; i-- > 0;)
		if (bars->items[i].thread == thread && !bars->items[i].result)
			return &bars->items[i];
	return NULL;
}

static void read_bars(struct bars *bars, const json_t *violation)
{
	const json_t *event;
	size_t i;
	*bars = (struct bars){ 0 };
	json_array_foreach (json_object_get(violation, "trace"), i, event) {
		const char *detail = field_text(event, "detail");
		long long thread = field_number(event, "thread");
		struct bar *bar = under_way(bars, thread);
		if (field_is(event, "action", "begins") && bars->count < sizeof bars->items / sizeof *bars->items)
			bars->items[bars->count++] = (struct bar){ thread, bars->columns++, SIZE_MAX, clean(detail, strlen(detail)),
								   NULL };
		if (!field_is(event, "action", "returns") || !bar)
			continue;
		bar->returns = bars->columns++;
		bar->result = clean(detail, strlen(detail));
	}
}

static void release_bars(struct bars *bars)
{
	for (size_t i = 0; i < bars->count; i++) {
		free(bars->items[i].call);
		free(bars->items[i].result);
	}
}

/* Return the operation with its result, as in "get(q) = 1"; malloc'ed. */
static char *with_result(const struct bar *bar)
{
	if (!bar->result)
		return text("%s (which waits)", bar->call);
	return *bar->result ? text("%s = %s", bar->call, bar->result) : text("%s", bar->call);
}

static void put_bar(const struct bars *bars, const struct bar *bar, size_t wide)
{
	char *shown = with_result(bar);
	assert(columns(shown) <= wide);
	printf("  thread %-3lld %s%*s  ", bar->thread, shown, (int)(wide - columns(shown)), "");
	free(shown);
	for (size_t c = 0; c <= bars->columns && (bar->returns == SIZE_MAX || c <= bar->returns); c++)
		fputs(c < bar->begins            ? "  " :
			      c == bar->begins   ? "|=" :
			      c == bar->returns  ? "|" :
			      c == bars->columns ? "..." :
						   "==",
		      stdout);
	putchar('\n');
}

/* Return which operations returned before others of other threads were called, as in " that keeps put(1) before get()". */
static char *real_time(const struct bars *bars)
{
	enum { MOST = 4 };
	char *all = text("%s", "");
	size_t count = 0;
	for (size_t i = 0; i < bars->count; i++)
		for (size_t k = 0; k < bars->count; k++) {
			const struct bar *a = &bars->items[i], *b = &bars->items[k];
			bool last = a->returns < b->begins && a->thread != b->thread;
			for (size_t m = 0; m < bars->count && last; m++) /* another one between the two says it, too */
				last = !(a->returns < bars->items[m].begins && bars->items[m].returns < b->begins);
			if (!last || ++count > MOST)
				continue;
			char *more = text("%s%s%s before %s", all, *all ? " and " : " that keeps ", a->call, b->call);
			free(all);
			all = more;
		}
	return all;
}

void operations_print(const json_t *violation)
{
	struct bars bars;
	size_t wide = 0;
	if (!field_is(violation, "kind", "not-linearizable"))
		return;
	read_bars(&bars, violation);
	char *all = text("%s", ""), *order = real_time(&bars);
	puts("operations, from call to return:");
	for (size_t i = 0; i < bars.count; i++) {
		char *one = with_result(&bars.items[i]);
		wide = columns(one) > wide ? columns(one) : wide;
		all = text_add(all, ", ", one);
		free(one);
	}
	for (size_t i = 0; i < bars.count; i++)
		put_bar(&bars, &bars.items[i], wide);
	printf("no order of %s%s gives these results\n\n", all, order);
	free(all);
	free(order);
	release_bars(&bars);
}

/* Is the place a line of the user's, and not one of the harness in the work directory? */
static bool is_users(const json_t *place, const char *work)
{
	const char *file = field_text(place, "file");
	return *file && strncmp(file, work, strlen(work)) != 0;
}

/* Return the last line of the user's that the thread of the violation was in; NULL if there is none. */
static const json_t *last_place(const json_t *violation, const char *work)
{
	const json_t *event, *last = NULL;
	size_t i;
	json_array_foreach (json_object_get(violation, "trace"), i, event)
		if (field_number(event, "thread") == field_number(violation, "thread") && is_users(event, work))
			last = event;
	return last;
}

/* Return where an operation waits: the innermost line of the user's of the first thread but main; NULL if there is none. */
static const json_t *waiting_place(const json_t *violation, const char *work)
{
	const json_t *thread, *frame;
	size_t i, k;
	json_array_foreach (json_object_get(violation, "threads"), i, thread)
		json_array_foreach (json_object_get(thread, "stack"), k, frame)
			if (field_number(thread, "thread") && *field_text(thread, "waits") && is_users(frame, work))
				return frame;
	return NULL;
}

void operations_place(const struct job *job)
{
	static const char *const fields[] = { "file", "line", "column", "function" };
	json_t *violation;
	size_t i;
	json_array_foreach (job->result.violations, i, violation) {
		const char *work = job->program.work;
		if (!field_is(violation, "kind", "not-linearizable") || is_users(violation, work))
			continue;
		bool waits = field_number(violation, "thread") == 0; /* main waits for the threads of the operations */
		const json_t *place = waits ? waiting_place(violation, work) : last_place(violation, work);
		for (size_t f = 0; place && f < sizeof fields / sizeof *fields; f++)
			if (json_object_get(place, fields[f]))
				json_object_set(violation, fields[f], json_object_get(place, fields[f]));
	}
}

const char *operations_verdict(const struct job *job)
{
	static const char *const words[] = {
		[CONDITION_LINEARIZABLE] = "linearizable",
		[CONDITION_SEQUENTIAL] = "sequentially consistent",
		[CONDITION_QUIESCENT] = "quiescently consistent",
	};
	static const char *const progress[] = { [PROGRESS_LOCK_FREE] = "lock-free", [PROGRESS_WAIT_FREE] = "wait-free" };
	if (job->program.operations && job->program.operations->progress)
		return progress[job->program.operations->progress];
	assert(!job->program.operations || job->program.operations->condition < sizeof words / sizeof *words);
	return job->program.operations ? words[job->program.operations->condition] : NULL;
}

char *operations_in_verdict(const struct job *job)
{
	const struct operations *o = job->program.operations;
	if (!o)
		return text("%s", "");
	double states = job->result.statistics.states;
	if (o->progress)
		return text(": %u thread%s, %zu operation%s, %.0f state%s; %s%s", o->threads, plural(o->threads), o->count,
			    plural((double)o->count), states, plural(states),
			    o->steps ? o->steps : "whichever threads are stopped, some operation ends",
			    o->steps ? ", however often others make their calls" : "");
	char *count = o->count ? text("%zu operation%s", o->count, plural((double)o->count)) : text("operations without end");
	char *words = text(": %u thread%s, %s, %.0f state%s; every result is that of some order of whole operations%s", o->threads,
			   plural(o->threads), count, states, plural(states), o->spec ? " of --spec" : "");
	free(count);
	return words;
}
