/* SPDX-License-Identifier: MIT
 *
 * Mutexes that are passed over (runtime/memory/peeking.h): a search finds out which are needed, and begins again with these.  After
 * a few times, all are taken back.
 */
#include "pan.h"

#include <stdlib.h>

enum { MOST_TIMES = 20 };

static void keep(struct job *job, const json_t *mutex)
{
	job->kept = realloc(job->kept, (job->nkept + 1) * sizeof *job->kept);
	if (!job->kept)
		BUG("out of memory");
	job->kept[job->nkept++] = (struct image_kept){
		.object = (uint32_t)json_integer_value(json_object_get(mutex, "object")),
		.offset = (uint32_t)json_integer_value(json_object_get(mutex, "offset")),
	};
}

/* What was passed over is what the last search says; what was kept stays. */
static void forget_passed(json_t *mutexes)
{
	for (size_t i = json_array_size(mutexes); i-- > 0;)
		if (!json_object_get(json_array_get(mutexes, i), "why"))
			json_array_remove(mutexes, i);
}

void mutexes_give_up(struct job *job)
{
	job->options.reductions &= ~(unsigned)REDUCTION_PEEKING;
	json_array_clear(job->mutexes);
}

bool mutexes_taken_back(struct job *job, const json_t *statistics)
{
	const json_t *mutexes = json_object_get(statistics, "mutexes"), *mutex;
	size_t i, before = job->nkept;
	if (!mutexes)
		return false;
	if (!job->mutexes)
		job->mutexes = json_array();
	forget_passed(job->mutexes);
	json_array_foreach (mutexes, i, mutex) {
		if (json_object_get(mutex, "why"))
			keep(job, mutex);
		json_t *copy = json_deep_copy(mutex);
		json_object_del(copy, "object");
		json_object_del(copy, "offset");
		json_array_append_new(job->mutexes, copy);
	}
	if (job->nkept > before && ++job->taken_back == MOST_TIMES)
		mutexes_give_up(job);
	return job->nkept > before;
}
