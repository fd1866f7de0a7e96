/* SPDX-License-Identifier: MIT
 *
 * What the steps of searches have met (runtime/state/met.h): each process of a search has a record, and each formula a search.
 * What one has met, all have.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../base/fields.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool same_place(const json_t *a, const json_t *b)
{
	return field_number(a, "line") == field_number(b, "line") && strcmp(field_text(a, "file"), field_text(b, "file")) == 0;
}

/* Return the row of `rows` for the same place and with the same `names` as `wanted`; NULL if there is none. */
static json_t *find(const json_t *rows, const json_t *wanted, const char *const *names)
{
	size_t i;
	json_t *row;
	json_array_foreach (rows, i, row) {
		bool same = same_place(row, wanted);
		for (int k = 0; same && names[k]; k++)
			same = strcmp(field_text(row, names[k]), field_text(wanted, names[k])) == 0;
		if (same)
			return row;
	}
	return NULL;
}

static void add_numbers(json_t *all, const json_t *more)
{
	size_t i, k = 0;
	json_t *number;
	json_array_foreach (more, i, number) {
		json_int_t n = json_integer_value(number);
		assert(i == 0 || json_integer_value(json_array_get(more, i - 1)) < n); /* both are ascending */
		while (k < json_array_size(all) && json_integer_value(json_array_get(all, k)) < n)
			k++;
		if (k == json_array_size(all) || json_integer_value(json_array_get(all, k)) != n)
			json_array_insert(all, k, number);
	}
}

/* Add the rows of `more` to `all`.  If a row is there already, its member `truth` becomes true where that of the new row is true,
 * and it gets the new row's lines, too. */
static void add_rows(json_t *all, const json_t *more, const char *const *names, const char *truth)
{
	size_t i;
	json_t *row;
	json_array_foreach (more, i, row) {
		json_t *old = find(all, row, names);
		if (!old)
			json_array_append(all, row);
		else if (json_is_true(json_object_get(row, truth)))
			json_object_set_new(old, truth, json_true());
		if (old && json_object_get(row, "lines"))
			add_numbers(json_object_get(old, "lines"), json_object_get(row, "lines"));
	}
}

void met_forget(struct job *job)
{
	json_decref(job->result.met);
	job->result.met = NULL;
}

static void add_place(json_t *to, const json_t *from, const char *name)
{
	if (json_integer_value(json_object_get(json_object_get(to, name), "line")) == 0)
		json_object_set(to, name, json_object_get(from, name));
}

void met_add(struct job *job, json_t *met)
{
	static const char *const question[] = { "kind", "name", NULL }, *const function[] = { "function", NULL };
	job->result.main_ends = job->result.main_ends || json_is_true(json_object_get(met, "main_ends"));
	if (!job->result.met) {
		job->result.met = json_incref(met);
		return;
	}
	if (json_array_size(json_object_get(job->result.met, "statuses")) < 2)
		json_object_set(job->result.met, "status_place", json_object_get(met, "status_place"));
	add_place(job->result.met, met, "rounds_place");
	add_place(job->result.met, met, "daemon_place");
	add_place(job->result.met, met, "timer_place");
	add_place(job->result.met, met, "drain_place");
	add_numbers(json_object_get(job->result.met, "statuses"), json_object_get(met, "statuses"));
	add_numbers(json_object_get(job->result.met, "threads"), json_object_get(met, "threads"));
	add_rows(json_object_get(job->result.met, "untried"), json_object_get(met, "untried"), question, "decides");
	add_rows(json_object_get(job->result.met, "functions"), json_object_get(met, "functions"), function, "ran");
}

/* ---- valuations --------------------------------------------------------------------------------------------------------- */

static bool has_valuation(const struct job *job, uint64_t valuation)
{
	for (size_t i = 0; i < job->search.nvaluations; i++)
		if (job->search.valuations[i] == valuation)
			return true;
	return false;
}

void valuations_forget(struct job *job)
{
	job->search.nvaluations = 0;
	job->search.valuations_known = true; /* until a process does not know them */
}

void valuations_add(struct job *job, const json_t *valuations)
{
	assert(job->search.nvaluations == 0 || job->search.valuations);
	size_t i;
	json_t *one;
	job->search.valuations_known = job->search.valuations_known && valuations;
	json_array_foreach (valuations, i, one) {
		uint64_t valuation = (uint64_t)json_integer_value(one);
		if (has_valuation(job, valuation))
			continue;
		job->search.valuations = realloc(job->search.valuations,
						 (job->search.nvaluations + 1) * sizeof *job->search.valuations);
		if (!job->search.valuations)
			BUG("out of memory");
		job->search.valuations[job->search.nvaluations++] = valuation;
	}
}
