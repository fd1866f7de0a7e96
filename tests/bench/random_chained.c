/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs of four or five threads, each of which does little, but what it does depends on what others have
 * written: values let a thread go on, choose the place that it writes to, or wake it.  So whether two threads meet can depend on
 * all others.  The same seed gives the same program.  Used like random_program.c.
 *
 *     usage: random_chained SEED [COUNT]
 */
#include "random.h"

static unsigned thread, threads; /* that is being written, and how many there are */
static bool joined[5];           /* by a thread */

static void access(void)
{
	unsigned x = pick(5), y = pick(5), k = 1 + pick(3);
	switch (pick(14)) {
	case 0:
	case 1:
	case 2: printf("at[%u] = %u;\n", x, k); break;
	case 3: printf("at[%u] = at[%u] + 1;\n", x, y); break;
	case 4: printf("atomic_fetch_add(&at[%u], %u);\n", x, k); break;
	case 5: printf("r = atomic_exchange(&at[%u], %u);\n", x, k); break;
	case 6: printf("r = at[%u];\n", x); break;
	case 7: printf("{ int old = %u; r = atomic_compare_exchange_strong(&at[%u], &old, %u); }\n", pick(3), x, k); break;
	case 8: printf("at[at[%u] %% 5] = %u;\n", x, k); break;
	case 9: printf("r = at[at[%u] %% 5];\n", x); break;
	case 10: printf(pick(2) ? "p = &at[%u];\n" : "{ atomic_int *q = p; *q = %u; }\n", x); break;
	case 11: printf("both.bytes[%u] = %u;\n", pick(2), k); break;
	case 12: printf(pick(2) ? "both.whole = %u;\n" : "r = both.whole == %u;\n", k * 256 + pick(2)); break;
	case 13: printf("local = %u; lent = &local; r = local;\n", k); break;
	}
}

static void condition(void)
{
	unsigned x = pick(5), k = pick(4);
	switch (pick(6)) {
	case 0: printf("if (at[%u] == %u && at[%u] == %u) ", x, k, pick(5), pick(3)); break;
	case 1: printf("if (r) "); break;
	case 2: printf("if (both.whole == %u) ", k * 256 + pick(2)); break;
	default: printf("if (at[%u]%s%u) ", x, pick(3) ? " == " : " > ", k);
	}
}

/* What only one thread at a time may do; or does all the same. */
static void plain(void)
{
	unsigned k = 1 + pick(2);
	switch (pick(5)) {
	case 0: printf("d = %u;\n", k); break;
	case 1: printf("r = d;\n"); break;
	case 2: printf("pair = (struct two){ %u, %u };\n", k, pick(3)); break;
	case 3: printf("pair.%c = %u;\n", pick(2) ? 'a' : 'b', k); break;
	case 4: printf("r = pair.a == %u && pair.b == %u;\n", k, pick(3)); break;
	}
}

static void section(void)
{
	bool tries = pick(4) == 0;
	puts(tries ? "{ if (pthread_mutex_trylock(&m)) r = 1; else {" : "{ { pthread_mutex_lock(&m);");
	for (unsigned i = 1 + pick(2); i > 0; i--) {
		printf("\t\t");
		if (pick(3) == 0)
			condition();
		if (pick(3))
			plain();
		else
			access();
	}
	puts("\t\tpthread_mutex_unlock(&m); } }");
}

static void wait_or_wake(void)
{
	unsigned t = pick(threads);
	switch (pick(8)) {
	case 0: puts("sem_wait(&s);"); break;
	case 1: puts("sem_post(&s);"); break;
	case 2: puts("pthread_barrier_wait(&both_here);"); break;
	case 3: puts("{ pthread_mutex_lock(&m); d = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); }"); break;
	case 4: puts("{ pthread_mutex_lock(&m); while (!d) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); }"); break;
	case 5: puts("{ atomic_int *q = lent; if (q) r = *q; }"); break;
	case 6: printf("{ int *q = malloc(sizeof *q); *q = %u; given = q; }\n", 1 + pick(2)); break;
	case 7:
		if (t < thread && !joined[t]) {
			printf("pthread_join(id[%u], 0);\n", t);
			joined[t] = true;
		} else {
			puts("{ int *q = given; if (q) r = *q; }");
		}
		break;
	}
}

static void statement(void)
{
	putchar('\t');
	if (pick(3) == 0)
		condition();
	switch (pick(12)) {
	case 0:
	case 1: section(); break;
	case 2: wait_or_wake(); break;
	case 3:
		if (pick(4) == 0)
			plain();
		else
			access();
		break;
	case 4:
	case 5:
		printf("assert(at[%u] != %u || at[%u] %s %u);\n", pick(5), 1 + pick(3), pick(5), pick(2) ? "!=" : "==", pick(3));
		break;
	default: access();
	}
}

static void program(unsigned long seed)
{
	begin("a0 a1 ready x0 x1 rest pair at both local lent p given d m s c both_here id t0 t1 t2 t3 t4 program", seed);
	puts("atomic_int at[5];\nunion {\n\tatomic_short whole;\n\tatomic_char bytes[2];\n} both;\n_Thread_local atomic_int local;\n"
	     "_Atomic(atomic_int *) lent;\n_Atomic(atomic_int *) p = &at[0];\n_Atomic(int *) given;\nvolatile int d;\n"
	     "volatile struct two pair;\nint a0, a1, ready, x0, x1, rest;\n"
	     "pthread_mutex_t m;\nsem_t s;\npthread_cond_t c;\npthread_barrier_t both_here;\npthread_t id[5];");
	memset(joined, 0, sizeof joined);
	threads = 4 + (pick(5) == 0);
	for (thread = 0; thread < threads; thread++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = 0;\n", thread);
		for (unsigned i = 1 + pick(threads == 4 ? 3 : 2); i > 0; i--)
			statement();
		puts("\tr = r & 0;\n\treturn argument;\n}");
	}
	printf("int program(void)\n{\n\tsem_init(&s, 0, %u);\n\tpthread_barrier_init(&both_here, 0, 2);\n", pick(2));
	create_threads(threads);
	for (unsigned t = 0; t < threads; t++)
		if (!joined[t])
			join_thread(t);
	printf("\tassert(at[%u] != %u);\n\ta0 = at[0], a1 = at[1], x0 = at[2], x1 = at[3], ready = at[4], rest = d;\n\treturn 0;\n}\n",
	       pick(5), 1 + pick(3));
}

int main(int argc, char **argv)
{
	return print_file(argc, argv,
			  "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
			  "#include <stdlib.h>\n#include \"bitspin.h\"\nstruct two {\n\tint a, b;\n};",
			  program, LOOKS_AT_END);
}
