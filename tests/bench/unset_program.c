/* SPDX-License-Identifier: MIT
 *
 * Prints small random C programs in which variables, parts of structures and memory of malloc are used before they are set,
 * or are only copied about.  The same seed gives the same program.
 *
 * With NATIVE defined, the program fills what is not set with many patterns, one after the other, and prints "same" and a
 * number for what it did, or "different" if that depends on the pattern.  Without, it runs once and prints the number.
 * Nothing else in it is undefined: arithmetic is unsigned, indices are masked, shifts and divisors are constants.
 *
 *     usage: unset_program SEED
 */
#include "random.h"

/* ---- expressions --------------------------------------------------------------------------------------------------- */

static void expression(int depth);

static const char *const places[] = {
	"a", "b", "c", "d", "s.x", "s.low", "s.high", "s.wide", "s.tiny", "t.x", "t.low", "t.high", "t.wide", "u.whole", "u.halves[1]",
	"u.bytes[2]", "p->x", "p->wide", "p->low", "m[0]", "m[1]", "m[2]", "m[3]", "q[1]", "q[3]",
};
#define PLACES (sizeof places / sizeof *places)

static void place(void)
{
	fputs(places[pick(PLACES)], stdout);
}

static void constant(void)
{
	static const char *const constants[] = { "0", "1", "2", "7", "0xffu", "0xf0u", "0x8000u", "0xffff0000u", "3u", "0x7fffffffu" };
	fputs(constants[pick(sizeof constants / sizeof *constants)], stdout);
}

static void binary(const char *before, const char *between, const char *after, int depth)
{
	fputs(before, stdout);
	expression(depth);
	fputs(between, stdout);
	expression(depth);
	fputs(after, stdout);
}

static void comparison(int depth)
{
	static const char *const unsigned_ones[] = { " == ", " != ", " < ", " <= ", " > ", " >= " };
	if (pick(4) == 0)
		binary("((int)(", pick(2) ? ") < (int)(" : ") <= (int)(", "))", depth);
	else
		binary("(", unsigned_ones[pick(6)], ")", depth);
}

static void operation(int depth)
{
	static const char *const operators[] = { " + ", " - ", " * ", " & ", " | ", " ^ ", " & ", " | " };
	switch (pick(14)) {
	case 0: case 1: case 2: case 3: case 4: case 5: case 6: binary("(", operators[pick(8)], ")", depth); break;
	case 7: case 8:
		fputs("(", stdout);
		expression(depth);
		printf(" %s %u)", pick(2) ? "<<" : ">>", pick(20));
		break;
	case 9:
		fputs("(", stdout);
		expression(depth);
		printf(" %c %u)", pick(2) ? '/' : '%', 1 + pick(9));
		break;
	case 10:
		fputs("(unsigned)((int)(", stdout);
		expression(depth);
		printf(") >> %u)", pick(9));
		break;
	case 11:
		printf("(unsigned)(%s)(", pick(2) ? "signed char" : "unsigned short");
		expression(depth);
		putchar(')');
		break;
	case 12:
		putchar('(');
		comparison(depth);
		binary(" ? ", " : ", ")", depth);
		break;
	default:
		fputs("(~", stdout);
		expression(depth);
		putchar(')');
	}
}

static void expression(int depth)
{
	if (depth == 0 || pick(4) == 0)
		pick(4) ? place() : constant();
	else if (pick(8) == 0)
		comparison(depth - 1);
	else
		operation(depth - 1);
}

/* ---- statements ---------------------------------------------------------------------------------------------------- */

static unsigned notes; /* so that each decision has a number of its own */

static void statement(int depth);

static void decision(int depth)
{
	indent(depth);
	fputs("if (", stdout);
	comparison(2);
	if (pick(3) == 0) {
		fputs(pick(2) ? " && " : " || ", stdout);
		comparison(1);
	}
	printf(") {\n");
	indent(depth + 1);
	printf("note(%u);\n", ++notes);
	if (depth < 3)
		statement(depth + 1);
	indent(depth);
	puts("}");
}

static void copy(int depth)
{
	static const char *const copies[] = {
		"s = t;", "t = s;", "*p = s;", "t = *p;", "memcpy(&s, p, sizeof s);", "memcpy(m, &t, 8);", "memmove(m, m + 1, 8);",
		"for (int i = 0; i < 8; i++) ((unsigned char *)&t)[i] = ((unsigned char *)m)[i];", "u.whole = m[1];", "m[2] = u.halves[0];",
		"m[pick(a) & 3] = b;", "t = made(s, c);", "q = realloc(q, 5 * sizeof *q); UNSET_MORE(q[4]);", "s.x = mixed(a, b, d);",
	};
	static const unsigned count = sizeof copies / sizeof *copies;
	indent(depth);
	puts(copies[pick(count)]);
}

static void statement(int depth)
{
	switch (pick(7)) {
	case 0: case 1:
		decision(depth);
		break;
	case 2:
		copy(depth);
		break;
	case 3:
		indent(depth);
		place();
		fputs(" = ", stdout);
		constant();
		puts(";");
		break;
	case 4:
		if (depth > 2)
			return;
		indent(depth);
		puts("for (int i = 0; i < 3; i++) {");
		statement(depth + 1);
		indent(depth);
		puts("}");
		break;
	default:
		indent(depth);
		place();
		fputs(" = ", stdout);
		expression(2);
		puts(";");
	}
}

static const char head[] =
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	"struct s { unsigned char x; unsigned short tiny; unsigned low : 5, high : 9; unsigned long wide; };\n"
	"union u { unsigned whole; unsigned short halves[2]; unsigned char bytes[4]; };\n"
	"static unsigned hash;\n"
	"static void note(unsigned n) { hash = hash * 31 + n; }\n"
	"static unsigned pick(unsigned n) { return n; }\n"
	"static struct s made(struct s s, unsigned c) { s.low = c; return s; }\n"
	"static unsigned mixed(unsigned a, unsigned short b, unsigned long d)\n"
	"{\n\treturn (a & 0xff) | (b & 0xffu) << 8 | (unsigned)(d << 16);\n}\n"
	"#ifdef NATIVE\n"
	"static unsigned long pattern, round;\n"
	"static void fill(void *to, size_t size)\n"
	"{\n"
	"\tstatic const unsigned char telling[] = { 0, 0, 0, 0, 1, 2, 3, 7, 0x7f, 0x80, 0xf0, 0xff, 0xff, 0xff, 8, 5 };\n"
	"\tfor (size_t i = 0; i < size; i++) {\n"
	"\t\tpattern = pattern * 6364136223846793005u + 1442695040888963407u;\n"
	"\t\tunsigned char random = pattern >> 40, some = telling[pattern >> 60];\n"
	"\t\tunsigned char byte = round == 0 ? 0 : round == 1 ? 0xff : round % 4 == 0 ? random : i ? some & -(round & 1) : some;\n"
	"\t\t((unsigned char *)to)[i] = byte;\n"
	"\t}\n"
	"}\n"
	"#define UNSET(v) fill(&(v), sizeof (v))\n"
	"#define UNSET_MORE(v) fill(&(v), sizeof (v))\n"
	"#else\n"
	"#define UNSET(v) ((void)0)\n"
	"#define UNSET_MORE(v) ((void)0)\n"
	"#endif\n"
	"static void run(void)\n"
	"{\n"
	"\tunsigned a, m[4]; unsigned short b; unsigned char c; unsigned long d; struct s s, t; union u u;\n"
	"\tstruct s *p = malloc(sizeof *p); unsigned *q = malloc(4 * sizeof *q);\n"
	"\tUNSET(a); UNSET(b); UNSET(c); UNSET(d); UNSET(s); UNSET(t); UNSET(u); UNSET(m); UNSET(*p);\n"
	"\tUNSET(q[0]); UNSET(q[1]); UNSET(q[2]); UNSET(q[3]);\n";

static const char tail[] =
	"\tfree(p);\n\tfree(q);\n}\n"
	"int main(void)\n"
	"{\n"
	"#ifdef NATIVE\n"
	"\tunsigned first = 0;\n"
	"\tfor (round = 0; round < 1000; round++, hash = 0) {\n"
	"\t\trun();\n"
	"\t\tif (round == 0)\n\t\t\tfirst = hash;\n"
	"\t\tif (hash != first)\n\t\t\treturn puts(\"different\"), 0;\n"
	"\t}\n"
	"\tprintf(\"same %u\\n\", first);\n"
	"#else\n"
	"\trun();\n"
	"\tprintf(\"same %u\\n\", hash);\n"
	"#endif\n"
	"\treturn 0;\n"
	"}\n";

int main(int argc, char **argv)
{
	if (argc != 2)
		return fputs("usage: unset_program SEED\n", stderr), 2;
	state = strtoull(argv[1], NULL, 10) * 2654435761u + 1;
	fputs(head, stdout);
	unsigned rarely = 3 + pick(20);
	for (unsigned i = 0; i < PLACES; i++) { /* most are set, or nearly all programs would be wrong at once */
		if (pick(rarely) == 0)
			continue;
		printf("\t%s = ", places[i]);
		constant();
		puts(";");
	}
	for (unsigned count = 3 + pick(6); count; count--)
		statement(1);
	decision(1);
	fputs(tail, stdout);
	return 0;
}
