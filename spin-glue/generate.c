/* SPDX-License-Identifier: MIT
 *
 * bitspin generate: a model and an image to run pan on by hand; bitspin replay: the story of a trail.
 */
#include "formula.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_THREADS = 16 };

static void write_or_fail(const char *directory, const char *name, const char *bytes)
{
	char *path = text("%s/%s", directory, name);
	if (!write_file(path, bytes, strlen(bytes)))
		fail("cannot write '%s': %s", path, strerror(errno));
	free(path);
}

int command_generate(int argc, char **argv)
{
	struct job job;
	struct list bitcode = { 0 };
	job_init(&job);
	options_parse(&job.options, 'G', argc, argv);
	const char *to = job.options.directory;
	unsigned threads = job.options.threads ? job.options.threads : DEFAULT_THREADS;
	struct formulas formulas = { 0 };
	formulas_read(&formulas, &job);
	job.formulas = &formulas;
	job.formula = formulas.items; /* a model has one claim */
	compile_files(&job, &bitcode);
	make_directories(to);
	translate_files(&job, &bitcode, threads);
	char *image = text("%s/program.image", to), *model = model_text(&job, threads), *library = data_file("libbitspin-vm.a");
	char *header = data_file("bitspin_vm.h"), *copy = text("%s/bitspin_vm.h", to);
	if (!copy_file(job.image, image) || !copy_file(header, copy))
		fail("cannot write to '%s': %s", to, strerror(errno));
	write_or_fail(to, "model.pml", model);
	if (!keep_formula(&job, to))
		fail("cannot write to '%s': %s", to, strerror(errno));
	/* To count a miss of a queue, pan 6.5.2 moves the counter's pointer: a worker of -DNCORE may die of it, holding a lock. */
	char *makefile = text("pan: model.pml bitspin_vm.h\n"
			      "\tspin -a model.pml\n"
			      "\tsed -i 's/\\*gr_\\([a-z]*\\)miss++/(*gr_\\1miss)++/' pan.c\n"
			      "\t$(CC) -O2 -w -DNOREDUCE -DVECTORSZ=4096 $(PANFLAGS) -o pan pan.c %s -lffi -ljansson -lm\n", library);
	write_or_fail(to, "Makefile", makefile);
	if (!job.options.quiet)
		printf("wrote model.pml, program.image and Makefile in '%s'; now: make -C %s && cd %s && ./pan%s\n", to, to, to,
		       job.formula ? " -a" : "");
	formulas_release(&formulas);
	free(image);
	free(model);
	free(library);
	free(header);
	free(copy);
	free(makefile);
	list_release(&bitcode);
	job_release(&job);
	return 0;
}

/* ---- replay -------------------------------------------------------------------------------------------------------- */

/* The newest trail in a directory, its name only; NULL if there is none. */
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
		if (n > 6 && strcmp(entry->d_name + n - 6, ".trail") == 0 && stat(path, &st) == 0 && (!newest || st.st_mtime > when)) {
			free(newest);
			newest = text("%s", entry->d_name);
			when = st.st_mtime;
		}
		free(path);
	}
	if (entries)
		closedir(entries);
	return newest;
}

/* A directory and a trail in it, from what the user named. */
static void find_trail(const char *named, char **directory, char **trail)
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

int command_replay(int argc, char **argv)
{
	struct job job;
	char *directory, *trail;
	job_init(&job);
	options_parse(&job.options, 'R', argc, argv);
	find_trail(job.options.files.items[0], &directory, &trail);
	char *pan = text("%s/pan", directory);
	free(job.image);
	job.image = text("%s/program.image", directory);
	if (access(pan, X_OK) < 0 || !file_exists(job.image))
		fail("'%s' has no pan and program.image to replay '%s' with", directory, trail);
	char *path = text("%s/formula", directory), *formula = read_file(path, NULL);
	json_t *violation = trace_of(&job, pan, directory, trail);
	if (!violation && formula)
		violation = lasso_of(&job, pan, directory, trail, formula);
	free(path);
	free(formula);
	if (!violation)
		fail("the trail '%s' leads to no violation of this program", trail);
	json_array_append_new(job.violations, violation);
	job.verdict = VERDICT_VIOLATED;
	report_write_json(&job);
	if (!job.options.json || strcmp(job.options.json, "-") != 0) {
		if (!job.options.quiet)
			story_print(violation);
		job.options.quiet = true; /* no statistics: nothing was searched */
		report_print(&job);
	}
	free(pan);
	free(directory);
	free(trail);
	job_release(&job);
	return verdict_status(VERDICT_VIOLATED);
}
