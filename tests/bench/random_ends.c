/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs whose threads do little, end in many ways, and are watched while they do: with locks held, with
 * destructors, with memory lent to others or handed to who joins; joined, detached, cancelled, tried.  And their critical
 * sections lie in each other, in any order.  The same seed gives the same program.  Plain accesses are volatile, so
 * that an optimiser leaves them where they are.  Used like random_program.c.
 *
 *     usage: random_ends SEED [COUNT]
 *
 * The checker looks at a whole file to see whether threads are detached or only tried to be joined, and whether some
 * synchronisation is weak.  So of every 20 seeds, a batch of soundness.sh, all may have it, or none.
 */
#include "random.h"

enum { BATCH = 20, SAMPLE = 40 }; /* of soundness.sh: of every 40th program the state is looked at when main returns */

static unsigned thread, threads; /* that is being written, and how many there are */
static bool tries, detaches;     /* may the program? */
static bool handles;             /* has it a handler for its end, which looks at what the threads have done? */
static bool asks;                /* may it try locks, which nobody learns from when that fails? */

static void access(void)
{
	unsigned x = pick(2), k = 1 + pick(2);
	switch (pick(9)) {
	case 0: printf("x%u = %u;\n", x, k); break;
	case 1: printf("r = a%u;\n", x); break;
	case 2: printf("a%u = %u;\n", x, k); break;
	case 3: printf("atomic_fetch_add(&a%u, %u);\n", x, k); break;
	case 4: printf(pick(2) ? "a%u = r;\n" : "a%u++;\n", x); break;
	case 5: printf("assert(a%u != %u);\n", x, 2 + pick(2)); break;
	case 6: puts("ready = 1;"); break;
	case 7: puts("{ atomic_int *p = lent; if (p) r = *p; }"); break;
	case 8: printf("x0 = (x0 * 4 + %u) & 255;\n", thread + 1); break;
	}
}

static void section(int depth);

static void body(int depth)
{
	for (unsigned i = pick(3); i > 0; i--) {
		indent(depth);
		if (depth < 4 && pick(4) == 0)
			section(depth);
		else
			access();
	}
}

/* What is taken, done, and given back. */
static void section(int depth)
{
	static const char *const take[] = {
		"pthread_mutex_lock(&m0); {", "pthread_mutex_lock(&m1); {", "pthread_mutex_lock(&m0); {", "sem_wait(&s0); {",
		"if (pthread_mutex_trylock(&m1) == 0) {", "pthread_rwlock_rdlock(&rw); {", "pthread_rwlock_wrlock(&rw); {",
		"pthread_spin_lock(&spin); {", "if (pthread_mutex_timedlock(&m0, &late) == 0) {", "bitspin_atomic_begin(); {",
	};
	static const char *const give[] = {
		"pthread_mutex_unlock(&m0); }", "pthread_mutex_unlock(&m1); }", "pthread_mutex_unlock(&m0); }", "sem_post(&s0); }",
		"pthread_mutex_unlock(&m1); }", "pthread_rwlock_unlock(&rw); }", "pthread_rwlock_unlock(&rw); }",
		"pthread_spin_unlock(&spin); }", "pthread_mutex_unlock(&m0); }", "bitspin_atomic_end(); }",
	};
	unsigned way = pick(10);
	if (!asks && (way == 4 || way == 8))
		way = 1;
	puts(take[way]);
	body(depth + 1);
	if (way == 0 && pick(5) == 0) {
		indent(depth + 1);
		puts("while (!ready) pthread_cond_wait(&c, &m0);");
	}
	indent(depth);
	puts(give[way]);
}

static void statement(void)
{
	putchar('\t');
	switch (pick(10)) {
	case 0: case 1: case 2: case 3: section(1); break;
	case 4: puts("sem_post(&s0);"); break;
	case 5: puts("ready = 1; pthread_cond_broadcast(&c);"); break;
	case 6: puts(pick(2) ? "pthread_testcancel();" : "sched_yield();"); break;
	default: access();
	}
}

/* What a thread leaves behind. */
static void ending(void)
{
	switch (pick(9)) {
	case 0: printf("\tpthread_setspecific(key, &a%u);\n", pick(2)); break;
	case 1: puts("\t{ int *p = malloc(sizeof *p); *(volatile int *)p = 1; given = p; pthread_setspecific(freed, p); }"); break;
	case 2: puts("\tlocal = 2; lent = &local;"); break;
	case 3: puts("\tpthread_mutex_lock(&robust);"); break;
	case 4: printf("\tpthread_mutex_lock(&m%u);\n", pick(2)); break;
	case 5: puts("\t{ int *p = malloc(sizeof *p); disguised = (uintptr_t)p ^ MASK; *(volatile int *)p = 1; result = p; }"); break;
	}
	if (pick(2)) {
		printf("\ta%u = %u;\n", pick(2), 1 + pick(2));
		if (pick(3) == 0)
			puts("\trest = 1;"); /* plain */
	}
}

static void watch(unsigned t)
{
	unsigned x = pick(2);
	printf("\t");
	if (pick(2))
		printf("if (a%u) ", x);
	switch (pick(11)) {
	case 0:
		if (asks) {
			printf("r = pthread_mutex_trylock(&robust) == EBUSY;\n");
			break;
		} /* FALLTHROUGH */
	case 1:
		if (asks) {
			printf("r = pthread_mutex_trylock(&m%u);\n", x);
			break;
		} /* FALLTHROUGH */
	case 2: printf("pthread_cancel(id[%u]);\n", t); break;
	case 3: printf("{ volatile int *p = given; if (p) r = *p; }\n"); break;
	case 4: printf("{ uintptr_t p = disguised; if (p) r = *(volatile int *)(p ^ MASK); }\n"); break;
	case 5: printf("{ atomic_int *p = lent; if (p) r = *p; }\n"); break;
	case 6:
		if (tries) {
			printf("{ r = pthread_tryjoin_np(id[%u], 0) == 0; gone[%u] = r; }\n", t, t);
			break;
		} /* FALLTHROUGH */
	case 7:
		if (tries) {
			printf("{ r = pthread_timedjoin_np(id[%u], 0, &late) == 0; gone[%u] = r; }\n", t, t);
			break;
		} /* FALLTHROUGH */
	case 8:
		if (detaches) {
			printf("{ pthread_detach(id[%u]); gone[%u] = 1; pthread_t n; pthread_create(&n, 0, fresh, 0);"
			       " r = pthread_equal(n, id[%u]); pthread_join(n, 0); }\n", t, t, t);
			break;
		} /* FALLTHROUGH */
	case 9: puts(pick(2) ? "rest = 2;" : "r = rest;"); break; /* plain */
	default: access();
	}
	if (pick(2))
		printf("\tx%u = r;\n", pick(2));
}

static void program(unsigned long seed)
{
	begin("m0 m1 robust rw c s0 spin late key freed given lent local disguised gone id a0 a1 ready x0 x1 rest pair "
	      "t0 t1 t2 bury fresh bye program", seed);
	puts("pthread_mutex_t m0, m1, robust;\npthread_rwlock_t rw;\npthread_cond_t c;\nsem_t s0;\npthread_spinlock_t spin;\n"
	     "const struct timespec late = { 1, 0 };\npthread_key_t key, freed;\n_Atomic(int *) given;\n_Atomic(atomic_int *) lent;\n"
	     "_Thread_local atomic_int local;\natomic_uintptr_t disguised;\natomic_int a0, a1, ready, x0, x1;\n"
	     "volatile int rest;\nint gone[3];\nstruct two pair;\n"
	     "pthread_t id[3];\nstatic void bury(void *p)\n{\n\t*(atomic_int *)p = 3;\n}\n"
	     "static void *fresh(void *p)\n{\n\treturn p;\n}");
	asks = (seed - 1) / BATCH % 4 < 2;
	tries = (seed - 1) / BATCH % 4 == 1;
	detaches = (seed - 1) / BATCH % 4 == 3;
	handles = (seed - 1) / BATCH % 3 == 2;
	if (handles)
		printf("static void bye(void)\n{\n\tassert(a0 != %u || x0 != %u);\n\tif (rest == 2) a1 = 1;\n\tassert(a1 != %u);\n}\n",
		       1 + pick(2), pick(3), 1 + pick(2));
	threads = 2 + (pick(3) == 0);
	for (thread = 0; thread < threads; thread++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = 0;\n\tvoid *result = argument;\n", thread);
		for (unsigned i = pick(threads == 2 ? 4 : 3); i > 0; i--)
			statement();
		if (thread && pick(4) == 0)
			watch(pick(thread));
		ending();
		puts("\tr = r & 0;\n\treturn result;\n}");
	}
	printf("int program(void)\n{\n\tint r = 0;\n\tsem_init(&s0, 0, %u);\n\tpthread_spin_init(&spin, 0);\n", pick(2));
	puts("\tpthread_mutexattr_t kind;\n\tpthread_mutexattr_init(&kind);\n"
	     "\tpthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);\n\tpthread_mutex_init(&robust, &kind);\n"
	     "\tpthread_key_create(&key, bury);\n\tpthread_key_create(&freed, free);");
	if (handles)
		puts("\tatexit(bye);");
	create_threads(threads);
	for (unsigned i = 1 + pick(2); i > 0; i--)
		watch(pick(threads));
	for (unsigned t = 0; t < threads; t++)
		if (pick(5))
			printf("\tif (!gone[%u]) pthread_join(id[%u], 0);\n", t, t);
	watch(pick(threads));
	if ((pick(2) || handles) && seed % SAMPLE)
		puts("\tpthread_exit(0);");
	puts("\treturn r & 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(argc, argv,
			  "#define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n#include <sched.h>\n"
			  "#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <time.h>\n"
			  "#include \"bitspin.h\"\n#define MASK 0x5a5a5a5a5a5a5a5a\nstruct two { int a, b; };",
			  program, LOOKS_AT_END);
}
