/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs whose main starts several threads with one function and joins them, most of the time in a row.
 * What tells the threads apart comes in between: joins in any order, of some, twice, with a lock, or with something done after
 * the first; roles that threads take as they come; addresses of their own that they look at, store, or hand out; nodes that
 * they link, and take from each other; and functions that tell who they are.  The same seed gives the same program.  Used like
 * random_program.c.
 *
 *     usage: random_symmetric SEED [COUNT]
 *
 * The checker looks at a whole file to see what is done with handles, so each program is a file of its own (soundness.sh).
 *
 * With WEAK defined, atomic accesses have orders of all kinds, by turns.
 */
#include "random.h"

static bool tells;    /* may the program use handles for more than joins? */
static bool numbered; /* does each thread get a number? */
static bool linked;   /* do threads hand nodes to each other? */
static unsigned threads;

static void access(void)
{
	unsigned x = pick(2), k = 1 + pick(2);
	switch (pick(10)) {
	case 0: printf("SET(a%u, %u);\n", x, k); break;
	case 1: printf("r = GET(a%u);\n", x); break;
	case 2: printf("ADD(a%u, %u);\n", x, k); break;
	case 3: printf("SET(a%u, r + 1);\n", x); break;
	case 4: printf("assert(GET(a%u) != %u);\n", x, 2 + pick(3)); break;
	case 5: puts("SET(ready, 1);"); break;
	case 6: printf("if (r == %u) SET(a%u, %u);\n", pick(3), x, k + 2); break;
	case 7: printf("r = bitspin_choose(0, 1);\n"); break;
	case 8: printf("SET(x%u, GET(x%u) * 2 + r);\n", x, x); break;
	case 9: puts(pick(3) ? "r = r * 2 & 3;" : "rest = r;"); break; /* plain */
	}
}

/* What looks at an address of the thread's own, or lets others have it. */
static void look(void)
{
	switch (pick(12)) {
	case 0: puts("{ int box[2] = { r, 0 }; fill(box); r = box[0]; sched_yield(); r += box[1]; }"); break;
	case 1: puts("{ int *p = malloc(sizeof *p); *p = r; sched_yield(); r = *p & 3; free(p); }"); break;
	case 2: puts("{ local = r; sched_yield(); r = local; }"); break;
	case 3: puts("{ int one = r; given = &one; fill(&one); sched_yield(); given = NULL; r = one & 3; }"); break;
	case 4: puts("{ int one = r; fill(&one); int *p = given; if (p) r = &one < p; }"); break;
	case 5: puts("{ int one = r; fill(&one); r = ((uintptr_t)&one >> 30) & 3; }"); break;
	case 6: puts("{ int *p = malloc(sizeof *p); *p = 1; given = p; }"); break;
	case 7:
		puts("{ pthread_mutex_t own; pthread_mutex_init(&own, 0); pthread_mutex_lock(&own); sched_yield();"
		     " pthread_mutex_unlock(&own); }");
		break;
	case 8:
		puts("{ int one = r; pthread_setspecific(key, &one); sched_yield(); int *p = pthread_getspecific(key);"
		     " r = p == &one; pthread_setspecific(key, 0); }");
		break;
	case 9:
		puts("{ struct chest *b = calloc(1, sizeof *b), *none = NULL; pthread_mutex_init(&b->lock, 0);"
		     " if (!TRY(opened, &none, b)) { pthread_mutex_destroy(&b->lock); free(b); } }");
		break;
	case 10:
		puts("{ struct chest *b = GET(opened); if (b) { pthread_mutex_lock(&b->lock); b->v = b->v * 2 + 1 & 7; r = b->v;"
		     " pthread_mutex_unlock(&b->lock); } }");
		break;
	case 11:
		puts("{ struct chest b = { 0 }, d; pthread_mutex_init(&b.lock, 0); d = b; pthread_mutex_init(&d.lock, 0);"
		     " r += pthread_mutex_trylock(&d.lock); }");
		break;
	}
}

/* What makes, hands out, takes, and follows nodes, so that memory names the objects of threads. */
static void link(void)
{
	switch (pick(13)) {
	case 0: puts("{ struct node *n = calloc(1, sizeof *n); n->value = r; SET(n->next, GET(top)); SET(top, n); }"); break;
	case 1: puts("{ struct node *n = calloc(1, sizeof *n); n->next = SWAP(top, n); r = !n->next; }"); break;
	case 2: puts("{ struct node *n = SWAP(top, 0); if (n) { r = n->value; free(n); } }"); break;
	case 3: puts("{ struct node *n = SWAP(top, 0); if (n) { r = GET(n->value); SET(top, GET(n->next)); } }"); break;
	case 4: puts("{ struct node *n = GET(top); if (n) r = GET(n->value); }"); break;
	case 5: puts("{ struct node *n = GET(top); if (n) ADD(n->value, 1); }"); break;
	case 6: puts("{ struct node *n = GET(top); sched_yield(); r = n == GET(top); }"); break;
	case 7:
		puts("{ struct node *n = calloc(1, sizeof *n), *o = GET(top); SET(n->next, o);"
		     " r = TRY(top, &o, n); }");
		break;
	case 8: puts("{ struct node *n = GET(top), *o = n ? GET(n->next) : 0; if (o) { r = GET(o->value); SET(n->next, n); } }"); break;
	case 9: puts("{ static struct node copy; struct node *n = top; if (n) { copy = *n; top = copy.next; } }"); break;
	case 10:
		puts("{ struct node *n = top; if (n) { pthread_mutex_lock(&n->lock); a0++; pthread_mutex_unlock(&n->lock); } }");
		break;
	case 11:
		puts("{ struct node mine = { 0 }; SET(mine.value, r); SET(top, &mine); sched_yield();"
		     " r = GET(mine.value) & 3; SET(top, 0); }");
		break;
	case 12:
		if (pick(2))
			puts("r = ((uintptr_t)top >> 30) & 3;");
		else
			puts("{ int half; memcpy(&half, (char *)&top + 3, 4); r = half & 1; }");
		break;
	}
}

static void statement(int depth)
{
	unsigned m = pick(2);
	indent(depth);
	if (linked && pick(2)) {
		link();
		return;
	}
	switch (pick(depth < 3 ? 15 : 9)) {
	case 0: printf("r = ADD(x%u, 1);\n", m); break;
	case 1: puts("sem_post(&s0);"); break;
	case 2: puts(pick(2) ? "pthread_cond_signal(&c);" : "ready = 1; pthread_cond_broadcast(&c);"); break;
	case 3: look(); break;
	case 4:
		if (tells) {
			static const char *const identities[] = {
				"r = gettid() & 3;",
				"r = pthread_equal(pthread_self(), id[0]);",
				"r = pthread_self() == id[1];",
				"if (a1) pthread_detach(pthread_self());",
				"pthread_cancel(id[0]);",
				"r = pthread_kill(id[1], 0);",
			};
			puts(identities[pick(5)]);
			break;
		} /* FALLTHROUGH */
	case 5:
	case 6:
	case 7:
	case 8: access(); break;
	case 9: puts("sem_wait(&s0);"); break;
	case 10: puts("pthread_barrier_wait(&bar);"); break;
	default:
		printf("pthread_mutex_lock(&m%u);\n", m);
		for (unsigned i = 1 + pick(2); i > 0; i--)
			statement(depth + 1);
		if (m == 0 && pick(4) == 0) {
			indent(depth + 1);
			puts(pick(2) ? "while (!ready) pthread_cond_wait(&c, &m0);" : "if (!ready) pthread_cond_wait(&c, &m0);");
		}
		indent(depth);
		if (pick(12))
			printf("pthread_mutex_unlock(&m%u);\n", m);
		else
			puts(";");
	}
}

static bool detaches; /* are some threads detached? */

static void create(unsigned t)
{
	static const char *const arguments[] = { "0", "0", "0", "0", "0", "&pair", "(void *)1" };
	const char *attributes = !detaches || pick(3) ? "0" : "&apart";
	if (numbered)
		printf("\tpthread_create(&id[%u], %s, t0, (void *)%u);\n", t, attributes, t);
	else
		printf("\tpthread_create(&id[%u], %s, t%u, %s);\n", t, attributes, pick(6) == 0, arguments[pick(7)]);
}

/* Joins of all, in some order; or nearly so. */
static void join_all(void)
{
	unsigned first = pick(threads), down = pick(2), odd = pick(6);
	if (odd == 0)
		puts("\tpthread_mutex_lock(&m1);");
	for (unsigned i = 0; i < threads; i++) {
		unsigned t = (down ? first + threads - i : first + i) % threads;
		join_thread(t);
		if (odd == 1 && i == 0)
			statement(1);
		if (odd == 2 && i == 0 && threads > 2)
			break;
		if (odd == 3 && i == 1 && pick(3) == 0)
			join_thread(t);
	}
	if (odd == 0)
		puts("\tpthread_mutex_unlock(&m1);");
}

static void program(unsigned long seed)
{
	begin("m0 m1 c s0 bar key given opened top local id a0 a1 ready x0 x1 rest pair t0 t1 program apart", seed);
	puts("pthread_mutex_t m0, m1;\npthread_cond_t c;\nsem_t s0;\npthread_barrier_t bar;\npthread_key_t key;\n"
	     "_Atomic(int *) given;\n_Atomic(struct chest *) opened;\n_Atomic(struct node *) top;\n"
	     "_Thread_local int local;\natomic_int a0, a1, ready, x0, x1;\nvolatile int rest;\nstruct two pair;\npthread_t id[4];\n"
	     "pthread_attr_t apart;");
	tells = seed % 8 == 7;
	numbered = pick(4) == 0;
	linked = seed % 3 == 0;
	threads = 2 + (pick(3) > 0) + (pick(8) == 0);
	for (unsigned t = 0; t < 2; t++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = (int)(intptr_t)argument & 3;\n", t);
		for (unsigned i = t ? 1 : 1 + pick(threads > 3 ? 2 : 3); i > 0; i--)
			statement(1);
		if (pick(8) == 0)
			printf("\tif (r == 2) { pthread_t n; pthread_create(&n, 0, t%u, 0); pthread_join(n, 0); }\n", !t && 0);
		puts(pick(6) ? "\tr = r & 0;\n\treturn 0;\n}" : "\treturn argument;\n}");
	}
	printf("int program(void)\n{\n\tint r = 0;\n\tsem_init(&s0, 0, %u);\n", pick(3));
	printf("\tpthread_barrier_init(&bar, 0, %u);\n", 2 + pick(threads - 1));
	puts("\tpthread_key_create(&key, 0);");
	detaches = pick(12) == 0;
	if (detaches) /* in a program that can detach threads, none are symmetric */
		puts("\tpthread_attr_init(&apart);\n\tpthread_attr_setdetachstate(&apart, PTHREAD_CREATE_DETACHED);");
	for (unsigned t = 0; t < threads; t++) {
		create(t);
		if (pick(8) == 0)
			statement(1);
	}
	if (pick(3) == 0)
		statement(1);
	if (pick(8))
		join_all();
	else if (pick(2) && seed % 5) /* SAMPLE is a multiple of it */
		puts("\tpthread_exit(0);");
	if (pick(4) == 0 && threads == 2) {
		create(0);
		create(1);
		join_all();
	}
	if (pick(2))
		printf("\tassert(a0 + x0 != %u);\n", pick(7));
	puts("\treturn r & 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(
		argc, argv,
		"#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n"
		"#include <stdatomic.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
		"#include \"bitspin.h\"\n"
		"#ifdef WEAK\n"
		"#define OF(n, a, b, c) ((n) % 4 < 2 ? memory_order_relaxed : (n) % 4 == 2 ? (a) : (n) % 8 == 3 ? (b) : (c))\n"
		"#define OF_LOAD(n) OF(n, memory_order_acquire, memory_order_acquire, memory_order_seq_cst)\n"
		"#define OF_STORE(n) OF(n, memory_order_release, memory_order_release, memory_order_seq_cst)\n"
		"#define OF_CHANGE(n) OF(n, memory_order_acq_rel, memory_order_acquire, memory_order_release)\n"
		"#define GET(x) atomic_load_explicit(&(x), OF_LOAD(__COUNTER__))\n"
		"#define SET(x, v) atomic_store_explicit(&(x), v, OF_STORE(__COUNTER__))\n"
		"#define ADD(x, v) atomic_fetch_add_explicit(&(x), v, OF_CHANGE(__COUNTER__))\n"
		"#define SWAP(x, v) atomic_exchange_explicit(&(x), v, OF_CHANGE(__COUNTER__))\n"
		"#define TRY(x, old, v) \\\n"
		"\tatomic_compare_exchange_strong_explicit(&(x), old, v, OF_CHANGE(__COUNTER__), memory_order_acquire)\n"
		"#else\n"
		"#define GET(x) atomic_load(&(x))\n"
		"#define SET(x, v) atomic_store(&(x), v)\n"
		"#define ADD(x, v) atomic_fetch_add(&(x), v)\n"
		"#define SWAP(x, v) atomic_exchange(&(x), v)\n"
		"#define TRY(x, old, v) atomic_compare_exchange_strong(&(x), old, v)\n"
		"#endif\n"
		"struct two { int a, b; };\n"
		"struct chest { int v; pthread_mutex_t lock; };\n"
		"struct node { _Atomic(struct node *) next; atomic_int value; pthread_mutex_t lock; };\n"
		"static void fill(int *p) { *p += 1; }",
		program, LOOKS_AT_END);
}
