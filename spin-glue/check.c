/* SPDX-License-Identifier: MIT
 *
 * bitspin check: from C files to a verdict.
 */
#include "formula.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_THREADS = 8, MOST_THREADS = 248 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Make room for more objects at once: take numbers from variables on stacks, then from threads that there never are. */
static unsigned make_room(struct job *job, unsigned threads)
{
	job->fewest = job->many;
	job->many = true;
	return job->fewest ? job->threads_used : threads;
}

/* Search with as many processes and as much depth as the program turns out to need.  The pan that was used. */
static char *search_within_bound(struct job *job, const struct list *bitcode)
{
	unsigned threads = job->options.threads ? job->options.threads : job->threads ? job->threads : FIRST_THREADS;
	unsigned long depth = job->options.max_depth ? job->options.max_depth : FIRST_DEPTH;
	translate_files(job, bitcode, threads);
	char *pan = pan_for(job, threads);
	for (;;) {
		job->threads = threads;
		bool more_threads = !job->options.threads && !job->fewest && threads < MOST_THREADS;
		enum search_end end = search_run(job, pan, depth, more_threads);
		switch (end) {
		case SEARCH_DONE:
			return pan;
		case SEARCH_HIDDEN_POINTERS: /* the VM knows what to do, if it is told from the start */
			job->hidden = true;
			translate_files(job, bitcode, threads);
			break;
		case SEARCH_MORE_DEPTH:
			depth *= 10;
			break;
		case SEARCH_MORE_OBJECTS:
		case SEARCH_MORE_THREADS:
			if (end == SEARCH_MORE_OBJECTS)
				threads = make_room(job, threads);
			else
				threads = threads * 2 > MOST_THREADS ? MOST_THREADS : threads * 2;
			translate_files(job, bitcode, threads);
			free(pan);
			pan = pan_for(job, threads);
		}
	}
}

/* Search once, or with 0, 1, 2, ... preemptions until one is found to be wrong or the bound cuts nothing any more. */
char *search_program(struct job *job, const struct list *bitcode)
{
	const struct options *o = &job->options;
	double before = 0;
	job->bound = o->iterate ? 0 : o->preemptions;
	for (;;) {
		char *pan = search_within_bound(job, bitcode);
		const struct statistics *s = &job->statistics;
		if (o->iterate && !o->quiet && !o->json)
			printf("up to %u preemption%s: %.0f states, %.0f new, %.2f s\n", job->bound, job->bound == 1 ? "" : "s", s->states,
			       s->states > before ? s->states - before : 0, s->search_seconds);
		if (!o->iterate || !job->cut || job->bound == o->preemptions)
			return pan;
		before = s->states;
		job->bound++;
		free(pan);
	}
}

/* There was no time left to see whether the violation is one. */
static void not_replayed(struct job *job, const json_t *violation)
{
	const char *file = json_string_value(json_object_get(violation, "file"));
	const char *message = json_string_value(json_object_get(violation, "message"));
	long long line = json_integer_value(json_object_get(violation, "line"));
	char *place = line ? text(" at %s:%lld", from_here(file), line) : text("%s", "");
	char *limit = process_interrupted() ? text("interrupted") : text("time limit of %lu seconds reached", job->options.max_time);
	free(job->reason);
	job->verdict = VERDICT_INCONCLUSIVE;
	job->reason = text("%s before a violation that the search has found could be replayed: %s%s: %s", limit,
			   json_string_value(json_object_get(violation, "kind")), place, message);
	free(place);
	free(limit);
	json_array_clear(job->violations);
}

/* A counterexample is replayed before it is shown. */
void explain_violations(struct job *job, const char *pan)
{
	size_t i;
	json_t *violation;
	json_array_foreach(job->violations, i, violation) {
		bool numbered = job->options.all && !job->formula; /* of a formula, one violation is enough */
		char *trail = numbered ? text("model.pml%zu.trail", i + 1) : text("model.pml.trail");
		const char *kind = json_string_value(json_object_get(violation, "kind"));
		bool lasso = job->formula && !json_object_get(violation, "type"); /* the claim's, not the VM's */
		json_t *replayed = lasso ? lasso_of(job, pan, job->work, trail, job->formula->name) : trace_of(job, pan, job->work, trail);
		if (process_out_of_time() || process_interrupted()) {
			not_replayed(job, violation);
			json_decref(replayed);
			free(trail);
			return;
		}
		if (!replayed || strcmp(kind, json_string_value(json_object_get(replayed, "kind"))) != 0 ||
		    !json_equal(json_object_get(violation, "line"), json_object_get(replayed, "line"))) {
			check_space();
			fail("internal error: the trail of a violation (%s: %s) does not lead to it again; "
			     "this is a bug in bitspin, please report it", kind, json_string_value(json_object_get(violation, "message")));
		}
		json_array_set_new(job->violations, i, replayed);
		free(trail);
	}
}

/* The trails of an earlier check in that directory are not of this program. */
static void remove_trails(const char *directory)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;
	while (entries && (entry = readdir(entries))) {
		unsigned number;
		if (strcmp(entry->d_name, "model.pml.trail") == 0 || sscanf(entry->d_name, "model.pml%u.trail", &number) == 1)
			unlinkat(dirfd(entries), entry->d_name, 0);
	}
	if (entries)
		closedir(entries);
}

/* For replay: the formula that the model's claim is for. */
bool keep_formula(const struct job *job, const char *directory)
{
	char *path = text("%s/formula", directory);
	const char *name = job->formula ? job->formula->name : "";
	bool good = *name ? write_file(path, name, strlen(name)) : unlink(path) == 0 || errno == ENOENT;
	free(path);
	return good;
}

static void keep(const struct job *job, const char *pan, const struct list *bitcode)
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
	good = good && write_file(path, model, strlen(model)) && keep_formula(job, to);
	free(model);
	free(path);
	if (!good)
		fail("cannot write to '%s': %s", to, strerror(errno));
}

void check_output_files(struct options *o)
{
	if (o->keep)
		make_directories(o->keep);
	const char *const files[] = { o->output, o->json && strcmp(o->json, "-") ? o->json : NULL };
	for (size_t i = 0; i < 2; i++) {
		int fd = files[i] ? open(files[i], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
		if (files[i] && fd < 0) {
			o->json = NULL; /* the error cannot go there */
			fail("cannot write '%s': %s", files[i], strerror(errno));
		}
		if (fd >= 0)
			close(fd);
	}
}

/* Check formula after formula; the verdict of them all, the one on safety included. */
static void check_formulas(struct job *job, const struct list *bitcode, struct formulas *formulas)
{
	enum verdict verdict = job->verdict;
	struct statistics safety = job->statistics;
	char *reason = job->reason;
	job->reason = NULL;
	job->threads = job->threads_used ? job->threads_used : 1;
	formulas_add_starvation(formulas, job, job->threads);
	for (size_t i = 0; i < formulas->count; i++) {
		struct formula *formula = &formulas->items[i];
		if (process_out_of_time()) { /* the safety search or a formula before it has taken all there was */
			formula->verdict = VERDICT_INCONCLUSIVE;
			formula->reason = text("not checked: time limit of %lu seconds reached", job->options.max_time);
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

int command_check(int argc, char **argv)
{
	double start = now();
	struct job job;
	struct list bitcode = { 0 };
	struct formulas formulas = { 0 };
	job_init(&job);
	options_parse(&job.options, 'C', argc, argv);
	process_limit_time(job.options.max_time);
	check_output_files(&job.options);
	formulas_read(&formulas, &job);
	job.formulas = &formulas;
	compile_files(&job, &bitcode);
	char *pan = search_program(&job, &bitcode);
	explain_violations(&job, pan);
	if (formulas.count + job.options.properties.count && job.verdict != VERDICT_VIOLATED)
		check_formulas(&job, &bitcode, &formulas);
	keep(&job, job.pan ? job.pan : pan, &bitcode);
	job.statistics.seconds = now() - start;
	bool json_only = job.options.json && strcmp(job.options.json, "-") == 0;
	report_write_json(&job);
	if (!json_only)
		report_print(&job);
	int status = verdict_status(job.verdict);
	free(pan);
	list_release(&bitcode);
	formulas_release(&formulas);
	job_release(&job);
	return status;
}
