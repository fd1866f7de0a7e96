/* SPDX-License-Identifier: MIT
 *
 * See job.h.
 */
#include "job.h"
#include "pan.h"
#include "../base/base.h"
#include "../options/options.h"

#include <stdlib.h>

void job_init(struct job *job)
{
	*job = (struct job){ .inputs = calloc(1, sizeof *job->inputs) };
	if (!job->inputs)
		BUG("out of memory");
	program_init(&job->program, job->inputs, work_directory());
	job->search.records = text("%s/result.json", job->program.work);
	job->search.races = json_array();
	job->result = (struct result){
		.violations = json_array(), .bounds = json_array(), .suppressed = json_array(), .verdict = VERDICT_ERROR
	};
}

void job_release(struct job *job)
{
	struct result *r = &job->result;
	json_t *const records[] = { r->violations, r->suppressed, r->met,   r->off,    r->space,         r->earlier,
				    r->rungs,      r->coverage,   r->walks, r->bounds, job->search.races };
	for (size_t i = 0; i < sizeof records / sizeof *records; i++)
		json_decref(records[i]);
	list_release(&r->cuts);
	free(r->reason);
	free(r->cut_short);
	free(job->search.records);
	free(job->search.snapshot);
	free(job->search.claim);
	program_release(&job->program);
	inputs_free(job->inputs);
}
