/* SPDX-License-Identifier: MIT
 *
 * bitspin check: from C files to a verdict.
 */
#include "commands.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool is_left_trail(const char *name)
{
	unsigned number;
	return strcmp(name, "model.pml.trail") == 0 || sscanf(name, "model.pml%u.trail", &number) == 1;
}

/* What a name in the directory of --keep is. */
static enum directory_use is_kept(const char *name)
{
	static const char *const names[] = { "pan", "program.image", "model.pml", "formula", "schedule", "check.json" };
	unsigned number;
	int length = 0;
	bool written = sscanf(name, "%u.bc%n", &number, &length) == 1 && length == (int)strlen(name);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		written = written || strcmp(name, names[i]) == 0;
	return is_left_trail(name) ? DIRECTORY_REMOVED : written ? DIRECTORY_WRITTEN : DIRECTORY_OTHERS;
}

/* The trails of an earlier check in that directory are not of this program. */
static void remove_trails(const char *directory)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;
	while (entries && (entry = readdir(entries)))
		if (is_left_trail(entry->d_name))
			unlinkat(dirfd(entries), entry->d_name, 0);
	if (entries)
		closedir(entries);
}

/* What cannot be kept takes nothing from the verdict. */
static void keep(const struct job *job, const char *pan, const struct list *bitcode, int argc, char **argv)
{
	const char *to = job->options.keep;
	if (!to)
		return;
	remove_trails(to);
	char *command = text("%s/pan", to), *image = text("%s/program.image", to);
	bool good = copy_file(pan, command) && copy_file(job->image, image);
	free(command);
	free(image);
	for (size_t i = 0; i < bitcode->count; i++) {
		char *copy = text("%s/%zu.bc", to, i);
		good = good && copy_file(bitcode->items[i], copy);
		free(copy);
	}
	for (size_t i = 0; i <= json_array_size(job->violations); i++) {
		char *name = i ? text("model.pml%zu.trail", i) : text("model.pml.trail");
		char *from = text("%s/%s", job->work, name), *copy = text("%s/%s", to, name);
		if (file_exists(from))
			good = good && copy_file(from, copy);
		free(name);
		free(from);
		free(copy);
	}
	char *model = model_text(job, job->threads), *path = text("%s/model.pml", to);
	good = good && write_file(path, model, strlen(model)) && keep_formula(job, to) && schedule_keep(job, to) &&
		kept_write(job, argc, argv);
	good = directory_note(to, is_kept) && good; /* in any case: what is there is ours */
	free(model);
	free(path);
	if (!good)
		fprintf(stderr, "bitspin: cannot keep all in '%s': %s\n", to, strerror(errno));
}

/* Check formula after formula; the verdict of them all, the one on safety included. */
static void check_formulas(struct job *job, const struct list *bitcode, struct formulas *formulas)
{
	enum verdict verdict = job->verdict;
	struct statistics safety = job->statistics;
	char *reason = job->reason;
	job->reason = NULL;
	job->threads = job->threads_used ? job->threads_used : 1;
	formulas_add_starvation(formulas, job->threads);
	for (size_t i = 0; i < formulas->count; i++) {
		struct formula *formula = &formulas->items[i];
		if (process_out_of_time()) { /* the safety search or a formula before it has taken all there was */
			formula->verdict = VERDICT_INCONCLUSIVE;
			formula->reason = text("not checked: time limit of %lu second%s reached", job->options.max_time,
					       plural((double)job->options.max_time));
		} else {
			formula_check(job, bitcode, formula);
		}
		if (formula->verdict == VERDICT_VIOLATED) {
			verdict = VERDICT_VIOLATED;
			job->formula = formula; /* whose trail and model are kept */
			break;
		}
		if (formula->verdict == VERDICT_INCONCLUSIVE && verdict == VERDICT_VERIFIED) {
			verdict = VERDICT_INCONCLUSIVE;
			free(reason);
			reason = text("%s: %s", formula->name, formula->reason);
		}
	}
	free(job->reason);
	job->reason = reason;
	job->verdict = verdict;
	job->statistics = safety;
}

char *check_files(struct job *job, struct list *bitcode, struct formulas *formulas)
{
	process_limit_time(job->options.max_time);
	job->may_climb = true;
	if (job->options.keep)
		directory_check(job->options.keep, is_kept);
	pictures_check(&job->options);
	if (job->options.keep)
		make_directories(job->options.keep);
	formulas_read(formulas, &job->options, false);
	job->formulas = formulas;
	compile_files(job, bitcode);
	char *pan = search_program(job, bitcode);
	job->space = job->options.graph ? state_space(job) : NULL;
	explain_violations(job, pan);
	races_add(job);
	resume_end(job);
	job->safety = job->verdict;
	if (formulas->count + job->options.properties.count && job->verdict != VERDICT_VIOLATED)
		check_formulas(job, bitcode, formulas);
	return pan;
}

/* When all has been reported: what cannot be drawn takes nothing from the verdict. */
static void draw_pictures(const struct job *job)
{
	if (job->options.graph)
		graph_write(job, job->space);
	if (job->options.plot)
		plot_write(job);
}

int command_check(int argc, char **argv)
{
	double start = now();
	struct job job;
	struct list bitcode = { 0 };
	struct formulas formulas = { 0 };
	command_begin(&job, 'C', argc, argv);
	char *pan = check_files(&job, &bitcode, &formulas);
	keep(&job, job.pan ? job.pan : pan, &bitcode, argc, argv);
	job.statistics.seconds = now() - start;
	report_write(&job);
	if (!report_takes_stdout(&job.options))
		report_print(&job);
	draw_pictures(&job);
	int status = verdict_status(job.verdict);
	free(pan);
	list_release(&bitcode);
	formulas_release(&formulas);
	command_end(&job);
	return status;
}
