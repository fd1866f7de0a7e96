/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs whose main starts several threads with one function, or two, and joins them; the threads work for a
 * few rounds or for ever.  They are for formulas that name no thread: about variables, about the functions part() and await(), the
 * label "half", and the end.  The same seed gives the same program.  Used like random_program.c.
 *
 * What tells a thread that starves from one that does not: what each does once (n counts them), waits for what another thread does,
 * and places where one stays for ever (b tells).
 */
#include "random.h"

static void simple(int depth)
{
	unsigned a = pick(2), k = pick(3);
	indent(depth);
	switch (pick(14)) {
	case 0:
	case 1: printf("a0 = %u;\n", k); break;
	case 2: printf("r = a%u;\n", a); break;
	case 3: printf("a%u ^= 1;\n", a); break;
	case 4: puts("x0 = (x0 + 1) & 3;"); break;
	case 5: puts("sched_yield();"); break;
	case 6: puts("part();"); break;
	case 7: puts("bitspin_label(\"half\");"); break;
	case 8: puts("r = bitspin_choose(0, 1);"); break;
	case 9: puts(pick(2) ? "ready = 1;" : "ready = 0;"); break;
	case 10: puts("{ sem_wait(&s0); a0 ^= 1; sem_post(&s0); }"); break;
	case 11: puts("{ pthread_mutex_lock(&m0); ready = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m0); }"); break;
	default: puts("if (!begun) { begun = 1; n++; }"); break; /* once for each thread */
	}
}

/* Where a thread may stay for ever, perhaps that with the first role only; then it sets b. */
static void park(int depth)
{
	static const char *const places[] = {
		"pthread_mutex_lock(&m0); pthread_cond_wait(&c, &m0); pthread_mutex_unlock(&m0);",
		"sem_wait(&s1);",
		"while (!ready) sched_yield();",
		"pthread_mutex_lock(&m0); while (!ready) pthread_cond_wait(&c, &m0); pthread_mutex_unlock(&m0);",
	};
	indent(depth);
	printf("if (%s) { %s b = 1; }\n", pick(3) ? "me == 0" : "r == 1", places[pick(4)]);
}

static void statement(int depth)
{
	switch (pick(9)) {
	case 0:
		indent(depth);
		printf("while (a%u %s %u) sched_yield();\n", pick(2), pick(2) ? "!=" : "==", pick(2));
		break;
	case 1:
		indent(depth);
		printf("if (r == %u)\n", pick(2));
		simple(depth + 1);
		break;
	case 2:
		indent(depth);
		puts("pthread_mutex_lock(&m1);");
		simple(depth + 1);
		indent(depth);
		puts("pthread_mutex_unlock(&m1);");
		break;
	case 3: park(depth); break;
	default: simple(depth);
	}
}

static void thread(unsigned t)
{
	static const char *const rounds[] = { "for (;;) {", "while (!a1) {", "for (int i = 0; i < 2; i++) {", "{" };
	unsigned kind = pick(6);
	printf("static void *t%u(void *argument)\n{\n\tint r = 0, begun = 0, me = 1;\n\t(void)begun, (void)me;\n", t);
	if (pick(3) == 0)
		puts("\tme = roles++;");
	if (pick(3) == 0)
		statement(1);
	printf("\t%s\n", rounds[kind < 3 ? 0 : kind - 2]);
	for (unsigned i = kind < 3 ? 2 + pick(3) : 1 + pick(2); i > 0; i--)
		statement(2);
	puts("\t}");
	if (kind >= 3 && pick(3) == 0)
		statement(1);
	puts("\treturn argument;\n}");
}

static void program(unsigned long seed)
{
	begin("m0 m1 c s0 s1 a0 a1 ready x0 n b roles t0 t1 part await program id", seed);
	puts("pthread_mutex_t m0, m1;\npthread_cond_t c;\nsem_t s0, s1;\natomic_int a0, a1, ready, x0, n, b, roles;\npthread_t id[4];");
	puts("static void part(void)\n{");
	puts(pick(2) ? "\ta0 ^= 1;" : "\tx0 = (x0 + 1) & 3;");
	puts("\tbitspin_label(\"half\");\n}");
	puts("static void await(unsigned t)\n{\n\tpthread_join(id[t], 0);\n}");
	unsigned threads = 2 + (pick(3) == 0), first = pick(threads), through = pick(3) == 0;
	thread(0);
	thread(1);
	printf("int program(void)\n{\n\tint r = 0, begun = 0, me = 1;\n\t(void)begun, (void)me, (void)b;\n\tsem_init(&s0, 0, %u);\n",
	       1 + pick(2));
	puts("\tsem_init(&s1, 0, 0);");
	for (unsigned t = 0; t < threads; t++)
		printf("\tpthread_create(&id[%u], 0, t%u, 0);\n", t, threads == 3 && t == 1 && pick(3) == 0);
	if (pick(4) == 0)
		statement(1);
	for (unsigned i = 0; i < threads; i++) {
		unsigned t = (first + i) % threads;
		if (through)
			printf("\tawait(%u);\n", t);
		else
			join_thread(t);
	}
	if (pick(3) == 0)
		puts("\ta0 = 2;");
	puts("\treturn r & 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(argc, argv,
			  "#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n"
			  "#include <stdatomic.h>\n#include \"bitspin.h\"",
			  program, LOOKS_AT_END);
}
