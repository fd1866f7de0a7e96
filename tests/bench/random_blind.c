/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs of three or four threads that mostly store to a few atomic variables without reading them, and read
 * them in ways in which most values make no difference.  What a thread stores may depend on what it has read, publish plain data,
 * be a piece of something larger, or wake somebody.  The same seed gives the same program.  Used like random_program.c.
 *
 *     usage: random_blind SEED [COUNT]
 */
#include "random.h"

static unsigned place(void)
{
	return pick(4) ? 0 : 1 + pick(2);
}

static void store(void)
{
	unsigned x = place(), k = 1 + pick(4);
	switch (pick(16)) {
	case 0: printf("at[%u] = at[%u] + 1;\n", x, pick(3)); break;
	case 1: printf("d = %u; at[%u] = %u;\n", k, x, k); break;
	case 2: printf("at[%u] = %u; d = %u;\n", x, k, k); break;
	case 3: printf("at[%u] = %u; sem_post(&s);\n", x, k); break;
	case 4: printf("sem_wait(&s); at[%u] = %u;\n", x, k); break;
	case 5: printf("both.bytes[%u] = %u;\n", pick(2), k); break;
	case 6: printf("both.whole = %u;\n", k * 256 + pick(3)); break;
	case 7: printf("at[at[%u] %% 3] = %u;\n", pick(3), k); break;
	case 8:
		printf("{ bitspin_atomic_begin(); at[%u] = %u; at[%u] = %u; bitspin_atomic_end(); }\n", x, k, place(), pick(4));
		break;
	case 9: printf("atomic_fetch_add(&at[%u], %u);\n", x, k); break;
	case 10: printf(pick(2) ? "p = &at[%u];\n" : "{ atomic_int *q = p; *q = %u; }\n", pick(3)); break;
	case 11:
		if (pick(2))
			printf("{ int *q = malloc(sizeof *q); *q = %u; given = q; }\n", k);
		else
			puts("given = 0;");
		break;
	default: printf("at[%u] = %u;\n", x, k);
	}
}

static void read(void)
{
	unsigned x = place(), k = 1 + pick(4);
	switch (pick(14)) {
	case 0: printf("r = at[%u];\n", x); break;
	case 1: printf("if (at[%u] == %u) at[%u] = %u;\n", x, k, place(), pick(5)); break;
	case 2: printf("if (at[%u] == %u) assert(d != %u);\n", x, k, 1 + pick(4)); break;
	case 3: printf("if (at[%u] == %u && at[%u] == %u) r = 1;\n", x, k, place(), pick(4)); break;
	case 4: printf("{ int old = %u; if (atomic_compare_exchange_strong(&at[%u], &old, %u)) r = 1; }\n", k, x, pick(4)); break;
	case 5: printf("if (both.whole == %u) r = 1;\n", k * 256 + pick(3)); break;
	case 6: printf("if (both.bytes[%u] == %u) r = 1;\n", pick(2), k); break;
	case 7: printf("{ int *q = given; if (q) assert(*q != %u); }\n", k); break;
	case 8: printf("for (int i = 0; i < %u && at[%u] != %u; i++) {}\n", 2 + pick(2), x, k); break;
	case 9: printf("assert(at[%u] != %u || at[%u] != %u);\n", x, k, place(), 1 + pick(4)); break;
	default: printf("assert(at[%u] != %u);\n", x, 2 + pick(8)); break;
	}
}

static void program(unsigned long seed)
{
	begin("a0 a1 ready x0 x1 rest pair at both p given d s id t0 t1 t2 t3 program", seed);
	puts("atomic_int at[3];\nunion {\n\tatomic_short whole;\n\tatomic_char bytes[2];\n} both;\n"
	     "_Atomic(atomic_int *) p = &at[0];\n_Atomic(int *) given;\nvolatile int d;\nvolatile struct two pair;\n"
	     "int a0, a1, ready, x0, x1, rest;\nsem_t s;\npthread_t id[4];");
	unsigned threads = 3 + pick(2);
	for (unsigned t = 0; t < threads; t++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = 0;\n", t);
		for (unsigned i = 1 + pick(threads == 3 ? 3 : 2); i > 0; i--) {
			printf("\t%s", pick(8) == 0 ? "if (r) " : "");
			if (pick(2))
				store();
			else
				read();
		}
		printf("\t%s;\n\treturn argument;\n}\n", pick(3) ? "r = r & 0" : "at[2] = r");
	}
	printf("int program(void)\n{\n\tsem_init(&s, 0, %u);\n", pick(2));
	create_threads(threads);
	for (unsigned t = 0; t < threads; t++)
		join_thread(t);
	if (pick(2))
		printf("\tassert(at[%u] != %u);\n", place(), 1 + pick(4));
	puts("\ta0 = at[0], a1 = at[1], x0 = at[2], x1 = both.whole, ready = given != 0, rest = d;\n\treturn 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(
		argc, argv,
		"#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
		"#include \"bitspin.h\"\nstruct two {\n\tint a, b;\n};",
		program, LOOKS_AT_END);
}
