/* SPDX-License-Identifier: MIT
 *
 * What was found and not reported, and how often each suppression has matched; and how many violations of each kind there are.
 */
#include "report.h"
#include "screen.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../pan/job.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Count the faults that suppression number `rule` has matched. */
static size_t matches(const struct job *job, size_t rule)
{
	assert(rule < job->program.rules.count);
	const json_t *fault;
	size_t i, count = 0;
	json_array_foreach (job->result.suppressed, i, fault)
		count += (size_t)json_integer_value(json_object_get(fault, "suppression")) == rule;
	return count;
}

/* Has the search seen all there is, so that a suppression that has matched nothing never will? */
static bool is_over(const struct job *job)
{
	bool stopped = job->result.verdict == VERDICT_INCONCLUSIVE && !job->search.complete;
	return !stopped && (job->result.verdict != VERDICT_VIOLATED || job->inputs->options.all);
}

/* Is suppression number `rule` in vain?  A kind that is switched off as a whole need not occur. */
static bool is_in_vain(const struct job *job, size_t rule)
{
	return is_over(job) && rule >= job->inputs->suppressions.whole_kinds && matches(job, rule) == 0;
}

void print_suppressed(const struct job *job)
{
	size_t races = job->program.ntolerated / 2;
	if (races)
		printf("searched again to go past %zu data race%s; the figures are those of the last search\n", races,
		       races == 1 ? "" : "s");
	if (job->search.races_time == TIME_IS_UP)
		printf("there may be more: the searches past races were stopped after %d seconds; --max-time takes any number\n",
		       RACES_SECONDS);
	if (json_array_size(job->result.suppressed))
		puts("suppressed:");
	for (size_t i = 0; i < job->program.rules.count; i++) {
		size_t count = matches(job, i);
		if (count == 0)
			continue;
		printf("  %zu fault%s: ", count, count == 1 ? "" : "s");
		print_plain(job->program.rules.items[i], strlen(job->program.rules.items[i]));
		putchar('\n');
	}
	for (size_t i = 0; i < job->program.rules.count; i++)
		if (is_in_vain(job, i)) {
			fputs("warning: this suppression matches nothing: ", stdout);
			print_plain(job->program.rules.items[i], strlen(job->program.rules.items[i]));
			putchar('\n');
		}
}

char *apart_from(const struct job *job)
{
	size_t count = json_array_size(job->result.suppressed);
	return count ? text(", apart from %zu suppressed fault%s", count, count == 1 ? "" : "s") : text("%s", "");
}

json_t *suppressions_json(const struct job *job)
{
	json_t *array = json_array();
	for (size_t i = 0; i < job->program.rules.count; i++)
		json_array_append_new(array,
				      json_pack("{s:s, s:I, s:b, s:b}", "suppression", job->program.rules.items[i], "matches",
						(json_int_t)matches(job, i), "in_vain", is_in_vain(job, i), "comment",
						i >= job->inputs->suppressions.count));
	return array;
}

char *count_by_kind(const struct job *job)
{
	char *all = text("%s", "");
	size_t i, k, total = json_array_size(job->result.violations);
	for (i = 0; i < total; i++) {
		const char *kind = json_string_value(json_object_get(json_array_get(job->result.violations, i), "kind"));
		assert(kind);
		size_t same = 0, before = 0;
		for (k = 0; k < total; k++) {
			const char *other = json_string_value(json_object_get(json_array_get(job->result.violations, k), "kind"));
			same += strcmp(kind, other) == 0;
			before += k < i && strcmp(kind, other) == 0;
		}
		char *more = before ? text("%s", all) : text("%s%s%zu %s", all, *all ? ", " : "", same, kind);
		free(all);
		all = more;
	}
	return all;
}
