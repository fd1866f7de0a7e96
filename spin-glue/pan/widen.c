/* SPDX-License-Identifier: MIT
 *
 * Search again with more threads, depth, objects or preemptions, or without what was wrong to assume, for as long as the
 * program needs it.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../model/model.h"
#include "../options/options.h"
#include "../../ltl/ltl.h"

#include <assert.h>
#include <stdlib.h>

enum { FIRST_THREADS = 8, MOST_THREADS = LTL_MAX_THREADS };

/* Make room for more live objects: take numbers from variables on stacks, then from threads that the program never has. */
static unsigned make_room(struct job *job, unsigned threads)
{
	assert(!job->program.fewest);
	job->program.fewest = job->program.many;
	job->program.many = true;
	return job->program.fewest ? job->search.threads_used : threads;
}

/* Return twice as many processes, and twice again, until there are as many as threads have names (runtime/search/step/trial.c). */
static unsigned more_than(unsigned threads, unsigned names)
{
	assert(threads > 0 && threads < MOST_THREADS); /* so there will be more, and the search comes to an end */
	do
		threads = threads * 2 > MOST_THREADS ? MOST_THREADS : threads * 2;
	while (threads < names && threads < MOST_THREADS);
	return threads;
}

/* Search with as many processes and as much depth as the program turns out to need.  Return the pan that was used. */
static char *search_within_bound(struct job *job, const struct list *bitcode)
{
	unsigned threads = job->inputs->options.threads ? (unsigned)job->inputs->options.threads :
		job->search.threads                     ? job->search.threads :
							  FIRST_THREADS;
	unsigned long depth = job->inputs->options.max_depth ? job->inputs->options.max_depth : FIRST_DEPTH;
	memory_begin(job);
	translate_files(&job->program, bitcode, threads);
	if (!job->program.formula)
		resume_begin(job);
	bool needed = job->inputs->options.search != SEARCH_RANDOM || job->inputs->options.keep;
	char *pan = needed ? pan_for(&job->program, threads, job->result.statistics.search_seconds) : NULL;
	for (;;) {
		job->search.threads = threads;
		bool more_threads = !job->inputs->options.threads && !job->program.fewest && threads < MOST_THREADS;
		enum search_end end = search_run(job, pan, depth, more_threads);
		switch (end) {
		case SEARCH_DONE:
			if (!races_go_past(job, pan))
				return pan;
			process_defer_limit(true); /* else the races that are known would be lost */
			translate_files(&job->program, bitcode, threads);
			process_defer_limit(false);
			break;
		case SEARCH_AGAIN:
			rungs_begin_again(job->program.work);
			translate_files(&job->program, bitcode, threads);
			break;
		case SEARCH_MORE_DEPTH: depth *= 10; break;
		case SEARCH_MORE_OBJECTS:
		case SEARCH_MORE_THREADS:
			if (end == SEARCH_MORE_OBJECTS)
				threads = make_room(job, threads);
			else
				threads = more_than(threads, job->search.threads_used);
			translate_files(&job->program, bitcode, threads);
			free(pan);
			pan = needed ? pan_for(&job->program, threads, job->result.statistics.search_seconds) : NULL;
		}
	}
}

/* Search on in what is left of the time, with a search that needs little memory (ladder.c), as the exhaustive one had none
 * left.  Return the pan of the search whose outcome counts. */
static char *search_last_rung(struct job *job, const struct list *bitcode, char *pan)
{
	if (!ladder_last_rung(job))
		return pan;
	char *other = search_within_bound(job, bitcode);
	bool counts = ladder_last_rung_done(job);
	free(counts ? pan : other);
	return counts ? other : pan;
}

/* Search once.  But where pan keeps the bound beside its states, search with 0, 1, 2, ... preemptions, until a violation is
 * found, or a bound cuts no path, or the largest bound that the options allow is reached. */
char *search_program(struct job *job, const struct list *bitcode)
{
	const struct options *o = &job->inputs->options;
	bool once = !o->iterate || o->identity == IDENTITY_STATE;
	job->program.bound = once ? o->preemptions : 0;
	ladder_begin(job, bitcode);
	char *pan = search_last_rung(job, bitcode, search_within_bound(job, bitcode));
	ladder_end(job);
	for (;;) {
		if (!once && bounds_are_told(job))
			bounds_tell_search(job);
		if (once || !job->search.cut || job->program.bound == o->preemptions)
			return pan;
		job->program.bound++;
		free(pan);
		pan = search_within_bound(job, bitcode);
	}
}
