/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs in which threads create threads: once, again and again, detached, in chains; and which join, detach
 * and cancel them, keep their names in memory, compare them, and tell who is who at the end.  The same seed gives the same
 * program.  Plain accesses are volatile, so that an optimiser leaves them where they are.  Used like random_program.c.
 *
 *     usage: random_creators SEED [COUNT]
 *
 * The checker looks at a whole file to see whether some synchronisation is weak, and whether threads are detached.  So of every 20
 * seeds, a batch of soundness.sh, all may have it, or none.
 */
#include "random.h"

enum { BATCH = 20, SAMPLE = 40, MOST = 6 }; /* the first two: of soundness.sh, see random_ends.c; most functions of threads */

static unsigned self, functions;  /* whose function is being written, and how many there are */
static unsigned created;          /* names[] in use */
static bool weak, detaches;       /* may the program? */

static const char *order(bool store)
{
	return !weak || pick(2) ? "seq_cst" : pick(2) ? "relaxed" : store ? "release" : "acquire";
}

static void access(void)
{
	unsigned x = pick(2), k = 1 + pick(2);
	switch (pick(10)) {
	case 0: printf("x%u = %u;\n", x, k); break;
	case 1: printf("r = atomic_load_explicit(&a%u, memory_order_%s);\n", x, order(false)); break;
	case 2: printf("atomic_store_explicit(&a%u, %u, memory_order_%s);\n", x, k, order(true)); break;
	case 3: printf("atomic_fetch_add(&a%u, %u);\n", x, k); break;
	case 4: printf("assert(a%u != %u);\n", x, 2 + pick(2)); break;
	case 5: puts("ready = 1;"); break;
	case 6: x = pick(4) ? 0 : x; printf("pthread_mutex_lock(&m%u); pair.a += %u; pthread_mutex_unlock(&m%u);\n", x, k, x); break;
	case 7: printf("pthread_mutex_lock(&m0); pair.%c = r; pthread_mutex_unlock(&m0);\n", pick(2) ? 'a' : 'b'); break;
	case 8: puts(pick(2) ? "rest = 1;" : "r = rest;"); break;
	case 9: printf("x%u = (int)pthread_self();\n", x); break;
	}
}

/* Something about a thread that may have been created. */
static void ask(void)
{
	unsigned n = pick(2 * MOST), k = pick(2 * MOST);
	switch (pick(7)) {
	case 0: printf("if (known[%u] && known[%u]) x%u = pthread_equal(id[%u], id[%u]);\n", n, k, pick(2), n, k); break;
	case 1: printf("if (known[%u] == 1) pthread_cancel(id[%u]);\n", n, n); break;
	case 2: printf("if (known[%u]) x%u = (int)id[%u];\n", n, pick(2), n); break;
	case 3: printf("if (atomic_exchange(&known[%u], 2) == 1) pthread_join(id[%u], 0);\n", n, n); break;
	case 4: printf("if (known[%u]) r = pthread_equal(id[%u], pthread_self());\n", n, n); break;
	case 5: puts("if (pthread_mutex_lock(&robust) == EOWNERDEAD) { x0 = 3; pthread_mutex_consistent(&robust); }"
		     " pthread_mutex_unlock(&robust);"); break;
	case 6: access(); break;
	}
}

/* A thread that runs one of the later functions, so that programs end; main may run them all. */
static void create(void)
{
	unsigned first = self + 1, function = first + pick(functions - first), n = created++;
	switch (pick(detaches ? 7 : 5)) {
	case 0: /* again, under the same name perhaps */
		printf("for (int i = 0; i < 2; i++) { pthread_t t; pthread_create(&t, 0, t%u, 0); pthread_join(t, 0); }\n", function);
		break;
	case 5: printf("{ pthread_t t; pthread_create(&t, &detached, t%u, 0); }\n", function); break;
	case 6: printf("{ pthread_t t; pthread_create(&t, 0, t%u, 0); pthread_detach(t); }\n", function); break;
	default:
		printf("pthread_create(&id[%u], 0, t%u, 0); known[%u] = 1;\n", n, function, n);
		if (pick(3) == 0) {
			putchar('\t');
			access();
		}
		if (pick(4))
			printf("\tif (atomic_exchange(&known[%u], 2) == 1) pthread_join(id[%u], 0);\n", n, n);
	}
}

static void body(unsigned creations, unsigned others)
{
	while (creations + others > 0) {
		putchar('\t');
		if (pick(creations + others) < creations && created < 2 * MOST) {
			create();
			creations--;
		} else {
			if (pick(3))
				access();
			else
				ask();
			if (others == 0)
				creations--;
			else
				others--;
		}
	}
}

/* What a thread leaves behind. */
static void ending(void)
{
	switch (pick(14)) {
	case 0: printf("\tpthread_setspecific(key, &a%u);\n", pick(2)); break;
	case 1: puts("\tpthread_mutex_lock(&robust);"); break;
	case 2: puts("\tpthread_mutex_lock(&m1);"); break;
	case 3: puts("\tx1 = (int)pthread_self();"); break;
	}
}

static void program(unsigned long seed)
{
	begin("m0 m1 robust key detached known id a0 a1 ready x0 x1 rest pair t0 t1 t2 t3 t4 t5 bury program", seed);
	weak = (seed - 1) / BATCH % 4 == 1;
	detaches = (seed - 1) / BATCH % 4 >= 2;
	printf("pthread_mutex_t m0, m1, robust;\npthread_key_t key;\npthread_attr_t detached;\natomic_int known[%u];\n"
	       "pthread_t id[%u];\natomic_int a0, a1, ready, x0, x1;\nvolatile int rest;\nstruct two pair;\n"
	       "static void bury(void *p)\n{\n\t*(atomic_int *)p = 3;\n}\n", 2 * MOST, 2 * MOST);
	functions = 3 + pick(2);
	created = 0;
	unsigned creators = 1 + (pick(4) > 0);
	for (unsigned f = functions; f-- > 0;) {
		self = f;
		printf("static void *t%u(void *argument)\n{\n\tint r = 0;\n", f);
		body(f < creators, pick(3) == 0 || (f >= creators && pick(2)));
		if (f >= creators)
			ending();
		puts("\tr = r & 0;\n\treturn argument;\n}");
	}
	puts("int program(void)\n{\n\tint r = 0;\n\tpthread_mutexattr_t kind;\n\tpthread_mutexattr_init(&kind);\n"
	     "\tpthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);\n\tpthread_mutex_init(&robust, &kind);\n"
	     "\tpthread_key_create(&key, bury);");
	if (detaches)
		puts("\tpthread_attr_init(&detached);\n\tpthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);");
	puts("\tpthread_t c[2];");
	for (unsigned c = 0; c < 2; c++)
		printf("\tpthread_create(&c[%u], 0, t%u, 0);\n", c, c % creators);
	self = creators - 1;
	body(pick(6) == 0, pick(4) == 0);
	for (unsigned c = 0; c < 2; c++)
		if (pick(6))
			printf("\tpthread_join(c[%u], 0);\n", c);
	if (pick(2)) {
		putchar('\t');
		ask();
	}
	if (pick(2) && seed % SAMPLE)
		puts("\tpthread_exit(0);");
	puts("\treturn r & 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(argc, argv,
			  "#define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
			  "#include <stdlib.h>\n#include \"bitspin.h\"\nstruct two { int a, b; };",
			  program, LOOKS_AT_END);
}
