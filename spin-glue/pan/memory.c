/* SPDX-License-Identifier: MIT
 *
 * Searches under --memory c11: in the first one, threads read the newest values only; then the two newest ones of a location, then
 * eight, and so on, until a search shows that no older one can be read (runtime/memory/messages.h).
 */
#include "pan.h"
#include "job.h"
#include "outcome.h"
#include "../base/base.h"
#include "../options/options.h"

#include <assert.h>
#include <stdlib.h>

void memory_begin(struct job *job)
{
	const struct options *o = &job->inputs->options;
	enum { PARTIAL = 4 }; /* values, where no search can show that it was complete */
	if (o->memory != MEMORY_SC && !job->program.staleness)
		job->program.staleness = o->staleness ? o->staleness : is_partial(o) ? PARTIAL : 1;
}

bool memory_widens(struct job *job)
{
	struct program *program = &job->program;
	if (job->inputs->options.staleness || program->staleness >= IMAGE_MOST_STALENESS)
		return false;
	assert(job->inputs->options.memory != MEMORY_SC && program->staleness > 0);
	job->search.staleness_done = program->staleness;
	bool doubled = program->staleness == 1 || job->inputs->options.memory == MEMORY_TSO;
	program->staleness *= doubled ? 2 : 4; /* most programs that need more than two values need three to eight */
	if (program->staleness > IMAGE_MOST_STALENESS)
		program->staleness = IMAGE_MOST_STALENESS;
	return true;
}

char *memory_in_words(const struct job *job, unsigned staleness)
{
	assert(staleness > 0);
	if (job->inputs->options.memory == MEMORY_TSO)
		return text("no violation if at most %u store%s of a thread wait%s", staleness, plural(staleness),
			    staleness == 1 ? "s" : "");
	if (staleness == 1)
		return text("no violation under sequential consistency, and weaker orders let threads read older values");
	return text("no violation if threads read one of the %u newest values of a location", staleness);
}

void memory_tell(struct job *job)
{
	if (job->result.verdict != VERDICT_INCONCLUSIVE || !job->search.staleness_done)
		return;
	assert(job->result.reason);
	char *done = memory_in_words(job, job->search.staleness_done);
	conclude(job, VERDICT_INCONCLUSIVE, text("%s; %s", job->result.reason, done));
	free(done);
}
