/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs of two or three threads in which most variables have one thread that writes them, and it reads them,
 * too; others read them.  Sometimes another thread writes them after all: by its address, in a function that several call, before
 * or after threads are created, or by a creation.  The same seed gives the same program.  Used like random_program.c.
 *
 *     usage: random_owned SEED [COUNT]
 */
#include "random.h"

enum { THREADS = 3 };

static unsigned threads;

/* A variable of the thread `t`; now and then, of any. */
static unsigned own(unsigned t)
{
	return pick(12) ? t : pick(THREADS);
}

static void write(unsigned t)
{
	unsigned k = 1 + pick(3);
	switch (pick(12)) {
	case 0: printf("set(&at[%u], %u);\n", own(t), k); break;
	case 1: printf("{ atomic_int *q = p; *q = %u; }\n", k); break;
	case 2: printf("at[%u] = at[%u] + at[%u];\n", own(t), t, pick(THREADS)); break;
	case 3: printf("add();\n"); break;
	case 4: printf("both[%u].low = %u;\n", own(t), k); break;
	case 5: printf("{ int old = %u; atomic_compare_exchange_strong(&at[%u], &old, %u); }\n", k, own(t), pick(4)); break;
	case 6: printf("{ atomic_int *q = malloc(sizeof *q); *q = %u; mine[%u] = q; }\n", k, own(t)); break;
	case 7: printf("*mine[%u] = %u;\n", own(t), k); break;
	default: printf("at[%u] = at[%u] + 1;\n", own(t), t);
	}
}

static void read(unsigned t)
{
	unsigned k = pick(4);
	switch (pick(12)) {
	case 0: printf("if (at[%u] == %u) r = 1;\n", pick(THREADS), k); break;
	case 1: printf("r = at[%u] == at[%u];\n", t, own(t)); break;
	case 2: printf("assert(*mine[%u] != %u);\n", own(t), 1 + k); break;
	case 3: printf("if (both[%u].all) r = both[%u].low;\n", own(t), own(t)); break;
	case 4: printf("assert(at[%u] != %u || at[%u] != %u);\n", t, k, pick(THREADS), pick(4)); break;
	case 5: printf("while (at[%u] == %u) {}\n", own(t), 2 + k); break;
	case 6: printf("for (int i = 0; i < 2 && at[%u] < %u; i++) at[%u] = at[%u] + 1;\n", own(t), 1 + k, t, own(t)); break;
	case 7: printf("sem_wait(&s);\n"); break;
	case 8: printf("sem_post(&s);\n"); break;
	case 9: printf(pick(2) ? "d = at[%u];\n" : "if (at[%u]) assert(d != 2);\n", own(t)); break;
	default: printf("assert(at[%u] != %u);\n", own(t), 2 + k);
	}
}

static void statements(unsigned t, unsigned count)
{
	while (count--) {
		printf("\t%s", pick(6) == 0 ? "if (r) " : "");
		if (pick(2))
			write(t);
		else
			read(t);
	}
}

/* The threads, which main or another one creates: each once, one twice, in a loop or by a function. */
static void create(void)
{
	for (unsigned t = 0; t < threads; t++)
		switch (pick(6)) {
		case 0: printf("\tbegin(&id[%u], t%u);\n", t, t); break;
		case 1: printf("\tfor (int i = %u; i < %u; i++)\n\t\tpthread_create(&id[i], 0, t%u, 0);\n", t, t + 1, t); break;
		case 2: printf("\tpthread_create(&id[%u], 0, t%u, 0);\n", t, pick(threads)); break;
		default:
			create_thread(t);
			if (pick(6) == 0)
				statements(pick(THREADS), 1);
		}
}

static void program(unsigned long seed)
{
	begin("a0 a1 ready x0 x1 rest at both mine p d s id set add begin t0 t1 t2 program", seed);
	puts("atomic_int at[3];\nunion {\n\tatomic_short all;\n\tatomic_char low;\n} both[3];\natomic_int *_Atomic mine[3];\n"
	     "atomic_int *_Atomic p;\nvolatile int d;\nint a0, a1, ready, x0, x1, rest;\nsem_t s;\npthread_t id[3];\n"
	     "void set(atomic_int *to, int value)\n{\n\t*to = value;\n}\n"
	     "void begin(pthread_t *to, void *(*function)(void *))\n{\n\tpthread_create(to, 0, function, 0);\n}");
	threads = 2 + pick(2);
	printf("void add(void)\n{\n\tat[%u] = at[%u] + 1;\n}\n", pick(THREADS), pick(THREADS));
	for (unsigned t = 0; t < threads; t++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = 0;\n", t);
		statements(t, 2 + pick(threads == 2 ? 4 : 2));
		puts("\treturn (void *)((long)argument + 0 * r);\n}");
	}
	printf("int program(void)\n{\n\tint r = 1;\n\tsem_init(&s, 0, %u);\n\tp = &at[%u];\n", pick(2), pick(THREADS));
	puts("\tfor (int i = 0; i < 3; i++)\n\t\tmine[i] = &at[i];");
	if (pick(2))
		printf("\tset(&at[%u], %u);\n\tat[%u] = %u;\n", pick(THREADS), pick(3), pick(THREADS), pick(3));
	create();
	for (unsigned t = 0; t < threads; t++)
		join_thread(t);
	printf("\tassert(r && at[%u] != %u);\n", pick(THREADS), pick(6));
	puts("\ta0 = at[0], a1 = at[1], x0 = at[2], x1 = both[0].all, ready = *mine[0], rest = d;\n\treturn 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(
		argc, argv,
		"#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n",
		program, LOOKS_AT_END);
}
