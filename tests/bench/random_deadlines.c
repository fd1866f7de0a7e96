/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs of threads that wait with deadlines, for conditions, semaphores, and locks, and of threads that
 * wake them up between critical sections of theirs.  The same seed gives the same program.  Used like random_program.c.
 *
 *     usage: random_deadlines SEED [COUNT]
 */
#include "random.h"

static unsigned thread; /* that is being written */

static void access(void)
{
	unsigned k = pick(3);
	putchar('\t');
	switch (pick(6)) {
	case 0: case 1: printf("a0 = %u;\n", k); break;
	case 2: printf("assert(late || a0 != %u);\n", k); break;
	case 3: printf("x0 = (x0 * 4 + %u) & 63;\n", thread + 1); break;
	case 4: printf("own%u = a0;\n", thread); break;
	case 5: printf("own%u++;\n", thread); break;
	}
}

static void accesses(unsigned most)
{
	for (unsigned i = pick(most + 1); i > 0; i--)
		access();
}

/* Wait for a condition, a semaphore, or a lock, mostly up to a deadline. */
static void await(void)
{
	unsigned kind = pick(8);
	if (kind < 6) {
		puts("\tpthread_mutex_lock(&m0);");
		accesses(1);
		puts(kind == 5 ? "\tpthread_cond_wait(&c, &m0);" : "\tlate = pthread_cond_timedwait(&c, &m0, &soon) != 0;");
		accesses(2);
		puts("\tpthread_mutex_unlock(&m0);");
	} else if (kind == 6) {
		puts("\tlate = sem_timedwait(&s, &soon) != 0;");
		accesses(1);
	} else {
		puts("\tlate = pthread_mutex_timedlock(&m1, &soon) != 0;");
		accesses(1);
		puts("\tif (!late) pthread_mutex_unlock(&m1);");
	}
}

static void wake(void)
{
	putchar('\t');
	switch (pick(6)) {
	case 0: case 1: puts("pthread_cond_signal(&c);"); break;
	case 2: puts("pthread_cond_broadcast(&c);"); break;
	case 3: puts("sem_post(&s);"); break;
	default: putchar('\n');
	}
}

static void section(void)
{
	unsigned m = pick(5) == 0;
	printf("\tpthread_mutex_lock(&m%u);\n", m);
	accesses(2);
	wake();
	accesses(1);
	printf("\tpthread_mutex_unlock(&m%u);\n", m);
}

static void program(unsigned long seed)
{
	begin("m0 m1 c s soon a0 a1 ready x0 x1 rest pair own0 own1 own2 own3 t0 t1 t2 program", seed);
	puts("pthread_mutex_t m0, m1;\npthread_cond_t c;\nsem_t s;\nconst struct timespec soon = { 1, 0 };\n"
	     "atomic_int a0, a1, ready, x0, x1, rest, own0, own1, own2, own3;\nstruct two pair;");
	unsigned threads = 1 + pick(3);
	for (thread = 0; thread < threads; thread++) {
		printf("static void *t%u(void *argument)\n{\n\tint late = 0;\n", thread);
		for (unsigned i = 1 + pick(threads < 3 ? 3 : 2); i > 0; i--)
			if (thread == 0 || pick(4) == 0)
				await();
			else
				section();
		puts("\treturn late ? 0 : argument;\n}");
	}
	puts("int program(void)\n{\n\tint late = 0;\n\tpthread_t id[3];\n\tsem_init(&s, 0, 0);");
	create_threads(threads);
	thread = 3;
	for (unsigned i = threads == 1 ? 2 + pick(2) : pick(3); i > 0; i--)
		section();
	join_threads(pick(4) ? threads : 0);
	accesses(1);
	puts("\tpthread_exit(0);\n\treturn late & 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(argc, argv,
			  "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
			  "#include <time.h>\n#include \"bitspin.h\"\nstruct two { int a, b; };",
			  program, RETURNS_PROGRAM);
}
