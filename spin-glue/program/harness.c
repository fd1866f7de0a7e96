/* SPDX-License-Identifier: MIT
 *
 * --call and its kin: a main that starts a thread for each call and joins them all.  Its text is one of the additions to the first
 * C file.  Each expression is a line of a file in the work directory that has the option's name, and is compiled as that line, so
 * traces and errors show it.
 */
#include "operations.h"
#include "program.h"
#include "../base/base.h"
#include "../options/options.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

bool harness_wanted(const struct program *program)
{
	return (program->operations && !program->operations->own) ||
		program->inputs->options.calls.count + program->inputs->options.groups.count;
}

/* One of the options whose values are expressions of the harness. */
struct part {
	const char *name;
	const struct list *given;
};

enum { PARTS = 5 };

static void parts_of(const struct program *program, struct part *parts)
{
	static const struct list none;
	const struct options *o = &program->inputs->options;
	parts[0] = (struct part){ "--setup", &o->setups };
	parts[1] = (struct part){ "--call", &o->calls };
	parts[2] = (struct part){ "--threads-of", &o->groups };
	parts[3] = (struct part){ "--finally", &o->finals };
	parts[4] = (struct part){ "--thread", program->operations ? &program->operations->calls : &none };
}

/* Return the length of NAME in "NAME := EXPR", which makes a variable that all later expressions see; 0 if there is none. */
static int variable_of(const struct part *part, size_t i)
{
	assert(i < part->given->count);
	const char *given = part->given->items[i];
	size_t length = strspn(given, letters), blanks = strspn(given + length, " \t");
	bool named = length && !(*given >= '0' && *given <= '9') && strncmp(given + length + blanks, ":=", 2) == 0;
	return named && strcmp(part->name, "--setup") == 0 ? (int)length : 0;
}

/* Return the expression in what was given, behind the number of --threads-of and behind the name of a variable. */
static const char *expression_of(const struct part *part, size_t i)
{
	assert(i < part->given->count);
	const char *given = part->given->items[i];
	if (variable_of(part, i))
		return strstr(given, ":=") + 2 + strspn(strstr(given, ":=") + 2, " \t");
	return strcmp(part->name, "--threads-of") == 0 ? strchr(given, '=') + 1 : given;
}

enum { END = 1000000 }; /* lines from here on: an error behind an expression */

/* Write the expression in one line, and at its own place there, so that an error in it has a column. */
static void put_expression(FILE *out, const struct program *program, const struct part *part, size_t i, bool last)
{
	fprintf(out, "\n#line %zu \"%s/%s\"\n", i + 1, program->work, part->name);
	for (const char *c = expression_of(part, i); *c; c++)
		fputc(*c == '\n' ? ' ' : *c, out);
	fprintf(out, "\n#line %zu \"%s/%s\"\n", i + 1 + (last ? END : 0), program->work, part->name);
}

static bool is_name(const char *expression)
{
	return expression[strspn(expression, letters)] == '\0' && !(*expression >= '0' && *expression <= '9');
}

/* Write the function that a thread runs.  A bare name is a function without parameters, or one as pthread_create() takes them,
 * which gets null from pthread_create() itself. */
static void write_thread(FILE *out, const struct program *program, const struct part *part, size_t i)
{
	assert(part->name[2] == 'c' || part->name[2] == 't');
	bool name = is_name(expression_of(part, i));
	fprintf(out, "#line %zu \"%s/%s\"\nstatic void *%s_%zu(void *__bitspin_null) { (void)(%s", i + 1, program->work, part->name,
		part->name[2] == 'c' ? "bitspin_call" : "bitspin_thread_of", i + 1, name ? "_Generic(&" : "");
	put_expression(out, program, part, i, !name);
	if (name) {
		fputs(", void *(*)(void *): __bitspin_nothing, default:", out);
		put_expression(out, program, part, i, false);
		fputs(")()", out);
	}
	fputs(name ? "); return __bitspin_null; }\n" : "); return __bitspin_null; }\n", out);
}

/* Write how a thread is started, or if `join`, joined if it was started.  `number` counts all threads. */
static void write_step(FILE *out, const struct program *program, const struct part *part, size_t i, size_t number, bool join)
{
	const char *function = part->name[2] == 'c' ? "bitspin_call" : "bitspin_thread_of";
	fprintf(out, "#line %zu \"%s/%s\"\n", i + 1, program->work, part->name);
	if (join) {
		fprintf(out, "if (__bitspin_started[%zu]) (pthread_join)(__bitspin_threads[%zu], (void **)0);\n", number, number);
		return;
	}
	fprintf(out, "__bitspin_started[%zu] = (pthread_create)(&__bitspin_threads[%zu], (void *)0, ", number, number);
	if (is_name(expression_of(part, i))) {
		const char *name = expression_of(part, i);
		fprintf(out, "_Generic(&%s, void *(*)(void *): %s, default: %s_%zu)", name, name, function, i + 1);
	} else {
		fprintf(out, "%s_%zu", function, i + 1);
	}
	fputs(", (void *)0) == 0;\n", out);
}

/* Write how a thread of operations is started, or joined. */
static void write_operations_step(FILE *out, const struct program *program, unsigned thread, bool join)
{
	fprintf(out, "#line %u \"%s/--thread\"\n", thread + 1, program->work);
	if (join)
		fprintf(out, "(pthread_join)(__bitspin_threads[%u], (void **)0);\n", thread);
	else
		fprintf(out, "if ((pthread_create)(&__bitspin_threads[%u], (void *)0, bitspin_thread_%u, (void *)0)) return 1;\n",
			thread, thread + 1);
}

static size_t count_of(const struct part *part, size_t i)
{
	return part->name[2] == 'c' ? 1 : strtoul(part->given->items[i], NULL, 10);
}

static void write_steps(FILE *out, const struct program *program, const struct part *parts, bool join)
{
	size_t number = 0;
	for (unsigned i = 0; program->operations && i < operations_threads(program->operations); i++)
		write_operations_step(out, program, i, join);
	for (const struct part *part = parts + 1; part <= parts + 2; part++)
		for (size_t i = 0; i < part->given->count; i++)
			for (size_t k = 0; k < count_of(part, i); k++)
				write_step(out, program, part, i, number++, join);
}

static void write_variables(FILE *out, const struct program *program, const struct part *part)
{
	for (size_t i = 0; i < part->given->count; i++) {
		int length = variable_of(part, i);
		if (length == 0)
			continue;
		fprintf(out, "#line %zu \"%s/%s\"\nstatic __typeof__(", i + 1, program->work, part->name);
		put_expression(out, program, part, i, true);
		fprintf(out, ") %.*s;\n", length, part->given->items[i]);
	}
}

static void write_expressions(FILE *out, const struct program *program, const struct part *part)
{
	for (size_t i = 0; i < part->given->count; i++) {
		fprintf(out, "#line %zu \"%s/%s\"\n(void)(%.*s%s(", i + 1, program->work, part->name, variable_of(part, i),
			part->given->items[i], variable_of(part, i) ? " = " : "");
		put_expression(out, program, part, i, true);
		fputs("));\n", out);
	}
}

/* Write what a trace shows for the lines of the harness. */
static void write_lines(const struct program *program, const struct part *part)
{
	char *path = text("%s/%s", program->work, part->name);
	FILE *out = fopen(path, "we");
	if (!out)
		fail("cannot write '%s': %s", path, strerror(errno));
	for (size_t i = 0; i < part->given->count; i++) {
		for (const char *c = expression_of(part, i); *c; c++)
			fputc(*c == '\n' ? ' ' : *c, out);
		fputc('\n', out);
	}
	if (fclose(out) != 0)
		fail("cannot write '%s': %s", path, strerror(errno));
	free(path);
}

void harness_write(const struct program *program, FILE *out)
{
	assert(harness_wanted(program));
	struct part parts[PARTS];
	size_t threads = 0;
	parts_of(program, parts);
	for (size_t i = 0; i < PARTS; i++)
		write_lines(program, &parts[i]);
	/* Assertions of the options count, even if the program has switched off its own. */
	fputs("#include <pthread.h>\n#undef NDEBUG\n#include <assert.h>\n#undef main\n"
	      "#pragma clang diagnostic error \"-Wimplicit-function-declaration\"\n"
	      "static inline void __bitspin_nothing(void) {}\n",
	      out);
	write_variables(out, program, &parts[0]);
	for (size_t part = 1; part <= 2; part++)
		for (size_t i = 0; i < parts[part].given->count; i++) {
			write_thread(out, program, &parts[part], i);
			threads += count_of(&parts[part], i);
		}
	if (program->operations) {
		operations_write(program, out);
		threads += operations_threads(program->operations);
	}
	assert(threads > 0);
	fprintf(out,
		"#line 1 \"%s/%s\"\nint main(void) {\nstatic pthread_t __bitspin_threads[%zu]; _Bool __bitspin_started[%zu];\n",
		program->work,
		program->operations           ? parts[4].name :
			parts[1].given->count ? parts[1].name :
						parts[2].name,
		threads, threads);
	write_expressions(out, program, &parts[0]);
	write_steps(out, program, parts, false);
	write_steps(out, program, parts, true);
	write_expressions(out, program, &parts[3]);
	fputs("return 0; }\n", out);
}

void harness_check(const struct program *program, const char *source, const char *line, const char *error)
{
	struct part parts[PARTS];
	unsigned long number = 0, column = 0;
	size_t directory = strlen(program->work) + 1;
	int length = (int)strcspn(error, "\n");
	parts_of(program, parts);
	if (strncmp(error, "redefinition of 'main'", 22) == 0)
		fail("%s makes a main of its own, but '%s' has one; leave out %s, or rename that main by -Dmain=NAME",
		     program->operations ? "--thread" : "--call", source, program->operations ? "--thread" : "--call");
	if (strncmp(line, program->work, directory - 1) != 0)
		return;
	for (size_t i = 0; i < PARTS; i++) {
		size_t name = strlen(parts[i].name);
		if (strncmp(line + directory, parts[i].name, name) != 0 ||
		    sscanf(line + directory + name, ":%lu:%lu:", &number, &column) != 2 || number < 1 ||
		    (number - 1) % END >= parts[i].given->count)
			continue;
		const char *expression = expression_of(&parts[i], (number - 1) % END);
		bool inside = number < END && column <= strlen(expression);
		char *place = inside ? text("at column %lu", column) : text("at its end");
		bool in_spec = program->operations && program->operations->spec && !program->operations->table;
		const char *advice = in_spec ? "; this is said of --spec, which has the same functions" :
			strstr(error, "declaration of function") ?
					       "; name a header that declares it by -include" :
			strstr(error, "arithmetic or pointer type") ?
					       "; a result is a number or a pointer, such as a member of what is returned" :
					       "";
		fail("%s '%s': %s: %.*s%s", parts[i].name, expression, place, length, error, advice);
	}
}
