/* SPDX-License-Identifier: MIT
 *
 * Prints a small random concurrent C program like random_program.c does, with more of pthread.h and semaphore.h: read-write
 * locks, barriers, semaphores, once, waits with deadlines, futexes, pipes, event counters, thread-specific data, cancellation and
 * cleanup handlers, and memory that is passed on by pointers in disguise; with OPENLY defined these are not.  The same seed gives
 * the same program.
 *
 *     usage: random_sync SEED
 */
#include "random.h"

/* `count` statements, in a place where the locks of the set `held` are held. */
static void statements(int depth, unsigned count, unsigned held);

static void locked(int depth, unsigned held)
{
	unsigned m = pick(2);
	if (held >> m & 1)
		return;
	indent(depth);
	printf("pthread_mutex_lock(&m%u);\n", m);
	statements(depth, 1 + pick(2), held | 1u << m);
	if (pick(4) == 0) {
		indent(depth);
		printf(pick(3) ? "while (!ready) pthread_cond_wait(&c, &m%u);\n" : "if (!ready) pthread_cond_wait(&c, &m%u);\n", m);
	}
	indent(depth);
	printf("pthread_mutex_unlock(&m%u);\n", m);
}

static void rwlocked(int depth, unsigned held)
{
	static const char *const ways[] = { "rdlock(&l)", "wrlock(&l)", "tryrdlock(&l)", "trywrlock(&l)", "timedwrlock(&l, &soon)" };
	if (held >> 2 & 1)
		return;
	indent(depth);
	printf("if (pthread_rwlock_%s == 0) {\n", ways[pick(5)]);
	statements(depth + 1, 1 + pick(2), held | 1u << 2);
	indent(depth + 1);
	puts("pthread_rwlock_unlock(&l);");
	indent(depth);
	puts("}");
}

static void cleaned(int depth, unsigned held)
{
	puts("pthread_cleanup_push(undo, &a1);");
	statements(depth + 1, 1 + pick(2), held);
	indent(depth);
	printf("pthread_cleanup_pop(%u);\n", pick(2));
}

/* The system call futex, on atomic variables that are stored to as well. */
static void futexes(void)
{
	static const char *const ways[] = {
		"FUTEX_WAIT, %u, 0, 0, 0",
		"FUTEX_WAIT_PRIVATE, %u, &soon, 0, 0",
		"FUTEX_WAIT_BITSET, %u, &soon, 0, 1",
		"FUTEX_WAKE, %u, 0, 0, 0",
		"FUTEX_WAKE, 1, 0, 0, 0",
		"FUTEX_WAKE_PRIVATE, 1, 0, 0, 0",
		"FUTEX_WAKE_BITSET, %u, 0, 0, 2 | 1",
		"FUTEX_REQUEUE, 1, 1, &a1, 0",
		"FUTEX_CMP_REQUEUE, %u, 1, &a0, 0",
	};
	printf("r += (int)syscall(SYS_futex, &a%u, ", pick(2));
	printf(ways[pick(9)], pick(3));
	puts(");");
}

/* A pipe and an event counter. */
static void ducts(void)
{
	static const char *const ways[] = {
		"write(fds[1], &r, 1)",
		"write(fds[1], &r, 1)",
		"read(fds[0], &u, 1)",
		"eventfd_write(counter, 1)",
		"eventfd_read(counter, &u)",
		"poll(polled, 2, -1)",
		"poll(polled, 2, 1)",
		"poll(polled + 1, 1, 1)",
		"close(fds[1])",
	};
	printf("{ uint64_t u = 0; struct pollfd polled[2] = { { fds[0], POLLIN, 0 }, { counter, POLLIN, 0 } };"
	       " r += (int)%s; r += (int)u; (void)polled; }\n", ways[pick(9)]);
}

/* The rest of pthread.h and semaphore.h, futexes, and what descriptors are for. */
static void further(int depth, unsigned held)
{
	static const char *const waits[] = { "sem_wait(&s)", "sem_trywait(&s)", "sem_timedwait(&s, &soon)" };
	unsigned m = pick(2);
	switch (pick(14)) {
	case 10: case 11: futexes(); break;
	case 12: case 13: ducts(); break;
	case 0: case 1: puts(";"); rwlocked(depth, held); break;
	case 2: puts("pthread_barrier_wait(&b);"); break;
	case 3: printf("if (%s == 0) r++;\n", waits[pick(3)]); break;
	case 4: puts("sem_post(&s);"); break;
	case 5: puts("pthread_once(&o, init);"); break;
	case 6:
		puts(";");
		if (held >> m & 1)
			break;
		indent(depth);
		printf("if (pthread_mutex_timedlock(&m%u, &soon) == 0) {\n", m);
		statements(depth + 1, 1, held | 1u << m);
		indent(depth + 1);
		if (pick(2))
			printf("if (pthread_cond_timedwait(&c, &m%u, &soon)) r = 3;\n", m);
		printf("pthread_mutex_unlock(&m%u); }\n", m);
		break;
	case 7: puts("pthread_setspecific(key, (void *)&a1);"); break;
	case 8: puts(pick(2) ? "pthread_testcancel();" : "pthread_setcancelstate(pthread_getspecific(key) ? 1 : 0, 0);"); break;
	case 9: cleaned(depth, held); break;
	}
}

/* Memory goes from hand to hand; now and then, who gave it away goes on using it. */
static void disguised(unsigned k)
{
	printf("{ int *p = malloc(sizeof *p), *own = p; *p = %u; p = swap(p); if (p) { r = *p; %s }%s (void)own; }\n", k,
	       pick(3) ? "free(p);" : "*p = 1; p = swap(p);", pick(6) ? "" : pick(2) ? " *own = 2;" : " r = *own;");
}

/* The function swap(): puts a pointer where others find it, and takes what was there. */
static void print_swap(void)
{
	static const char *const disguises[][2] = { /* of p in h, and back */
		{ "(uintptr_t)p ^ 0x5a5a5a5a5a5a5a5au", "h ^ 0x5a5a5a5a5a5a5a5au" },
		{ "(uintptr_t)p << 3", "h >> 3" },
		{ "~(uintptr_t)p", "~h" },
		{ "(uintptr_t)p << 40 | (uintptr_t)p >> 24", "h >> 40 | h << 24" },
	};
	unsigned way = pick(6);
	puts("#ifdef OPENLY\nstatic _Atomic(int *) plain;\nstatic int *swap(int *p) { return atomic_exchange(&plain, p); }\n#else");
	if (way < 4) {
		puts("static atomic_uintptr_t hidden;\nstatic int *swap(int *p)\n{");
		printf("\tuintptr_t h = atomic_exchange(&hidden, p ? %s : 0);\n", disguises[way][0]);
		printf("\treturn h ? (int *)(%s) : 0;\n}\n", disguises[way][1]);
	} else {
		puts(way == 4 ? "static struct { unsigned low, high; } hidden;" :
			"static struct __attribute__((packed)) { char c; unsigned low, high; } hidden;");
		puts("static pthread_mutex_t guard;\nstatic int *swap(int *p)\n{\n\tpthread_mutex_lock(&guard);\n"
		     "\tuintptr_t h = hidden.low | (uintptr_t)hidden.high << 32;\n\thidden.low = (unsigned)(uintptr_t)p;\n"
		     "\thidden.high = (unsigned)((uintptr_t)p >> 32);\n\tpthread_mutex_unlock(&guard);\n\treturn (int *)h;\n}");
	}
	puts("#endif");
}

static void statement(int depth, unsigned held)
{
	unsigned k = pick(4);
	indent(depth);
	if (pick(3) == 0) {
		further(depth, held);
		return;
	}
	switch (pick(20)) {
	case 18: case 19: disguised(k); break;
	case 0: printf("x%u = %u;\n", pick(2), k); break;
	case 1: printf("r = x%u;\n", pick(2)); break;
	case 2: case 3: printf("atomic_store(&a%u, %u);\n", pick(2), k); break;
	case 4: case 5: printf("r = atomic_load(&a%u);\n", pick(2)); break;
	case 6: printf("r = atomic_fetch_add(&a%u, 1);\n", pick(2)); break;
	case 7: printf("{ int e = %u; if (atomic_compare_exchange_strong(&a%u, &e, %u)) r = 1; }\n", pick(2), pick(2), k); break;
	case 8: case 9: case 10: printf(";\n"); locked(depth, held); break;
	case 11: printf("{ ready = %u; pthread_cond_%s(&c); }\n", pick(4) ? 1 : 0, pick(2) ? "signal" : "broadcast"); break;
	case 12: printf("assert(%s%u != %u);\n", pick(3) ? "a" : "x", pick(2), k); break;
	case 13: printf("assert(r != %u);\n", k + 1); break;
	case 14:
		printf("if (r == %u) {\n", k);
		statements(depth + 1, 1, held);
		indent(depth);
		puts("}");
		break;
	case 15:
		printf("for (int i = 0; i < %u; i++) {\n", 1 + pick(2));
		statements(depth + 1, 1, held);
		indent(depth);
		puts("}");
		break;
	case 16: printf(pick(2) ? "sched_yield();\n" : "r = bitspin_choose(0, 2);\n"); break;
	case 17:
		printf("{ int *p = malloc(sizeof *p); *p = %u; p = atomic_exchange(&cell, p); if (p) { r = *p; free(p); } }\n", k);
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

int main(int argc, char **argv)
{
	state = argc > 1 ? strtoull(argv[1], NULL, 10) * 7919 + 1 : 1;
	pick(2);
	puts("#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\n"
	     "#include <stdlib.h>\n"
	     "#include \"bitspin.h\"\nstatic pthread_mutex_t m0, m1;\nstatic pthread_cond_t c;\n"
	     "static atomic_int a0, a1, ready;\nstatic int x0, x1;\nstatic _Atomic(int *) cell;");
	puts("#include <linux/futex.h>\n#include <poll.h>\n#include <sys/eventfd.h>\n"
	     "#include <semaphore.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n"
	     "#include <stdint.h>\n#include <time.h>\n"
	     "static pthread_barrier_t b;\nstatic sem_t s;\nstatic pthread_once_t o;\nstatic pthread_key_t key;\n"
	     "static int fds[2], counter;\n"
	     "static const struct timespec soon = { 1, 0 };\n"
	     "static void undo(void *a) { atomic_fetch_add((atomic_int *)a, 2); }\n"
	     "static void init(void) { atomic_fetch_add(&a0, 1); x1 = 1; }");
	printf("static pthread_rwlock_t l = PTHREAD_RWLOCK_%s;\n", /* every other program */
	       state & 1 ? "INITIALIZER" : "WRITER_NONRECURSIVE_INITIALIZER_NP");
	print_swap();
	unsigned threads = 2 + (pick(3) == 0);
	for (unsigned t = 0; t < threads; t++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = 0;\n", t);
		statements(1, 1 + pick(threads == 2 ? 5 : 3), 0);
		puts(pick(8) ? "\treturn argument;\n}" : "\tpthread_exit(argument);\n}");
	}
	puts("int main(void)\n{\n\tint r = 0;\n\tpthread_t id[3];");
	puts("\tpipe(fds); counter = eventfd(0, 0);");
	printf("\tpthread_barrier_init(&b, 0, %u); sem_init(&s, 0, %u); pthread_key_create(&key, undo);\n", 2 + pick(2),
		       pick(2));
	create_threads(threads);
	statements(1, pick(3), 0);
	if (pick(3) == 0)
		printf("\tpthread_cancel(id[%u]);\n", pick(threads));
	bool joined = pick(6) != 0;
	if (joined) {
		join_threads(threads);
		printf("\tassert(a0 + 3 * a1 != %u && x0 + 2 * x1 != %u);\n", pick(12), 4 + pick(5));
	}
	puts("\treturn r & 0;\n}");
	return 0;
}
