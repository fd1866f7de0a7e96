/* SPDX-License-Identifier: MIT
 *
 * --tests DIR: for each end of a path a shell script that runs the native program with inputs that lead there, and inputs.c, which
 * gives them to it.  bitspin-drive finds the ends (runtime/search/bound/tests.h).
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STATES = 100000, ENDS = 1000 };

void tests_check(const char *directory)
{
	DIR *entries = opendir(directory);
	if (!entries && errno == ENOENT)
		return;
	if (!entries)
		fail("--tests %s: cannot write to it: %s", directory, strerror(errno));
	for (struct dirent *entry; (entry = readdir(entries));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			fail("--tests %s: '%s' is in it; name a new or an empty directory", directory, entry->d_name);
	closedir(entries);
}

/* ---- inputs.c -------------------------------------------------------------------------------------------------------- */

static const char functions[] =
	"/* Inputs of a program, from the environment variable BITSPIN_INPUTS: numbers in the order of the calls.  Scripts\n"
	" * beside this file set it.  Compile it with the program: cc -D__BITSPIN__ prog.c inputs.c -pthread */\n"
	"#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
	"#define WEAK __attribute__((weak))\n"
	"static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
	"static long take(double *real)\n{\n"
	"\tstatic char *rest, none[] = \"\";\n\tchar *end;\n"
	"\tpthread_mutex_lock(&lock);\n"
	"\tif (!rest)\n\t\trest = getenv(\"BITSPIN_INPUTS\") ? getenv(\"BITSPIN_INPUTS\") : none;\n"
	"\tlong value = *rest == '-' ? strtol(rest, NULL, 10) : (long)strtoul(rest, NULL, 10);\n"
	"\t*real = strtod(rest, &end);\n"
	"\tif (end == rest) {\n\t\tfputs(\"inputs.c: the program asks for more inputs than BITSPIN_INPUTS has\\n\", stderr);\n"
	"\t\t_exit(125);\n\t}\n"
	"\trest = end;\n\tpthread_mutex_unlock(&lock);\n\treturn value;\n}\n"
	"long bitspin_input(void)\n{\n\tdouble real;\n\treturn take(&real);\n}\n"
	"static double real_input(void)\n{\n\tdouble real;\n\ttake(&real);\n\treturn real;\n}\n"
	"WEAK float __VERIFIER_nondet_float(void) { return (float)real_input(); }\n"
	"WEAK double __VERIFIER_nondet_double(void) { return real_input(); }\n"
	"#define INPUT(type, name) WEAK type name(void) { return (type)bitspin_input(); }\n"
	"#define INPUTS(type, name) INPUT(type, bitspin_any_##name) INPUT(type, bitspin_nondet_##name) INPUT(type, "
	"__VERIFIER_nondet_##name)\n"
	"INPUTS(_Bool, bool) INPUTS(char, char) INPUTS(unsigned char, uchar) INPUTS(short, short) INPUTS(unsigned short, ushort)\n"
	"INPUTS(int, int) INPUTS(unsigned, unsigned) INPUTS(unsigned, uint) INPUTS(unsigned, u32) INPUTS(long, long)\n"
	"INPUTS(unsigned long, ulong) INPUTS(long long, longlong) INPUTS(unsigned long long, ulonglong) INPUTS(size_t, size_t)\n"
	"WEAK int bitspin_choose(int low, int high) { return low == high ? low : (int)bitspin_input(); }\n"
	"WEAK void bitspin_error(const char *text) { fprintf(stderr, \"%s\\n\", text); abort(); }\n"
	"WEAK void bitspin_assert(int condition) { if (!condition) abort(); }\n"
	"WEAK void bitspin_assume(int condition) { if (!condition) _exit(124); }\n"
	"WEAK void __VERIFIER_assert(int condition) { if (!condition) abort(); }\n"
	"WEAK void __VERIFIER_assume(int condition) { if (!condition) _exit(124); }\n"
	"WEAK void __VERIFIER_error(void) { abort(); }\nWEAK void reach_error(void) { abort(); }\n"
	"static pthread_mutex_t section = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n"
	"WEAK void bitspin_atomic_begin(void) { pthread_mutex_lock(&section); }\n"
	"WEAK void bitspin_atomic_end(void) { pthread_mutex_unlock(&section); }\n"
	"WEAK void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&section); }\n"
	"WEAK void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&section); }\n"
	"WEAK void bitspin_yield(void) { }\nWEAK void bitspin_label(const char *name) { (void)name; }\n"
	"WEAK void bitspin_progress(void) { }\n"
	"WEAK void bitspin_view(const void *start, unsigned long size) { (void)start, (void)size; }\n";

/* Functions that the user has described as inputs call bitspin_input() by another name: their types are not known here. */
static void write_functions(const struct job *job, const char *directory)
{
	char *path = text("%s/inputs.c", directory), *all = text("#define _GNU_SOURCE\n%s", functions);
	const struct world *world = &job->inputs->world;
	for (size_t i = 0; i < world->nexterns; i++) {
		const struct translator_extern *e = &world->externs[i];
		bool ours = strncmp(e->name, "__VERIFIER_", 11) == 0 || strncmp(e->name, "bitspin_", 8) == 0;
		if (e->policy != EXTERN_CHOOSE || ours || e->low == e->high || strcmp(e->name, "*") == 0)
			continue;
		char *more = text(
			"%slong bitspin_input_%s(void) __asm__(\"%s\");\nlong bitspin_input_%s(void) { return bitspin_input(); }\n",
			all, e->name, e->name, e->name);
		free(all);
		all = more;
	}
	if (!write_file(path, all, strlen(all)))
		fail("cannot write '%s': %s", path, strerror(errno));
	free(path);
	free(all);
}

/* ---- a script -------------------------------------------------------------------------------------------------------- */

/* what the records tell of a path */
struct test {
	struct list about; /* lines on its inputs */
	char *values, *end;
	json_t *given; /* by number, as in runtime/trace/turns.h: bytes in hexadecimal digits */
};

static void test_release(struct test *test)
{
	list_release(&test->about);
	free(test->values);
	free(test->end);
	json_decref(test->given);
	*test = (struct test){ 0 };
}

static void take_input(struct test *test, const json_t *record)
{
	const char *detail = field_text(record, "detail"), *slash = strrchr(field_text(record, "file"), '/');
	char *end;
	bool number = (strtod(detail, &end), end != detail && *end == '\0');
	if (number)
		list_addf(&test->about, "input %s at %s:%lld, thread %lld", detail, slash ? slash + 1 : field_text(record, "file"),
			  field_number(record, "line"), field_number(record, "thread"));
	else
		list_add(&test->about, detail);
	if (number)
		test->values = test->values ? text_add(test->values, " ", detail) : text("%s", detail);
}

static void take_record(struct test *test, const json_t *record)
{
	const char *type = field_text(record, "type"), *slash = strrchr(field_text(record, "file"), '/');
	char *end = NULL;
	if (strcmp(type, "test") == 0) {
		test->given = json_object();
		if (json_is_true(json_object_get(record, "blocked")))
			end = text("no thread can go on");
	} else if (strcmp(type, "given") == 0) {
		char *number = text("%lld", field_number(record, "argument"));
		json_object_set(test->given, number, json_object_get(record, "bytes"));
		free(number);
	} else if (strcmp(type, "violation") == 0) {
		end = text("%s at %s:%lld: %s", field_text(record, "kind"), slash ? slash + 1 : field_text(record, "file"),
			   field_number(record, "line"), field_text(record, "message"));
	} else if (strcmp(type, "event") == 0 && json_is_true(json_object_get(record, "input"))) {
		take_input(test, record);
	} else if (strcmp(type, "event") == 0 && strcmp(field_text(record, "action"), "exit") == 0 && !test->end &&
		   strncmp(field_text(record, "detail"), "the program", 11) == 0) {
		end = text("%s", field_text(record, "detail"));
	}
	if (end) {
		free(test->end);
		test->end = end;
	}
}

static const char *given(const struct test *test, size_t number)
{
	char *key = text("%zu", number);
	const char *hex = json_string_value(json_object_get(test->given, key));
	free(key);
	return hex;
}

static void put_quoted(FILE *out, const char *word)
{
	for (fputc('\'', out); *word; word++)
		fputs(*word == '\'' ? "'\\''" : (const char[]){ *word, '\0' }, out);
	fputc('\'', out);
}

/* Put bytes that are given in hexadecimal digits: as octal digits of printf, or in quotes. */
static void put_bytes(FILE *out, const char *hex, bool octal)
{
	char *bytes = calloc(strlen(hex) / 2 + 1, 1);
	if (!bytes)
		BUG("out of memory");
	for (size_t i = 0; hex[2 * i]; i++) {
		char pair[3] = { hex[2 * i], hex[2 * i + 1], '\0' };
		bytes[i] = (char)strtoul(pair, NULL, 16);
		if (octal)
			fprintf(out, "\\%03o", (unsigned char)bytes[i]);
	}
	if (!octal)
		put_quoted(out, bytes);
	free(bytes);
}

static void put_arguments(FILE *out, const struct job *job, const struct test *test)
{
	const struct world *world = &job->inputs->world;
	for (size_t i = 1; i < world->narguments; i++) {
		const char *hex = given(test, i);
		fputc(' ', out);
		if (hex)
			put_bytes(out, hex, false);
		else
			put_quoted(out, world->arguments[i].values[0]);
	}
}

/* Put a line that is a comment, of what may have line breaks. */
static void put_comment(FILE *out, const char *line)
{
	for (fputs("# ", out); *line; line++)
		fputc(*line == '\n' ? ' ' : *line, out);
	fputc('\n', out);
}

static void put_script(FILE *out, const struct job *job, const struct test *test, const char *name)
{
	const struct world *world = &job->inputs->world;
	const struct options *o = &job->inputs->options;
	const char *input = given(test, 0);
	fputs("#!/bin/sh\n", out);
	char *first = text("A test of bitspin: %s", test->end ? test->end : "the path ends");
	put_comment(out, first);
	free(first);
	for (size_t i = 0; i < test->about.count; i++)
		put_comment(out, test->about.items[i]);
	fprintf(out, "# usage: %s PROGRAM, which is compiled with inputs.c of this directory\n", name);
	fprintf(out, "BITSPIN_INPUTS='%s'\nexport BITSPIN_INPUTS\n", test->values ? test->values : "");
	for (size_t i = 0; i < world->environment.count; i++) {
		const char *hex = given(test, IMAGE_GIVEN_VARIABLE + i);
		fputs("set -- env ", out);
		if (hex)
			put_bytes(out, hex, false);
		else
			put_quoted(out, world->environment.items[i]);
		fputs(" \"$@\"\n", out);
	}
	fputs("set -- \"$@\"", out);
	put_arguments(out, job, test);
	fputc('\n', out);
	if (input) {
		fputs("printf '", out);
		put_bytes(out, input, true);
		fputs("' | \"$@\"\n", out);
	} else {
		char *from = o->inputs.count ? absolute_path(o->inputs.items[0]) : text("/dev/null");
		fputs("exec \"$@\" <", out);
		put_quoted(out, from);
		fputc('\n', out);
		free(from);
	}
}

static void write_script(const struct job *job, const struct test *test, size_t number)
{
	char *name = text("%03zu.sh", number), *path = text("%s/%s", job->inputs->options.tests, name);
	FILE *out = fopen(path, "wxe"); /* not where something is */
	if (!out)
		fail("cannot write '%s': %s", path, strerror(errno));
	put_script(out, job, test, name);
	if (fclose(out) != 0 || chmod(path, 0755) < 0)
		fail("cannot write '%s': %s", path, strerror(errno));
	free(name);
	free(path);
}

/* ---- all ------------------------------------------------------------------------------------------------------------- */

/* Write what the records tell.  Return what is to be said of it. */
static char *write_all(struct job *job, const char *path)
{
	FILE *in = fopen(path, "re");
	char *line = NULL, *why = NULL;
	size_t size = 0, count = 0;
	long long left_out = 0, cut = 0;
	bool complete = false, open = false;
	struct test test = { 0 };
	while (in && getline(&line, &size, in) > 0) {
		json_t *record = json_loads(line, 0, NULL);
		const char *type = record ? field_text(record, "type") : "";
		bool last = strcmp(type, "tests") == 0;
		if ((last || strcmp(type, "test") == 0) && open) {
			write_script(job, &test, ++count);
			test_release(&test);
			open = false;
		}
		if (last) {
			complete = field_number(record, "states_left_out") == 0;
			left_out = field_number(record, "ends_left_out");
			cut = field_number(record, "cut");
		} else if (record) {
			open = open || strcmp(type, "test") == 0;
			take_record(&test, record);
		}
		json_decref(record);
	}
	test_release(&test);
	free(line);
	if (in)
		fclose(in);
	why = text("%zu test%s in %s", count, plural((double)count), job->inputs->options.tests);
	char *ended = text("%lld path%s cut at an assumption or a limit", cut, cut == 1 ? " is" : "s are");
	char *more = text("%lld more ends have none", left_out);
	if (cut)
		why = text_add(why, "; ", ended);
	if (left_out)
		why = text_add(why, "; ", more);
	if (!complete)
		why = text_add(why, "; ", "not all states were visited for them");
	free(ended);
	free(more);
	return why;
}

char *tests_write(struct job *job)
{
	const char *directory = job->inputs->options.tests;
	char *drive = data_file("bitspin-drive"), *states = text("%d", STATES), *ends = text("%d", ENDS);
	char *records = text("%s/tests.json", job->program.work), *scratch = text("%s/tests.inputs", job->program.work);
	char *output = text("%s/tests.out", job->program.work);
	const char *const argv[] = { drive, "tests", states, ends, scratch, NULL };
	char *image = text("BITSPIN_IMAGE=%s", job->program.image), *result = text("BITSPIN_RESULT=%s", records);
	const char *const environment[] = { image, result, "BITSPIN_TURNS=1", NULL };
	int status;
	assert(directory && job->program.image);
	unlink(records);
	process_run(&(struct process){ .argv = argv, .output = output, .errors = output, .environment = environment }, &status);
	make_directories(directory);
	write_functions(job, directory);
	char *told = write_all(job, records);
	char *const all[] = { drive, states, ends, records, scratch, output, image, result };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	return told;
}
