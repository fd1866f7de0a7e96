/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs with sections under two mutexes, most of which do what nobody looks at: they count, log and print;
 * now and then they do what matters, rest inside, lock another mutex, use one in other ways, free memory, end the program or the
 * path.  Between them, threads read and write what may race.  The same seed gives the same program.  Used like random_program.c.
 *
 *     usage: random_peeking SEED [COUNT]
 */
#include "random.h"

static unsigned odd; /* of a hundred statements, how many do what takes a mutex back */

static void inside(void)
{
	if (pick(100) >= odd) {
		switch (pick(7)) {
		case 0: puts("s0++;"); break;
		case 1: printf("s1 = %u;\n", pick(3)); break;
		case 2: puts("s[r & 1] = r;"); break;
		case 3: puts("r = s0; s1 = r;"); break;
		case 4: puts("printf(\"%d\\n\", s1);"); break;
		case 5: puts("box->count = s0;"); break;
		case 6: puts("r++;"); break;
		}
		return;
	}
	switch (pick(14)) {
	case 0:
	case 1: printf("d = %u;\n", 1 + pick(2)); break;
	case 2:
	case 3: puts("r = d;"); break;
	case 4: puts("d++;"); break;
	case 5: puts("a0++;"); break;
	case 6: puts("r = a0;"); break;
	case 7: puts("pthread_mutex_lock(&m[1]); d = r & 1; pthread_mutex_unlock(&m[1]);"); break;
	case 8: puts("free(box); box = malloc(sizeof *box); box->count = 0;"); break;
	case 9: puts("if (a0 > 2) exit(0);"); break;
	case 10: puts("bitspin_assume(d != 2);"); break;
	case 11: puts("if (d == 2) return 0;"); break;
	case 12: puts("assert(d < 3);"); break;
	case 13: puts("printf(\"%d\\n\", box->late); box->late = 1;"); break;
	}
}

static void outside(void)
{
	switch (pick(24)) {
	case 0:
	case 1:
	case 2: puts("\tr = e;"); break;
	case 3: puts("\te = 1;"); break;
	case 4:
	case 5: puts("\ta0++;"); break;
	case 6:
	case 7: puts("\tr = a0;"); break;
	case 8: puts("\ta1 = 1;"); break;
	case 9: puts("\tif (a1) e = 2;"); break;
	case 10: puts("\tassert(r < 3);"); break;
	case 11: puts("\tif (r == 1) e = 3;"); break;
	case 12: puts("\tif (r > 1) exit(0);"); break;
	case 13: puts("\tbitspin_assume(r != 1);"); break;
	case 14: puts("\tif (pthread_mutex_trylock(&m[0]) == 0) { d++; pthread_mutex_unlock(&m[0]); } else r = 1;"); break;
	case 15:
		puts("\tpthread_mutex_lock(&m[0]);\n\twhile (!a1 && r < 2) {\n\t\tr++;\n\t\tpthread_cond_wait(&c, &m[0]);\n\t}");
		puts("\tpthread_mutex_unlock(&m[0]);");
		break;
	case 16: puts("\tpthread_cond_signal(&c);"); break;
	case 17: puts("\tif (r == 2) pthread_mutex_lock(&m[0]);"); break;
	case 18: puts("\tif (r == 2) pthread_mutex_unlock(&m[1]);"); break;
	case 19: puts("\ts1 = 3;"); break;
	case 20: puts("\tsem_post(&sem);"); break;
	case 21: puts("\tsem_wait(&sem);"); break;
	default: puts("\tr = 0;"); break;
	}
}

static void section(unsigned mutex)
{
	printf("\tpthread_mutex_lock(&m[%u]);\n", mutex);
	for (unsigned i = pick(4); i > 0; i--) {
		printf("\t");
		inside();
	}
	printf("\tpthread_mutex_unlock(&m[%u]);\n", mutex);
}

static void body(unsigned most)
{
	unsigned mutex = pick(4) == 0;
	for (unsigned i = 1 + pick(most); i > 0; i--) {
		bool loop = pick(8) == 0;
		if (loop)
			puts("\tfor (int i = 0; i < 2; i++) {");
		if (pick(100) < 65)
			section(pick(8) == 0 ? !mutex : mutex);
		else
			outside();
		if (loop)
			puts("\t}");
	}
}

static void program(unsigned long seed)
{
	begin("m c sem a0 a1 s0 s1 s d e box t0 t1 t2 program", seed);
	puts("pthread_mutex_t m[2];\npthread_cond_t c;\nsem_t sem;\natomic_int a0, a1;\nvolatile int s0, s1, s[2], d, e;\n"
	     "struct pair *box;");
	odd = (unsigned[]){ 0, 0, 8, 20, 40 }[pick(5)];
	unsigned threads = 2 + pick(2);
	for (unsigned thread = 0; thread < threads; thread++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = %u;\n", thread, pick(2));
		body(threads == 2 ? 4 : 3);
		puts("\t(void)r;\n\treturn argument;\n}");
	}
	puts("int program(void)\n{\n\tint r = 0;\n\tpthread_t id[3];\n\tbox = malloc(sizeof *box);\n\tbox->count = 0;\n"
	     "\tsem_init(&sem, 0, 0);");
	if (pick(2))
		puts("\tbox->late = 0;");
	if (pick(3) == 0)
		puts("\tpthread_mutex_init(&m[0], 0);");
	create_threads(threads);
	if (pick(3) == 0)
		body(1);
	join_threads(threads);
	if (pick(3) == 0)
		puts("\tpthread_mutex_destroy(&m[0]);");
	if (pick(3) == 0)
		printf("\tassert(d != %u);\n", 1 + pick(3));
	if (pick(3) == 0)
		puts("\tprintf(\"%d\\n\", s1);");
	puts("\tr += 0;\n\treturn 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(
		argc, argv,
		"#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdio.h>\n"
		"#include <stdlib.h>\n#include <bitspin.h>\nstruct pair { int count, late; };",
		program, RETURNS_PROGRAM);
}
