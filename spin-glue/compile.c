/* SPDX-License-Identifier: MIT
 *
 * C to bitcode, by clang.  Invariants are compiled with the first C file: as functions appended to it, so that they see
 * its static variables, its types and its macros.
 */
#include "glue.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), s = strlen(suffix);
	return n >= s && strcmp(name + n - s, suffix) == 0;
}

/* The clang whose bitcode our LLVM surely reads: the same major version. */
const char *clang_program(void)
{
	static char name[32];
	const char *chosen = getenv("BITSPIN_CLANG");
	if (chosen && *chosen)
		return chosen;
	snprintf(name, sizeof name, "clang-%d", atoi(translator_llvm_version()));
	char *found = find_program(name);
	free(found);
	return found ? name : "clang";
}

/* The clang that merely is called so may be too new for our LLVM. */
static void check_version(const struct job *job)
{
	static bool checked;
	if (checked)
		return;
	checked = true;
	char *output = text("%s/clang-version", job->work);
	const char *const argv[] = { "clang", "-dumpversion", NULL };
	int status, ours = atoi(translator_llvm_version());
	if (strcmp(clang_program(), "clang") == 0 &&
	    process_run(&(struct process){ .argv = argv, .output = output }, &status) == PROCESS_EXITED) {
		char *version = read_file(output, NULL);
		int theirs = version ? atoi(version) : 0;
		if (theirs > ours)
			fail("clang-%d is not installed, and bitspin's LLVM %d cannot read what clang %d makes; install clang-%d", ours,
			     ours, theirs, ours);
		free(version);
	}
	free(output);
}

/* The source with our invariants at its end.  The path of the new file. */
static char *with_invariants(const struct job *job, const char *source)
{
	char *whole = realpath(source, NULL), *path = text("%s/with-invariants.c", job->work);
	FILE *out = fopen(path, "we");
	if (!whole || !out)
		fail("cannot write '%s': %s", path, strerror(errno));
	fprintf(out, "#include \"%s\"\n", whole);
	for (size_t i = 0; i < job->options.invariants.count; i++)
		fprintf(out, "#line 1 \"<invariant>\"\nint __bitspin_invariant_%zu(void) { return !!(%s); }\n", i,
			job->options.invariants.items[i]);
	if (fclose(out) != 0)
		fail("cannot write '%s': %s", path, strerror(errno));
	free(whole);
	return path;
}

/* Compile `source`, or with `invariants` what with_invariants() made of it, to `output`. */
static void run_clang(const struct job *job, const char *source, bool invariants, const char *output)
{
	struct list argv = { 0 };
	char *header = data_file("bitspin.h"), *include = text("%s", dirname(header));
	const char *const fixed[] = {
		clang_program(), "-c", "-emit-llvm", "-g", "-fno-vectorize", "-fno-slp-vectorize", "-fno-discard-value-names",
		"-D__BITSPIN__",
	};
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		list_add(&argv, fixed[i]);
	if (!job->options.optimised) {
		list_add(&argv, "-O0");
		list_add(&argv, "-Xclang");
		list_add(&argv, "-disable-O0-optnone");
	}
	if (job->options.svcomp)
		list_add(&argv, "-fno-inline"); /* __VERIFIER_atomic_* must stay functions */
	for (size_t i = 0; i < job->options.clang.count; i++)
		list_add(&argv, job->options.clang.items[i]);
	char *copy = text("%s", source), *input = invariants ? with_invariants(job, source) : text("%s", source);
	if (invariants) {
		list_add(&argv, "-iquote");
		list_add(&argv, dirname(copy));
	}
	list_add(&argv, "-idirafter");
	list_add(&argv, include);
	list_add(&argv, "-o");
	list_add(&argv, output);
	list_add(&argv, input);
	struct process process = { .argv = (const char *const *)argv.items };
	int status;
	switch (process_run(&process, &status)) {
	case PROCESS_EXITED: break;
	case PROCESS_NOT_FOUND: fail("cannot find '%s'; install clang %d, or name one in BITSPIN_CLANG", argv.items[0],
				     atoi(translator_llvm_version()));
	case PROCESS_INTERRUPTED: fail("interrupted");
	default: fail("'%s' died of signal %d", argv.items[0], status);
	}
	if (status != 0)
		check_space();
	if (status != 0)
		fail("'%s' does not compile%s", source, invariants ? ", or its invariant" : "");
	list_release(&argv);
	free(header);
	free(include);
	free(copy);
	free(input);
}

static void check_file(const char *file)
{
	if (access(file, R_OK) < 0)
		fail("cannot read '%s': %s", file, strerror(errno));
	if (!has_suffix(file, ".c") && !has_suffix(file, ".bc") && !has_suffix(file, ".ll"))
		fail("'%s' is no .c, .bc or .ll file", file);
}

void compile_files(struct job *job, struct list *bitcode)
{
	const struct options *o = &job->options;
	bool invariants = o->invariants.count > 0;
	for (size_t i = 0; i < o->files.count; i++)
		check_file(o->files.items[i]);
	for (size_t i = 0; i < o->files.count; i++) {
		const char *file = o->files.items[i];
		if (!has_suffix(file, ".c")) {
			list_add(bitcode, file);
			continue;
		}
		char *output = text("%s/%zu.bc", job->work, i);
		check_version(job);
		run_clang(job, file, invariants, output);
		invariants = false;
		list_add(bitcode, output);
		free(output);
	}
	if (invariants)
		fail("--invariant needs a C file among the sources, to compile the expression with");
}
