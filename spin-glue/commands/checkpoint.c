/* SPDX-License-Identifier: MIT
 *
 * Checkpoints of swarms: a file with the reports of all searches that have ended, so that a swarm that was killed goes on with
 * those that have not.
 */
#include "swarm.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../pan/job.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void refuse(const char *path, const char *why)
{
	fail("the checkpoint '%s' %s; remove it, or name another file", path, why);
}

static struct swarm_search *search_of(struct swarm *swarm, const char *way)
{
	for (size_t i = 0; way && i < swarm->count; i++)
		if (strcmp(swarm->searches[i].way, way) == 0)
			return &swarm->searches[i];
	return NULL;
}

static bool says(const json_t *all, const char *name, const char *expected)
{
	const char *value = json_string_value(json_object_get(all, name));
	return value && strcmp(value, expected) == 0;
}

void checkpoint_read(struct swarm *swarm, const char *path)
{
	json_error_t error;
	json_t *all, *done;
	size_t i;
	if (!file_exists(path))
		return;
	if (!(all = json_load_file(path, 0, &error)) || !json_is_array(json_object_get(all, "done")))
		refuse(path, "is none: it is no JSON, or not of bitspin swarm");
	char *program = program_identity(&swarm->job->program);
	if (!says(all, "bitspin", BITSPIN_VERSION))
		refuse(path, "is of another version of bitspin");
	if (!says(all, "program", program))
		refuse(path, "is of another program");
	if (!says(all, "given", swarm->given))
		refuse(path, "was made with other options");
	for (i = 0; i < swarm->count; i++)
		assert(search_of(swarm, swarm->searches[i].way) == &swarm->searches[i]); /* no two ways are equal */
	json_array_foreach (json_object_get(all, "done"), i, done) {
		struct swarm_search *search = search_of(swarm, json_string_value(json_object_get(done, "search")));
		if (search && !search->report)
			search->report = json_incref(json_object_get(done, "report"));
	}
	free(program);
	json_decref(all);
}

void checkpoint_write(const struct swarm *swarm, const char *path)
{
	char *program = program_identity(&swarm->job->program);
	json_t *done = json_array();
	for (size_t i = 0; i < swarm->count; i++) {
		const struct swarm_search *search = &swarm->searches[i];
		const char *verdict = json_string_value(json_object_get(search->report, "verdict"));
		const char *message = json_string_value(json_object_get(search->report, "message"));
		bool ended = verdict && strcmp(verdict, verdict_name(VERDICT_ERROR)) != 0 &&
			!(message && strstr(message, "interrupted"));
		if (ended)
			json_array_append_new(done, json_pack("{s:s, s:O}", "search", search->way, "report", search->report));
	}
	json_t *all = json_pack("{s:s, s:s, s:s, s:o}", "bitspin", BITSPIN_VERSION, "program", program, "given", swarm->given,
				"done", done);
	char *bytes = all ? json_dumps(all, JSON_INDENT(1)) : NULL;
	if (!bytes)
		BUG("the checkpoint is no JSON");
	targets_write("checkpoint", path, bytes, strlen(bytes));
	free(bytes);
	json_decref(all);
	free(program);
}
