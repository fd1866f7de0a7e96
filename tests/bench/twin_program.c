/* SPDX-License-Identifier: MIT
 *
 * Prints random small programs twice, in C for bitspin and in Promela for SPIN alone, and formulas that both can be asked.
 *
 * Threads share atomic variables v0, v1, v2 (0 to 3) and mutexes m0, m1.  Of the array `own` each thread writes its element,
 * plainly; nobody else reads it but formulas, by an index or through the pointer `aim`, which thread 0 writes plainly too.  So
 * there are no races, and what formulas read between two plain writes counts.  In Promela one statement stands for each visible
 * operation; local ones make more steps there, which formulas without next cannot tell.
 *
 * With FAIR, Promela has one more process that does nothing for ever: under weak fairness that changes nothing, but it keeps SPIN
 * from having to think of fairness in runs that end, where it misses cycles.
 *
 *     usage: twin_program SEED c | promela | formulas COUNT | invariants COUNT
 *
 * A formula is a line: for bitspin, a tab, for SPIN.  Its shape is one of SHAPES, so that most of their verifiers are made once.
 */
#include "random.h"

#include <stdarg.h>
#include <string.h>

enum { MOST_THREADS = 3, SHAPES = 30 };

static bool in_c; /* else in Promela */
static unsigned threads;

/* A line of either text. */
static void line(int depth, const char *c, const char *promela, ...)
{
	va_list arguments;
	va_start(arguments, promela);
	indent(depth);
	vprintf(in_c ? c : promela, arguments);
	putchar('\n');
	va_end(arguments);
}

/* ---- programs ------------------------------------------------------------------------------------------------------ */

static void statements(int depth, unsigned thread, unsigned count, unsigned held);

static void block(int depth, unsigned thread, unsigned held)
{
	statements(depth + 1, thread, 1 + pick(2), held);
	line(depth + 1, ";", "skip;");
}

static void plain_write(int depth, unsigned thread, unsigned k)
{
	if (thread == 0 && pick(2))
		line(depth, "aim = &own[%u];", "aim = %u;", k % threads);
	else if (thread == 0 && pick(2))
		line(depth, "number = %u;", "number = %u;", k % threads);
	else
		line(depth, "own[%u] = %u;", "own[%u] = %u;", thread, k);
}

static void atomic_operation(int depth, unsigned k)
{
	unsigned v = pick(3);
	switch (pick(5)) {
	case 0: line(depth, "v%u = %u;", "v%u = %u;", v, k); break;
	case 1: line(depth, "r = v%u;", "r = v%u;", v); break;
	case 2: line(depth, "v%u = (r + %u) & 3;", "v%u = (r + %u) & 3;", v, k); break;
	case 3: line(depth, "r = atomic_exchange(&v%u, %u);", "skip; d_step { r = v%u; v%3$u = %2$u };", v, k, v); break;
	case 4: line(depth, "atomic_fetch_xor(&v%u, %u);", "v%u = v%1$u ^ %2$u;", v, k); break;
	}
}

static void locked(int depth, unsigned thread, unsigned held)
{
	unsigned m = pick(2);
	if (held >> m & 1)
		return;
	line(depth, "pthread_mutex_lock(&m%u);", "atomic { m%u == 0 -> m%1$u = 1 };", m);
	block(depth, thread, held | 1u << m);
	line(depth, "pthread_mutex_unlock(&m%u);", "m%u = 0;", m);
}

static void statement(int depth, unsigned thread, unsigned held)
{
	unsigned kind = pick(12), k = pick(4), v = pick(3);
	if (depth > 3 && kind >= 8)
		kind = pick(8);
	switch (kind) {
	case 0: case 1: case 2: case 3: plain_write(depth, thread, k); break;
	case 8: case 9: locked(depth, thread, held); break;
	case 10:
		line(depth, "if (r == %u) {", "if :: r == %u ->", k);
		block(depth, thread, held);
		line(depth, "}", ":: else fi;");
		break;
	case 11:
		line(depth, "for (int i%d = 0; i%1$d < 2 && v%2$u != %3$u; i%1$d++) {",
		     "i%d = 0; do :: i%1$d >= 2 -> break :: else -> if :: v%2$u != %3$u ->", depth, v, k);
		block(depth, thread, held);
		line(depth, "}", "i%d++ :: else -> break fi od;", depth);
		break;
	default: atomic_operation(depth, k); break;
	}
}

static void statements(int depth, unsigned thread, unsigned count, unsigned held)
{
	while (count--)
		statement(depth, thread, held);
}

static void endless(unsigned thread)
{
	switch (pick(6)) {
	case 0: line(1, "for (;;) atomic_fetch_xor(&v0, 1);", "do :: v0 = v0 ^ 1 od;"); break;
	case 1: line(1, "while (v%u != %u) ;", "do :: v%u == %u -> break :: else od;", pick(3), pick(4)); break;
	case 2:
		line(1, "for (;;) { pthread_mutex_lock(&m0); own[%u] ^= 1; pthread_mutex_unlock(&m0); }",
		     "do :: atomic { m0 == 0 -> m0 = 1 }; own[%u] = own[%1$u] ^ 1; m0 = 0 od;", thread);
		break;
	default: break;
	}
}

static void function(unsigned thread)
{
	if (in_c)
		printf("static void part%u(void)\n{\n\tint r = 0;\n\t(void)r;\n", thread);
	else
		printf("inline part%u()\n{\n\tsection[%u] = 1; in[%u] = 1; r = 0;\n", thread, thread, thread);
	statements(1, thread, 1 + pick(2), 0);
	line(0, "}", "	in[%u] = 0; section[%1$u] = 0\n}", thread);
	line(0, "static void *t%u(void *u)\n{\n\tint r = 0;\n\t(void)r;",
	     "proctype t%u()\n{\n\tint r, i0, i1, i2, i3, i4, i5;", thread);
	statements(1, thread, pick(3), 0);
	line(1, "section(part%u);", "part%u(); r = 0;", thread);
	line(1, "r = 0;", "skip;");
	statements(1, thread, pick(2), 0);
	endless(thread);
	line(0, "	return u;\n}", "	ended[%u] = 1\n}", thread);
}

static void program(void)
{
	line(0, "#include <pthread.h>\n#include <stdatomic.h>\natomic_int v0, v1, v2;\npthread_mutex_t m0, m1;\n"
	     "int own[%u], number, *aim = own;\nstatic void section(void (*part)(void))\n{\n\tpart();\n}",
	     "int v0, v1, v2, own[%u], number, aim;\nbyte m0, m1, in[%1$u], section[%1$u], ended[%1$u], over;", threads);
	for (unsigned t = 0; t < threads; t++)
		function(t);
	line(0, "int main(void)\n{\n\tpthread_t t[%u];", "init {", threads);
	for (unsigned t = 0; t < threads; t++)
		line(1, "pthread_create(&t[%u], 0, t%1$u, 0);", "run t%u();", t);
	for (unsigned t = 0; t < threads; t++)
		line(1, "pthread_join(t[%u], 0);", "ended[%u];", t);
	line(0, "	return 0;\n}", "	over = 1\n}");
	if (!in_c)
		puts("#ifdef FAIR\nactive proctype idle()\n{\n\tdo :: skip od\n}\n#endif");
}

/* ---- formulas ------------------------------------------------------------------------------------------------------ */

struct atom {
	char c[80], promela[80];
};

static struct atom atom(void)
{
	struct atom a;
	unsigned k = pick(4), v = pick(3), t = pick(threads), m = pick(2);
	switch (pick(14)) {
#define ATOM(with, by, ...) \
	snprintf(a.c, sizeof a.c, with, __VA_ARGS__); snprintf(a.promela, sizeof a.promela, by, __VA_ARGS__); break
	case 0: case 1: ATOM("{*aim == %u}", "(own[aim] == %u)", k);
	case 2: ATOM("{own[number] == %u}", "(own[number] == %u)", k);
	case 3: ATOM("{v%u == 1 && *aim == %u}", "(v%u == 1 && own[aim] == %u)", v, k);
	case 4: ATOM("{v%u > %u || own[%u] == 2}", "(v%u > %u || own[%u] == 2)", v, k, t);
	case 5: ATOM("in(part%u)", "(in[%u] == 1)", t);
	case 6: ATOM("done(%u)", "(ended[%1$u - 1] == 1)", t + 1);
	case 7: ATOM("held(m%u)", "(m%u == 1)", m);
	case 8: case 9: case 10: ATOM("in(section, %u)", "(section[%1$u - 1] == 1)", t + 1);
	case 11: ATOM("in(section)", "(section[0] == 1 || section[%u - 1] == 1 || section[1] == 1)", threads);
	case 12: ATOM("{own[%u] == %u}", "(own[%u] == %u)", t, k);
	default: ATOM("{v%u == %u}", "(v%u == %u)", v, k);
	}
	return a;
}

/* A formula over a, b, c, d, with `size` operators. */
static char *shape(char *at, unsigned size, bool temporal)
{
	static const char *const binary[] = { "&&", "||", "->", "U", "V" };
	if (size == 0) {
		*at++ = (char)('a' + pick(4));
		return at;
	}
	unsigned kind = pick(temporal ? 10 : 5);
	if (kind == 4 || kind > 5) {
		at = stpcpy(at, kind == 4 ? "!(" : kind < 8 ? "[](" : "<>(");
		at = shape(at, size - 1, temporal);
	} else {
		unsigned left = pick(size);
		*at++ = '(';
		at = shape(at, left, temporal);
		at += sprintf(at, " %s ", binary[kind == 5 ? 3 + pick(2) : kind % 3]);
		at = shape(at, size - 1 - left, temporal);
	}
	*at++ = ')';
	return at;
}

static void print_with(const char *shape, const struct atom *atoms, bool c)
{
	for (; *shape; shape++)
		if (*shape >= 'a' && *shape <= 'd')
			fputs(c ? atoms[*shape - 'a'].c : atoms[*shape - 'a'].promela, stdout);
		else
			putchar(*shape);
}

static void formula(bool temporal)
{
	char text[400];
	unsigned long long now = state;
	state = pick(SHAPES) * 104729ull * 104729 + 7;
	pick(2), pick(2), pick(2);
	*shape(text, 1 + pick(4), temporal) = '\0';
	state = now;
	struct atom atoms[4];
	pick(2);
	for (unsigned i = 0; i < 4; i++)
		atoms[i] = atom();
	print_with(text, atoms, true);
	fputs(temporal ? "\t" : "\t[](", stdout);
	print_with(text, atoms, false);
	puts(temporal ? "" : ")");
}

int main(int argc, char **argv)
{
	state = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1) * 7919 + 1;
	pick(2), pick(2);
	threads = 2 + (pick(3) == 0);
	const char *what = argc > 2 ? argv[2] : "c";
	unsigned long count = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
	in_c = *what == 'c';
	if (in_c || *what == 'p') {
		program();
		return 0;
	}
	state ^= (unsigned char)*what;
	while (count--)
		formula(*what == 'f');
	return 0;
}
