/* SPDX-License-Identifier: MIT
 *
 * Signals that interrupt other threads: where that can happen, searches find out (runtime/memory/interrupts.h), and begin again.
 */
#include "pan.h"
#include "job.h"
#include "../options/options.h"

void interrupts_ask(struct job *job, enum image_interrupts mode)
{
	if (job->inputs->options.cores > 1) /* each process sees only some of the accesses */
		mode = INTERRUPTS_ALL;
	job->program.interrupts = job->program.interrupts > mode ? job->program.interrupts : mode;
}

bool interrupts_found(struct job *job, const json_t *statistics)
{
	const json_t *places = json_object_get(statistics, "interrupted"), *place;
	size_t i;
	bool news = false;
	json_array_foreach (places, i, place)
		news = rules_interrupt(&job->program, json_string_value(json_object_get(place, "file")),
				       (unsigned)json_integer_value(json_object_get(place, "line"))) ||
			news;
	if (json_array_size(places) && !news) /* the places alone do not help: so that this comes to an end */
		interrupts_ask(job, INTERRUPTS_ALL);
	return json_array_size(places) > 0;
}
