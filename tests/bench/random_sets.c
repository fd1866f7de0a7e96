/* SPDX-License-Identifier: MIT
 *
 * Prints random programs of two or three threads that move inputs of at most 4 bits about: through integers of all widths, memory,
 * arrays, structures, unions, and atomics; and decide by them: branches, switches, indices, divisors, shifts, sizes, loops, endless
 * waits.
 *
 * With a second argument, the inputs have 3 bits and each value of these, and they are related to each other, moved by bijections,
 * and forgotten: what conditions of terms are about.
 *
 * Or with atomics of all orders, and fences: messages of values that are not the newest.
 *
 * Or with threads that main starts with one function, and joins: they have inputs, in registers, in memory of their own, behind
 * addresses that they hand to each other, and in what all share; and compare them with each other's.
 *
 *     usage: random_sets SEED [relations|weak|alike]
 */
#include "random.h"

static unsigned depth;
static bool weak, likes;

static const char *const places[] = { "i",    "u",    "c",      "uc",     "s",       "l",   "g",      "h", "a[0]",
				      "a[1]", "a[2]", "pair.x", "pair.y", "other.x", "n.i", "n.b[0]", "*p" };
enum { LOCALS = 6, PLACES = sizeof places / sizeof *places };

static const char *any(void)
{
	return places[pick(2) ? pick(LOCALS) : pick(PLACES)];
}

static const char *constant(void)
{
	static const char *const all[] = { "0", "1", "2", "3", "5", "7", "8", "12", "15", "-1", "-3", "100", "255" };
	return all[pick(sizeof all / sizeof *all)];
}

static const char *comparison(void)
{
	static const char *const all[] = { "==", "!=", "<", "<=", ">", ">=" };
	return all[pick(sizeof all / sizeof *all)];
}

static void statements(unsigned count);
static void alike(void);

static void block(void)
{
	printf("{\n");
	depth++;
	statements(1 + pick(2));
	depth--;
	indent((int)depth);
	printf("}\n");
}

static void compute(void)
{
	const char *to = any(), *x = any(), *y = pick(3) ? constant() : any();
	switch (pick(14)) {
	case 0: printf("%s = %s + %s;\n", to, x, y); break;
	case 1: printf("%s = %s - %s;\n", to, x, y); break;
	case 2: printf("%s = %s * %s;\n", to, x, y); break;
	case 3: printf("%s = %s & %s;\n", to, x, y); break;
	case 4: printf("%s = %s | %s;\n", to, x, y); break;
	case 5: printf("%s = %s ^ %s;\n", to, x, y); break;
	case 6: printf("%s = (unsigned)%s >> (%s & 7);\n", to, x, y); break;
	case 7: printf("%s = %s >> (%s & 7);\n", to, x, y); break;
	case 8: printf("%s = (int)%s %% %s;\n", to, x, pick(3) ? "3" : any()); break;
	case 9: printf("%s = (int)%s / %s;\n", to, x, pick(3) ? "4" : any()); break;
	case 10: printf("%s = %s %s %s;\n", to, x, comparison(), y); break;
	case 11: printf("%s = (signed char)(%s << 4);\n", to, x); break;
	case 12: printf("%s = %s ? %s : %s;\n", to, x, y, any()); break;
	default: printf("%s = -%s;\n", to, x); break;
	}
}

static void move(void)
{
	switch (pick(12)) {
	case 0: puts("other = pair;"); break;
	case 1: puts("memcpy(&pair, &other, sizeof pair);"); break;
	case 2: puts("n.b[1] = 3;"); break;
	case 3: printf("n.i = %s;\n", any()); break;
	case 4: printf("u = (unsigned)n.i;\n"); break;
	case 5: printf("i = same(%s);\n", any()); break;
	case 6: printf("memcpy((char *)&h + 1, &%s, 1);\n", pick(2) ? "uc" : "c"); break;
	case 7: printf("a[%s & 1] = %s;\n", any(), any()); break;
	case 8: printf("i = a[%s & 3 & ~1u];\n", any()); break;
	case 9: puts("pair = swap(pair);"); break;
	case 10: printf("p = %s ? &g : &h;\n", any()); break;
	default: printf("%s = %s;\n", any(), any()); break;
	}
}

static const char *order(bool reads, bool writes)
{
	static const char *const all[] = { "relaxed", "seq_cst", "acquire", "release", "acq_rel" };
	return all[reads && writes ? pick(5) : pick(2) ? 0 : pick(3) == 0 ? 1 : reads ? 2 : 3];
}

static void shared_weakly(void)
{
#define ORDER "memory_order_%s"
	const char *where = pick(3) ? "atomic" : "byte", *to = any(), *value = pick(3) ? any() : constant();
	switch (pick(8)) {
	case 0:
	case 1: printf("atomic_store_explicit(&%s, %s, " ORDER ");\n", where, value, order(false, true)); break;
	case 2:
	case 3: printf("%s = atomic_load_explicit(&%s, " ORDER ");\n", to, where, order(true, false)); break;
	case 4: printf("%s = atomic_fetch_add_explicit(&%s, %s, " ORDER ");\n", to, where, value, order(true, true)); break;
	case 5: printf("%s = atomic_exchange_explicit(&%s, %s, " ORDER ");\n", to, where, value, order(true, true)); break;
	case 6:
		printf("{ int e = %s; if (atomic_compare_exchange_strong_explicit(&atomic, &e, %s, ", value, any());
		printf(ORDER ", " ORDER ")) i |= 1; else i = e; }\n", order(true, true), order(true, false));
		break;
	default: printf("atomic_thread_fence(" ORDER ");\n", order(true, true)); break;
	}
}

static void shared(void)
{
	if (weak) {
		shared_weakly();
		return;
	}
	switch (pick(8)) {
	case 0: printf("atomic = %s;\n", any()); break;
	case 1: printf("%s = atomic;\n", any()); break;
	case 2: printf("atomic += %s;\n", any()); break;
	case 3: printf("%s = atomic_exchange(&atomic, %s);\n", any(), any()); break;
	case 4:
		printf("{ int e = %s; if (atomic_compare_exchange_strong(&atomic, &e, %s)) met |= 1; else i = e; }\n",
		       pick(2) ? constant() : any(), any());
		break;
	case 5: printf("atomic_fetch_or(&atomic, %s);\n", any()); break;
	case 6: printf("byte = %s;\n", any()); break;
	default: printf("%s = byte;\n", any()); break;
	}
}

static void decide(void)
{
	unsigned kind = pick(depth > 2 ? 3 : 9);
	switch (kind) {
	case 0: printf("assert(%s != %s);\n", any(), constant()); break;
	case 1: printf("bitspin_assume(%s %s %s);\n", any(), comparison(), constant()); break;
	case 2: printf("{ char *q = malloc((%s & 3) + 1); q[%s & 1] = 1; free(q); }\n", any(), any()); break;
	case 3:
		printf("switch (%s) {\n", any());
		indent((int)depth);
		printf("case 1: case 3: ");
		block();
		indent((int)depth);
		printf("break; case 5: met++; break; default: u = 1; }\n");
		break;
	case 4:
		printf("for (int k = 0; k < (%s & 3); k++) ", any());
		block();
		break;
	case 5:
		printf("while (%s %s %s)\n", pick(2) ? "atomic" : "byte", comparison(), pick(2) ? constant() : any());
		indent((int)depth + 1);
		printf(pick(3) ? ";\n" : pick(2) ? "byte = %s;\n" : "met = %s;\n", any());
		break;
	default:
		printf("if (%s %s %s) ", any(), comparison(), pick(3) ? constant() : any());
		block();
		break;
	}
}

/* ---- relations ------------------------------------------------------------------------------------------------------- */

static bool relations;
static unsigned inputs;

static const char *small(void)
{
	static const char *const all[] = { "a", "b", "c", "d", "v[0]", "v[1]" };
	return all[pick(sizeof all / sizeof *all)];
}

static void relation(void)
{
	const char *x = small(), *y = small(), *z = small();
	switch (pick(8)) {
	case 0: printf("(few)(%s + %s) %s %s", x, y, comparison(), z); break;
	case 1: printf("(signed_few)%s %s (signed_few)%s", x, comparison(), y); break;
	case 2: printf("(few)(%s * (few)%u) %s %s", x, 1 + pick(7), comparison(), y); break;
	case 3: printf("%s %s (few)%u", x, comparison(), pick(8)); break;
	case 4: printf("(e ^ (bit)(%s %s %s))", x, comparison(), y); break;
	case 5: printf("(%s & %s) %s %s", x, y, comparison(), z); break;
	default: printf("%s %s %s", x, comparison(), y); break;
	}
}

static void relate(void)
{
	const char *to = small(), *x = small(), *y = small();
	switch (pick(32)) {
	case 0:
	case 1:
	case 2: inputs++ < 4 ? printf("%s = (few)INPUT(0, %d);\n", to, pick(4) ? 7 : 5) : puts(";"); break;
	case 3: printf("%s = %s + (few)%u;\n", to, pick(2) ? to : x, 1 + pick(7)); break;
	case 4: printf("%s = %s ^ (few)%u;\n", to, pick(2) ? to : x, 1 + pick(7)); break;
	case 5: printf("%s = %s * (few)%u;\n", to, pick(2) ? to : x, pick(3) ? 3 + 2 * pick(3) : 2 + 2 * pick(3)); break;
	case 6: printf("%s = %s %c %s;\n", to, x, "+-^&|"[pick(5)], y); break;
	case 7: printf("%s = (few)%u %c %s;\n", to, pick(8), "-^&"[pick(3)], x); break;
	case 8: printf("%s = %s / (few)(%s | (few)1);\n", to, x, y); break;
	case 9: printf("%s = %s >> (few)%u;\n", to, x, 1 + pick(2)); break;
	case 10: printf("e = %s %s %s;\n", x, comparison(), y); break;
	case 11: printf("e ^= (bit)(%s %s %s);\n", x, comparison(), y); break;
	case 12: printf("e = (bit)%s;\n", x); break;
	case 13:
	case 14: printf("%s = (few)%u;\n", to, pick(8)); break;
	case 15:
		printf("bitspin_assume(");
		relation();
		puts(");");
		break;
	case 16: printf("byte = (unsigned char)%s;\n", x); break;
	case 17: printf("%s = (few)byte;\n", to); break;
	case 18:
		printf("assert(!(");
		relation();
		puts("));");
		break;
	case 19: printf(pick(2) ? "v[%s & (few)1] = %s;\n" : "v[0] = table[%s];\n", x, y); break;
	case 20:
	case 21: printf("bitspin_assume(%s %s %s); %s = (few)%u;\n", x, comparison(), y, pick(2) ? x : y, pick(8)); break;
	case 22:
	case 23:
		printf("bitspin_assume(%s %s %s && %s %s %s); %s = (few)%u;\n", x, comparison(), y, y, comparison(), small(), y,
		       pick(8));
		break;
	case 24: printf("bitspin_assume(%s %s (few)(%s %c %s));\n", x, pick(2) ? "==" : "!=", x, "+&*|"[pick(4)], y); break;
	case 25:
		printf("switch (%s) { case 1: case 3: %s = (few)0; break; case 6: e = 1; break; default: %s = %s; }\n", x, y, to,
		       y);
		break;
	default:
		printf("if (");
		relation();
		printf(") ");
		depth < 3 ? block() : (void)printf("%s = (few)0;\n", to);
		break;
	}
}

static void statements(unsigned count)
{
	while (count-- > 0) {
		indent((int)depth);
		if (relations) {
			relate();
			continue;
		}
		if (likes) {
			alike();
			continue;
		}
		switch (pick(10)) {
		case 0: printf("%s = INPUT(%s);\n", any(), pick(2) ? "0, 7" : pick(2) ? "-2, 5" : "0, 15"); break;
		case 1:
		case 2:
		case 3: compute(); break;
		case 4:
		case 5: move(); break;
		case 6:
		case 7: shared(); break;
		default: decide(); break;
		}
	}
}

static void function(const char *name, unsigned count)
{
	printf("static void *%s(void *argument)\n{\n"
	       "\tint i = 1; unsigned u = 2; signed char c = 3; unsigned char uc = 4; short s = 5; long l = 6;\n"
	       "\tint g = 0, h = 0, a[3] = { 0 }, *p = &g;\n\tstruct two pair = { 1, 2 }, other = { 0 };\n"
	       "\tunion { int i; unsigned char b[4]; } n = { 0 };\n",
	       name);
	depth = 1;
	static const char *const first[] = { "i", "u", "c", "s", "h", "pair.x" };
	for (unsigned k = pick(3); k > 0; k--) {
		const char *to = first[pick(6)], *other = any();
		printf("\t%s = INPUT(%s);\n", to, pick(2) ? "0, 5" : "-3, 4");
		if (pick(3) == 0)
			printf("\t%s = %s & %u;\n", other, to, 1 + pick(3));
	}
	statements(count);
	puts("\treturn argument && i == u && c == uc && s == l && g == h && a[0] == *p && pair.x == other.y &&"
	     " n.i ? NULL : argument;\n}");
}

static void related_function(const char *name, unsigned count)
{
	printf("static void *%s(void *argument)\n{\n\tfew a = 0, b = 1, c = 2, d = 3, v[2] = { 0 };\n\tbit e = 0;\n", name);
	depth = 1;
	for (unsigned k = 1 + pick(3); k > 0 && inputs < 4; k--, inputs++)
		printf("\t%s = (few)INPUT(0, 7);\n", small());
	statements(count);
	puts("\treturn argument && a == b && c == d && v[0] == v[1] && e ? NULL : argument;\n}");
}

/* The program of two threads, or of one. */
static void related_program(void)
{
	bool two = pick(2);
	puts("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include \"bitspin.h\"\n"
	     "#define INPUT bitspin_choose\n"
	     "typedef unsigned _BitInt(3) few;\ntypedef _BitInt(3) signed_few;\ntypedef unsigned _BitInt(1) bit;\n"
	     "static _Atomic unsigned char byte;\nstatic const few table[8] = { 3, 1, 4, 1, 5, 2, 6, 5 };");
	if (two)
		related_function("t0", 1 + pick(4));
	related_function("last", 4 + pick(8));
	puts("int main(void)\n{");
	if (two)
		puts("\tpthread_t id[1];"), create_threads(1);
	puts("\tlast(NULL);");
	if (two)
		join_threads(1);
	puts("\treturn 0;\n}");
}

/* ---- threads that are alike -------------------------------------------------------------------------------------------- */

static const char *plain(void)
{
	static const char *const all[] = { "x", "y", "x", "y", "own[0]", "own[1]" };
	return all[pick(sizeof all / sizeof *all)];
}

static const char *visible(void)
{
	static const char *const all[] = { "seen[0]", "seen[1]", "met", "byte" };
	return all[pick(sizeof all / sizeof *all)];
}

static void take_input(void)
{
	const char *to = plain();
	inputs++ < 2 ? printf("%s = INPUT(%s);\n", to, pick(3) ? "0, 3" : "-1, 1") : printf("%s = %s + 1;\n", to, to);
}

static void alike(void)
{
	const char *x = plain(), *y = plain(), *v = visible();
	switch (pick(22)) {
	case 0:
	case 1: take_input(); break;
	case 2: printf("%s = %s + %s;\n", x, y, constant()); break;
	case 3: printf("%s = %s;\n", x, y); break;
	case 4: printf("%s = %s & 1;\n", x, y); break;
	case 5: printf("%s = %s;\n", v, x); break;
	case 6: printf("%s = %s;\n", x, v); break;
	case 7: printf("%s += %s;\n", v, x); break;
	case 8: printf("%s = atomic_exchange(&%s, %s);\n", x, v, x); break;
	case 9: printf("pthread_mutex_lock(&m); total += %s; pthread_mutex_unlock(&m);\n", x); break;
	case 10: printf("pthread_mutex_lock(&m); %s = total; total = %s; pthread_mutex_unlock(&m);\n", x, y); break;
	case 11: puts("pthread_mutex_lock(&m); if (!head) head = own; pthread_mutex_unlock(&m);"); break;
	case 12: printf("pthread_mutex_lock(&m); if (head) %s = *head; head = own; pthread_mutex_unlock(&m);\n", x); break;
	case 13: printf("pthread_mutex_lock(&m); if (head && *head == %s) met = 5; pthread_mutex_unlock(&m);\n", x); break;
	case 14:
		printf("if (%s) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); } else { pthread_mutex_lock(&n);"
		       " pthread_mutex_lock(&m); } pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);\n",
		       x);
		break;
	case 15: printf("%s[atomic_fetch_add(&role, 1) & 1] = %s;\n", pick(2) ? "seen" : "own", x); break;
	case 16: printf("assert(%s != %s);\n", pick(2) ? x : v, constant()); break;
	case 17: printf("bitspin_assume(%s %s %s);\n", x, comparison(), y); break;
	case 18: printf("if (%s %s %s) assert(%s != %s);\n", x, comparison(), v, y, constant()); break;
	case 19: printf(pick(4) ? "%s = %s;\n" : "total = %s + %s;\n", x, y); break;
	default:
		printf("if (%s %s %s) ", x, comparison(), pick(2) ? constant() : pick(2) ? y : v);
		depth < 2 ? block() : (void)printf("%s = 0;\n", x);
		break;
	}
}

static void alike_program(void)
{
	static const char *const arguments[] = { "0", "0", "0", "INPUT(0, 2)", "a", "k" };
	unsigned threads = pick(4) ? 2 : 3;
	puts("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include \"bitspin.h\"\n"
	     "#define INPUT bitspin_choose\n"
	     "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n"
	     "static _Atomic int seen[2], met, role;\nstatic _Atomic unsigned char byte;\nstatic int total, *head;\n"
	     "static void *worker(void *argument)\n{");
	puts(pick(2) ? "\tint *own = calloc(2, sizeof *own), x = (int)(long)argument, y = 0;" :
		       "\tint own[2] = { 0 }, x = (int)(long)argument, y = 1;");
	depth = 1;
	indent(1);
	take_input();
	statements(threads == 2 ? 2 + pick(4) : 1 + pick(3));
	printf("\treturn own[0] == x && own[1] == y ? NULL : argument;\n}\nint main(void)\n{\n\tpthread_t id[%u];\n", threads);
	printf("\tlong a = INPUT(0, %u);\n", pick(3));
	printf("\tfor (int k = 0; k < %u; k++)\n\t\tpthread_create(&id[k], 0, worker, (void *)(long)%s);\n", threads,
	       arguments[pick(sizeof arguments / sizeof *arguments)]);
	printf("\tfor (int k = 0; k < %u; k++)\n\t\tpthread_join(id[k], 0);\n", threads);
	printf("\tassert(total != %s);\n\tassert(a == 5 || seen[0] != seen[1] + %s);\n\treturn 0;\n}\n", constant(), constant());
}

int main(int argc, char **argv)
{
	unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	state = (seed + 1) * 0x9e3779b97f4a7c15;
	relations = argc > 2 && argv[2][0] == 'r';
	likes = argc > 2 && argv[2][0] == 'a';
	weak = argc > 2 && argv[2][0] == 'w';
	if (likes) {
		alike_program();
		return 0;
	}
	if (relations) {
		related_program();
		return 0;
	}
	unsigned threads = (pick(2), 1 + pick(weak ? 1 : 2));
	puts("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
	     "#include <string.h>\n#include \"bitspin.h\"\n"
	     "#define INPUT bitspin_choose\nstruct two { int x; short y; };\n"
	     "static _Atomic int atomic, met;\nstatic _Atomic unsigned char byte;\n"
	     "static int same(int x) { return x; }\n"
	     "static struct two swap(struct two t) { return (struct two){ t.y, (short)t.x }; }");
	for (unsigned t = 0; t < threads; t++) {
		char name[] = { 't', (char)('0' + t), '\0' };
		function(name, 2 + pick(weak ? 3 : 4));
	}
	function("last", 1 + pick(weak ? 3 : 4));
	printf("int main(void)\n{\n\tpthread_t id[%u];\n\tatomic = INPUT(0, %u);\n", threads, 3 + pick(8));
	create_threads(threads);
	puts("\tlast(NULL);");
	join_threads(threads);
	puts("\tassert(atomic != 1000);\n\treturn 0;\n}");
	return 0;
}
