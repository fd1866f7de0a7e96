/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs of critical sections: most do something of their thread's own, so that they commute; some share
 * what they do, block inside, end with their thread, lie in each other in any order, try a lock, or let another thread go on.  The
 * same seed gives the same program.  Plain accesses are volatile, so that an optimiser leaves them where they are.  Used
 * like random_program.c.
 *
 *     usage: random_sections SEED [COUNT]
 *
 * A try that fails synchronises nothing, which makes the whole file weakly synchronised, and sections do not commute then.  So of
 * every 20 seeds, a batch of soundness.sh, all may have one, or none.
 */
#include "random.h"

enum { BATCH = 20, MUTEXES = 3 };

static unsigned thread, threads; /* that is being written, and how many there are */
static bool asks;                /* may it try locks? */
static bool wild;                /* may sections block, or end with their thread? */
static bool ordered;             /* are locks taken in an order? */
static unsigned shared;          /* of ten accesses, how many are to what threads share */

static void access(void)
{
	unsigned x = pick(2), k = 1 + pick(2);
	bool own = pick(10) >= shared;
	switch (pick(6)) {
	case 0: case 1: printf(own ? "own%u = %u;\n" : "x%u = %u;\n", own ? thread : x, k); break;
	case 2: printf(own ? "r = own%u;\n" : "r = x%u;\n", own ? thread : x); break;
	case 3: printf(own ? "mine%u++;\n" : "a%u++;\n", own ? thread : x); break;
	case 4:
		if (own)
			printf("mine%u = r;\n", thread);
		else
			printf("a%u = %u;\n", x, k);
		break;
	case 5: printf(own ? "assert(own%u != 7);\n" : "assert(a%u != 3);\n", own ? thread : x); break;
	}
}

static void section(int depth, unsigned held);

static void inside(int depth, unsigned held)
{
	indent(depth);
	switch (pick(12)) {
	case 0: case 1:
		if (depth < 3) {
			section(depth, held);
			break;
		} /* FALLTHROUGH */
	case 2: puts("pthread_cond_signal(&c);"); break;
	case 3:
		puts("sem_post(&s0);"); /* may let another go on */
		break;
	case 4:
		if (wild) {
			puts(pick(2) ? "sem_wait(&s0);" : "pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw);");
			break;
		} /* FALLTHROUGH */
	case 5:
		if (wild && thread) {
			printf("pthread_join(id[%u], 0);\n", thread - 1);
			break;
		} /* FALLTHROUGH */
	case 6:
		if (wild && pick(3) == 0) {
			puts("return 0;");
			break;
		} /* FALLTHROUGH */
	default: access();
	}
}

/* A mutex that is locked, and unlocked again. */
static void section(int depth, unsigned held)
{
	unsigned m = pick(MUTEXES);
	for (unsigned i = 0; i < MUTEXES && (held >> m & 1 || (ordered && held >> m)); i++)
		m = (m + 1) % MUTEXES;
	if (held >> m & 1 || (ordered && held >> m)) {
		access();
		return;
	}
	if (asks && pick(4) == 0)
		printf(pick(2) ? "if (pthread_mutex_trylock(&m%u) == 0) {\n" : "if (pthread_mutex_timedlock(&m%u, &late) == 0) {\n", m);
	else
		printf("pthread_mutex_lock(&m%u); {\n", m);
	if (m == 0 && !(held & 1) && pick(6) == 0) {
		indent(depth + 1);
		puts(pick(2) ? "while (!ready) pthread_cond_wait(&c, &m0);" : "pthread_cond_wait(&c, &m0);");
	}
	for (unsigned i = pick(3); i > 0; i--)
		inside(depth + 1, held | 1u << m);
	indent(depth);
	if (wild && pick(12) == 0)
		puts("}");
	else
		printf("pthread_mutex_unlock(&m%u); }\n", m);
}

static void statement(void)
{
	putchar('\t');
	switch (pick(10)) {
	case 0: puts(pick(2) ? "sem_post(&s0);" : "sem_wait(&s0);"); break;
	case 1: puts("pthread_mutex_lock(&m0); ready = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m0);"); break;
	case 2: access(); break;
	default: section(1, 0);
	}
}

static void program(unsigned long seed)
{
	begin("m0 m1 m2 rw c s0 late id a0 a1 ready x0 x1 rest pair own0 own1 own2 own3 mine0 mine1 mine2 mine3 t0 t1 t2 "
	      "t3 program", seed);
	puts("pthread_mutex_t m0, m1, m2;\npthread_rwlock_t rw;\npthread_cond_t c;\nsem_t s0;\n"
	     "const struct timespec late = { 1, 0 };\natomic_int a0, a1, ready, mine0, mine1, mine2, mine3;\n"
	     "volatile int x0, x1, rest, own0, own1, own2, own3;\nstruct two pair;\npthread_t id[4];");
	asks = (seed - 1) / BATCH % 4 == 1;
	wild = pick(3) == 0;
	ordered = pick(3) != 0;
	shared = pick(4);
	threads = 2 + pick(3);
	for (thread = 0; thread < threads; thread++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = 0;\n", thread);
		for (unsigned i = 1 + pick(threads < 4 ? 3 : 2); i > 0; i--)
			statement();
		puts("\tr = r & 0;\n\treturn argument;\n}");
	}
	printf("int program(void)\n{\n\tint r = 0;\n\tsem_init(&s0, 0, %u);\n", pick(2));
	puts("\tpthread_mutexattr_t kind;\n\tpthread_mutexattr_init(&kind);");
	if (pick(6) == 0)
		puts("\tpthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);");
	else if (pick(4) == 0)
		puts("\tpthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);");
	puts("\tpthread_mutex_init(&m0, 0);\n\tpthread_mutex_init(&m1, &kind);\n\tpthread_mutex_init(&m2, 0);");
	create_threads(threads);
	thread = 3;
	for (unsigned i = pick(2); i > 0; i--)
		statement();
	for (unsigned t = 0; t < threads && !wild; t++)
		if (pick(5))
			join_thread(t);
	if (pick(5) == 0)
		puts("\tpthread_mutex_destroy(&m2);");
	puts("\treturn r & 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(argc, argv,
			  "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
			  "#include <time.h>\n#include \"bitspin.h\"\nstruct two { int a, b; };",
			  program, LOOKS_AT_END);
}
