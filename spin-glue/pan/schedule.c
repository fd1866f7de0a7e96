/* SPDX-License-Identifier: MIT
 *
 * Schedules as files: what runtime/search/base/schedule.h has, with comments that tell the program and the end.
 *
 *     # bitspin schedule of 0123456789abcdef
 *     0 0 3
 *     # end: 3 steps
 */
#include "job.h"
#include "outcome.h"
#include "../base/base.h"
#include "../base/target.h"

#include <assert.h>
#include <limits.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "# bitspin schedule of ", tail[] = "# end: ";

void schedule_add_step(struct kept_schedule *schedule, unsigned thread, unsigned outcome)
{
	assert(thread <= UCHAR_MAX && outcome <= UCHAR_MAX);
	if (schedule->count == schedule->capacity) {
		schedule->capacity = schedule->capacity ? 2 * schedule->capacity : 256;
		schedule->steps = realloc(schedule->steps, schedule->capacity * sizeof *schedule->steps);
		if (!schedule->steps)
			BUG("out of memory");
	}
	schedule->steps[schedule->count++] = (struct kept_step){ (unsigned char)thread, (unsigned char)outcome };
}

void schedule_free(struct kept_schedule *schedule)
{
	free(schedule->steps);
	free(schedule->program);
	*schedule = (struct kept_schedule){ 0 };
}

/* Read a line of a schedule.  Return what is wrong with the line, malloc'ed; NULL if nothing is. */
static char *read_line(struct kept_schedule *schedule, const char *line, bool *ended)
{
	enum { MOST = 100000000 };
	unsigned thread, outcome, times = 1;
	unsigned long steps;
	char more;
	if (strncmp(line, head, sizeof head - 1) == 0) {
		free(schedule->program);
		schedule->program = text("%.*s", (int)strcspn(line + sizeof head - 1, " \r"), line + sizeof head - 1);
	} else if (sscanf(line, "# end: %lu", &steps) == 1) {
		*ended = true;
		if (steps != schedule->count)
			return text("it has %zu steps, not %lu as it says at its end", schedule->count, steps);
	}
	line += strspn(line, " \t\r");
	if (*line == '#' || *line == '\0')
		return NULL;
	int fields = sscanf(line, "%u %u %u %c", &thread, &outcome, &times, &more);
	if (fields < 2 || fields > 3 || thread > 255 || outcome > 255 || strchr(line, '-'))
		return text("'%.40s' is not 'THREAD OUTCOME TIMES'", line);
	if (times > MOST || schedule->count + times > MOST)
		return text("it has more than %d steps", (int)MOST);
	for (unsigned i = 0; i < times; i++)
		schedule_add_step(schedule, thread, outcome);
	return NULL;
}

char *schedule_load(struct kept_schedule *schedule, const char *path)
{
	char *bytes = read_file(path, NULL), *rest = bytes, *line, *wrong = NULL;
	unsigned number = 0;
	bool ended = false;
	*schedule = (struct kept_schedule){ 0 };
	if (!bytes)
		return text("cannot read '%s': %s", path, strerror(errno));
	while (!wrong && (line = strsep(&rest, "\n"))) {
		number++;
		char *why = read_line(schedule, line, &ended);
		wrong = why ? text("%s:%u: %s", path, number, why) : NULL;
		free(why);
	}
	if (!wrong && schedule->program && !ended)
		wrong = text("%s: this schedule is cut off: its last line, '%s...', is missing", path, tail);
	if (!wrong && !schedule->program && schedule->count == 0)
		wrong = text("%s: this is no schedule", path);
	free(bytes);
	if (wrong)
		schedule_free(schedule);
	return wrong;
}

bool schedule_save(const struct kept_schedule *schedule, size_t count, const char *path)
{
	assert(count <= schedule->count);
	char *bytes = NULL;
	size_t size;
	FILE *out = open_memstream(&bytes, &size);
	if (!out)
		BUG("out of memory");
	fprintf(out, "%s%s\n# thread outcome times\n", head, schedule->program ? schedule->program : "unknown");
	for (size_t i = 0, n; i < count; i += n) {
		const struct kept_step *step = &schedule->steps[i];
		for (n = 1; i + n < count && step[n].thread == step->thread && step[n].outcome == step->outcome;)
			n++;
		fprintf(out, "%u %u %zu\n", step->thread, step->outcome, n);
	}
	fprintf(out, "%s%zu steps\n", tail, count);
	if (fclose(out) != 0)
		BUG("out of memory");
	bool good = target_write(path, FORM_SCHEDULE, bytes, size);
	free(bytes);
	return good;
}

bool schedule_keep(const struct job *job, const char *to)
{
	struct kept_schedule schedule;
	char *from = text("%s/schedule", job->program.work), *path = text("%s/schedule", to), *wrong = NULL;
	bool good = true;
	if (file_exists(path))
		remove(path);
	if (file_exists(from) && json_array_size(job->result.violations)) {
		wrong = schedule_load(&schedule, from);
		good = !wrong;
		if (good) {
			schedule.program = program_identity(&job->program);
			good = schedule_save(&schedule, schedule.count, path);
			schedule_free(&schedule);
		}
	}
	free(wrong);
	free(from);
	free(path);
	return good;
}
