/* SPDX-License-Identifier: MIT
 *
 * The profile beside a search: where states come from, for the advice under a verdict that is inconclusive.  It begins when the
 * search has taken some seconds, with a sample so small that it costs the search next to nothing.
 */
#include "job.h"
#include "pan.h"
#include "../base/base.h"
#include "../options/options.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE 3.0 /* seconds of search before it */

struct beside {
	double began;
	bool started;
	struct child child;
	char *result;
};

static void start(struct job *job)
{
	struct beside *beside = job->search.beside;
	char *drive = data_file("bitspin-drive"), *copy = text("%s/beside.image", job->program.work);
	char *image = text("BITSPIN_IMAGE=%s", copy), *output = text("%s/beside.out", job->program.work);
	beside->result = text("%s/beside.json", job->program.work);
	char *result = text("BITSPIN_RESULT=%s", beside->result);
	const char *const argv[] = { drive, "profile", "3000", "4", NULL }, *const environment[] = { image, result, NULL };
	struct process process = {
		.argv = argv,
		.directory = job->program.work,
		.output = output,
		.errors = output,
		.environment = environment,
	};
	if (copy_file(job->program.image, copy))
		child_start(&beside->child, &process);
	char *const all[] = { drive, copy, image, output, result };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

/* Read the records that are there.  The last line may be cut short. */
static json_t *records_of(const char *path)
{
	char *lines = read_file(path, NULL), *rest = lines, *line;
	json_t *records = json_array();
	while (rest && (line = strsep(&rest, "\n"))) {
		json_t *record = *line ? json_loads(line, 0, NULL) : NULL;
		if (record)
			json_array_append_new(records, record);
	}
	free(lines);
	return records;
}

static bool is_running(struct beside *beside)
{
	enum process_end end;
	int status;
	return beside->child.pid && !child_has_ended(&beside->child, &end, &status);
}

void beside_look(struct job *job)
{
	const struct options *o = &job->inputs->options;
	if (!job->search.may_climb || job->program.formula || o->cores || o->quiet)
		return;
	if (!job->search.beside) {
		job->search.beside = calloc(1, sizeof *job->search.beside);
		if (!job->search.beside)
			BUG("out of memory");
		job->search.beside->began = seconds_now();
	}
	struct beside *beside = job->search.beside;
	if (!beside->started && seconds_now() - beside->began > PATIENCE) {
		beside->started = true;
		start(job);
	}
	is_running(beside);
}

void beside_end(struct job *job)
{
	struct beside *beside = job->search.beside;
	if (!beside)
		return;
	child_stop(&beside->child);
	while (is_running(beside))
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
	assert(!job->result.profile);
	if (beside->result)
		job->result.profile = records_of(beside->result);
	free(beside->result);
	free(beside);
	job->search.beside = NULL;
}
