/* SPDX-License-Identifier: MIT
 *
 * C to bitcode, by clang.
 */
#include "program.h"
#include "../base/base.h"
#include "../formula/formula.h"
#include "../options/options.h"
#include "../../translator/translator.h"

#include <assert.h>
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

/* Return the clang whose bitcode our LLVM surely reads: the one of the same major version. */
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

/* Refuse a clang that is too new for our LLVM, as one that is merely called clang may be. */
static void check_version(const struct program *program)
{
	static bool checked;
	if (checked)
		return;
	checked = true;
	char *output = text("%s/clang-version", program->work);
	const char *const argv[] = { "clang", "-dumpversion", NULL };
	int status, ours = atoi(translator_llvm_version());
	if (strcmp(clang_program(), "clang") == 0 &&
	    process_run(&(struct process){ .argv = argv, .output = output }, &status) == PROCESS_EXITED) {
		char *version = read_file(output, NULL);
		int theirs = version ? atoi(version) : 0;
		if (theirs > ours)
			fail("clang-%d is not installed, and bitspin's LLVM %d cannot read what clang %d makes; install clang-%d",
			     ours, ours, theirs, ours);
		free(version);
	}
	free(output);
}

/* Both are what a check compiles with; the bitcode of `bitspin cc`, too. */
static const char *const fixed[] = {
	"-c",
	"-emit-llvm",
	"-g",
	"-fno-vectorize",
	"-fno-slp-vectorize",
	"-fno-discard-value-names",
	"-D__BITSPIN__",
	"-Wsource-uses-openmp",
};
/* The last is for the marks where variables begin and end; nothing is instrumented without -fsanitize=address. */
static const char *const unoptimised[] = {
	"-O0", "-Xclang", "-disable-O0-optnone", "-Xclang", "-fsanitize-address-use-after-scope",
};
/* The optimiser's passes run later (translator_optimise).  -fsanitize=thread marks functions, so that these passes make up no
 * accesses, such as a load of a variable before the test that guards it: that would be a race which the program does not have.
 * And a loop that never ends stays, though C lets compilers take it for one that does: it is what people look for. */
static const char *const optimised[] = { "-fno-finite-loops", "-fsanitize=thread", "-Xclang", "-disable-llvm-passes" };

static void add_all(struct list *argv, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		list_add(argv, words[i]);
}

void clang_command(struct list *argv, const struct compilation *c)
{
	assert(c->source && c->output);
	char *header = data_file("bitspin.h");
	list_add(argv, clang_program());
	add_all(argv, fixed, sizeof fixed / sizeof *fixed);
	if (c->optimized)
		add_all(argv, optimised, sizeof optimised / sizeof *optimised);
	else
		add_all(argv, unoptimised, sizeof unoptimised / sizeof *unoptimised);
	if (c->functions_stay)
		list_add(argv, "-fno-inline");
	if (c->all_functions)
		list_add(argv, "-femit-all-decls");
	for (size_t i = 0; i < 2; i++)
		if (c->flags[i])
			add_all(argv, (const char *const *)c->flags[i]->clang.items, c->flags[i]->clang.count);
	if (c->quoted) {
		list_add(argv, "-iquote");
		list_add(argv, c->quoted);
	}
	list_add(argv, "-idirafter");
	list_add(argv, dirname(header));
	list_add(argv, "-o");
	list_add(argv, c->output);
	if (c->language) {
		list_add(argv, "-x");
		list_add(argv, c->language);
	}
	list_add(argv, c->source);
	free(header);
}

static void check_end(enum process_end end, int status, const char *source)
{
	switch (end) {
	case PROCESS_EXITED: break;
	case PROCESS_NOT_FOUND:
		fail("cannot find '%s'; install clang %d, or name one in BITSPIN_CLANG", clang_program(),
		     atoi(translator_llvm_version()));
	case PROCESS_INTERRUPTED: fail("interrupted");
	case PROCESS_TIMED_OUT: out_of_time("%s compiled '%s'", clang_program(), source);
	default: fail("'%s' died of signal %d", clang_program(), status);
	}
	if (status != 0)
		check_space();
}

void repeat_errors(const char *said)
{
	static const char unclear[] = "unexpected '#pragma omp ...' in program";
	for (const char *at; (at = strstr(said, unclear)); said = at + strlen(unclear)) {
		fwrite(said, 1, (size_t)(at - said), stderr);
		fputs("#pragma omp is ignored, so that the code below it runs in one thread; bitspin does not know OpenMP's threads, "
		      "write them with pthreads or C11 threads",
		      stderr);
	}
	fputs(said, stderr);
}

/* Run clang on `source`, or if `additions`, on what additions_write() makes of it.  `build` says how a build compiles it; NULL:
 * nobody knows. */
static enum process_end clang_on(const struct program *program, const char *source, const struct build *build, bool additions,
				 const char *output, const char *errors, int *status)
{
	assert(source || additions);
	struct list argv = { 0 };
	const struct options *o = &program->inputs->options;
	bool named = formulas_name_functions(program->formulas);
	char *whole = absolute_path(source ? source : ""), *copy = text("%s", build || !source ? whole : source);
	char *input = additions ? additions_write(program, source) : text("%s", copy);
	struct compilation c = {
		.source = input,
		.output = output,
		.flags = { build ? &build->flags : NULL, &o->flags },
		.optimized = o->optimized != 0,
		.functions_stay = o->svcomp || named, /* __VERIFIER_atomic_*, and those of in(...), must stay functions */
		.all_functions = named,               /* also static functions that nobody calls */
		.quoted = additions ? dirname(copy) : NULL,
	};
	clang_command(&argv, &c);
	if (!additions && isatty(STDERR_FILENO))
		list_add(&argv, "-fcolor-diagnostics");
	struct process process = {
		.argv = (const char *const *)argv.items,
		.errors = errors,
		.directory = build ? build->directory : NULL,
	};
	enum process_end end = process_run(&process, status);
	list_release(&argv);
	free(whole);
	free(copy);
	free(input);
	return end;
}

static void optimise(const struct program *program, const char *bitcode)
{
	int level = program->inputs->options.optimized;
	if (!level)
		return;
	echo_remark("run the passes of -O%d on %s", level, bitcode);
	char *error = translator_optimise(bitcode, bitcode, level);
	if (error)
		fail("LLVM cannot optimise the program: %s", error);
}

static void run_clang(const struct program *program, const char *source, const struct build *build, bool additions,
		      const char *output)
{
	int status;
	char *errors = text("%s/clang.err", program->work);
	enum process_end end = clang_on(program, source, build, additions, output, errors, &status);
	check_end(end, status, source ? source : "--call");
	if (additions)
		additions_check_errors(program, source, errors, status != 0);
	char *said = read_file(errors, NULL);
	repeat_errors(said ? said : "");
	free(said);
	if (status != 0)
		fail("'%s' does not compile", source ? source : "--call");
	free(errors);
	optimise(program, output);
}

static bool begins(const char *bytes, size_t size, const char *magic)
{
	return size >= 4 && memcmp(bytes, magic, 4) == 0;
}

/* Are these bytes bitcode, or a wrapper around bitcode, whatever the file's name? */
static bool is_bitcode(const char *bytes, size_t size)
{
	return begins(bytes, size, "BC\xc0\xde") || begins(bytes, size, "\xde\xc0\x17\x0b");
}

static bool is_cplusplus(const char *file)
{
	static const char *const suffixes[] = { ".cpp", ".cc", ".cxx", ".C", ".c++", ".hpp" };
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (has_suffix(file, suffixes[i]))
			return true;
	return false;
}

enum content { HOLDS_C, HOLDS_BITCODE, HOLDS_OBJECTS };

static enum content content_of(const char *file)
{
	char bytes[4];
	if (access(file, R_OK) < 0)
		fail("cannot read '%s': %s", file, strerror(errno));
	FILE *in = fopen(file, "re");
	size_t size = in ? fread(bytes, 1, sizeof bytes, in) : 0;
	if (in)
		fclose(in);
	if (begins(bytes, size, "\177ELF") || begins(bytes, size, "!<ar") || begins(bytes, size, "!<th"))
		return HOLDS_OBJECTS;
	if (!is_bitcode(bytes, size) && is_cplusplus(file))
		fail("C++ is not supported: '%s'; bitspin checks C (.c), and LLVM bitcode that clang has made of C", file);
	if (!has_suffix(file, ".c") && !has_suffix(file, ".bc") && !has_suffix(file, ".ll") && !is_bitcode(bytes, size))
		fail("'%s' is not a C file (.c), and holds no LLVM bitcode (.bc, .ll, or .o of clang -flto)", file);
	return has_suffix(file, ".c") ? HOLDS_C : HOLDS_BITCODE;
}

/* Add the members of archives.  If there is no program that could need them, they all are the program. */
static void add_members(struct program *program, struct list *bitcode, struct list *members)
{
	program->members = bitcode->count ? members->count : 0;
	for (size_t i = 0; i < members->count; i++)
		list_add(bitcode, members->items[i]);
	list_release(members);
}

void compile_files(struct program *program, struct list *bitcode)
{
	assert(bitcode->count == 0);
	const struct options *o = &program->inputs->options;
	bool additions = additions_wanted(program);
	struct list members = { 0 };
	if (!o->quiet)
		flags_note(&o->flags);
	for (size_t i = 0; i < o->files.count; i++)
		content_of(o->files.items[i]);
	for (size_t i = 0; i < o->files.count; i++) {
		const char *file = o->files.items[i];
		enum content content = content_of(file);
		if (content == HOLDS_OBJECTS)
			objects_read(program, file, bitcode, &members);
		else if (content == HOLDS_BITCODE)
			list_add(bitcode, file);
		if (content != HOLDS_C)
			continue;
		char *output = text("%s/%zu.bc", program->work, i);
		check_version(program);
		run_clang(program, file, o->builds && o->builds[i].directory ? &o->builds[i] : NULL, additions, output);
		additions = false;
		list_add(bitcode, output);
		free(output);
	}
	if (additions && harness_wanted(program)) { /* no C file: it is one itself */
		char *output = text("%s/harness.bc", program->work);
		check_version(program);
		run_clang(program, NULL, NULL, true, output);
		additions = false;
		list_add(bitcode, output);
		free(output);
	}
	add_members(program, bitcode, &members);
	additions_need_source(program, additions);
}

char *compile_shown(const struct program *program)
{
	const struct options *o = &program->inputs->options;
	size_t i = 0;
	while (i < o->files.count && content_of(o->files.items[i]) != HOLDS_C)
		i++;
	if (i == o->files.count)
		return text("there is no C file among the sources, to compile an expression with");
	char *output = text("%s/%zu.bc", program->work, i), *fresh = text("%s/again.bc", program->work);
	char *errors = text("%s/again.err", program->work), *complaint = NULL;
	int status;
	enum process_end end = clang_on(program, o->files.items[i], o->builds && o->builds[i].directory ? &o->builds[i] : NULL,
					additions_wanted(program), fresh, errors, &status);
	if (end == PROCESS_EXITED && status == 0 && rename(fresh, output) == 0) {
		complaint = NULL;
	} else {
		char *said = read_file(errors, NULL), *error = said ? strstr(said, "error: ") : NULL;
		complaint = error ? text("%.*s", (int)strcspn(error + 7, "\n"), error + 7) : text("clang cannot compile it");
		free(said);
	}
	free(output);
	free(fresh);
	free(errors);
	return complaint;
}
