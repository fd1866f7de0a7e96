/* SPDX-License-Identifier: MIT
 *
 * Prints small random concurrent C programs: threads, mutexes, condition variables, atomics, plain accesses, bounded loops,
 * choices, heap objects handed from thread to thread, semaphores, read-write locks, deadlines, fences, blocking where no
 * other thread may run, and assertions; some wrong on purpose.  The same seed gives the same program.
 * Most programs are of threads that keep to themselves for a while and meet later, by what another thread does.
 *
 *     usage: random_program SEED [COUNT]
 *
 * With COUNT, one file has the programs of that many seeds; its main runs the one whose seed is in the variable `selected`.
 * What is shared by the program of seed N is called NAME_N.  Those of odd seeds have volatile plain variables, so that an
 * optimiser may not touch their accesses.  Without COUNT, code to be run before the program ends can be put into a file whose
 * name is the macro FINAL.
 */
#include "random.h"

#include <string.h>

/* `count` statements, in a place where the locks of the set `held` are held. */
static void statements(int depth, unsigned count, unsigned held);

static bool may_spawn, careless; /* in the function being written: may start a thread; forgets locks now and then */
static bool whole;               /* structures are copied as a whole, which an optimiser splits */
static bool weak;                /* atomics have orders */

static const char *order(const char *orders) /* letters of those to choose from */
{
	static const char *const names[] = {
		['x'] = "relaxed", ['a'] = "acquire", ['r'] = "release", ['b'] = "acq_rel", ['s'] = "seq_cst",
	};
	return names[(unsigned char)orders[pick((unsigned)strlen(orders))]];
}

static void wait(int depth, unsigned m)
{
	indent(depth);
	printf(pick(3) ? "while (!ready) pthread_cond_wait(&c, &m%u);\n" : "if (!ready) pthread_cond_wait(&c, &m%u);\n", m);
}

static void locked(int depth, unsigned held)
{
	unsigned m = pick(2);
	bool try = pick(5) == 0;
	if ((held >> m & 1) && !(careless && pick(4) == 0))
		return;
	indent(depth);
	printf(try ? "if (pthread_mutex_trylock(&m%u) == 0) {\n" : "pthread_mutex_lock(&m%u); {\n", m);
	statements(depth + 1, 1 + pick(2), held | 1u << m);
	if (pick(4) == 0)
		wait(depth + 1, m);
	indent(depth + 1);
	printf("pthread_mutex_unlock(&m%u);\n", m);
	indent(depth);
	puts("}");
}

/* Something to do while m0 is held, or m1 for the pair: plain accesses that are races elsewhere. */
static void guarded(int depth, unsigned held)
{
	indent(depth);
	if (!(held & 1) && !(careless && pick(3) == 0)) {
		printf("r = %u;\n", pick(3));
		return;
	}
	switch (pick(4)) {
	case 0:
		printf("if (!box) { box = malloc(sizeof *box); %s*box = %u; }\n", careless && pick(3) == 0 ? "if (r) " : "", pick(4));
		break;
	case 1: printf("if (box) { r = *box; free(box); box = 0; }\n"); break;
	case 2:
		if (whole)
			printf("{ struct two copy = pair; copy.a += %u; copy.b = r; pair = copy; }\n", pick(3));
		else
			printf("pair.a += %u; pair.b = r;\n", pick(3));
		break;
	case 3: printf("r = pair.%c + (box ? *box : 0);\n", pick(2) ? 'a' : 'b'); break;
	}
}

static void atomic(unsigned k)
{
	static const char *const operations[] = { "fetch_add", "fetch_sub", "fetch_or", "exchange" };
	switch (weak && pick(2) ? 4 + pick(5) : pick(4)) {
	case 0: printf("atomic_store(&a%u, %u);\n", pick(2), k); break;
	case 1: printf("r = atomic_load(&a%u);\n", pick(2)); break;
	case 2: printf("r = atomic_%s(&a%u, %u);\n", operations[pick(4)], pick(2), k); break;
	case 3: printf("{ int e = %u; if (atomic_compare_exchange_strong(&a%u, &e, %u)) r = 1; }\n", pick(2), pick(2), k); break;
	case 4: printf("atomic_store_explicit(&a%u, %u, memory_order_%s);\n", pick(2), k, order("xrs")); break;
	case 5: printf("r = atomic_load_explicit(&a%u, memory_order_%s);\n", pick(2), order("xas")); break;
	case 6:
		printf("r = atomic_%s_explicit(&a%u, %u, memory_order_%s);\n", operations[pick(4)], pick(2), k, order("xarbs"));
		break;
	case 7:
		printf("{ int e = %u; r = atomic_compare_exchange_strong_explicit(&a%u, &e, %u, memory_order_%s, memory_order_%s); }\n",
		       pick(2), pick(2), k, order("xarbs"), order("xas"));
		break;
	case 8: printf("atomic_thread_fence(memory_order_%s);\n", order("arbs")); break;
	}
}

/* More of what waits and wakes: semaphores, read-write locks, deadlines; what begins and ends in a function; and any of it
 * where no other thread may run. */
static void further(unsigned k)
{
	static const char *const gets[] = { "sem_wait(&s0)", "sem_trywait(&s0)", "sem_timedwait(&s0, &soon)", "sem_wait(&s0)" };
	static const char *const locks[] = { "rdlock(&l0", "wrlock(&l0", "tryrdlock(&l0", "trywrlock(&l0", "timedwrlock(&l0, &soon" };
	static const char *const blocks[] = { "sem_wait(&s0);", "pthread_mutex_lock(&m2); pthread_mutex_unlock(&m2);",
		"if (sem_timedwait(&s0, &soon)) r = 2;", "{ pthread_rwlock_wrlock(&l0); pthread_rwlock_unlock(&l0); }" };
	switch (pick(8)) {
	case 0: case 1: puts("sem_post(&s0);"); break;
	case 2: printf("r = %s == 0;\n", gets[pick(4)]); break;
	case 3:
		printf("if (pthread_rwlock_%s) == 0) { ", locks[pick(5)]);
		atomic(k);
		puts("pthread_rwlock_unlock(&l0); }");
		break;
	case 4: printf("if (pthread_mutex_timedlock(&m2, &soon) == 0) { a%u = %u; pthread_mutex_unlock(&m2); }\n", pick(2), k); break;
	case 5:
		printf("pthread_mutex_lock(&m2); if (!ready) r = pthread_cond_timedwait(&c, &m2, &soon) != 0;"
		       " pthread_mutex_unlock(&m2);\n");
		break;
	case 6:
		printf("{ pthread_mutex_t m; pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); a%u++; pthread_mutex_unlock(&m);",
		       pick(2));
		puts(careless && pick(3) == 0 ? " }" : " pthread_mutex_destroy(&m); }");
		break;
	case 7: printf("bitspin_atomic_begin(); a%u++; %s a%u++; bitspin_atomic_end();\n", pick(2), blocks[pick(4)], pick(2)); break;
	}
}

/* A variable of the thread's own is lent to others for a while; without care, for longer than it lives. */
static void lend(void)
{
	bool careful = !careless || pick(3), automatic = pick(4);
	printf("{ %s; pthread_mutex_lock(&m2); lent = %s; pthread_mutex_unlock(&m2); ", automatic ? "atomic_int v = 0" : "local = 1",
	       automatic ? "&v" : "&local");
	atomic(pick(4));
	puts(careful ? "pthread_mutex_lock(&m2); lent = 0; pthread_mutex_unlock(&m2); }" : "}");
}

static void borrow(void)
{
	bool careful = !careless || pick(3);
	printf("{ %satomic_int *p = lent; if (p) r = atomic_fetch_add(p, 1);%s }\n", careful ? "pthread_mutex_lock(&m2); " : "",
	       careful ? " pthread_mutex_unlock(&m2);" : "");
}

static void block(int depth, unsigned held, const char *head, unsigned number)
{
	indent(depth);
	printf(head, number);
	statements(depth + 1, 1, held);
	indent(depth);
	puts("}");
}

static void statement(int depth, unsigned held)
{
	unsigned k = pick(4), kind = pick(30);
	if (kind >= 9 && kind <= 11) {
		locked(depth, held);
		return;
	}
	if (kind >= 12 && kind <= 14) {
		guarded(depth, held);
		return;
	}
	if (kind == 15 || kind == 16) {
		block(depth, held, kind == 15 ? "if (r == %u) {\n" : "for (int i = 0; i < %u; i++) {\n", kind == 15 ? k : 1 + pick(2));
		return;
	}
	indent(depth);
	switch (kind) {
	case 0: printf("x%u = %u;\n", pick(2), k); break;
	case 1: printf("r = x%u;\n", pick(2)); break;
	case 2: case 3: case 4: case 5: atomic(k); break;
	case 6: printf("ready = %u; pthread_cond_%s(&c);\n", pick(4) ? 1 : 0, pick(2) ? "signal" : "broadcast"); break;
	case 7: printf("assert(%s%u != %u);\n", pick(3) ? "a" : "x", pick(2), k + 1); break;
	case 8: printf("assert(r != %u);\n", k + 2); break;
	case 17: puts(pick(2) ? "sched_yield();" : "atomic_fetch_add(&a0, bitspin_choose(0, 1));"); break;
	case 18: printf("r = bitspin_choose(0, %u); x%u = r;\n", 1 + pick(2), pick(2)); break;
	case 19: printf("for (int i = 0; i < 2 && !atomic_load(&a%u); i++) sched_yield();\n", pick(2)); break;
	case 20: case 21:
		printf("{ int *p = malloc(sizeof *p); *p = %u; p = atomic_exchange(&cell, p); if (p) { r = *p; free(p); } }\n", k);
		break;
	case 22:
		puts(!careless ? ";" : pick(2) ? "pthread_mutex_unlock(&m0);" : "{ int *p = atomic_load(&cell); if (p) r = *p; }");
		break;
	case 24:
		printf("{ int v[2] = { r, %u }; v[r & 1] = atomic_load(&a%u); sched_yield(); r = v[%u]; }\n", k, pick(2), pick(2));
		break;
	case 25: lend(); break;
	case 27: case 28: case 29: further(k); break;
	case 26: borrow(); break;
	case 23:
		puts(may_spawn ? "{ pthread_t h; pthread_create(&h, 0, helper, 0); pthread_join(h, 0); }" : ";");
		may_spawn = false;
		break;
	}
}

static void statements(int depth, unsigned count, unsigned held)
{
	if (depth > 3)
		return;
	while (count--)
		statement(depth, held);
}

static void function(const char *name, unsigned count)
{
	printf("static void *%s(void *argument)\n{\n\tint r = 0;\n", name);
	statements(1, count, 0);
	printf("\t(void)r;\n");
	puts(pick(8) ? "\treturn argument;\n}" : "\tpthread_exit(argument);\n}");
}

static void close_program(void)
{
	puts("\trest = (box ? *box + 1 : 0) + 8 * (cell ? *cell + 1 : 0);");
	printf("\tassert(a0 + 3 * a1 != %u && x0 + 2 * x1 != %u);\n", pick(12), 4 + pick(5));
}

/* Threads that do what they like to everything. */
static void crowded(const char *plain)
{
	puts("sem_t s0;\npthread_rwlock_t l0;");
	printf("pthread_mutex_t m0, m1, m2;\npthread_cond_t c;\natomic_int a0, a1, ready;\n%sint x0, x1;\n_Atomic(int *) cell;\n"
	       "_Atomic(atomic_int *) lent;\n_Thread_local atomic_int local;\nint *box, rest;\n%sstruct two pair;\n", plain, plain);
	unsigned threads = 2 + (pick(4) == 0);
	may_spawn = false;
	function("helper", 1 + pick(2));
	for (unsigned t = 0; t < threads; t++) {
		char name[] = { 't', (char)('0' + t), '\0' };
		may_spawn = threads == 2 && t == 0;
		function(name, 1 + pick(threads == 2 ? 5 : 3));
	}
	printf("int program(void)\n{\n\tint r = 0;\n\tpthread_t id[3];\n\tsem_init(&s0, 0, %u);\n", pick(2));
	may_spawn = false;
	create_threads(threads);
	statements(1, pick(3), 0);
	bool joined = pick(6) != 0;
	if (joined) {
		join_threads(threads);
		close_program();
	}
	puts("\treturn r & 0;\n}");
}

/* ---- threads that meet late ---------------------------------------------------------------------------------------- */

/* What a thread does with what is its own, and others can see. */
static void privately(unsigned t)
{
	unsigned k = pick(3);
	switch (pick(5)) {
	case 3: pick(3) ? lend() : borrow(); break;
	case 4: borrow(); break;
	case 0: printf("atomic_fetch_xor(&own[%u], 1);\n", t); break;
	case 1: printf("r = atomic_exchange(&own[%u], %u);\n", t, k); break;
	case 2:
		printf("{ int *p = malloc(sizeof *p); *p = %u; p = atomic_exchange(&mine[%u], p); if (p) { r = *p; free(p); } }\n", k, t);
		break;
	}
}

static void publicly(void)
{
	unsigned x = pick(2), k = 1 + pick(3);
	switch (pick(6)) {
	case 0: printf("assert(x%u != %u);\n", x, k); break;
	case 1: printf("atomic_store(&a%u, %u);\n", x, k); break;
	case 2: printf("if (atomic_load(&a%u) == %u) x%u = %u;\n", pick(2), 1 + pick(2), x, k); break;
	case 3: printf("if (atomic_load(&a%u)) r = x%u;\n", pick(2), x); break;
	default: printf("r = atomic_exchange(&x%u, %u);\n", x, k);
	}
}

static void meeting(unsigned t);

/* Do a few things with a lock, which may be one of several by what is read. */
static void guardedly(unsigned t)
{
	static const char *const locks[] = { "&m0", "&m1", "&locks[0]", "&locks[r & 1]", "&locks[a0 & 1]", "&locks[own[%u] & 1]" };
	unsigned lock = pick(6);
	printf("{ pthread_mutex_t *m = ");
	printf(locks[lock], (t + pick(2)) % 4);
	printf("; pthread_mutex_lock(m);\n\t");
	for (unsigned i = pick(3); i > 0; i--)
		meeting(t);
	publicly();
	puts("\tpthread_mutex_unlock(m); }");
}

static void wait_or_signal(void)
{
	switch (pick(4)) {
	case 0: puts("ready = 1; pthread_cond_signal(&c);"); break;
	case 1: puts("pthread_mutex_lock(&m0); ready = 1; pthread_mutex_unlock(&m0); pthread_cond_broadcast(&c);"); break;
	default:
		puts("pthread_mutex_lock(&m0);\n\twhile (!ready) pthread_cond_wait(&c, &m0);");
		printf("\t");
		publicly();
		puts("\tpthread_mutex_unlock(&m0);");
	}
}

static void meeting(unsigned t)
{
	if (pick(3))
		privately(t);
	else
		publicly();
}

static void meeting_statement(unsigned t)
{
	unsigned kind = pick(12);
	putchar('\t');
	if (kind < 4)
		privately(t);
	else if (kind == 4)
		further(pick(4));
	else if (kind < 7)
		publicly();
	else if (kind < 10)
		guardedly(t);
	else if (kind == 10)
		wait_or_signal();
	else if (may_spawn)
		printf("{ pthread_t h; pthread_create(&h, 0, helper, 0); pthread_%s; }\n", pick(2) ? "detach(h)" : "join(h, 0)");
	else
		puts(pick(3) ? "own[0] ^= bitspin_choose(0, 1); atomic_fetch_add(&a1, bitspin_choose(0, 1));" : "sched_yield();");
	may_spawn = may_spawn && kind != 11;
}

static void endless(unsigned t)
{
	switch (pick(4)) {
	case 0: puts("\tfor (;;) sched_yield();"); break;
	case 1: printf("\tfor (;;) atomic_fetch_xor(&own[%u], 1);\n", t); break;
	case 2: puts("\tfor (;;) { pthread_mutex_lock(&m1); pthread_mutex_unlock(&m1); }"); break;
	case 3: puts("\twhile (!ready) sched_yield();"); break;
	}
}

/* Thread t, which joins thread `joins` (or none, if that is itself) and may go on for ever. */
static void meeting_thread(const char *name, unsigned t, unsigned count, unsigned joins, bool goes_on)
{
	printf("static void *%s(void *argument)\n{\n\tint r = 0;\n", name);
	for (unsigned i = 0, when = pick(count); i < count; i++) {
		if (joins != t && i == when)
			join_thread(joins);
		meeting_statement(t);
	}
	if (goes_on)
		endless(t);
	puts("\treturn argument;\n}");
}

static void meeting_main(unsigned threads, const bool *joined)
{
	printf("int program(void)\n{\n\tint r = 0;\n\tsem_init(&s0, 0, %u);\n", pick(2));
	may_spawn = false;
	bool holds = pick(3) == 0; /* a lock while it creates them */
	if (holds)
		puts("\tpthread_mutex_lock(&m1);");
	for (unsigned t = 0; t < threads; t++) {
		printf("\tpthread_create(&id[%u], 0, t%u, 0);\n\t", t, t);
		if (pick(3) == 0)
			meeting(3);
	}
	if (holds)
		puts("\tpthread_mutex_unlock(&m1);");
	for (unsigned i = pick(3); i > 0; i--)
		meeting_statement(3);
	for (unsigned t = 0; t < threads; t++)
		if (!joined[t])
			join_thread(t);
	close_program();
	puts("\treturn r & 0;\n}");
}

static void meeting_late(void)
{
	static const char *const names[] = { "t0", "t1", "t2" };
	unsigned threads = 2 + (pick(3) != 0), goes_on = pick(3) == 0 ? pick(threads) : threads;
	bool joined[3] = { false };
	puts("sem_t s0;\npthread_rwlock_t l0;");
	puts("pthread_mutex_t m0, m1, m2, locks[2];\npthread_cond_t c;\natomic_int a0, a1, ready, x0, x1, own[4];\n"
	     "_Atomic(int *) cell, mine[4];\n_Atomic(atomic_int *) lent;\n_Thread_local atomic_int local;\n"
	     "int *box, rest;\nstruct two pair;\npthread_t id[3];");
	may_spawn = false;
	meeting_thread("helper", 3, 1 + pick(2), 3, false);
	for (unsigned t = 0; t < threads; t++) {
		unsigned joins = t && pick(4) == 0 ? pick(t) : t;
		joins = joined[joins] ? t : joins;
		may_spawn = threads == 2 && t == 0;
		meeting_thread(names[t], t, 1 + pick(threads == 2 ? 4 : 3), joins, t == goes_on);
		joined[t] = joined[t] || t == goes_on;
		joined[joins] = joined[joins] || joins != t;
	}
	meeting_main(threads, joined);
}

static void program(unsigned long seed)
{
	state = seed * 7919 + 1;
	bool late = pick(7) > 2;
	careless = pick(6) == 0;
	weak = pick(5) == 0;
	whole = seed % 2 == 0;
	own_names("m0 m1 c a0 a1 ready x0 x1 cell box pair rest helper t0 t1 t2 program "
		  "locks own mine id m2 lent local s0 l0", seed);
	if (late)
		meeting_late();
	else
		crowded(seed % 2 ? "volatile " : "");
}

int main(int argc, char **argv)
{
	return print_file(argc, argv,
			  "#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
			  "#include <stdlib.h>\n#include <time.h>\n#include \"bitspin.h\"\nstruct two { int a, b; };\n"
			  "static const struct timespec soon = { 1, 0 };",
			  program, LOOKS_AT_END);
}
