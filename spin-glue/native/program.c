/* SPDX-License-Identifier: MIT
 *
 * The native program: the bitcode that the check had, with calls of our library before the operations of the schedule
 * (translator/native.c), and the schedule, linked by clang, with a sanitizer or without.
 */
#include "native.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *title, *flag, *attribute;
} sanitizers[] = {
	[SANITIZER_NONE] = { "", NULL, NULL },
	[SANITIZER_ADDRESS] = { "AddressSanitizer", "address", "sanitize_address" },
	[SANITIZER_THREAD] = { "ThreadSanitizer", "thread", "sanitize_thread" },
	[SANITIZER_MEMORY] = { "MemorySanitizer", "memory", "sanitize_memory" },
	[SANITIZER_UNDEFINED] = { "UndefinedBehaviorSanitizer", "undefined", NULL },
};

const char *sanitizer_title(enum sanitizer sanitizer)
{
	assert((size_t)sanitizer < sizeof sanitizers / sizeof *sanitizers);
	return sanitizers[sanitizer].title;
}

enum when { ALWAYS, FAIL };

static const struct {
	const char *name;
	enum when when;
} renamed[] = {
#define RENAMED(name, when) { #name, when },
#include "../../runtime/native/renamed.def"
};

enum { NAMES = sizeof renamed / sizeof *renamed };

/* Make an instrumented copy, in a process of its own: LLVM's reader ends it, or crashes, on bitcode that is none. */
static int make_copy(void *request)
{
	char *error = translator_make_native(request);
	if (error)
		fputs(error, stderr);
	free(error);
	return error ? 1 : 0;
}

/* Let a process make the copy.  Return NULL, or what went wrong. */
static char *copy_bitcode(const struct job *job, struct translator_native *request)
{
	char *errors = text("%s/copy.err", job->program.work), *message = NULL;
	int status;
	enum process_end end = process_call(make_copy, request, errors, &status);
	if (end == PROCESS_INTERRUPTED)
		fail("interrupted");
	if (end != PROCESS_EXITED || status != 0) {
		char *told = read_file(errors, NULL);
		message = text("the bitcode '%s' cannot be read: %.*s", request->path, told ? (int)strcspn(told, "\n") : 0,
			       told ? told : "");
		free(told);
	}
	free(errors);
	return message;
}

/* Make a copy of each file of bitcode, and list the copies.  Return NULL, or what went wrong. */
static char *instrument(const struct native *n, const struct list *bitcode, enum sanitizer sanitizer, struct list *copies)
{
	assert(bitcode->count > 0 && copies->count == 0);
	const struct world *world = &n->job->inputs->world;
	const char **names = calloc(NAMES + world->nexterns, sizeof *names);
	size_t count = 0;
	if (!names)
		BUG("out of memory");
	for (size_t i = 0; i < world->nexterns; i++)
		if (schedule_stands_for(&world->externs[i]))
			names[count++] = world->externs[i].name;
	for (size_t i = 0; i < NAMES; i++)
		if (renamed[i].when == ALWAYS || n->schedule->fails)
			names[count++] = renamed[i].name;
	for (size_t i = 0; i < bitcode->count; i++) {
		char *output = text("%s/native%zu.bc", n->job->program.work, i);
		struct translator_native request = {
			.path = bitcode->items[i],
			.output = output,
			.keys = n->schedule->keys,
			.nkeys = n->schedule->nkeys,
			.renamed = names,
			.nrenamed = count,
			.attribute = sanitizers[sanitizer].attribute,
		};
		char *error = copy_bitcode(n->job, &request);
		list_add(copies, output);
		free(output);
		if (error) {
			free(names);
			return error;
		}
	}
	free(names);
	return NULL;
}

/* Compile the sources again for `checks` that clang makes when it compiles C.  Return false if some file is no C. */
static bool compile_again(struct job *job, const char *checks, struct list *bitcode)
{
	assert(*checks && bitcode->count == 0);
	for (size_t i = 0; i < job->inputs->options.files.count; i++) {
		const char *dot = strrchr(job->inputs->options.files.items[i], '.');
		if (!dot || strcmp(dot, ".c") != 0 || !file_exists(job->inputs->options.files.items[i]))
			return false;
	}
	char *work = job->program.work;
	bool quiet = job->inputs->options.quiet;
	job->program.work = text("%s/again", work);
	make_directories(job->program.work);
	list_addf(&job->inputs->options.flags.clang, "-fsanitize=%s", checks);
	job->inputs->options.quiet = true;
	compile_files(&job->program, bitcode);
	job->inputs->options.quiet = quiet;
	free(job->program.work);
	job->program.work = work;
	return true;
}

/* Return in a line what the linker says. */
static char *link_error(enum sanitizer sanitizer, const char *output)
{
	const char *undefined = output ? strstr(output, "undefined reference to ") : NULL,
		   *error = output ? strstr(output, "error") : NULL;
	if (output && (strstr(output, "libclang_rt") || strstr(output, "clang_rt.")))
		return text("%s is not installed; install the package libclang-rt-%d-dev", sanitizers[sanitizer].title,
			    atoi(translator_llvm_version()));
	if (undefined)
		return text("it does not link: %.*s; name the library, as in -lm", (int)strcspn(undefined, "\n"), undefined);
	const char *line = error ? error : output ? output : "";
	return text("it does not link: %.*s", (int)strcspn(line, "\n"), line);
}

static char *link_program(const struct native *n, enum sanitizer sanitizer, const char *checks, const struct list *copies,
			  const char *schedule, const char *path)
{
	assert(copies->count > 0);
	struct list argv = { 0 };
	char *header = data_file("bitspin_native.h"), *library = data_file("libbitspin-native.a");
	char *errors = text("%s/link.err", n->job->program.work), *error = NULL;
	list_add(&argv, clang_program());
	list_add(&argv, "-g");
	list_add(&argv, "-w");
	list_add(&argv, "-O0");
	list_add(&argv, "-fno-omit-frame-pointer");
	list_add(&argv, "-pthread");
	if (sanitizer != SANITIZER_NONE)
		list_addf(&argv, "-fsanitize=%s", sanitizer == SANITIZER_UNDEFINED ? checks : sanitizers[sanitizer].flag);
	list_add(&argv, "-o");
	list_add(&argv, path);
	list_add(&argv, "-I");
	list_add(&argv, dirname(header));
	for (size_t i = 0; i < copies->count; i++)
		list_add(&argv, copies->items[i]);
	list_add(&argv, schedule);
	list_add(&argv, library);
	for (size_t i = 0; i < n->linked->count; i++)
		list_add(&argv, n->linked->items[i]);
	list_add(&argv, "-lm");
	int status;
	struct process process = { .argv = (const char *const *)argv.items, .errors = errors, .output = errors };
	switch (process_run(&process, &status)) {
	case PROCESS_EXITED: break;
	case PROCESS_NOT_FOUND:
		fail("cannot find '%s'; install clang %d, or name one in BITSPIN_CLANG", clang_program(),
		     atoi(translator_llvm_version()));
	case PROCESS_INTERRUPTED: fail("interrupted");
	case PROCESS_TIMED_OUT:
		fail("time limit of %lu second%s reached while the native program was made", n->job->inputs->options.max_time,
		     plural((double)n->job->inputs->options.max_time));
	default: error = text("'%s' died of signal %d", clang_program(), status);
	}
	if (!error && status != 0) {
		check_space();
		char *output = read_file(errors, NULL);
		error = link_error(sanitizer, output);
		free(output);
	}
	list_release(&argv);
	free(header);
	free(library);
	free(errors);
	return error;
}

char *native_build(const struct native *n, enum sanitizer sanitizer, const char *checks, const char *path)
{
	struct list copies = { 0 }, again = { 0 };
	char *schedule = text("%s/schedule.c", n->job->program.work), *error = NULL;
	if (!schedule_write(n->schedule, n->job, schedule))
		fail("cannot write to '%s'", n->job->program.work);
	if (sanitizer == SANITIZER_UNDEFINED && !compile_again(n->job, checks, &again))
		error = text("%s needs the C files, and some are bitcode or are not there", sanitizers[sanitizer].title);
	if (!error)
		error = instrument(n, again.count ? &again : n->bitcode, sanitizer, &copies);
	if (!error)
		error = link_program(n, sanitizer, checks, &copies, schedule, path);
	list_release(&copies);
	list_release(&again);
	free(schedule);
	return error;
}
