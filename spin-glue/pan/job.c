/* SPDX-License-Identifier: MIT
 *
 * See job.h.
 */
#include "job.h"
#include "pan.h"
#include "../base/base.h"
#include "../options/options.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static void begin(struct job *job, struct inputs *inputs, char *work)
{
	*job = (struct job){ .inputs = inputs };
	program_init(&job->program, job->inputs, work);
	job->search.records = text("%s/result.json", job->program.work);
	job->search.races = json_array();
	job->result = (struct result){
		.violations = json_array(), .bounds = json_array(), .suppressed = json_array(), .verdict = VERDICT_ERROR
	};
}

static struct inputs *new_inputs(void)
{
	struct inputs *inputs = calloc(1, sizeof *inputs);
	if (!inputs)
		BUG("out of memory");
	return inputs;
}

void job_init(struct job *job)
{
	begin(job, new_inputs(), work_directory());
}

static void release(struct job *job)
{
	struct result *r = &job->result;
	json_t *const records[] = { r->violations,     r->suppressed, r->met,      r->off,   r->space,
				    r->earlier,        r->rungs,      r->coverage, r->walks, r->bounds,
				    job->search.races, r->profile,    r->frames };
	for (size_t i = 0; i < sizeof records / sizeof *records; i++)
		json_decref(records[i]);
	list_release(&r->cuts);
	free(r->reason);
	free(r->stopped);
	free(r->cut_short);
	free(r->tests);
	json_decref(r->traces);
	free(job->search.records);
	free(job->search.snapshot);
	free(job->search.claim);
	program_release(&job->program);
}

void job_release(struct job *job)
{
	release(job);
	inputs_free(job->inputs);
}

void job_init_beside(struct job *job, const struct job *all)
{
	static unsigned count;
	char *work = text("%s/%u", all->program.work, ++count);
	make_directories(work);
	begin(job, new_inputs(), work);
	*job->inputs = *all->inputs;
	job->inputs->options.quiet = true;
	job->program.members = all->program.members;
	job->program.formulas = all->program.formulas;
}

void job_release_beside(struct job *job)
{
	*job->inputs = (struct inputs){ 0 }; /* what they hold belongs to the other job */
	job_release(job);
}

void job_begin_again(struct job *job)
{
	assert(!job->search.ladder && !job->search.resume);
	struct inputs *inputs = job->inputs;
	char *work = text("%s", job->program.work);
	unlink(job->search.records);
	release(job);
	begin(job, inputs, work);
}
