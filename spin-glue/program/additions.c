/* SPDX-License-Identifier: MIT
 *
 * What is compiled with the program's first C file: invariants, propositions, masks and abstractions.  They are appended to it, so
 * that they see its static variables, its types and its macros.
 */
#include "operations.h"
#include "program.h"
#include "../base/base.h"
#include "../formula/formula.h"
#include "../options/options.h"
#include "../../ltl/ltl.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool additions_wanted(const struct program *program)
{
	const struct options *o = &program->inputs->options;
	return program->shown.count || o->invariants.count || o->masks.count || o->abstractions.count || harness_wanted(program) ||
		program->operations || (program->formulas && formulas_expression(program->formulas, 0, NULL));
}

/* Does some thread hold the lock?  By its size, and in the bytes in which the VM keeps the owners: of a mutex (sync/mutex.c)
 * the third word, of a read-write lock (rwlock.c) the first word and the first reader, of a spin lock (spin.c) half a word.  So
 * the expression reads these bytes, and no others.  Where the program has the names of the types, they must be the lock's. */
static const char held[] =
	"#define __bitspin_word(n, ...) (((const volatile unsigned *)&(__VA_ARGS__))[n])\n"
	"#define __bitspin_held(...) (sizeof(__VA_ARGS__) == 40 ? __bitspin_word(2, __VA_ARGS__) != 0 : \\\n"
	"	sizeof(__VA_ARGS__) == 56 ? __bitspin_word(0, __VA_ARGS__) != 0 || (__bitspin_word(1, __VA_ARGS__) & 0xff) != 0 : \\\n"
	"	(__bitspin_word(0, __VA_ARGS__) & 0xffff) != 0)\n"
	"#define __bitspin_spin(...) _Generic(&(__VA_ARGS__), volatile int *: 1, default: 0)\n"
	"#ifdef PTHREAD_MUTEX_INITIALIZER\n"
	"#define __bitspin_mutex(...) _Generic(&(__VA_ARGS__), pthread_mutex_t *: 1, default: 0)\n"
	"#else\n"
	"#define __bitspin_mutex(...) (sizeof(__VA_ARGS__) == 40)\n"
	"#endif\n"
	"#ifdef ONCE_FLAG_INIT\n"
	"#define __bitspin_mtx(...) _Generic(&(__VA_ARGS__), mtx_t *: 1, default: 0)\n"
	"#else\n"
	"#define __bitspin_mtx(...) 0\n"
	"#endif\n"
	"#ifdef PTHREAD_RWLOCK_INITIALIZER\n"
	"#define __bitspin_rwlock(...) _Generic(&(__VA_ARGS__), pthread_rwlock_t *: 1, default: 0)\n"
	"#else\n"
	"#define __bitspin_rwlock(...) (sizeof(__VA_ARGS__) == 56)\n"
	"#endif\n"
	"#define __bitspin_is_lock(...) (__bitspin_mutex(__VA_ARGS__) || __bitspin_mtx(__VA_ARGS__) || \\\n"
	"	__bitspin_rwlock(__VA_ARGS__) || __bitspin_spin(__VA_ARGS__))\n"
	"#define __bitspin_held_checked(...) { _Static_assert(__bitspin_is_lock(__VA_ARGS__), \\\n"
	"	\"held() is for a mutex, a read-write lock or a spin lock\"); return __bitspin_held(__VA_ARGS__); }\n";

static void write_held(FILE *out, const struct ltl_proposition *p, const char *function, size_t line)
{
	fprintf(out, "#line %zu \"<proposition>\"\nint %s(void) __bitspin_held_checked(\n#line %zu \"<proposition>\"\n", line,
		function, line);
	for (const char *c = p->name; *c; c++)
		fputc(*c == '\n' ? ' ' : *c, out);
	fputs("\n)\n", out);
}

/* Does the proposition stand for a function of the program? */
static bool is_bare(const struct ltl_proposition *p)
{
	return !p->defined && p->text[0] != '{';
}

/* Write the propositions of formulas, each in a line of its own, so that an error has a place in the formula. */
static void write_propositions(FILE *out, const struct formulas *formulas)
{
	char *function;
	const struct ltl_proposition *p;
	for (size_t i = 0; formulas && (p = formulas_expression(formulas, i, &function)); i++) {
		if (i == 0)
			fprintf(out, "#pragma clang diagnostic error \"-Wimplicit-function-declaration\"\n%s", held);
		if (p->kind == LTL_KIND_HELD) {
			write_held(out, p, function, i + 1);
			free(function);
			continue;
		}
		/* A bare word must name a function that is declared: in brackets it is no implicit declaration. */
		bool bare = is_bare(p);
		size_t length = bare ? strcspn(p->name, "(") : strlen(p->name);
		fprintf(out, "#line %zu \"<proposition>\"\nint %s(void) { return !!(%s\n", i + 1, function, bare ? "(" : "");
		fprintf(out, "#line %zu \"<proposition>\"\n", i + 1);
		for (const char *c = p->name; c < p->name + length; c++)
			fputc(*c == '\n' ? ' ' : *c, out);
		fputs(bare ? ")()\n); }\n" : "\n); }\n", out);
		free(function);
	}
}

/* Return the line of the first error that clang tells, and in *error what it says there; NULL if there is none. */
static const char *first_error(const char *said, const char **error)
{
	static const char mark[] = ": error: ";
	const char *line = strstr(said, mark);
	if (!line)
		return NULL;
	*error = line + sizeof mark - 1;
	while (line > said && line[-1] != '\n')
		line--;
	return line;
}

static char *wrong_proposition(const struct ltl_proposition *p, const char *error)
{
	int length = (int)strcspn(error, "\n"), name = (int)strcspn(p->name, "(");
	if (!is_bare(p))
		return text("this is no C expression of the program: %.*s", length, error);
	return text(
		"a word alone is a function 'int %.*s(void)' of the program, and an expression goes in braces, as in '{%.*s}': %.*s",
		name, p->name, name, p->name, length, error);
}

/* End with an error and its place in the formula, if the first error that clang tells is in a proposition. */
static void check_propositions(const struct program *program, const char *said)
{
	unsigned long number = 0, column = 0;
	const char *error, *line = first_error(said, &error);
	if (!line || sscanf(line, "<proposition>:%lu:%lu:", &number, &column) != 2 || number == 0)
		return;
	const char *own = strstr(error, "held() is for a");
	const struct ltl_proposition *p = formulas_expression(program->formulas, number - 1, NULL);
	if (!p && number > 1) /* clang noticed at the bracket after it */
		p = formulas_expression(program->formulas, --number - 1, NULL);
	if (!p)
		return;
	size_t at = own || is_bare(p) ? p->offset : p->offset + column - 1, length = strlen(p->source);
	struct ltl_error place = {
		.message = own && own < error + strcspn(error, "\n") ? text("%.*s", (int)strcspn(own, "\"\n"), own) :
								       wrong_proposition(p, error),
		.source = p->source,
		.offset = at < length ? at : length,
	};
	char *told = ltl_error_text(&place);
	assert(*told); /* it ends with the end of a line */
	told[strlen(told) - 1] = '\0';
	fail("%s", told);
}

/* Write masks and abstractions.  A mask must have a fixed address, so it is an initialiser, which must be constant.  The pointer
 * to an abstraction keeps a static function alive.  The line tells which of them an error is in. */
static void write_views(FILE *out, const struct options *o)
{
	if (o->masks.count)
		fputs("struct __bitspin_mask { const volatile void *at; unsigned long size; };\n", out);
	for (size_t i = 0; i < o->masks.count; i++)
		fprintf(out, "#line %zu \"<mask>\"\nconst struct __bitspin_mask __bitspin_mask_%zu = { &(%s), sizeof(%s) };\n",
			i + 1, i, o->masks.items[i], o->masks.items[i]);
	for (size_t i = 0; i < o->abstractions.count; i++)
		fprintf(out, "#line %zu \"<abstraction>\"\nvoid %s(void); void (*const __bitspin_abstraction_%zu)(void) = %s;\n",
			i + 1, o->abstractions.items[i], i, o->abstractions.items[i]);
}

/* The lines of an invariant are numbered from its own multiple of this number on. */
enum { MOST_LINES = 1000 };

/* Write the invariants that no formula has.  The line tells which of them an error is in: an expression begins in a line of its
 * own, and what follows it is in another one. */
static void write_invariants(FILE *out, const struct program *program)
{
	const struct list *invariants = &program->inputs->options.invariants;
	for (size_t i = 0; i < invariants->count; i++)
		if (!program->formulas || !program->formulas->invariants[i].parsed.root)
			fprintf(out,
				"#line %zu \"<invariant>\"\nint __bitspin_invariant_%zu(void) { return !!(\n"
				"#line %zu \"<invariant>\"\n%s\n); }\n",
				MOST_LINES * i + 1, i, MOST_LINES * i + 1, invariants->items[i]);
}

/* Write the source with our additions at its end to a new file.  Return the path of that file. */
char *additions_write(const struct program *program, const char *source)
{
	assert(additions_wanted(program));
	char *whole = source ? realpath(source, NULL) : NULL, *path = text("%s/with-additions.c", program->work);
	FILE *out = fopen(path, "we");
	if ((source && !whole) || !out)
		fail("cannot write '%s': %s", path, strerror(errno));
	if (whole)
		fprintf(out, "#include \"%s\"\n", whole);
	write_invariants(out, program);
	write_views(out, &program->inputs->options);
	write_propositions(out, program->formulas);
	for (size_t i = 0; i < program->shown.count; i++)
		fprintf(out, "unsigned long __bitspin_shown_%zu(void);\nunsigned long __bitspin_shown_%zu(void)\n{\n%s\n}\n", i, i,
			program->shown.items[i]);
	if (harness_wanted(program))
		harness_write(program, out);
	else if (program->operations)
		operations_write_table(out, program->operations);
	if (fclose(out) != 0)
		fail("cannot write '%s': %s", path, strerror(errno));
	free(whole);
	return path;
}

/* End with an error in one line, if the first error that clang tells is in an invariant. */
static void check_invariants(const struct program *program, const char *said)
{
	const struct list *invariants = &program->inputs->options.invariants;
	unsigned long number = 0, column = 0;
	const char *error, *line = first_error(said, &error);
	if (!line || sscanf(line, "<invariant>:%lu:%lu:", &number, &column) != 2 || number < 1 ||
	    (number - 1) / MOST_LINES >= invariants->count)
		return;
	const char *invariant = invariants->items[(number - 1) / MOST_LINES], *at = invariant;
	unsigned long own = (number - 1) % MOST_LINES, left = own; /* the line in the invariant, from 0 */
	while (left && (at = strchr(at, '\n'))) {
		left--;
		at++;
	}
	char *place = !at ? text("at its end") : own ? text("in line %lu", own + 1) : text("at column %lu", column);
	fail("--invariant '%s': %s: %.*s", invariant, place, (int)strcspn(error, "\n"), error);
}

/* End with an error in one line, if the first error that clang tells is in a mask or an abstraction. */
static void check_views(const struct program *program, const char *said)
{
	unsigned long number = 0;
	const char *error, *line = first_error(said, &error);
	if (!line)
		return;
	int length = (int)strcspn(error, "\n");
	if (sscanf(line, "<mask>:%lu:", &number) == 1 && number >= 1 && number <= program->inputs->options.masks.count)
		fail("the mask '%s' is not a variable, or part of one, with a fixed address: %.*s",
		     program->inputs->options.masks.items[number - 1], length, error);
	if (sscanf(line, "<abstraction>:%lu:", &number) == 1 && number >= 1 &&
	    number <= program->inputs->options.abstractions.count)
		fail("the abstraction '%s' is not a function 'void %s(void)': %.*s",
		     program->inputs->options.abstractions.items[number - 1],
		     program->inputs->options.abstractions.items[number - 1], length, error);
}

void additions_check_errors(const struct program *program, const char *source, const char *path, bool failed)
{
	char *said = read_file(path, NULL);
	const char *error, *line = said && failed && harness_wanted(program) ? first_error(said, &error) : NULL;
	if (line)
		harness_check(program, source, line, error);
	if (said && failed)
		check_invariants(program, said);
	if (said && failed)
		check_views(program, said);
	if (said && failed && program->formulas)
		check_propositions(program, said);
	free(said);
}

void additions_need_source(const struct program *program, bool left)
{
	const struct options *o = &program->inputs->options;
	const struct ltl_proposition *p = left && program->formulas ? formulas_expression(program->formulas, 0, NULL) : NULL;
	if (p)
		fail("'%s' in a formula needs a C file among the sources, to compile the expression with", p->text);
	if (left && (o->invariants.count || o->masks.count))
		fail("--%s needs a C file among the sources, to compile the expression with",
		     o->invariants.count ? "invariant" : "mask");
}
