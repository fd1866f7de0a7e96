/* SPDX-License-Identifier: MIT
 *
 * pan's trails as files: which files are some, and which claim of the model a trail is about.
 *
 * pan names a trail by the model, a number (-e, -c0), the process that has found it (-DNCORE), and a suffix of the user's choice
 * (-t).  So a trail is known by what is in it: lines of "DEPTH:PROCESS:TRANSITION".
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool is_trail(const char *path)
{
	struct stat st;
	char line[64];
	long depth;
	int process, transition, end = 0;
	FILE *file = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "re") : NULL;
	bool is = file && fgets(line, sizeof line, file) && sscanf(line, "%ld:%d:%d%n", &depth, &process, &transition, &end) == 3 &&
		line[end] == '\n';
	if (file)
		fclose(file);
	return is;
}

char *newest_trail(const char *directory)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;
	char *newest = NULL;
	struct timespec when = { 0 };
	while (entries && (entry = readdir(entries))) {
		char *path = text("%s/%s", directory, entry->d_name);
		struct stat st;
		if (is_trail(path) && stat(path, &st) == 0 &&
		    (!newest || st.st_mtim.tv_sec > when.tv_sec ||
		     (st.st_mtim.tv_sec == when.tv_sec && st.st_mtim.tv_nsec > when.tv_nsec))) {
			free(newest);
			newest = text("%s", entry->d_name);
			when = st.st_mtim;
		}
		free(path);
	}
	if (entries)
		closedir(entries);
	return newest;
}

/* Return the transition that the claim takes first, as pan numbers them; -1 if the model has no claim, or it has not moved.  The
 * claim is process 0 where there is a line "-2". */
static int first_move_of_claim(const char *path)
{
	char *bytes = read_file(path, NULL), *rest = bytes, *line;
	bool claimed = false;
	int found = -1;
	while (found < 0 && rest && (line = strsep(&rest, "\n"))) {
		long depth;
		int process, transition;
		if (sscanf(line, "%ld:%d:%d", &depth, &process, &transition) != 3)
			continue;
		claimed = claimed || depth == -2;
		if (claimed && depth >= 0 && process == 0)
			found = transition;
	}
	free(bytes);
	return found;
}

/* Return the name of the claim that has the transition `wanted`, by pan's own table (-d): "claim NAME", and below it each
 * transition with its number in "[id  N tp ...]".  NULL means SPIN's own claim for progress, which has none of these. */
static char *claim_with(const char *table, int wanted)
{
	const char *name = NULL;
	for (const char *line = table; line && *line; line = strchr(line, '\n'), line += line != NULL) {
		static const char claim[] = "claim ";
		const char *id = strstr(line, "[id"), *end = strchr(line, '\n');
		if (strncmp(line, "proctype ", strlen("proctype ")) == 0)
			name = NULL;
		else if (strncmp(line, claim, strlen(claim)) == 0)
			name = line + strlen(claim);
		else if (name && id && (!end || id < end) && atoi(id + strlen("[id")) == wanted)
			return text("%.*s", (int)strcspn(name, " \n"), name);
	}
	return NULL;
}

char *claim_of_trail(struct job *job, const char *pan, const char *directory, const char *trail)
{
	char *path = text("%s/%s", directory, trail);
	int move = first_move_of_claim(path);
	free(path);
	if (move < 0)
		return NULL;
	const char *const argv[] = { pan, "-d", NULL };
	char *output = text("%s/claims", job->program.work), *image = text("BITSPIN_IMAGE=%s", job->program.image);
	const char *const environment[] = { image, NULL };
	int status;
	process_run(&(struct process){ .argv = argv,
				       .directory = directory,
				       .output = output,
				       .errors = output,
				       .environment = environment },
		    &status);
	char *table = read_file(output, NULL), *name = table ? claim_with(table, move) : NULL;
	free(table);
	free(output);
	free(image);
	return name ? name : text("%s", PROGRESS_CLAIM);
}

/* Return the trail without the moves of SPIN's claim for progress.  Pan keeps numbers of transitions in a byte or two (T_ID), and
 * those of that claim are greater, so that pan cannot replay them. */
const char *trail_without_claim(const struct job *job, const char *directory, const char *trail)
{
	static const char name[] = "unclaimed.trail";
	char *from = text("%s/%s", directory, trail), *to = text("%s/%s", job->program.work, name);
	char *bytes = read_file(from, NULL), *rest = bytes, *line;
	FILE *out = fopen(to, "we");
	while (out && rest && (line = strsep(&rest, "\n"))) {
		long depth;
		int process;
		if (sscanf(line, "%ld:%d:", &depth, &process) == 2 && (depth < 0 || process > 0))
			fprintf(out, "%s\n", line);
	}
	if (!out || fclose(out) != 0)
		fail("cannot write to '%s'", job->program.work);
	free(bytes);
	free(from);
	free(to);
	return name;
}
