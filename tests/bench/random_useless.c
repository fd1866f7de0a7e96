/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs with atomic variables of which some are read for nothing, or written where nobody looks: in globals,
 * on the heap (and freed), as halves of a word.  Others decide; plain accesses race with them now and then; some are given values
 * that are not initialized.  The same seed gives the same program.  Used like random_program.c.
 *
 *     usage: random_useless SEED [COUNT]
 */
#include "random.h"

static unsigned useful; /* which variables may be looked at, a bit each */
static unsigned looks;  /* of a hundred statements, how many look */
static bool unset;      /* are there uninitialized values? */

static const char *const places[] = { "a0", "a1", "a2", "w.half[0]", "w.half[1]", "w.all", "box->a" };
enum { PLACES = sizeof places / sizeof *places };

static const char *any(void)
{
	return places[pick(PLACES)];
}

/* A variable that may be looked at, or NULL. */
static const char *looked_at(void)
{
	unsigned n = pick(PLACES);
	return useful >> n & 1 ? places[n] : NULL;
}

static void look(const char *at)
{
	switch (pick(5)) {
	case 0: printf("assert(%s != %u);\n", at, 2 + pick(3)); break;
	case 1: printf("if (%s == %u) r++;\n", at, pick(3)); break;
	case 2: printf("if (r == %u) assert(seen[%u] < 3);\n", pick(2), pick(2)); break;
	case 3: printf("{ int e = %u; if (atomic_compare_exchange_strong(&%s, &e, 2)) r = e; }\n", pick(2), at); break;
	case 4: printf("while (%s == 3) pthread_mutex_lock(&m);\n", at); break;
	}
}

/* A compare-exchange whose result nobody needs, perhaps in a section. */
static void exchange(const char *at)
{
	static const char *const orders[] = { "seq_cst, memory_order_seq_cst", "acquire, memory_order_relaxed",
					      "acq_rel, memory_order_acquire", "relaxed, memory_order_relaxed" };
	unsigned locked = pick(2), from = pick(3);
	if (locked)
		puts("pthread_mutex_lock(&m);");
	printf("{ int e = %u; (void)atomic_compare_exchange_%s_explicit(&%s, (void *)&e, %u, memory_order_%s); }\n", from,
	       pick(2) ? "strong" : "weak", at, (from + pick(3)) % 3, orders[pick(4)]);
	if (locked)
		puts("pthread_mutex_unlock(&m);");
}

static void access(void)
{
	switch (pick(15)) {
	case 0:
	case 1: printf("(void)atomic_load_explicit(&%s, memory_order_%s);\n", any(), pick(2) ? "seq_cst" : "acquire"); break;
	case 2:
	case 3: printf("seen[%u] = atomic_load(&%s);\n", pick(2), any()); break;
	case 4: printf("s = atomic_load(&%s);\n", any()); break;
	case 5:
	case 6:
		if (unset && pick(2))
			printf("atomic_store(&%s, junk);\n", any());
		else
			printf("atomic_store(&%s, %u);\n", any(), pick(4));
		break;
	case 7: printf("atomic_fetch_add(&%s, %u);\n", any(), 1 + pick(2)); break;
	case 8: printf("s = atomic_exchange(&%s, %s);\n", any(), unset && pick(2) ? "junk" : "s"); break;
	case 9: printf("atomic_fetch_xor(&%s, s);\n", any()); break;
	case 10: printf("r = atomic_load(&%s);\n", any()); break;
	case 11: puts("pthread_mutex_lock(&m); plain = s; pthread_mutex_unlock(&m);"); break;
	case 12: printf("printf(\"%%d\\n\", %s);\n", any()); break;
	case 13:
	case 14: exchange(any()); break;
	}
}

static void statement(void)
{
	const char *at = pick(100) < looks ? looked_at() : NULL;
	putchar('\t');
	if (at)
		look(at);
	else if (pick(40) == 0)
		printf("*(volatile int *)&a%u = 1;\n", pick(3));
	else if (pick(40) == 0)
		printf("s = *(volatile int *)&a%u;\n", pick(3));
	else if (pick(60) == 0)
		puts("free(box);");
	else
		access();
}

static void program(unsigned long seed)
{
	begin("m a0 a1 a2 w box seen plain t0 t1 t2 program", seed);
	puts("pthread_mutex_t m;\natomic_int a0, a1, a2;\nunion { atomic_int all; _Atomic short half[2]; } w;\n"
	     "struct box { atomic_int a; int b; } *box;\n_Thread_local int seen[2];\nint plain;");
	looks = (unsigned[]){ 0, 10, 30 }[pick(3)];
	useful = pick(1 << PLACES) & pick(1 << PLACES);
	unset = pick(4) == 0;
	unsigned threads = 2 + pick(2);
	for (unsigned t = 0; t < threads; t++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = 0, s = %u;\n\tvolatile int junk;\n", t, pick(3));
		for (unsigned i = 2 + pick(3); i > 0; i--)
			statement();
		puts(pick(3) ? "\t(void)r, (void)&junk;\n\treturn argument;\n}" : "\t(void)&junk;\n\treturn (void *)(long)r;\n}");
	}
	puts("int program(void)\n{\n\tint r = 0, s = 0;\n\tvolatile int junk;\n\tpthread_t id[3];\n\tvoid *got = 0;\n"
	     "\tbox = calloc(1, sizeof *box);");
	create_threads(threads);
	for (unsigned i = pick(3); i > 0; i--)
		statement();
	for (unsigned t = 0; t < threads; t++)
		printf("\tpthread_join(id[%u], &got);\n", t);
	if (pick(3) == 0)
		puts("\tassert((long)got != 2);");
	if (pick(4) == 0)
		statement();
	puts("\t(void)r, (void)&junk;\n\treturn 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(
		argc, argv,
		"#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
		"#include <bitspin.h>\n",
		program, RETURNS_PROGRAM);
}
