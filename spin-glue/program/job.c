/* SPDX-License-Identifier: MIT
 *
 * One run of a subcommand: its options as given, the files it works on, what it has found.
 */
#include "program.h"

#include <stdlib.h>

void job_init(struct job *job)
{
	*job = (struct job){ .violations = json_array(),
			     .bounds = json_array(),
			     .suppressed = json_array(),
			     .races = json_array(),
			     .verdict = VERDICT_ERROR };
	job->work = work_directory();
	job->image = text("%s/program.image", job->work);
	job->result = text("%s/result.json", job->work);
}

void job_release(struct job *job)
{
	options_release(&job->options);
	world_release(&job->world);
	list_release(&job->assumptions);
	list_release(&job->shown);
	list_release(&job->cuts);
	free(job->weaker.file);
	json_decref(job->met);
	json_decref(job->violations);
	json_decref(job->bounds);
	json_decref(job->walks);
	json_decref(job->rungs);
	json_decref(job->coverage);
	json_decref(job->earlier);
	free(job->snapshot);
	json_decref(job->space);
	json_decref(job->suppressed);
	json_decref(job->races);
	json_decref(job->left_out);
	json_decref(job->off);
	json_decref(job->withdrawn);
	rules_release(job);
	free(job->work);
	free(job->image);
	free(job->result);
	free(job->claim);
	free(job->reason);
	free(job->cut_short);
}
