/* SPDX-License-Identifier: MIT
 *
 * The operations of `bitspin linearize`: what --thread names, and the threads of the harness that make these calls.
 */
#include "operations.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../../runtime/image/operations.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Return the end of a call at `c`: the next semicolon that is in no brackets, string or character; or the end of the text. */
static const char *end_of_call(const char *c)
{
	unsigned depth = 0;
	for (; *c && (depth || *c != ';'); c++) {
		char quote = *c == '"' || *c == '\'' ? *c : '\0';
		depth += strchr("([{", *c) != NULL;
		depth -= depth && strchr(")]}", *c);
		for (c += quote != '\0'; quote && *c && *c != quote; c++)
			c += *c == '\\' && c[1];
		if (!*c)
			break;
	}
	return c;
}

static void add(struct operations *all, unsigned thread, const char *call, size_t length)
{
	assert(length > 0 && !all->table);
	all->items = realloc(all->items, (all->count + 1) * sizeof *all->items);
	if (!all->items)
		BUG("out of memory");
	all->items[all->count] = (struct operation){ thread, thread, text("%.*s", (int)length, call) };
	list_add(&all->calls, all->items[all->count++].call);
}

void operations_read(struct operations *operations, const struct list *threads, unsigned condition)
{
	*operations = (struct operations){ .threads = (unsigned)threads->count,
					   .condition = condition,
					   .own = threads->count == 0 };
	for (unsigned i = 0; i < threads->count; i++) {
		size_t before = operations->count;
		for (const char *c = threads->items[i], *end; *c; c = *end ? end + 1 : end) {
			end = end_of_call(c);
			while (c < end && isspace((unsigned char)*c))
				c++;
			size_t length = (size_t)(end - c);
			while (length && isspace((unsigned char)c[length - 1]))
				length--;
			if (length)
				add(operations, i, c, length);
		}
		if (operations->count == before)
			fail("--thread '%s' has no operation; name calls, separated by semicolons, as in 'put(1); get()'",
			     threads->items[i]);
	}
	if (operations->count > MOST_OPERATIONS)
		fail("the threads have %zu operations together; linearize takes %d", operations->count, MOST_OPERATIONS);
	operations->lanes = operations->threads;
	for (unsigned i = 0; condition == CONDITION_QUIESCENT && i < operations->count; i++)
		operations->lanes = (operations->items[i].lane = i) + 1;
}

void operations_release(struct operations *operations)
{
	for (size_t i = 0; operations->items && i < operations->count; i++)
		free(operations->items[i].call);
	list_release(&operations->calls);
	free(operations->items);
	free(operations->table);
	free(operations->steps);
}

unsigned operations_threads(const struct operations *operations)
{
	assert(operations->lanes > 0);
	return operations->table ? operations->threads : operations->lanes;
}

const char *operations_call(const struct operations *operations, unsigned lane, unsigned number)
{
	assert(!operations->items || lane < operations->lanes);
	for (size_t i = 0; operations->items && i < operations->count; i++)
		if (operations->items[i].lane == lane && number-- == 0)
			return operations->items[i].call;
	return "an operation";
}

/* ---- the harness ------------------------------------------------------------------------------------------------------------- */

/* What the calls of operations are made of.  Results are up to eight bytes; floating-point numbers are passed as their bytes. */
static const char macros[] =
	"#pragma clang diagnostic ignored \"-Wunused-value\"\n"
	"#pragma clang diagnostic error \"-Wincompatible-pointer-types\"\n"
	"#pragma clang diagnostic error \"-Wint-conversion\"\n"
	"void __bitspin_operation_begin(void *, const void *, unsigned long, const char *);\n"
	"void __bitspin_operation_end(void *, const void *, unsigned long, const char *, unsigned long, unsigned long,\n"
	"	unsigned long, unsigned long, unsigned long, unsigned long);\n"
	"static inline unsigned long __bitspin_number(double d) { union { double d; unsigned long w; } u = { d }; return u.w; }\n"
	"static inline double __bitspin_float(const void *p) { return *(const float *)p; }\n"
	"static inline double __bitspin_double(const void *p) { return *(const double *)p; }\n"
	"#define __bitspin_kind(v) _Generic((v), float: 4, double: 4, char: 1, signed char: 1, short: 1, int: 1, long: 1, \\\n"
	"	long long: 1, _Bool: 2, unsigned char: 2, unsigned short: 2, unsigned: 2, unsigned long: 2, \\\n"
	"	unsigned long long: 2, default: 3)\n"
	"#define __bitspin_word(v) _Generic((v), float: __bitspin_number(__bitspin_float(&(v))), \\\n"
	"	double: __bitspin_number(__bitspin_double(&(v))), default: (unsigned long)(v))\n";

/* Write the call with each out(TYPE) as the address of a variable.  Return how many there are; `out` may be NULL. */
static unsigned write_call(FILE *out, const char *call, void (*type)(FILE *out, const char *type, size_t length, unsigned number))
{
	assert(out || type);
	unsigned count = 0;
	for (const char *c = call; *c; c++) {
		bool name = c > call && (isalnum((unsigned char)c[-1]) || c[-1] == '_');
		if (name || strncmp(c, "out(", 4) != 0) {
			if (!type)
				fputc(*c == '\n' ? ' ' : *c, out);
			continue;
		}
		const char *end = c + 4;
		for (unsigned depth = 1; *end; end++) {
			depth += *end == '(';
			depth -= *end == ')';
			if (!depth)
				break;
		}
		if (!*end)
			fail("--thread '%s': the parenthesis of out( is not closed", call);
		if (++count >= OPERATION_VALUES)
			fail("--thread '%s' has more than %d results of out(TYPE)", call, OPERATION_VALUES - 1);
		if (type)
			type(out, c + 4, (size_t)(end - c - 4), count);
		else
			fprintf(out, "(&__bitspin_out_%u)", count);
		c = end;
	}
	return count;
}

static void write_variable(FILE *out, const char *type, size_t length, unsigned number)
{
	fprintf(out, "__typeof__(%.*s) __bitspin_out_%u = { 0 };\n", (int)length, type, number);
}

static void write_string(FILE *out, const char *string)
{
	fputc('"', out);
	for (; *string; string++) {
		if (*string == '"' || *string == '\\')
			fputc('\\', out);
		fputc(*string == '\n' ? ' ' : *string, out);
	}
	fputc('"', out);
}

/* Write the expression of a call in the line of its own, so that errors and traces show it. */
static void put_call(FILE *out, const struct program *program, size_t number, bool last)
{
	assert(number < program->operations->count);
	enum { END = 1000000 };
	fprintf(out, "\n#line %zu \"%s/--thread\"\n", number + 1, program->work);
	write_call(out, program->operations->items[number].call, NULL);
	fprintf(out, "\n#line %zu \"%s/--thread\"\n", number + 1 + (last ? END : 0), program->work);
}

/* Begin a line of the harness that belongs to the call. */
static void put_line(FILE *out, const struct program *program, size_t number)
{
	fprintf(out, "\n#line %zu \"%s/--thread\"\n", number + 1, program->work);
}

static void write_begin_or_end(FILE *out, const struct program *program, size_t number, const char *which)
{
	const struct operation *o = &program->operations->items[number];
	const struct operations *all = program->operations;
	bool limited = all->slow && strcmp(all->slow, o->call) == 0;
	put_line(out, program, number);
	fprintf(out, "__bitspin_operation_%s(__bitspin_operations, __bitspin_table, %u, ", which,
		o->lane | (limited ? all->limit << OPERATION_LIMIT_SHIFT : 0));
	write_string(out, o->call);
}

/* Write an operation: a call that returns something, or nothing. */
static void write_operation(FILE *out, const struct program *program, size_t number)
{
	put_line(out, program, number);
	fputs("{\n", out);
	unsigned outs = write_call(out, program->operations->items[number].call, write_variable);
	write_begin_or_end(out, program, number, "begin");
	fputs("); __auto_type __bitspin_result = __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(", out);
	put_call(out, program, number, false);
	fputs("), void), (", out);
	put_call(out, program, number, false);
	fputs(", 0), (", out);
	put_call(out, program, number, true);
	fputs(")); enum { __bitspin_void = __builtin_types_compatible_p(__typeof__(", out);
	put_call(out, program, number, false);
	fputs("), void) };", out);
	put_line(out, program, number);
	fputs("_Static_assert(sizeof __bitspin_result <= 8, \"a result has at most eight bytes\");"
	      " _Static_assert(__builtin_classify_type(__bitspin_result) != 9, \"a result is no complex number\");",
	      out);
	for (unsigned i = 1; i <= outs; i++)
		fprintf(out, " _Static_assert(sizeof __bitspin_out_%u <= 8, \"what out() names has at most eight bytes\");", i);
	write_begin_or_end(out, program, number, "end");
	fputs(", (__bitspin_void ? 0UL : __bitspin_kind(__bitspin_result))", out);
	for (unsigned i = 1; i <= outs; i++)
		fprintf(out, " | (unsigned long)__bitspin_kind(__bitspin_out_%u) << %u", i, i * OPERATION_KIND_BITS);
	fputs(", __bitspin_word(__bitspin_result)", out);
	for (unsigned i = 1; i < OPERATION_VALUES; i++)
		fprintf(out, i <= outs ? ", __bitspin_word(__bitspin_out_%u)" : ", 0", i);
	fputs(");\n}\n", out);
}

/* Write the table of phase 2, or that of phase 1, which says no more than how to note histories. */
void operations_write_table(FILE *out, const struct operations *o)
{
	assert(!o->progress || !o->table);
	const uint32_t first[OPERATION_FIRST] = {
		[OPERATION_MODE] = !o->progress ? OPERATION_NOTES :
			o->rounds               ? OPERATION_STEPS :
						  OPERATION_UNWATCHED,
		[OPERATION_SPEC] = o->spec,
		[OPERATION_THREADS] = o->own ? OPERATION_LANES : o->lanes,
		[OPERATION_ROOM] = OPERATION_NOTE_ROOM,
	};
	const uint32_t *words = o->table ? o->table : first;
	size_t count = o->table ? o->words : sizeof first / sizeof *first;
	assert(count >= OPERATION_FIRST && words[OPERATION_ROOM] > 0);
	fprintf(out,
		"unsigned long __bitspin_operations[%u];\nextern const unsigned __bitspin_table[];\nconst unsigned __bitspin_table[] = {",
		(words[OPERATION_ROOM] + 7) / 8);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%u,", i % 20 ? " " : "\n", words[i]);
	fputs("\n};\n", out);
}

void operations_write(const struct program *program, FILE *out)
{
	const struct operations *o = program->operations;
	fputs(macros, out);
	operations_write_table(out, o);
	for (unsigned thread = 0; thread < operations_threads(o); thread++) {
		fprintf(out, "static void *bitspin_thread_%u(void *__bitspin_null) {\n", thread + 1);
		if (o->rounds)
			fprintf(out, "for (int __bitspin_round = 0; __bitspin_round < %u; __bitspin_round++) {\n", o->rounds);
		for (size_t i = 0; i < o->count; i++)
			if ((o->table ? o->items[i].thread : o->items[i].lane) == thread)
				write_operation(out, program, i);
		fprintf(out, "%sreturn __bitspin_null; }\n", o->rounds ? "}\n" : "");
	}
}
