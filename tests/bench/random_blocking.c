/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs whose threads wait for one another in all ways, also inside atomic sections, with assumptions
 * that fail, locks in any order and waits with deadlines.  The same seed gives the same program.  Used like random_program.c.
 *
 *     usage: random_blocking SEED [COUNT]
 */
#include "random.h"

static unsigned thread; /* that is being written */
static unsigned way;    /* how threads wait in a program with an aim */

static void statement(int depth);

static void statements(int depth, unsigned count)
{
	while (count-- > 0)
		statement(depth);
}

static void block(int depth, const char *before, const char *after)
{
	indent(depth);
	puts(before);
	statements(depth + 1, 1 + pick(2));
	indent(depth);
	puts(after);
}

static void section(int depth)
{
	block(depth, "bitspin_atomic_begin(); {", "} bitspin_atomic_end();");
}

static void locked(int depth)
{
	switch (pick(6)) {
	case 0: case 1: block(depth, "pthread_mutex_lock(&m0); {", "} pthread_mutex_unlock(&m0);"); break;
	case 2: block(depth, "pthread_mutex_lock(&m1); {", "} pthread_mutex_unlock(&m1);"); break;
	case 3: block(depth, "pthread_rwlock_rdlock(&rw); {", "} pthread_rwlock_unlock(&rw);"); break;
	case 4: block(depth, "pthread_rwlock_wrlock(&rw); {", "} pthread_rwlock_unlock(&rw);"); break;
	case 5: block(depth, "if (pthread_mutex_timedlock(&m1, &late) == 0) {", "pthread_mutex_unlock(&m1); }"); break;
	}
}

static void waiting(int depth)
{
	indent(depth);
	switch (pick(8)) {
	case 0: case 1: printf("sem_wait(&s%u);\n", pick(2)); break;
	case 2: case 3: printf("sem_post(&s%u);\n", pick(2)); break;
	case 4: printf("r = sem_timedwait(&s%u, &late) == 0;\n", pick(2)); break;
	case 5: puts("pthread_barrier_wait(&b);"); break;
	case 6: puts("pthread_mutex_lock(&m0); while (!ready) pthread_cond_wait(&c, &m0); pthread_mutex_unlock(&m0);"); break;
	case 7: printf("ready = 1; pthread_cond_%s(&c);\n", pick(2) ? "signal" : "broadcast"); break;
	}
}

static void access(int depth)
{
	indent(depth);
	switch (pick(pick(2) ? 6 : 7)) {
	case 0: case 1: case 2: printf("x0 = (x0 * 4 + %u) & 255;\n", thread + 1); break;
	case 3: printf("a%u = %u;\n", pick(2), 1 + pick(3)); break;
	case 4: printf("r = a%u;\n", pick(2)); break;
	case 5: puts("x1 = x1 * 2 + (r & 1);"); break;
	case 6: printf("rest = %u;\n", thread + 1); break;
	}
}

static void statement(int depth)
{
	unsigned kind = pick(depth < 3 ? 15 : 11);
	if (kind < 5) {
		access(depth);
	} else if (kind < 9) {
		waiting(depth);
	} else if (kind == 9) {
		indent(depth);
		puts("r = bitspin_choose(0, 1);");
	} else if (kind == 10) {
		indent(depth);
		switch (pick(4)) {
		case 0: printf("bitspin_assume(a%u != %u);\n", pick(2), pick(3)); break;
		case 1: puts("bitspin_assume(r == 0);"); break;
		case 2: printf("assert(a%u != %u);\n", pick(2), 1 + pick(3)); break;
		case 3: puts("sched_yield();"); break;
		}
	} else if (kind < 13) {
		section(depth);
	} else {
		locked(depth);
	}
}

static void note(int depth)
{
	indent(depth);
	printf("x0 = (x0 * 4 + %u) & 255;\n", thread + 1);
}

/* Of three threads, one waits inside a section, one lets it go on, and one waits likewise or disturbs them. */
static void aimed(void)
{
	static const char *const waits[] = {
		"sem_wait(&s1);", "r = sem_timedwait(&s1, &late) == 0;", "pthread_barrier_wait(&b);",
		"pthread_mutex_lock(&m0); while (!ready) pthread_cond_wait(&c, &m0); pthread_mutex_unlock(&m0);",
	};
	static const char *const gives[] = {
		"sem_post(&s1);", "sem_post(&s1);", "pthread_barrier_wait(&b);",
		"pthread_mutex_lock(&m0); ready = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m0);",
	};
	unsigned role = thread == 2 && pick(2) ? 0 : thread; /* 0: waits, 1: gives, 2: disturbs */
	statements(1, pick(4) == 0);
	if (role == 0)
		puts("\tbitspin_atomic_begin();\n\ta0 = 1;");
	else if (pick(4)) /* only schedules are of interest in which somebody waits */
		puts("\tbitspin_assume(a0 == 1);");
	if (role < 2)
		printf("\t%s\n", (role == 0 ? waits : gives)[way]);
	for (unsigned i = (role == 2 ? 2 : 1) + pick(2); i > 0; i--)
		note(1);
	statements(1, pick(3) == 0);
	if (role == 0)
		puts("\tbitspin_atomic_end();");
}

static void program(unsigned long seed)
{
	begin("m0 m1 rw c b s0 s1 late a0 a1 ready x0 x1 rest t0 t1 t2 program", seed);
	puts("pthread_mutex_t m0, m1;\npthread_rwlock_t rw;\npthread_cond_t c;\npthread_barrier_t b;\nsem_t s0, s1;\n"
	     "const struct timespec late = { 1, 0 };\natomic_int a0, a1, ready, x0, x1;\nint rest;");
	bool is_aimed = seed % 2 == 0;
	way = pick(4);
	unsigned threads = is_aimed ? 3 : 2 + pick(2), joined = pick(threads + 1);
	for (thread = 0; thread < threads; thread++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = 0;\n", thread);
		if (is_aimed)
			aimed();
		else
			statements(1, 2 + pick(threads == 2 ? 3 : 2));
		puts("\tr = r & 0;\n\treturn argument;\n}");
	}
	printf("int program(void)\n{\n\tint r = 0;\n\tpthread_t id[3];\n\tsem_init(&s0, 0, %u);\n\tsem_init(&s1, 0, 0);\n"
	       "\tpthread_barrier_init(&b, 0, 2);\n", pick(2));
	create_threads(threads);
	statements(1, is_aimed ? 0 : pick(3));
	join_threads(joined);
	statements(1, pick(2));
	puts("\tpthread_exit(0);\n\treturn r & 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(argc, argv,
			  "#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
			  "#include <time.h>\n#include \"bitspin.h\"",
			  program, RETURNS_PROGRAM);
}
