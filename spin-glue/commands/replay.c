/* SPDX-License-Identifier: MIT
 *
 * bitspin replay: the story of a trail.
 */
#include "commands.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The newest trail in a directory, its name only; or a schedule, where a violation was found that has no trail; NULL: neither. */
static char *newest_trail(const char *directory)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;
	char *newest = NULL;
	time_t when = 0;
	while (entries && (entry = readdir(entries))) {
		size_t n = strlen(entry->d_name);
		char *path = text("%s/%s", directory, entry->d_name);
		struct stat st;
		if (n > 6 && strcmp(entry->d_name + n - 6, ".trail") == 0 && stat(path, &st) == 0 &&
		    (!newest || st.st_mtime > when)) {
			free(newest);
			newest = text("%s", entry->d_name);
			when = st.st_mtime;
		}
		free(path);
	}
	if (entries)
		closedir(entries);
	char *schedule = text("%s/schedule", directory);
	if (!newest && file_exists(schedule))
		newest = text("schedule");
	free(schedule);
	return newest;
}

/* A directory and a trail in it, from what the user named. */
void find_trail(const char *named, char **directory, char **trail)
{
	struct stat st;
	char *whole = realpath(named, NULL);
	if (!whole || stat(whole, &st) < 0)
		fail("cannot read '%s': %s", named, strerror(errno));
	if (S_ISDIR(st.st_mode)) {
		*directory = whole;
		*trail = newest_trail(whole);
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

json_t *replay_kept(struct job *job, const char *directory, const char *trail)
{
	char *pan = text("%s/pan", directory);
	free(job->image);
	job->image = text("%s/program.image", directory);
	if (access(pan, X_OK) < 0 || !file_exists(job->image))
		fail("'%s' has no pan and program.image to replay '%s' with", directory, trail);
	char *path = text("%s/formula", directory), *formula = read_file(path, NULL);
	char *file = text("%s/%s", directory, trail);
	bool scheduled = !strstr(trail, ".trail"); /* it is a schedule */
	json_t *violation = scheduled ? violation_of_schedule(job, file) : trace_of(job, pan, directory, trail);
	free(file);
	if (violation)
		violation = explained(job, violation, 1);
	else if (formula)
		violation = lasso_of(job, pan, directory, trail, formula);
	free(path);
	free(formula);
	free(pan);
	if (!violation)
		fail("the %s '%s' leads to no violation of this program", scheduled ? "schedule" : "trail", trail);
	return violation;
}

int command_replay(int argc, char **argv)
{
	struct job job;
	char *directory, *trail;
	command_begin(&job, 'R', argc, argv);
	report_check_files(&job.options);
	find_trail(job.options.files.items[0], &directory, &trail);
	if (job.options.gdb) {
		if (!strstr(trail, ".trail"))
			fail("--gdb needs a trail, and '%s' is none", trail);
		int status = debug_kept(&job, directory, trail);
		free(directory);
		free(trail);
		command_end(&job);
		return status;
	}
	json_t *violation = replay_kept(&job, directory, trail);
	json_array_append_new(job.violations, violation);
	job.verdict = VERDICT_VIOLATED;
	report_write(&job);
	if (!report_takes_stdout(&job.options)) {
		if (!job.options.quiet && !report_tells_lines(&job.options))
			story_print(violation, job.options.story_full);
		job.options.quiet = true; /* no statistics: nothing was searched */
		report_print(&job);
	}
	free(directory);
	free(trail);
	command_end(&job);
	return verdict_status(VERDICT_VIOLATED);
}
