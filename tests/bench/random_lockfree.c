/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs without locks of the library: stacks with nodes on the heap, nodes that are published and
 * taken back, counters with retry loops, sequence locks, spin and ticket locks, and flags with fences.  Most memory orders are
 * those that the algorithm needs; others are weaker, so that plain accesses race.  The same seed gives the same program.  Used
 * like random_program.c.
 *
 *     usage: random_lockfree SEED [COUNT]
 */
#include "random.h"

static unsigned thread;
static unsigned careless; /* percent of the memory orders that are any; and of nodes that are freed too soon */

static const char *order(const char *right, const char *any)
{
	static const char *const orders[] = { "relaxed", "acquire", "release", "acq_rel", "seq_cst" };
	if (pick(100) >= careless)
		return pick(4) ? right : "seq_cst";
	return orders[(unsigned)(any[pick((unsigned)strlen(any))] - '0')];
}

#define LOADS   "014"
#define STORES  "024"
#define CHANGES "01234"

static const char *to_load(void)
{
	return order("acquire", LOADS);
}

static const char *to_store(void)
{
	return order("release", STORES);
}

static const char *to_change(void)
{
	return order("acq_rel", CHANGES);
}

static void push(void)
{
	printf("\t{\n\t\tstruct node *n = malloc(sizeof *n), *seen = LOAD(&top, %s);\n"
	       "\t\tn->value = %u;\n\t\tdo\n\t\t\tn->next = seen;\n",
	       to_load(), 1 + pick(3));
	printf("\t\twhile (!atomic_compare_exchange_%s_explicit(&top, &seen, n, memory_order_%s, memory_order_%s));\n\t}\n",
	       pick(2) ? "weak" : "strong", order("release", CHANGES), pick(2) ? "relaxed" : "acquire");
}

/* A node stays, as others may still look at its `next`; careless programs free it. */
static void pop(void)
{
	printf("\t{\n\t\tstruct node *n = LOAD(&top, %s);\n", to_load());
	printf("\t\twhile (n && !atomic_compare_exchange_strong_explicit(&top, &n, n->next, memory_order_%s, "
	       "memory_order_%s))\n\t\t\t;\n",
	       order("acquire", CHANGES), order("acquire", LOADS));
	printf("\t\tif (n) {\n\t\t\tr = n->value;\n%s\t\t}\n\t}\n", pick(100) < careless / 2 ? "\t\t\tfree(n);\n" : "");
}

static void take_all(void)
{
	printf("\tfor (struct node *n = atomic_exchange_explicit(&top, NULL, memory_order_%s), *next; n; n = next) {\n",
	       order("acquire", CHANGES));
	puts("\t\tr += n->value;\n\t\tnext = n->next;\n\t\tn->value = 0;");
	puts(pick(2) ? "\t\tn->next = NULL;\n\t}" : "\t\tn->next = n;\n\t}");
}

/* A node that the thread has written goes to all; perhaps the thread takes it back, and then it is private again. */
static void publish(void)
{
	unsigned slot = pick(2), k = 1 + pick(3);
	printf("\t{\n\t\tstruct node *n = malloc(sizeof *n), *old;\n\t\tn->value = %u;\n\t\tn->next = NULL;\n", k);
	printf("\t\told = atomic_exchange_explicit(&slots[%u], n, memory_order_%s);\n\t\tif (old)\n\t\t\tr = old->value;\n", slot,
	       to_change());
	if (pick(2)) {
		printf("\t\told = n;\n\t\tif (atomic_compare_exchange_strong_explicit(&slots[%u], &old, NULL, memory_order_%s, "
		       "memory_order_relaxed)) {\n\t\t\tn->value += 1;\n",
		       slot, order("acquire", CHANGES));
		puts(pick(2) ? "\t\t\tr = n->value;\n\t\t\tfree(n);\n\t\t}" : "\t\t\tr = n->value;\n\t\t}");
	}
	puts("\t}");
}

static void take(void)
{
	unsigned slot = pick(2);
	printf("\t{\n\t\tstruct node *n = atomic_exchange_explicit(&slots[%u], NULL, memory_order_%s);\n", slot, to_change());
	printf("\t\tif (n) {\n\t\t\tn->value += 1;\n\t\t\tr = n->value;\n%s\t\t}\n\t}\n", pick(2) ? "\t\t\tfree(n);\n" : "");
}

static void peek(void)
{
	printf("\t{\n\t\tstruct node *n = LOAD(&slots[%u], %s);\n", pick(2), to_load());
	puts(pick(100) < careless ? "\t\tif (n)\n\t\t\tr = n->value;\n\t}" : "\t\tif (n)\n\t\t\tr = 1;\n\t}");
}

static void retry_add(void)
{
	unsigned x = pick(2);
	printf("\t{\n\t\tint old = LOAD(&counters[%u], %s);\n", x, order("relaxed", LOADS));
	if (pick(2))
		printf("\t\twhile (!atomic_compare_exchange_weak_explicit(&counters[%u], &old, old + %u, memory_order_%s, "
		       "memory_order_relaxed))\n\t\t\t;\n",
		       x, 1 + pick(2), order("relaxed", CHANGES));
	else
		printf("\t\tdo\n\t\t\told = LOAD(&counters[%u], relaxed);\n\t\twhile (!atomic_compare_exchange_strong_explicit("
		       "&counters[%u], &old, old * 2, "
		       "memory_order_%s, memory_order_relaxed));\n",
		       x, x, order("relaxed", CHANGES));
	puts(pick(2) ? "\t\tr = old;\n\t}" : "\t}");
}

static void write_sequence(void)
{
	unsigned k = 1 + pick(3);
	printf("\t{\n\t\tunsigned s = LOAD(&sequence, relaxed);\n\t\twhile (s & 1 || "
	       "!atomic_compare_exchange_strong_explicit(&sequence, &s, "
	       "s + 1, memory_order_%s, memory_order_relaxed))\n\t\t\ts = LOAD(&sequence, relaxed);\n",
	       order("acquire", CHANGES));
	printf("\t\tatomic_thread_fence(memory_order_%s);\n\t\tSTORE(&left, %u, relaxed);\n\t\tSTORE(&right, %u, relaxed);\n",
	       order("release", CHANGES), k, k);
	printf("\t\tSTORE(&sequence, s + 2, %s);\n\t}\n", to_store());
}

static void read_sequence(void)
{
	printf("\t{\n\t\tunsigned s;\n\t\tint l, g;\n\t\tdo {\n\t\t\ts = LOAD(&sequence, %s);\n", to_load());
	printf("\t\t\tl = LOAD(&left, relaxed);\n\t\t\tg = LOAD(&right, relaxed);\n\t\t\tatomic_thread_fence(memory_order_%s);\n",
	       order("acquire", CHANGES));
	puts("\t\t} while (s & 1 || s != LOAD(&sequence, relaxed));\n\t\tr = l - g;\n\t}");
}

static void plain(void)
{
	switch (pick(3)) {
	case 0: printf("\t\td += %u;\n", 1 + pick(2)); break;
	case 1: puts("\t\tr = d;"); break;
	case 2: printf("\t\tpair.%c = %u;\n", pick(2) ? 'a' : 'b', 1 + pick(2)); break;
	}
}

static void spin(void)
{
	switch (pick(3)) {
	case 0:
		printf("\t{\n\t\twhile (atomic_exchange_explicit(&lock, 1, memory_order_%s))\n\t\t\t;\n",
		       order("acquire", CHANGES));
		plain();
		printf("\t\tSTORE(&lock, 0, %s);\n\t}\n", to_store());
		break;
	case 1:
		printf("\tif (!atomic_exchange_explicit(&lock, 1, memory_order_%s)) {\n", order("acquire", CHANGES));
		plain();
		printf("\t\tSTORE(&lock, 0, %s);\n\t}\n", to_store());
		break;
	case 2:
		printf("\t{\n\t\tint mine = atomic_fetch_add_explicit(&next, 1, memory_order_%s);\n", order("relaxed", CHANGES));
		printf("\t\twhile (LOAD(&serving, %s) != mine)\n\t\t\tsched_yield();\n", to_load());
		plain();
		printf("\t\tSTORE(&serving, mine + 1, %s);\n\t}\n", to_store());
		break;
	}
}

/* Plain data behind a flag, with orders or with fences; each thread has data of its own. */
static void tell(void)
{
	unsigned k = 1 + pick(3);
	printf("\tdata[%u] = %u;\n", thread, k);
	if (pick(2))
		printf("\tatomic_thread_fence(memory_order_%s);\n\tSTORE(&flags[%u], 1, relaxed);\n", order("release", CHANGES),
		       thread);
	else
		printf("\tSTORE(&flags[%u], 1, %s);\n", thread, to_store());
}

static void hear(void)
{
	unsigned from = pick(3);
	if (pick(2))
		printf("\tif (LOAD(&flags[%u], relaxed)) {\n\t\tatomic_thread_fence(memory_order_%s);\n\t\tr = data[%u];\n\t}\n",
		       from, order("acquire", CHANGES), from);
	else if (from < thread && pick(2))
		printf("\twhile (!LOAD(&flags[%u], %s))\n\t\t;\n\tr = data[%u];\n", from, to_load(), from);
	else
		printf("\tif (LOAD(&flags[%u], %s))\n\t\tr = data[%u];\n", from, to_load(), from);
}

static void statement(void)
{
	static void (*const kinds[])(void) = {
		push, pop, take_all, publish, take, peek, retry_add, write_sequence, read_sequence, spin, tell, hear,
	};
	kinds[pick(sizeof kinds / sizeof *kinds)]();
	if (pick(8) == 0)
		printf("\tassert(r != %u);\n", 1 + pick(3));
	else if (pick(4) == 0)
		printf("\tx%u = r;\n", thread % 2);
}

/* An optimiser may move plain accesses past relaxed atomic ones, and not those that are volatile. */
static void variables(const char *kind)
{
	printf("static struct node {\n\t%sint value;\n\tstruct node *%snext;\n} *_Atomic top, *_Atomic slots[2];\n", kind, kind);
	printf("static %sint data[3], d;\nstatic %sstruct two pair;\n", kind, kind);
	puts("static atomic_int counters[2], left, right, lock, next, serving, flags[3];\nstatic atomic_uint sequence;\n"
	     "static atomic_int x0, x1;\nstatic int a0, a1, ready, rest;\nstatic pthread_t id[3];");
}

static void program(unsigned long seed)
{
	begin("node top slots counters left right lock next serving flags sequence data d pair x0 x1 a0 a1 ready rest id t0 t1 t2 "
	      "program",
	      seed);
	variables(seed % 2 ? "volatile " : "");
	careless = pick(3) ? 0 : 30;
	unsigned threads = 2 + (pick(3) == 0);
	for (thread = 0; thread < threads; thread++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = 0;\n", thread);
		for (unsigned i = 1 + pick(threads == 2 ? 3 : 2); i > 0; i--)
			statement();
		puts("\tr = r & 0;\n\treturn argument;\n}");
	}
	puts("int program(void)\n{");
	for (unsigned t = 0; t < threads; t++) {
		create_thread(t);
		if (pick(6) == 0)
			printf("\trest = data[%u];\n", pick(3));
	}
	if (pick(4) == 0) {
		thread = threads < 3 ? threads : pick(3);
		puts("\tint r = 0;");
		statement();
	}
	join_threads(threads);
	puts("\ta0 = counters[0], a1 = counters[1], ready = sequence, rest = d;\n\tif (top)\n\t\trest += 10 * top->value;\n"
	     "\tif (slots[0])\n\t\trest += 100 * slots[0]->value;\n\treturn 0;\n}");
}

int main(int argc, char **argv)
{
	return print_file(
		argc, argv,
		"#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
		"#include \"bitspin.h\"\n#define LOAD(place, order) atomic_load_explicit(place, memory_order_##order)\n"
		"#define STORE(place, value, order) atomic_store_explicit(place, value, memory_order_##order)\n"
		"struct two {\n\tint a, b;\n};",
		program, LOOKS_AT_END);
}
