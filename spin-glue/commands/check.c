/* SPDX-License-Identifier: MIT
 *
 * bitspin check: from C files to a verdict.
 */
#include "commands.h"
#include "../base/base.h"
#include "../model/model.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../pan/pan.h"
#include "../report/report.h"
#include "../simulate/simulate.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool is_left_trail(const char *name)
{
	unsigned number;
	int length = 0;
	return strcmp(name, "model.pml.trail") == 0 ||
		(sscanf(name, "model.pml%u.trail%n", &number, &length) == 1 && length == (int)strlen(name));
}

/* Say what a file called `name` is in the directory of --keep. */
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

/* Remove the trails that an earlier check has left in `directory`: they are not of this program. */
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

/* Keep model, pan and bitcode in the directory of --keep.  A file that cannot be kept changes no verdict. */
static void keep(const struct job *job, const char *pan, const struct list *bitcode, int argc, char **argv)
{
	const char *to = job->inputs->options.keep;
	if (!to)
		return;
	assert(pan && job->program.image);
	remove_trails(to);
	char *command = text("%s/pan", to), *image = text("%s/program.image", to);
	bool good = copy_file(pan, command) && copy_file(job->program.image, image);
	free(command);
	free(image);
	for (size_t i = 0; i < bitcode->count; i++) {
		char *copy = text("%s/%zu.bc", to, i);
		good = good && copy_file(bitcode->items[i], copy);
		free(copy);
	}
	for (size_t i = 0; i <= json_array_size(job->result.violations); i++) {
		char *name = i ? text("model.pml%zu.trail", i) : text("model.pml.trail");
		char *from = text("%s/%s", job->program.work, name), *copy = text("%s/%s", to, name);
		if (file_exists(from))
			good = good && copy_file(from, copy);
		free(name);
		free(from);
		free(copy);
	}
	char *model = model_text(&job->program, job->search.threads), *path = text("%s/model.pml", to);
	good = good && write_file(path, model, strlen(model)) && keep_formula(&job->program, to) && schedule_keep(job, to) &&
		kept_write(job, argc, argv);
	good = directory_note(to, is_kept) && good; /* in any case: what is there is ours */
	free(model);
	free(path);
	if (!good)
		fprintf(stderr, "bitspin: cannot keep all in '%s': %s\n", to, strerror(errno));
}

/* Check one formula after the other.  The verdict is that of them all, including the one on safety. */
static void check_formulas(struct job *job, const struct list *bitcode, struct formulas *formulas)
{
	assert(job->result.verdict != VERDICT_VIOLATED);
	enum verdict verdict = job->result.verdict;
	struct statistics safety = job->result.statistics;
	char *reason = job->result.reason;
	job->result.reason = NULL;
	job->search.threads = job->search.threads_used ? job->search.threads_used : 1;
	formulas_add_threads(formulas, job->search.threads);
	for (size_t i = 0; i < formulas->count; i++) {
		struct formula *formula = &formulas->items[i];
		if (process_out_of_time()) { /* the safety search or a formula before it has taken all there was */
			formula->verdict = VERDICT_INCONCLUSIVE;
			formula->reason = text("not checked: time limit of %lu second%s reached", job->inputs->options.max_time,
					       plural((double)job->inputs->options.max_time));
		} else {
			formula_check(job, bitcode, formula);
		}
		if (formula->verdict == VERDICT_VIOLATED) {
			verdict = VERDICT_VIOLATED;
			job->program.formula = formula; /* whose trail and model are kept */
			break;
		}
		if (formula->verdict == VERDICT_INCONCLUSIVE && verdict == VERDICT_VERIFIED) {
			assert(formula->verdict != VERDICT_INCONCLUSIVE || formula->reason);
			verdict = VERDICT_INCONCLUSIVE;
			free(reason);
			reason = text("%s: %s", formula->name, formula->reason);
		}
	}
	free(job->result.reason);
	job->result.reason = reason;
	job->result.verdict = verdict;
	job->result.statistics = safety;
}

char *check_files(struct job *job, struct list *bitcode, struct formulas *formulas)
{
	process_limit_time(job->inputs->options.max_time);
	job->search.may_climb = true;
	if (job->inputs->options.keep)
		directory_check(job->inputs->options.keep, is_kept);
	pictures_check(&job->inputs->options);
	if (job->inputs->options.keep)
		make_directories(job->inputs->options.keep);
	if (job->inputs->options.tests)
		tests_check(job->inputs->options.tests);
	formulas_read(formulas, &job->inputs->options, false);
	job->program.formulas = formulas;
	compile_files(&job->program, bitcode);
	char *pan = search_program(job, bitcode);
	beside_end(job);
	job->result.space = job->inputs->options.graph ? state_space(job) : NULL;
	job->result.tests = job->inputs->options.tests ? tests_write(job) : NULL;
	job->result.traces = job->inputs->options.traces ? traces_count(job) : NULL;
	explain_violations(job, pan);
	races_add(job);
	resume_end(job);
	job->result.safety = job->result.verdict;
	if (formulas->count + job->inputs->options.properties.count && job->result.verdict != VERDICT_VIOLATED)
		check_formulas(job, bitcode, formulas);
	return pan;
}

/* Draw the graphs, after all has been reported: a graph that cannot be drawn changes no verdict. */
static void draw_pictures(const struct job *job)
{
	if (job->inputs->options.graph)
		graph_write(job, job->result.space);
	if (job->inputs->options.plot)
		plot_write(job);
}

int command_check(int argc, char **argv)
{
	double start = seconds_now();
	struct job job;
	struct list bitcode = { 0 };
	struct formulas formulas = { 0 };
	command_begin(&job, 'C', argc, argv);
	char *pan = check_files(&job, &bitcode, &formulas);
	keep(&job, job.search.pan ? job.search.pan : pan, &bitcode, argc, argv);
	job.result.statistics.seconds = seconds_now() - start;
	if (job.inputs->options.html)
		job.result.frames = frames_of(&job, &bitcode);
	report_write(&job);
	if (!report_takes_stdout(&job.inputs->options))
		report_print(&job);
	draw_pictures(&job);
	int status = verdict_status(job.result.verdict);
	free(pan);
	list_release(&bitcode);
	formulas_release(&formulas);
	command_end(&job);
	return status;
}
