/* SPDX-License-Identifier: MIT
 *
 * One run of the native program, in the world that the check described: arguments, standard input, environment, files.
 */
#include "native.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../../translator/translator.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SECONDS = 60 }; /* the program's own watch ends it long before */

char *native_place(const struct schedule *s, int key)
{
	if (key < 0 || (size_t)key >= s->nkeys)
		return text("%s", "an unknown place");
	const char *slash = strrchr(s->keys[key].file, '/');
	return text("%s at %s:%u", s->keys[key].operation, slash ? slash + 1 : s->keys[key].file, s->keys[key].line);
}

/* Return what the schedule chooses for argument number `number`, standard input or a variable (turns.h), with a zero behind its
 * bytes, whose number goes to *size; NULL if it chooses none. */
static char *chosen(const struct native *n, size_t number, size_t *size)
{
	char *key = text("%zu", number);
	const char *hex = json_string_value(json_object_get(n->schedule->given, key));
	free(key);
	if (!hex)
		return NULL;
	*size = strlen(hex) / 2;
	char *bytes = calloc(*size + 1, 1);
	if (!bytes)
		BUG("out of memory");
	for (size_t i = 0; i < *size; i++) {
		char pair[3] = { hex[2 * i], hex[2 * i + 1], '\0' };
		bytes[i] = (char)strtoul(pair, NULL, 16);
	}
	return bytes;
}

void native_environment(const struct native *n, struct list *variables)
{
	const struct list *given = &n->job->inputs->world.environment;
	for (size_t i = 0; i < given->count; i++) {
		size_t size;
		char *any = chosen(n, IMAGE_GIVEN_VARIABLE + i, &size);
		list_add(variables, any ? any : given->items[i]);
		free(any);
	}
}

/* Add the program's arguments to `argv`: as they were given, or as the schedule chooses them. */
static void add_arguments(const struct native *n, struct list *argv)
{
	const struct job *job = n->job;
	size_t count = job->inputs->options.arguments.count + 1;
	if (job->inputs->world.narguments > count)
		count = job->inputs->world.narguments;
	for (size_t i = 1; i < count; i++) {
		size_t size;
		char *given = chosen(n, i, &size);
		const char *usual = i <= job->inputs->options.arguments.count ? job->inputs->options.arguments.items[i - 1] : "";
		if (i < job->inputs->world.narguments && job->inputs->world.arguments[i].count)
			usual = job->inputs->world.arguments[i].values[0];
		list_add(argv, given ? given : usual);
		free(given);
	}
}

/* Copy the files that the program may read, so that it cannot write to the user's.  Return the directory, which is empty without
 * such files. */
static char *make_directory(const struct native *n)
{
	char *directory = text("%s/files", n->job->program.work);
	remove_tree(directory);
	make_directories(directory);
	if (n->job->inputs->options.fs) {
		char *from = text("%s/.", n->job->inputs->options.fs);
		const char *const argv[] = { "cp", "-R", from, directory, NULL };
		int status;
		process_run(&(struct process){ .argv = argv, .errors = "/dev/null" }, &status);
		free(from);
	}
	return directory;
}

void native_command(const struct native *n, struct list *argv, char **input, char **directory)
{
	const struct options *o = &n->job->inputs->options;
	size_t size;
	char *bytes = chosen(n, 0, &size);
	add_arguments(n, argv);
	*directory = make_directory(n);
	*input = o->inputs.count ? absolute_path(o->inputs.items[0]) : NULL;
	if (!bytes)
		return;
	free(*input);
	*input = text("%s/stdin", n->job->program.work);
	if (!write_file(*input, bytes, size))
		fail("cannot write to '%s'", n->job->program.work);
	free(bytes);
}

static void add_options(const char *const *names, const char *common, struct list *argv)
{
	for (; *names; names++)
		list_addf(argv, "%s_OPTIONS=%s", *names, common);
}

/* Return the options of sanitizers, among them llvm-symbolizer, by which they say where things are. */
static char *sanitizer_options(void)
{
	char *named = text("llvm-symbolizer-%d", atoi(translator_llvm_version())), *path = find_program(named);
	if (!path)
		path = find_program("llvm-symbolizer");
	char *options = text("external_symbolizer_path=%s:handle_abort=0:detect_stack_use_after_return=1:report_thread_leaks=0:"
			     "detect_deadlocks=0:print_stacktrace=1:handle_segv=1:exitcode=66:history_size=7:"
			     "atexit_sleep_ms=100",
			     path ? path : "");
	free(named);
	free(path);
	return options;
}

void native_start(const struct native *n, enum sanitizer sanitizer, const char *path, struct native_run *run)
{
	static const char *const names[] = { "ASAN", "LSAN", "TSAN", "MSAN", "UBSAN", NULL };
	struct list argv = { 0 };
	char *report = text("%s/native.report", n->job->program.work), *errors = text("%s/native.err", n->job->program.work);
	char *output = text("%s/native.out", n->job->program.work), *input, *directory, *options = sanitizer_options();
	remove_tree(report);
	list_add(&argv, "timeout");
	list_add(&argv, "--foreground");
	list_addf(&argv, "-sKILL");
	list_addf(&argv, "%d", MOST_SECONDS);
	char *setarch = sanitizer == SANITIZER_THREAD || sanitizer == SANITIZER_MEMORY ? find_program("setarch") : NULL;
	if (setarch) { /* these know few layouts of memory */
		list_add(&argv, setarch);
		list_add(&argv, "-R");
	}
	list_add(&argv, "env");
	list_add(&argv, "-i");
	list_addf(&argv, "BITSPIN_NATIVE_REPORT=%s", report);
	if (sanitizer != SANITIZER_NONE)
		add_options(names, options, &argv);
	native_environment(n, &argv);
	list_add(&argv, path);
	native_command(n, &argv, &input, &directory);
	struct process process = {
		.argv = (const char *const *)argv.items,
		.directory = directory,
		.from = input,
		.output = output,
		.errors = errors,
	};
	*run = (struct native_run){ 0 };
	run->end = process_run(&process, &run->status);
	size_t size = 0;
	char *bytes = read_file(report, &size);
	if (bytes && size >= sizeof run->report)
		memcpy(&run->report, bytes, sizeof run->report);
	free(bytes);
	run->errors = read_file(errors, NULL);
	if (!run->errors)
		run->errors = text("%s", "");
	list_release(&argv);
	free(report);
	free(errors);
	free(output);
	free(input);
	free(directory);
	free(options);
	free(setarch);
}

void native_run_release(struct native_run *run)
{
	free(run->errors);
}
