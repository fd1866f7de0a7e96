/* SPDX-License-Identifier: MIT
 *
 * The result as JSON.
 */
#include "output.h"
#include "report.h"
#include "story.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../pan/pan.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define JSON_FORM (JSON_INDENT(2) | JSON_DIGITS)

static json_t *statistics_json(const struct statistics *s)
{
	double each = s->states > 0 ? s->bytes / s->states : 0.0;
	json_t *saved = json_object();
	for (int i = 0; i < REDUCTIONS; i++)
		if (s->reductions >> i & 1)
			json_object_set_new(saved, reductions[i].name, json_integer((json_int_t)s->saved[i]));
	json_t *walks = s->walks > 0 ? json_integer((json_int_t)s->walks) : NULL;
	json_t *steps = walks ? json_integer((json_int_t)s->steps) : NULL;
	json_t *whole = s->whole > 0 ? json_integer((json_int_t)s->whole) : NULL;
	json_t *rested = s->rested > 0 ? json_integer((json_int_t)s->rested) : NULL;
	return json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:I, s:f, s:I, s:o, s:o*, s:o*, s:o*, s:o*}", "states",
			 (json_int_t)s->states, "transitions", (json_int_t)s->transitions, "runs", (json_int_t)s->runs, "depth",
			 (json_int_t)s->depth, "seconds", s->seconds, "search_seconds", s->search_seconds, "bytes",
			 (json_int_t)s->bytes, "bytes_per_state", each, "resident", (json_int_t)s->resident, "saved", saved,
			 "walks", walks, "steps", steps, "whole_bytes_per_state", whole, "rested", rested);
}

static json_t *formulas_json(const struct formulas *formulas)
{
	json_t *all = json_array();
	for (size_t i = 0; i < formulas->count; i++) {
		const struct formula *f = &formulas->items[i];
		bool checked = f->verdict != VERDICT_ERROR;
		json_array_append_new(all,
				      json_pack("{s:s, s:s, s:s*, s:s*, s:b, s:b, s:s, s:o}", "formula", f->name, "verdict",
						checked ? verdict_name(f->verdict) : "not checked", "message", f->reason, "vacuous",
						f->vacuous, "only_without_fairness", f->needs_unfairness, "counts_steps",
						f->counts_steps, "fairness", fairness_text(f->fairness), "statistics",
						statistics_json(&f->statistics)));
	}
	return all;
}

static json_t *notes_json(const struct job *job)
{
	struct list lines = { 0 };
	report_notes(job, &lines);
	json_t *notes = strings_json(&lines);
	list_release(&lines);
	return notes;
}

static void add_inputs(const struct job *job)
{
	json_t *violation;
	size_t i;
	json_array_foreach (job->result.violations, i, violation) {
		json_t *inputs = inputs_of(violation);
		if (json_array_size(inputs))
			json_object_set(violation, "inputs", inputs);
		json_decref(inputs);
	}
}

static json_t *weaker_json(const struct weaker_atomics *weaker)
{
	json_t *json = json_pack("{s:I, s:s*}", "count", (json_int_t)weaker->count, "file", weaker->file);
	if (weaker->file)
		json_object_set_new(json, "line", json_integer(weaker->line));
	return json;
}

json_t *report_json(const struct job *job)
{
	assert((size_t)job->inputs->options.memory < MEMORY_MODELS);
	static const char *const models[] = {
		[MEMORY_SC] = "sequential consistency", [MEMORY_C11] = "C11 (RC11)", [MEMORY_TSO] = "x86-TSO"
	};
	json_t *report = json_pack("{s:s, s:s, s:o, s:O, s:o, s:o}", "bitspin", BITSPIN_VERSION, "verdict",
				   verdict_name(job->result.verdict), "assumptions", strings_json(&job->program.assumptions),
				   "violations", job->result.violations, "statistics", statistics_json(&job->result.statistics),
				   "options", options_json(&job->inputs->options));
	add_inputs(job);
	if (report)
		json_object_set_new(report, "notes", notes_json(job));
	if (report)
		json_object_set_new(report, "status", json_integer(verdict_status(job->result.verdict)));
	if (report && job->program.formulas && job->program.formulas->count)
		json_object_set_new(report, "safety", json_string(verdict_name(job->result.safety)));
	if (report && json_array_size(job->result.bounds))
		json_object_set(report, "bounds", job->result.bounds);
	if (report && job->result.rungs)
		json_object_set(report, "ladder", job->result.rungs);
	if (report && job->result.coverage)
		json_object_set(report, "coverage", job->result.coverage);
	if (report && job->result.earlier)
		json_object_set(report, "checkpoint", job->result.earlier);
	char *last = report_last_line(job);
	json_t *untried = untried_rows(job);
	if (report)
		json_object_set_new(report, "last_line", json_string(last));
	if (report && json_array_size(untried))
		json_object_set(report, "untried", untried);
	json_decref(untried);
	free(last);
	if (report && job->result.met)
		json_object_set_new(report, "ran", coverage_of_program(job));
	if (report && job->program.weaker.count)
		json_object_set_new(report, "weaker_atomics", weaker_json(&job->program.weaker));
	if (report)
		json_object_set_new(report, "memory_model", json_string(models[job->inputs->options.memory]));
	json_t *advice = advice_json(job);
	if (report && json_array_size(advice))
		json_object_set(report, "next", advice);
	json_decref(advice);
	if (report && job->result.reason)
		json_object_set_new(report, "message", json_string(job->result.reason));
	if (report && json_array_size(job->result.suppressed))
		json_object_set(report, "suppressed", job->result.suppressed);
	if (report)
		json_object_set_new(report, "reductions_off", plan_reasons(&job->program, job->result.off));
	if (report && job->program.rules.count)
		json_object_set_new(report, "suppressions", suppressions_json(job));
	if (report && json_array_size(job->program.left_out) && job->result.statistics.saved[REDUCTION_SLICING_NUMBER] > 0)
		json_object_set(report, "not_distinguished", job->program.left_out);
	if (report && job->result.cuts.count)
		json_object_set_new(report, "limits",
				    json_pack("{s:I, s:o}", "paths", (json_int_t)job->result.paths_cut, "reasons",
					      strings_json(&job->result.cuts)));
	if (report && job->program.formulas && job->program.formulas->count)
		json_object_set_new(report, "formulas", formulas_json(job->program.formulas));
	return report;
}

char *json_write(const struct job *job, const json_t *report, FILE *out)
{
	(void)job;
	json_dumpf(report, out, JSON_FORM);
	fputc('\n', out);
	return NULL;
}

void write_json(json_t *report, const char *path)
{
	assert(path);
	char *bytes = report ? json_dumps(report, JSON_FORM) : NULL;
	if (!bytes)
		BUG("the report is no JSON");
	if (strcmp(path, "-") == 0) {
		puts(bytes);
		flush_stdout();
	} else {
		char *line = text("%s\n", bytes);
		targets_write("json", path, line, strlen(line));
		free(line);
	}
	free(bytes);
	json_decref(report);
}
