/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs of bounded waits: loops that look at something, or try something, and give up after some rounds.
 * Most leave the loop where they succeed; some stay, count their failures, use the number of the round, or change something
 * where it does not show.  The same seed gives the same program.  Plain accesses are volatile, so that an optimiser leaves them
 * where they are.  Used like random_program.c.
 *
 *     usage: random_spins SEED [COUNT]
 *
 * Weak accesses and tries make a whole file weakly synchronised: of every 20 seeds, a batch of soundness.sh, all may have them, or
 * none.
 */
#include "random.h"

enum { BATCH = 20 };

static bool weak;     /* may there be weak accesses, and tries of mutexes? */
static unsigned odd;  /* of ten things in a round, how many are none that a wait does */
static unsigned deep; /* loops around what is being written */

/* In a loop, `r` would be handed on from round to round; what `mine` hands on does not show in registers. */
static void statement(int depth)
{
	unsigned x = pick(2), k = 1 + pick(2);
	indent(depth);
	if (deep && pick(3) == 0) {
		puts(pick(2) ? "mine++;" : "mine = atomic_load(&a1);");
		return;
	}
	switch (pick(deep ? 4 : 9)) {
	case 0: case 1: case 2: printf("atomic_store(&a%u, %u);\n", x, pick(3)); break;
	case 3: printf("atomic_fetch_add(&a%u, 1);\n", x); break;
	case 4: printf("r = atomic_load(&a%u);\n", x); break;
	case 5: printf("while (!try_a(&ready, %u)) sched_yield(); x%u = %u; atomic_store(&ready, 0);\n", k, x, k); break;
	case 6: puts("atomic_store(&ready, 0);"); break;
	case 7: printf(pick(3) ? "atomic_store(&a%u, r);\n" : "x%u = r;\n", x); break;
	case 8:
		if (weak)
			printf("atomic_store_explicit(&a%u, %u, memory_order_re%s);\n", x, k, pick(2) ? "laxed" : "lease");
		else
			printf("assert(atomic_load(&a%u) != %u);\n", x, 3 + pick(2));
		break;
	}
}

static void condition(void)
{
	unsigned x = pick(2), k = pick(5) ? 1 + pick(2) : 0;
	if (pick(4) == 0) {
		printf("helps(%u)", 1 + pick(2));
		return;
	}
	switch (pick(weak ? 9 : 7)) {
	case 0: case 1: printf("atomic_load(&a%u) == %u", x, k); break;
	case 2: printf("try_a(&ready, %u)", 1 + pick(2)); break;
	case 3: printf("atomic_exchange(&ready, 1) == 0"); break;
	case 4: printf("atomic_load(&a0) == %u && atomic_load(&a1) == %u", k, pick(3)); break;
	case 5: case 6: printf("helps(%u)", 1 + pick(2)); break;
	case 7: printf("pthread_mutex_trylock(&m0) == 0"); break;
	case 8: printf("atomic_load_explicit(&a%u, memory_order_%s) == %u", x, pick(2) ? "relaxed" : "acquire", k); break;
	}
}

static void wait_loop(int depth);

/* What a wait does not do. */
static void oddity(int depth)
{
	indent(depth);
	if (pick(2)) {
		printf("act(%u);\n", 1 + pick(2));
		return;
	}
	switch (pick(8)) {
	case 0: printf("if (i == %u) r = 2;\n", pick(3)); break;
	case 1: printf("atomic_store(&a%u, (int)i);\n", pick(2)); break;
	case 2: puts(pick(2) ? "r++;" : "mine++;"); break;
	case 3: printf("if (atomic_load(&a%u) == %u) mine++;\n", pick(2), 1 + pick(2)); break;
	case 4: printf("if (atomic_load(&a%u) == 2) atomic_fetch_add(&a%u, 1);\n", pick(2), pick(2)); break;
	case 5: printf("if (x%u == 2) break;\n", pick(2)); break;
	case 6: printf("if (try_a(&ready, 1)) { x%u++; atomic_store(&ready, 0); }\n", pick(2)); break;
	case 7:
		if (deep < 2)
			wait_loop(depth);
		else
			puts("sched_yield();");
		break;
	}
}

static void attempt(int depth)
{
	indent(depth);
	printf("if (");
	condition();
	puts(") {");
	if (pick(3) == 0)
		statement(depth + 1);
	indent(depth + 1);
	puts(pick(6) ? "break;" : pick(2) ? "goto out;" : "atomic_store(&ready, 0);");
	indent(depth);
	puts("}");
}

static void round_of(int depth)
{
	for (unsigned i = 1 + (pick(3) == 0); i > 0; i--) {
		if (pick(10) < odd)
			oddity(depth);
		else
			attempt(depth);
	}
	if (pick(6) == 0) {
		indent(depth);
		puts("sched_yield();");
	}
}

static void wait_loop(int depth)
{
	static const char *const heads[] = {
		"for (unsigned i = 0; i < %u; i++) {\n", "unsigned char i = %u; while (i--) {\n", "for (int i = %u; i > 0; i--) {\n",
		"int i = 0; while (i < %u && !atomic_load(&a0)) { i++;\n", "for (short i = 0; i != %u; i += 1) {\n",
		/* steps, wraps and bounds of their own; some never end */
		"for (unsigned char i = 255; i != (unsigned char)%u; i += 6) {\n", "for (signed char i = -100; i < 4 * %u; i += 23) {\n",
		"for (unsigned char i = 0; i < 256 + %u; i += 32) {\n",
		"for (unsigned i = 1, j = 40; i <= 2 * %u && j > 9; i += 2, j -= 4) {\n",
		"int i = 0; while (!atomic_load(&a0) && i++ <= %u) {\n",
		"long i = 0, n = %u; while (i - 3 < n * n) { i += n + 0 * i;\n",
		"for (unsigned short i = 9 * %u; i < 40; i -= 3) {\n",
		"for (unsigned i = 0, j = 3, h; i < %u; h = i, i = j, j = h + 4) {\n",
		"for (long long i = 10000000000; i > 9999999990 + %u; i--) {\n",
		"for (unsigned char i = 0; (signed char)(100 - i) > -%u; i += 25) {\n",
	};
	unsigned rounds = pick(4) ? 2 + pick(3) : 5 + pick(8);
	deep++;
	puts("{");
	indent(depth);
	if (pick(3)) {
		printf(heads[pick(sizeof heads / sizeof *heads)], rounds);
		round_of(depth + 1);
		indent(depth);
		puts("}");
	} else {
		printf("unsigned i; for (i = 0; i < %u; i++) {\n", rounds);
		round_of(depth + 1);
		indent(depth);
		static const char *const asks[] = { "==", ">=", "<", "!=" };
		printf("}\n");
		indent(depth);
		printf("if (i %s %u)\n", asks[pick(4)], pick(3) ? rounds : pick(rounds));
		statement(depth + 1);
	}
	indent(depth);
	puts("}");
	deep--;
}

static void program(unsigned long seed)
{
	begin("m0 id a0 a1 ready x0 x1 rest pair mine try_a helps act t0 t1 t2 program", seed);
	puts("pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;\natomic_int a0, a1, ready;\nvolatile int x0, x1, rest;\n"
	     "struct two pair;\n"
	     "pthread_t id[4];\n_Thread_local int mine;\n"
	     "static _Bool try_a(atomic_int *at, int k) { int zero = 0; return atomic_compare_exchange_strong(at, &zero, k); }");
	weak = (seed - 1) / BATCH % 4 == 1;
	odd = pick(2) ? 0 : 2 + pick(5);
	static const char *const effects[] = {
		"atomic_fetch_add(&a0, 1) == 1", "++mine == 2", "mine++ == 1", "atomic_exchange(&ready, 1) == 1",
		"(atomic_store(&ready, 0), mine++ > 0)", "try_a(&ready, 1) && try_a(&a0, 1)",
	};
	printf("static _Bool helps(int k)\n{\n\treturn atomic_load(&a1) == k && (%s);\n}\n",
	       effects[pick(sizeof effects / sizeof *effects)]);
	puts("static void act(int k)\n{");
	printf("\tif (atomic_load(&a%u) == k)\n", pick(2));
	deep = 1;
	statement(2);
	deep = 0;
	puts("}");
	unsigned threads = 1 + (pick(3) != 0);
	for (unsigned thread = 0; thread < threads; thread++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = 0;\n", thread);
		for (unsigned i = pick(2); i > 0; i--)
			statement(1);
		indent(1);
		wait_loop(1);
		puts("out:");
		statement(1);
		puts("\tatomic_fetch_add(&a1, 10 * mine + (r & 0));\n\treturn argument;\n}");
	}
	puts("int program(void)\n{\n\tint r = 0;");
	create_threads(threads);
	if (pick(2))
		printf("\tatomic_store(&a1, %u);\n", 1 + pick(2));
	for (unsigned i = 1 + pick(3); i > 0; i--)
		statement(1);
	if (threads == 1 ? pick(2) : pick(4) == 0) {
		indent(1);
		wait_loop(1);
	}
	puts("out:");
	join_threads(threads);
	puts("\treturn r & 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(argc, argv,
			  "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\n"
			  "#include \"bitspin.h\"\nstruct two { int a, b; };",
			  program, LOOKS_AT_END);
}
