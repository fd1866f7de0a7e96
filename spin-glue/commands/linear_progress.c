/* SPDX-License-Identifier: MIT
 *
 * bitspin linearize --progress: do operations end, whatever the scheduler does?
 *
 * Lock-free: if threads take steps for ever, operations end again and again.  The plan has finitely many operations.  So it is
 * lock-free if no schedule goes on for ever, fair or not, and no thread ever waits for another one: if the others are stopped then,
 * the one that waits could only wait.  Both are formulas (formula/formula.c), and they are decided exactly.
 *
 * Wait-free: each operation ends after a number of steps of its own thread that does not depend on others.  In a plan, each number
 * is finite.  So all threads make their calls once, twice and three times, and the most steps of each call are counted, in all
 * schedules (runtime/sync/operations.c).  If the number grows both times, one more round of others makes the call take longer:
 * that is told, with a schedule.  If not, it may still grow later, so the verdict names the numbers.
 */
#include "commands.h"
#include "../base/base.h"
#include "../formula/formula.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../program/operations.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 3 };

/* Check with other options than the user's, which are there again afterwards. */
static void run(struct job *job, const struct options *wanted)
{
	struct options given = job->inputs->options;
	struct list bitcode = { 0 };
	struct formulas formulas = { 0 };
	job->inputs->options = *wanted;
	free(check_files(job, &bitcode, &formulas));
	job->inputs->options = given;
	list_release(&bitcode);
	formulas_release(&formulas);
	job->program.formulas = NULL;
	job->program.formula = NULL;
}

/* Note in most[i] the most steps that call number i has taken. */
static void read_steps(const struct operations *operations, const char *path, unsigned *most)
{
	char *bytes = read_file(path, NULL), *rest = bytes, *line;
	while (rest && (line = strsep(&rest, "\n"))) {
		unsigned steps;
		int at = 0;
		if (sscanf(line, "steps %u %n", &steps, &at) < 1 || at == 0)
			continue;
		for (size_t i = 0; i < operations->count; i++)
			if (strcmp(operations->items[i].call, line + at) == 0 && steps > most[i])
				most[i] = steps;
	}
	free(bytes);
}

/* Is the call named first by number i? */
static bool is_first(const struct operations *operations, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(operations->items[k].call, operations->items[i].call) == 0)
			return false;
	return true;
}

static char *list_steps(const struct operations *operations, const unsigned *most)
{
	char *all = text("%s", "");
	for (size_t i = 0; i < operations->count; i++) {
		if (!is_first(operations, i))
			continue;
		char *one = text("%s takes up to %u step%s", operations->items[i].call, most[i], plural(most[i]));
		all = text_add(all, ", ", one);
		free(one);
	}
	return all;
}

/* Count the steps of all calls in all schedules of each number of rounds.  Return false if something else has to be told. */
static bool count_steps(struct job *job, struct operations *operations, unsigned most[ROUNDS][MOST_OPERATIONS])
{
	char *path = text("%s/steps", job->program.work);
	bool all = true;
	for (unsigned r = 0; all && r < ROUNDS; r++) {
		job_begin_again(job);
		job->program.operations = operations;
		operations->rounds = r + 1;
		setenv("BITSPIN_HISTORIES", path, 1);
		run(job, &job->inputs->options);
		unsetenv("BITSPIN_HISTORIES");
		all = job->result.verdict == VERDICT_VERIFIED;
		read_steps(operations, path, most[r]);
		unlink(path);
	}
	free(path);
	return all;
}

/* Tell the schedule in which a call takes more steps than in the first round. */
static void tell_growth(struct job *job, struct operations *operations, size_t i, unsigned most[ROUNDS][MOST_OPERATIONS])
{
	assert(most[0][i] < most[ROUNDS - 1][i]);
	operations->slow = operations->items[i].call;
	operations->limit = most[0][i] ? most[0][i] : 1;
	if (!job->inputs->options.quiet && !job->inputs->options.json)
		printf("%s takes up to %u, %u and %u steps of its own if all threads make their calls once, twice and three times\n",
		       operations->slow, most[0][i], most[1][i], most[2][i]);
	job_begin_again(job);
	job->program.operations = operations;
	run(job, &job->inputs->options);
}

void progress_run(struct job *job, struct operations *operations)
{
	assert(operations->progress && operations->count <= MOST_OPERATIONS);
	struct options formulas = job->inputs->options;
	formulas.no_deadlock = true; /* who waits for ever is found by the formulas */
	formulas.fairness = LTL_UNFAIR;
	formulas.properties = (struct list){ 0 };
	list_add(&formulas.properties, "lock-free");
	run(job, &formulas);
	list_release(&formulas.properties);
	if (job->result.verdict != VERDICT_VERIFIED || operations->progress == PROGRESS_LOCK_FREE)
		return;
	unsigned most[ROUNDS][MOST_OPERATIONS] = { { 0 } };
	if (!count_steps(job, operations, most))
		return;
	for (size_t i = 0; i < operations->count; i++)
		if (most[0][i] < most[1][i] && most[1][i] < most[2][i]) {
			tell_growth(job, operations, i, most);
			return;
		}
	operations->steps = list_steps(operations, most[ROUNDS - 1]);
}
