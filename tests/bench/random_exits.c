/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs that end in many ways while their threads still run: main returns, or calls exit(), _exit(),
 * quick_exit() or pthread_exit(), with handlers and without; threads end the program, too, in atomic sections as well; assumptions
 * fail.  Threads use variables of main, wait for what nobody does any more, or serve for ever, detached.  Threads are detached when
 * they are created, by main, by themselves, or by two of these; or joined nevertheless.  The same seed gives the same program.
 * Used like random_program.c.
 *
 *     usage: random_exits SEED [COUNT]
 *
 * The checker looks at a whole file to see whether more is done with handles than to join and to detach threads.  So of every 20
 * seeds, a batch of soundness.sh, all may do more, or none.
 */
#include "random.h"

enum { BATCH = 20, SAMPLE = 40 }; /* of soundness.sh: of every 40th program the state is looked at when main returns */

static bool handles; /* is a function to be called at the end? */
static bool tells;   /* may threads be told apart? */

/* How each thread is detached. */
static enum way { JOINED, FROM_BEGINNING, BY_MAIN, BY_MAIN_LATE, BY_ITSELF, WAYS } ways[3];

/* What leaves finitely many states when it is done again and again. */
static void access(void)
{
	unsigned x = pick(2), k = 1 + pick(2);
	switch (pick(9)) {
	case 0: printf("x%u = %u;\n", x, k); break;
	case 1: printf("r = a%u;\n", x); break;
	case 2: case 3: printf("a%u = %u;\n", x, k); break;
	case 4: printf("x%u = r;\n", x); break;
	case 5: printf("if (a%u == %u) a%u = %u;\n", x, k, 1 - x, 1 + pick(2)); break;
	case 6: printf("assert(a%u != %u || x%u != %u);\n", x, k, pick(2), 1 + pick(2)); break;
	case 7: puts("{ atomic_int *p = lent; if (p) r = *p; }"); break;
	case 8: printf(pick(3) ? "r = a%u;\n" : pick(2) ? "rest = %u;\n" : "r = rest;\n", x); break; /* plain */
	}
}

/* What ends the program, or the path. */
static void exits(void)
{
	switch (pick(handles ? 7 : 5)) {
	case 0: puts("_exit(0);"); break;
	case 1: case 2: printf("exit(%u);\n", pick(3)); break;
	case 3: puts("bitspin_assume(0);"); break;
	case 4: puts("pthread_exit(0);"); break;
	case 5: puts("quick_exit(0);"); break;
	case 6: puts("exit(0);"); break;
	}
}

static void statement(int depth)
{
	unsigned x = pick(2);
	indent(depth);
	switch (depth < 3 ? pick(14) : 13) {
	case 0:
	case 1:
		printf("pthread_mutex_lock(&m%u);\n", x);
		statement(depth + 1);
		indent(depth);
		if (pick(8))
			printf("pthread_mutex_unlock(&m%u);\n", x);
		else
			puts(";");
		break;
	case 2: puts("sem_wait(&s0);"); break;
	case 3: puts("sem_post(&s0);"); break;
	case 4:
		printf("if (a%u == %u)\n", x, pick(3));
		indent(depth + 1);
		exits();
		break;
	case 5:
		puts("bitspin_atomic_begin();");
		statement(depth + 1);
		indent(depth);
		if (pick(3) == 0) {
			printf("if (a%u == %u) ", x, pick(3));
			exits();
			indent(depth);
		}
		puts("bitspin_atomic_end();");
		break;
	case 6: printf("a%u++;\n", x); break;
	case 7: printf("pthread_setspecific(key, &a%u);\n", x); break;
	case 8: printf("bitspin_assume(a%u != %u);\n", x, 1 + pick(2)); break;
	case 9:
		if (tells)
			printf("a%u = pthread_equal(pthread_self(), id[%u]) ? 2 : 0;\n", x, (pick(2), 1 + pick(2)));
		else
			puts("{ pthread_t n; pthread_create(&n, 0, fresh, 0); pthread_detach(n); }");
		break;
	default: access();
	}
}

static void server(void)
{
	puts("static void *serve(void *argument)\n{\n\tint r = 0;\n\tfor (;;) {");
	for (unsigned i = 1 + pick(2); i > 0; i--) {
		printf("\t\t");
		if (pick(4) == 0)
			puts(pick(2) ? "sem_wait(&s0);" : "pthread_mutex_lock(&m0); pthread_mutex_unlock(&m0);");
		else
			access();
	}
	puts("\t}\n\treturn argument;\n}");
}

static void threads_of(unsigned threads)
{
	for (unsigned t = 0; t < threads; t++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = 0;\n", t);
		if (ways[t] == BY_ITSELF && pick(2))
			puts("\tpthread_detach(pthread_self());");
		else if (ways[t] == BY_ITSELF)
			printf("\tif (a%u) pthread_detach(pthread_self());\n", pick(2));
		for (unsigned i = 1 + pick(threads == 2 ? 3 : 2); i > 0; i--)
			statement(1);
		if (pick(8) == 0) {
			printf("\t");
			exits();
		}
		puts("\tr = r & 0;\n\treturn argument;\n}");
	}
}

static void ending(unsigned long seed)
{
	if (pick(3) == 0)
		printf("\ta%u = %u;\n", pick(2), 1 + pick(2));
	if (pick(2) && seed % SAMPLE) {
		putchar('\t');
		exits();
	}
	puts("\treturn r & 0;\n}");
}

static void program(unsigned long seed)
{
	begin("m0 m1 s0 key lent id a0 a1 ready x0 x1 rest pair t0 t1 t2 fresh serve bury bye early program", seed);
	puts("pthread_mutex_t m0, m1;\nsem_t s0;\npthread_key_t key;\n_Atomic(atomic_int *) lent;\natomic_int a0, a1, ready, x0, x1;\n"
	     "volatile int rest;\nstruct { int a, b; } pair;\npthread_t id[4];\n"
	     "static void bury(void *p)\n{\n\t*(atomic_int *)p = 3;\n}");
	handles = (seed - 1) / BATCH % 2;
	if (handles) {
		printf("static void bye(void)\n{\n\tint r = 0;\n\t");
		access();
		printf("\tassert(a0 != %u || x0 != %u);\n\tr = r & 0;\n}\nstatic void early(void)\n{\n\tint r = 0;\n\t", pick(4), pick(3));
		access();
		puts("\tr = r & 0;\n}");
	}
	tells = (seed - 1) / BATCH % 3 == 2;
	unsigned threads = 2 + (pick(3) == 0);
	for (unsigned t = 0; t < threads; t++)
		ways[t] = pick(WAYS);
	printf("static void *fresh(void *argument)\n{\n\tint r = 0;\n\t");
	access();
	puts("\tr = r & 0;\n\treturn argument;\n}");
	bool serves = pick(3) == 0, lends = pick(3) == 0;
	if (serves)
		server();
	threads_of(threads);
	printf("int program(void)\n{\n\tint r = 0;\n\tatomic_int mine = 1;\n\tpthread_attr_t kind;\n\tpthread_attr_init(&kind);\n"
	       "\tpthread_attr_setdetachstate(&kind, PTHREAD_CREATE_DETACHED);\n\tsem_init(&s0, 0, %u);\n"
	       "\tpthread_key_create(&key, bury);\n", pick(2));
	if (handles)
		puts("\tatexit(bye);\n\tat_quick_exit(early);");
	if (lends)
		puts("\tlent = &mine;");
	if (serves)
		puts("\tpthread_create(&id[3], &kind, serve, 0);");
	for (unsigned t = 0; t < threads; t++) {
		printf("\tpthread_create(&id[%u], %s, t%u, 0);\n", t, ways[t] == FROM_BEGINNING ? "&kind" : "0", t);
		if (ways[t] == BY_MAIN)
			printf("\tpthread_detach(id[%u]);\n", t);
	}
	for (unsigned i = pick(3); i > 0; i--)
		statement(1);
	for (unsigned t = 0; t < threads; t++) {
		if (ways[t] == BY_MAIN_LATE)
			printf("\tpthread_detach(id[%u]);\n", t);
		if (ways[t] == JOINED ? pick(3) == 0 : pick(30) == 0)
			join_thread(t);
	}
	ending(seed);
}

int main(int argc, char **argv)
{
	return print_file(argc, argv,
			  "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
			  "#include <stdlib.h>\n#include <unistd.h>\n#include \"bitspin.h\"",
			  program, RETURNS_PROGRAM);
}
