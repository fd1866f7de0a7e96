/* SPDX-License-Identifier: MIT
 *
 * bitspin cc: a compiler that leaves bitcode beside the machine code.  It calls the real compiler as it was called itself.  Then it
 * compiles each C file of the call to the bitcode that a check would make, and appends it to a section of what the compiler has
 * written: of the object, or of the program if there is no object.  Linkers carry the section on.
 *
 * A build is never disturbed: what cannot be compiled to bitcode, or has no place to put it, is left out without a word, as scripts
 * of configure take any word for a failure.  The section then says why, and a check repeats it.
 */
#include "commands.h"
#include "../base/base.h"
#include "../base/target.h"
#include "../options/options.h"
#include "../program/program.h"
#include "../report/report.h"

#include <assert.h>
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct input {
	const char *path, *language; /* of -x, or NULL */
};

/* a call of the compiler, read */
struct call {
	struct list words;
	struct flags flags;
	struct input *inputs;
	size_t ninputs;
	const char *output; /* NULL: the usual one */
	bool objects;       /* -c */
	bool plain;         /* nothing is made that could hold bitcode */
};

/* ---- reading --------------------------------------------------------------------------------------------------------- */

static void add_input(struct call *call, const char *path, const char *language)
{
	call->inputs = realloc(call->inputs, (call->ninputs + 1) * sizeof *call->inputs);
	if (!call->inputs)
		BUG("out of memory");
	call->inputs[call->ninputs++] = (struct input){ path, language };
}

static void read_call(struct call *call, int argc, char **argv)
{
	const char *language = NULL;
	struct flag flag;
	for (int i = 1; i < argc; i++)
		flags_expand(argv[i], NULL, &call->words);
	for (size_t i = 0; i < call->words.count; i++) {
		char *const *at = call->words.items + i;
		if (at[0][0] != '-' || !at[0][1]) {
			add_input(call, at[0], language);
			continue;
		}
		if ((strcmp(at[0], "-MF") == 0 || strcmp(at[0], "-o") == 0 || strcmp(at[0], "-x") == 0) && !at[1])
			call->plain = true; /* the compiler says what is wrong */
		if (call->plain || !flag_read(at, &flag))
			continue;
		i += (size_t)flag.words - 1;
		assert(i < call->words.count);
		if (flag.action == FLAG_LANGUAGE)
			language = strcmp(flag.value, "none") == 0 ? NULL : flag.value;
		else if (flag.action == FLAG_OUTPUT)
			call->output = flag.value;
		else
			flags_add(&call->flags, &flag);
		call->objects |= flag.action == FLAG_COMPILE;
		call->plain |= flag.action == FLAG_PLAIN;
	}
}

static void release_call(struct call *call)
{
	list_release(&call->words);
	flags_release(&call->flags);
	free(call->inputs);
}

/* ---- the real compiler ----------------------------------------------------------------------------------------------- */

/* Is the argument `word` passed on to the compiler?  Link-time optimization is not: its objects hold no machine code, and have no
 * sections. */
static bool is_for_compiler(const char *word)
{
	return strncmp(word, "-flto", 5) != 0 && strcmp(word, "-ffat-lto-objects") != 0;
}

static int run_compiler(int argc, char **argv)
{
	const char *chosen = getenv("BITSPIN_REAL_CC");
	struct list words = { 0 };
	int status;
	list_add_words(&words, chosen ? chosen : "");
	if (words.count == 0)
		list_add(&words, clang_program());
	for (int i = 1; i < argc; i++)
		if (is_for_compiler(argv[i]))
			list_add(&words, argv[i]);
	enum process_end end = process_run(&(struct process){ .argv = (const char *const *)words.items, .input = true }, &status);
	if (end == PROCESS_NOT_FOUND)
		fail("cannot find the compiler '%s'; install it, or name one in BITSPIN_REAL_CC", words.items[0]);
	if (end == PROCESS_SIGNALLED)
		fail("'%s' died of signal %d", words.items[0], status);
	if (end != PROCESS_EXITED)
		fail("interrupted");
	list_release(&words);
	return status;
}

/* ---- bitcode --------------------------------------------------------------------------------------------------------- */

/* Return the language of `input`, as clang names it, if that is C; NULL if it is not. */
static const char *c_language(const struct input *input)
{
	const char *dot = strrchr(input->path, '.');
	if (input->language)
		return strcmp(input->language, "c") == 0 || strcmp(input->language, "cpp-output") == 0 ? input->language : NULL;
	return dot && strcmp(dot, ".c") == 0 ? "c" : dot && strcmp(dot, ".i") == 0 ? "cpp-output" : NULL;
}

/* Return the first error in the file `errors`, in which clang says why it cannot compile a source; malloc'ed. */
static char *complaint(const char *errors)
{
	char *said = read_file(errors, NULL);
	const char *error = said ? strstr(said, "error: ") : NULL;
	while (error && error > said && error[-1] != '\n')
		error--;
	char *line = error ? text("clang says: %.*s", (int)strcspn(error, "\n"), error) : text("clang cannot compile it");
	free(said);
	return line;
}

/* Write to `out` a record about `name`: a source, or what is linked from objects.  `why` says why there is no bitcode; it is NULL
 * if there is some. */
static void write_about(FILE *out, const struct call *call, const char *name, const char *why, const char *bitcode, size_t size)
{
	assert((why == NULL) == (bitcode != NULL));
	char *whole = absolute_path(name);
	json_t *about = json_pack("{s:s, s:s}", "source", whole, "bitspin", BITSPIN_VERSION);
	json_object_set_new(about, "assumptions", strings_json(&call->flags.assumptions));
	if (why)
		json_object_set_new(about, "refused", json_string(why));
	if (!record_write(out, about, bitcode ? bitcode : "", size))
		fail("cannot write the bitcode of '%s': %s", name, strerror(errno));
	json_decref(about);
	free(whole);
}

static void write_record(FILE *out, const struct call *call, const struct input *input, const char *work)
{
	struct list argv = { 0 };
	char *output = text("%s/bitcode", work), *errors = text("%s/clang.err", work), *bitcode = NULL;
	assert(c_language(input));
	char *why = call->flags.refused ? text("cannot check with %s", call->flags.refused) : NULL;
	size_t size = 0;
	int status;
	clang_command(&argv,
		      &(struct compilation){
			      .source = input->path, .output = output, .language = c_language(input), .flags = { &call->flags } });
	struct process process = { .argv = (const char *const *)argv.items, .errors = errors };
	if (!why && process_run(&process, &status) == PROCESS_EXITED && status == 0)
		bitcode = read_file(output, &size);
	if (!why && !bitcode)
		why = complaint(errors);
	write_about(out, call, input->path, why, bitcode, size);
	free(bitcode);
	free(why);
	free(output);
	free(errors);
	list_release(&argv);
}

/* ---- where it goes --------------------------------------------------------------------------------------------------- */

/* Put `records`, which were written to `path`, behind those that the object `target` has, which the compiler has made. */
static void append_records(const char *target, FILE *records, const char *path, const char *work)
{
	struct stat st;
	size_t size, length = 0;
	assert(target && records);
	char *bytes = stat(target, &st) == 0 && S_ISREG(st.st_mode) ? read_file(target, &size) : NULL;
	const char *before = bytes && elf_is(bytes, size) ? elf_records(bytes, size, &length) : NULL;
	char *section = text("%s/section", work), *errors = text("%s/objcopy.err", work);
	char *option = text("%s=%s", RECORDS_SECTION, section);
	if (bytes && elf_is(bytes, size) && fclose(records) == 0) {
		FILE *out = fopen(section, "we");
		size_t more;
		char *new = read_file(path, &more);
		bool good = out && new && (!before || fwrite(before, 1, length, out) == length) &&
			fwrite(new, 1, more, out) == more;
		if (!out || fclose(out) != 0 || !good)
			fail("cannot write '%s': %s", section, strerror(errno));
		const char *const argv[] = { "objcopy", before ? "--update-section" : "--add-section", option, target, NULL };
		run_tool(&(struct process){ .argv = argv, .errors = errors }, "binutils");
		free(new);
	}
	free(bytes);
	free(section);
	free(errors);
	free(option);
}

static char *object_of(const struct call *call, const char *input)
{
	if (call->output)
		return text("%s", call->output);
	if (!call->objects)
		return text("a.out");
	char *copy = text("%s", input), *name = basename(copy), *dot = strrchr(name, '.');
	char *object = text("%.*s.o", dot ? (int)(dot - name) : (int)strlen(name), name);
	free(copy);
	return object;
}

static FILE *open_records(const char *path)
{
	FILE *records = fopen(path, "we");
	if (!records)
		fail("cannot write '%s': %s", path, strerror(errno));
	return records;
}

static void embed(const struct call *call, const char *work)
{
	FILE *records = NULL;
	char *path = text("%s/records", work), *object = NULL;
	for (size_t i = 0; i < call->ninputs; i++) {
		const struct input *input = &call->inputs[i];
		if (!c_language(input) || strcmp(input->path, "-") == 0)
			continue;
		if (!records)
			records = open_records(path);
		write_record(records, call, input, work);
		free(object);
		object = object_of(call, input->path);
		if (!call->objects)
			continue;
		append_records(object, records, path, work);
		records = NULL;
	}
	if (!object && !call->objects && call->ninputs && call->flags.refused) {
		object = object_of(call, call->inputs[0].path);
		records = open_records(path);
		write_about(records, call, object, call->flags.refused, NULL, 0);
	}
	if (records)
		append_records(object, records, path, work);
	free(object);
	free(path);
}

/* Does the argument of `option` (-MT, -MQ, -MF) name a target or a file of dependencies?  CMake gives the output's name there. */
static bool is_about_dependencies(const char *option)
{
	return option[0] == '-' && option[1] == 'M' && strchr("TQF", option[2]) && option[2] && !option[3];
}

/* Fail if the output is also an input.  gcc refuses such a call, but clang does not. */
static void spare_inputs(int argc, char **argv)
{
	const char *output = NULL;
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "-o", 2) == 0)
			output = argv[i][2] ? argv[i] + 2 : argv[i + 1];
	for (int i = 1; output && i < argc; i++)
		if (argv[i] != output && argv[i][0] != '-' && !is_about_dependencies(argv[i - 1]) &&
		    target_is_same(output, argv[i]))
			fail("the output '%s' is an input, too; name another file after -o", output);
}

int command_cc(int argc, char **argv)
{
	struct call call = { 0 };
	spare_inputs(argc, argv);
	int status = run_compiler(argc, argv);
	if (status != 0)
		return status;
	read_call(&call, argc, argv);
	if (!call.plain) {
		char *work = work_directory();
		embed(&call, work);
		free(work);
	}
	release_call(&call);
	return 0;
}
