/* SPDX-License-Identifier: MIT
 *
 * Which values of inputs the next search tries, unless the user has said which: first a few, as most faults show with these; then
 * all, as sets.  Sets tell nothing of two inputs that meet: of one of them, each value has to be tried.  Where these are many,
 * terms are tried, and where terms cannot tell either, each value after all.
 */
#include "pan.h"
#include "job.h"
#include "../options/options.h"
#include "../options/rows.h"

/* how many values sets try of inputs that meet others, as long as there are terms to try */
enum { MOST_RELATED = 2048 };

static bool widens_from(const struct job *job, enum image_inputs inputs)
{
	return job->inputs->options.inputs_widen && (enum image_inputs)job->inputs->options.input_values == inputs;
}

/* A claim may count steps; then only a few values are tried. */
bool inputs_widen(struct job *job)
{
	const struct formula *formula = job->program.formula;
	if (!widens_from(job, INPUTS_FEW) || (formula && formula->counts_steps))
		return false;
	options_set(&job->inputs->options, OPT_INPUTS, "sets");
	job->program.most_related = job->program.reals ? 0 : MOST_RELATED;
	return true;
}

bool inputs_relate(struct job *job)
{
	if (!widens_from(job, INPUTS_SETS) || job->program.reals || job->program.related)
		return false;
	options_set(&job->inputs->options, OPT_INPUTS, "symbolic");
	return true;
}

void inputs_meet(struct job *job)
{
	if (inputs_relate(job))
		job->program.related = true;
	job->program.most_related = 0;
}

bool inputs_enumerate(struct job *job)
{
	if (!widens_from(job, INPUTS_SYMBOLIC) || !job->program.related)
		return false;
	options_set(&job->inputs->options, OPT_INPUTS, "sets");
	return true;
}
