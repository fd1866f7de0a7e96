/* SPDX-License-Identifier: MIT
 *
 * bitspin replay: the story of a trail.
 */
#include "commands.h"
#include "../base/base.h"
#include "../native/native.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../pan/pan.h"
#include "../report/report.h"

#include <assert.h>
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Return the name of the newest trail in `directory`; of a schedule, if a violation was found that has no trail; or NULL. */
static char *trail_in(const char *directory)
{
	char *newest = newest_trail(directory), *schedule = text("%s/schedule", directory);
	if (!newest && file_exists(schedule))
		newest = text("schedule");
	free(schedule);
	return newest;
}

/* Split the path `named` by the user into a directory and the name of a trail in it. */
void find_trail(const char *named, char **directory, char **trail)
{
	struct stat st;
	char *whole = realpath(named, NULL);
	if (!whole || stat(whole, &st) < 0)
		fail("cannot read '%s': %s", named, strerror(errno));
	if (S_ISDIR(st.st_mode)) {
		*directory = whole;
		*trail = trail_in(whole);
		if (!*trail)
			fail("there is no trail in '%s'; run pan there, or check with --keep", named);
		return;
	}
	char *copy = text("%s", whole);
	*trail = text("%s", basename(copy));
	*directory = text("%s", dirname(copy));
	free(copy);
	free(whole);
}

/* Return how the report calls the claim that a trail violates: as `generate` has noted for the model's own, or by the name that
 * the user gave it. */
static char *claim_text(const char *directory, const char *claim)
{
	char *path = text("%s/formula", directory), *formula = read_file(path, NULL);
	free(path);
	if (formula && strncmp(claim, "never_", strlen("never_")) == 0) /* SPIN's name for the one without a name */
		return formula;
	free(formula);
	return strcmp(claim, PROGRESS_CLAIM) == 0 ? text("progress (pan -l)") : text("claim %s", claim);
}

/* End with the reason why the trail shows nothing, and what to do. */
static _Noreturn void fail_to_replay(const char *directory, const char *trail, bool scheduled)
{
	char *path = text("%s/pan.c", directory), *model = text("%s/model.pml", directory);
	struct stat made, changed;
	bool stale = stat(path, &made) == 0 && stat(model, &changed) == 0 && changed.st_mtime > made.st_mtime;
	if (scheduled)
		fail("the schedule '%s' leads to no violation of this program", trail);
	fail("the trail '%s' leads to no violation of this program%s", trail,
	     stale ? "; model.pml is newer than pan: make and run it again" :
		     "; it may be older than pan, or one of several of pan -e or -i (the first shows a violation); trails of a pan "
		     "made with -DNCORE and without -DFULL_TRAIL, or with -DSEP_STATE, may lack their beginning: "
		     "make pan and run it again");
}

json_t *replay_kept(struct job *job, const char *directory, const char *trail)
{
	assert(!job->search.claim);
	char *pan = text("%s/pan", directory);
	free(job->program.image);
	job->program.image = text("%s/program.image", directory);
	if (access(pan, X_OK) < 0 || !file_exists(job->program.image))
		fail("'%s' has no pan and program.image to replay '%s' with", directory, trail);
	char *file = text("%s/%s", directory, trail);
	bool scheduled = !is_trail(file);
	char *claim = scheduled ? NULL : claim_of_trail(job, pan, directory, trail);
	char *formula = claim ? claim_text(directory, claim) : NULL;
	const char *in = directory, *replayed = trail;
	if (claim && strcmp(claim, PROGRESS_CLAIM) == 0) {
		replayed = trail_without_claim(job, directory, trail);
		in = job->program.work;
		free(claim);
		claim = NULL;
	}
	job->search.claim = claim;
	json_t *violation = scheduled ? violation_of_schedule(job, file) : trace_of(job, pan, in, replayed);
	free(file);
	if (violation)
		violation = explained(job, violation, 1);
	else if (formula)
		violation = lasso_of(job, pan, in, replayed, formula);
	if (violation && json_object_get(violation, "loop"))
		mark_loop(violation);
	free(formula);
	free(pan);
	if (!violation)
		fail_to_replay(directory, trail, scheduled);
	return violation;
}

int command_replay(int argc, char **argv)
{
	struct job job;
	char *directory, *trail;
	command_begin(&job, 'R', argc, argv);
	find_trail(job.inputs->options.files.items[0], &directory, &trail);
	if (job.inputs->options.gdb) {
		char *path = text("%s/%s", directory, trail);
		if (!is_trail(path))
			fail("--gdb needs a trail, and '%s' is none", trail);
		free(path);
		int status = debug_kept(&job, directory, trail);
		free(directory);
		free(trail);
		command_end(&job);
		return status;
	}
	json_t *violation = replay_kept(&job, directory, trail);
	json_array_append_new(job.result.violations, violation);
	job.result.verdict = VERDICT_VIOLATED;
	report_write(&job);
	if (!report_takes_stdout(&job.inputs->options)) {
		if (!job.inputs->options.quiet && !report_tells_lines(&job.inputs->options))
			story_print(violation, job.inputs->options.story_full);
		job.inputs->options.quiet = true; /* no statistics: nothing was searched */
		report_print(&job);
	}
	free(directory);
	free(trail);
	command_end(&job);
	return verdict_status(VERDICT_VIOLATED);
}
