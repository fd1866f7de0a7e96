/* SPDX-License-Identifier: MIT
 *
 * The check of one formula: search for a violation, and say what came of it.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../../ltl/ltl.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Return the first place in a formula where no thread ever was; NULL if there is none.  All valuations must be known. */
static char *idle_place(const struct job *job, const struct formula *formula)
{
	assert(job->search.valuations_known && formula->propositions.count <= 64); /* a valuation has a bit for each */
	for (size_t p = 0; p < formula->propositions.count; p++) {
		const struct ltl_proposition *one = &formula->propositions.items[p];
		uint64_t seen = one->kind == LTL_KIND_IN || one->kind == LTL_KIND_AT ? 0 : 1;
		for (size_t i = 0; i < job->search.nvaluations; i++)
			seen |= job->search.valuations[i] >> p & 1;
		if (!seen)
			return text("%s", one->text);
	}
	return NULL;
}

static void take_result(struct job *job, struct formula *formula)
{
	formula->verdict = job->result.verdict;
	free(formula->reason);
	formula->reason = job->result.reason ? text("%s", job->result.reason) : NULL;
	formula->statistics = job->result.statistics;
	bool asked = formula->parsed.root && strcmp(formula->name, formula->parsed.text) == 0; /* by the user, not ready-made */
	/* What nothing violates is not searched for: then there are no states but the first. */
	bool seen = formula->verdict == VERDICT_VERIFIED && job->search.valuations_known && job->result.statistics.states > 1;
	if (seen && asked)
		formula->vacuous = ltl_vacuous(&formula->parsed, job->search.valuations, job->search.nvaluations);
	if (seen && ltl_sees_all(&formula->parsed))
		formula->idle = idle_place(job, formula);
}

/* Move the trail of the search out of the way, as another search may leave one; or back. */
static void move_trail(const struct job *job, bool back)
{
	char *usual = text("%s/model.pml.trail", job->program.work), *aside = text("%s/aside", job->program.work);
	unlink(back ? usual : aside);
	if (rename(back ? aside : usual, back ? usual : aside) < 0 && errno != ENOENT)
		fail("cannot write to '%s'", job->program.work);
	free(usual);
	free(aside);
}

/* Does a formula that is violated without fairness hold with weak fairness? */
static bool holds_if_fair(struct job *job, const struct list *bitcode, struct formula *formula)
{
	assert(formula->fairness == LTL_UNFAIR && job->program.formula == formula);
	json_t *found = job->result.violations;
	enum verdict verdict = job->result.verdict;
	struct statistics statistics = job->result.statistics;
	job->result.violations = json_array();
	formula->fairness = LTL_WEAK;
	move_trail(job, false);
	free(search_program(job, bitcode));
	bool holds = job->result.verdict == VERDICT_VERIFIED;
	move_trail(job, true);
	formula->fairness = LTL_UNFAIR;
	json_decref(job->result.violations);
	job->result.violations = found;
	job->result.verdict = verdict;
	job->result.statistics = statistics;
	return holds;
}

void formula_check(struct job *job, const struct list *bitcode, struct formula *formula)
{
	formula->reason = formula_unfair_reason(formula, job->search.threads);
	if (formula->reason) {
		formula->verdict = VERDICT_INCONCLUSIVE;
		return;
	}
	assert(!job->program.formula);
	job->program.formula = formula;
	char *pan = search_program(job, bitcode);
	explain_violations(job, pan);
	take_result(job, formula);
	const char *kind = json_string_value(json_object_get(json_array_get(job->result.violations, 0), "kind"));
	bool ltl = kind && strcmp(kind, "ltl") == 0;
	if (ltl && !formula->by_user && formula->fairness == LTL_UNFAIR && job->search.threads <= LTL_MAX_FAIR)
		formula->needs_unfairness = holds_if_fair(job, bitcode, formula);
	job->program.formula = NULL;
	free(job->search.pan);
	job->search.pan = pan;
}
