/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs with data on which little depends: counted, logged, copied, moved through pointers, structures, the
 * heap, unions, parts of pointers and results of functions, printed, left uninitialized, racing or under locks; and now and then
 * looked at, by a branch, an assertion, as an index, a divisor or a size, directly or much later.  Some never end.  The same seed
 * gives the same program.  Used like random_program.c.
 *
 *     usage: random_slices SEED [COUNT]
 */
#include "random.h"

static unsigned thread, looks; /* that is being written; of a hundred statements, how many look at data */
static bool unset, frees;      /* are there uninitialized values; is memory freed? */

static const char *place(void)
{
	static const char *const places[] = {
		"d0", "d1", "d2", "arr[1]", "arr[r & 3]", "arr[d0 & 3]", "st.a", "st.b", "node->v", "node->w", "*q", "own", "u.i",
		"sp->b", "tl", "*aq", "*odd.at", "log_[pos++ & 3]",
	};
	unsigned n = pick(looks > 20 ? 18 : 17);
	if (n == 5 && pick(100) >= looks)
		n = 4;
	return places[n];
}

static void value(void)
{
	switch (pick(9)) {
	case 0: case 1: case 2: printf("%u", pick(3)); break;
	case 3: case 4: printf("r"); break;
	case 5: printf("%s", place()); break;
	case 6: printf("twice(%s)", place()); break;
	case 7: printf("(r + %s)", place()); break;
	case 8: printf(unset ? "junk" : "(%s & 1)", unset ? "" : place()); break;
	}
}

static void look(void)
{
	switch (pick(11)) {
	case 0: case 1: printf("assert(%s != %u);\n", place(), 2 + pick(3)); break;
	case 2: printf("if (%s == %u) r = 1;\n", place(), pick(3)); break;
	case 3: printf("if (%s > 1) { a0++; }\n", place()); break;
	case 4: printf("r = 4 / (3 - (%s & 3));\n", place()); break;
	case 5: printf("r = arr[%s & 7];\n", place()); break;
	case 6: printf("r = 1 << (%s & 31) & 3;\n", place()); break;
	case 7: printf("while (%s > 3) pthread_mutex_lock(&m1);\n", place()); break;
	case 8: printf("if (memcmp(&st, &st2, sizeof st) == 0) r = 2;\n"); break;
	case 9: printf("assert(sum(arr, %s & 1) != 5);\n", place()); break;
	case 10: printf("bitspin_assert(((unsigned char *)&%s)[0] != 3);\n", pick(2) ? "st" : "d1"); break;
	}
}

static void statement(int depth);

static void simple(int depth)
{
	if (pick(100) < looks) {
		look();
		return;
	}
	switch (pick(24)) {
	case 0: case 1: case 2: case 3: case 4: printf("%s = ", place()); value(); puts(";"); break;
	case 5: case 6: printf("%s++;\n", place()); break;
	case 7: printf("r = %s;\n", place()); break;
	case 8: printf("q = &%s;\n", pick(2) ? "d1" : pick(2) ? "st.a" : "arr[2]"); break;
	case 9: puts("st2 = st;"); break;
	case 10: puts("memcpy(&st, &st2, sizeof st);"); break;
	case 11: printf("printf(\"%%d\\n\", %s);\n", place()); break;
	case 12: puts("a1++;"); break;
	case 13: puts("r = atomic_fetch_add(&a0, 1);"); break;
	case 14: printf("put(&%s, r);\n", pick(2) ? "d2" : "st.b"); break;
	case 15: puts(pick(2) ? "memset(&st, 0, sizeof st);" : "sp = pick1(&st, &st2, r);"); break;
	case 16: puts(frees ? "free(node); node = malloc(sizeof *node);" : "node->v = node->w;"); break;
	case 17: puts("node->next = node; node->next->w = r;"); break;
	case 18: puts("u.c[0] = (char)r;"); break;
	case 19: puts("atomic_store(&a2, r);"); break;
	case 20: puts("snprintf(text, sizeof text, \"%d\", d0);"); break;
	case 21: printf("%s = &arr[%u];\n", pick(2) ? "aq" : "odd.at", pick(4)); break;
	case 22: printf("*(unsigned char *)&%s = %u;\n", pick(2) ? "aq" : "odd.at", 4 * pick(4)); break;
	case 23: printf("if (a0 %s %u) {\n", pick(2) ? "==" : ">", pick(3)); statement(depth + 1); indent(depth); puts("}"); break;
	}
}

static void statement(int depth)
{
	indent(depth);
	if (depth < 3 && pick(4) == 0) {
		printf("for (int i = 0; i < %u; i++) {\n", 1 + pick(2));
		statement(depth + 1);
		indent(depth);
		puts("}");
	} else {
		simple(depth);
	}
}

static void section(void)
{
	bool locked = pick(6) != 0;
	unsigned mutex = pick(5) == 0;
	if (locked)
		printf("\tpthread_mutex_lock(&m%u);\n", mutex);
	for (unsigned i = 1 + pick(3); i > 0; i--)
		statement(1);
	if (locked)
		printf("\tpthread_mutex_unlock(&m%u);\n", mutex);
	if (pick(6) == 0)
		statement(1);
}

static void program(unsigned long seed)
{
	begin("m0 m1 a0 a1 a2 d0 d1 d2 arr log_ pos st st2 sp aq odd node q u tl text t0 t1 t2 twice sum put pick1 "
	      "program", seed);
	puts("pthread_mutex_t m0, m1;\natomic_int a0, a1, a2;\nvolatile int d0, d1, d2, arr[4], log_[4];\nunsigned pos;\n"
	     "struct two st, st2, *sp = &st;\nstruct cell *node;\nvolatile int *q = &d0, *aq = arr;\n"
	     "struct off odd = { arr, 0 };\nunion { int i; char c[8]; } u;\n"
	     "_Thread_local int tl;\nchar text[16];\n"
	     "static int twice(int x) { return x * 2 & 7; }\n"
	     "static int sum(volatile int *from, int n) { int s = 0; for (int i = 0; i <= n; i++) s += from[i]; return s; }\n"
	     "static void put(volatile int *where, int what) { *where = what; }\n"
	     "static struct two *pick1(struct two *x, struct two *y, int z) { return z & 1 ? x : y; }");
	looks = (unsigned[]){ 0, 0, 5, 10, 30 }[pick(5)];
	unset = pick(4) == 0;
	frees = pick(5) == 0;
	unsigned threads = 2 + pick(2);
	for (thread = 0; thread < threads; thread++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = %u, junk;\n\tvolatile int own = 0;\n", thread, pick(3));
		if (pick(3) == 0)
			puts("\tr = (int)(long)argument;");
		for (unsigned i = 1 + pick(2); i > 0; i--)
			section();
		if (unset && pick(2))
			puts("\tjunk = 1;\n\tr += junk;");
		if (pick(8) == 0) {
			const char *changed = place();
			puts("\twhile (atomic_load(&a2) == 0) {\n\t\tpthread_mutex_lock(&m0);");
			printf("\t\t%s ^= 1;\n\t\tpthread_mutex_unlock(&m0);\n\t}\n", changed);
		}
		puts(pick(3) ? "\t(void)own;\n\treturn 0;\n}" : "\t(void)own;\n\treturn (void *)(long)r;\n}");
	}
	puts("int program(void)\n{\n\tint r = 0, junk = 0;\n\tvolatile int own = 0;\n\tpthread_t id[3];");
	puts("\tnode = malloc(sizeof *node);");
	if (!unset)
		puts("\tnode->v = node->w = 0;");
	puts("\tnode->next = 0;");
	for (unsigned t = 0; t < threads; t++)
		printf("\tpthread_create(&id[%u], 0, t%u, (void *)%uL);\n", t, t, pick(3));
	if (pick(3) == 0)
		section();
	puts("\tvoid *got = 0;");
	for (unsigned t = 0; t < threads; t++)
		printf("\tpthread_join(id[%u], &got);\n", t);
	if (pick(3) == 0)
		puts("\tassert((long)got != 3);");
	for (unsigned i = pick(3); i > 0; i--)
		statement(1);
	puts("\tr += junk + own;\n\treturn 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(argc, argv,
			  "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
			  "#include <string.h>\n#include <bitspin.h>\nstruct two { int a, b; };\nstruct cell { struct cell *next; int v, w; };"
			  "\nstruct __attribute__((packed)) off { volatile int *at; int more; };",
			  program, RETURNS_PROGRAM);
}
