/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs of four or five threads, each of which does little, but what it does depends on what others have
 * written: values let a thread go on, choose the place that it writes to, or wake it.  So whether two threads meet can depend on
 * all others.  The same seed gives the same program.  Used like random_program.c.
 *
 *     usage: random_chained SEED [COUNT]
 */
#include "random.h"

static unsigned thread, threads; /* that is being written, and how many there are */
static bool joined[5];           /* by a thread */

static void access(void)
{
	unsigned x = pick(5), y = pick(5), k = 1 + pick(3);
	switch (pick(14)) {
	case 0:
	case 1:
	case 2: printf("at[%u] = %u;\n", x, k); break;
	case 3: printf("at[%u] = at[%u] + 1;\n", x, y); break;
	case 4: printf("atomic_fetch_add(&at[%u], %u);\n", x, k); break;
	case 5: printf("r = atomic_exchange(&at[%u], %u);\n", x, k); break;
	case 6: printf("r = at[%u];\n", x); break;
	case 7: printf("{ int old = %u; r = atomic_compare_exchange_strong(&at[%u], &old, %u); }\n", pick(3), x, k); break;
	case 8: printf("at[at[%u] %% 5] = %u;\n", x, k); break;
	case 9: printf("r = at[at[%u] %% 5];\n", x); break;
	case 10: printf(pick(2) ? "p = &at[%u];\n" : "{ atomic_int *q = p; *q = %u; }\n", x); break;
	case 11: printf("both.bytes[%u] = %u;\n", pick(2), k); break;
	case 12: printf(pick(2) ? "both.whole = %u;\n" : "r = both.whole == %u;\n", k * 256 + pick(2)); break;
	case 13: printf("local = %u; lent = &local; r = local;\n", k); break;
	}
}

static void condition(void)
{
	unsigned x = pick(5), k = pick(4);
	switch (pick(6)) {
	case 0: printf("if (at[%u] == %u && at[%u] == %u) ", x, k, pick(5), pick(3)); break;
	case 1: printf("if (r) "); break;
	case 2: printf("if (both.whole == %u) ", k * 256 + pick(2)); break;
	default: printf("if (at[%u]%s%u) ", x, pick(3) ? " == " : " > ", k);
	}
}

/* What only one thread at a time may do; or does all the same. */
static void plain(void)
{
	unsigned k = 1 + pick(2);
	switch (pick(5)) {
	case 0: printf("d = %u;\n", k); break;
	case 1: printf("r = d;\n"); break;
	case 2: printf("pair = (struct two){ %u, %u };\n", k, pick(3)); break;
	case 3: printf("pair.%c = %u;\n", pick(2) ? 'a' : 'b', k); break;
	case 4: printf("r = pair.a == %u && pair.b == %u;\n", k, pick(3)); break;
	}
}

static void section(void)
{
	bool tries = pick(4) == 0;
	puts(tries ? "{ if (pthread_mutex_trylock(&m)) r = 1; else {" : "{ { pthread_mutex_lock(&m);");
	for (unsigned i = 1 + pick(2); i > 0; i--) {
		printf("\t\t");
		if (pick(3) == 0)
			condition();
		if (pick(3))
			plain();
		else
			access();
	}
	puts("\t\tpthread_mutex_unlock(&m); } }");
}

static void wait_or_wake(void)
{
	unsigned t = pick(threads);
	switch (pick(8)) {
	case 0: puts("sem_wait(&s);"); break;
	case 1: puts("sem_post(&s);"); break;
	case 2: puts("pthread_barrier_wait(&both_here);"); break;
	case 3: puts("{ pthread_mutex_lock(&m); d = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); }"); break;
	case 4: puts("{ pthread_mutex_lock(&m); while (!d) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); }"); break;
	case 5: puts("{ atomic_int *q = lent; if (q) r = *q; }"); break;
	case 6: printf("{ int *q = malloc(sizeof *q); *q = %u; given = q; }\n", 1 + pick(2)); break;
	case 7:
		if (t < thread && !joined[t]) {
			printf("pthread_join(id[%u], 0);\n", t);
			joined[t] = true;
		} else {
			puts("{ int *q = given; if (q) r = *q; }");
		}
		break;
	}
}

/* Other ways to depend on what somebody has done, that need not wait. */
static void try_something(void)
{
	unsigned x = pick(5), k = 1 + pick(3);
	switch (pick(12)) {
	case 0: printf(pick(2) ? "sem_post(&s);\n" : "r = sem_trywait(&s);\n"); break;
	case 1: puts("if (pthread_rwlock_trywrlock(&rw)) r = 1; else pthread_rwlock_unlock(&rw);"); break;
	case 2: puts("{ if (pthread_rwlock_tryrdlock(&rw)) r = 1; else { r = d; pthread_rwlock_unlock(&rw); } }"); break;
	case 3: puts("if (pthread_spin_trylock(&spin)) r = 1; else pthread_spin_unlock(&spin);"); break;
	case 4: printf("pthread_once(&once, sets);\n"); break;
	case 5: puts("{ if (pthread_mutex_timedlock(&m, &past)) r = 1; else pthread_mutex_unlock(&m); }"); break;
	case 6:
		printf("{ int e = pthread_mutex_%slock(&robust); if (e == EOWNERDEAD) { r = 1; pthread_mutex_consistent(&robust); } "
		       "else if (e) r = 2; if (e != EBUSY && %u) pthread_mutex_unlock(&robust); }\n",
		       pick(3) ? "try" : "", pick(3));
		break;
	case 7: printf("r = bitspin_choose(0, %u);\n", 1 + pick(2)); break;
	case 8: printf("bitspin_assume(at[%u] != %u);\n", x, k); break;
	case 9:
		printf("{ bitspin_atomic_begin(); at[%u] = %u; if (at[%u] == %u) at[%u] = 0; bitspin_atomic_end(); }\n", x, k,
		       pick(5), pick(3), pick(5));
		break;
	case 10: printf("pthread_exit((void *)(long)at[%u]);\n", x); break;
	case 11: printf("if (pthread_equal(pthread_self(), id[%u])) at[%u] = 1;\n", pick(threads), x); break;
	}
}

/* Bytes of larger places, by different kinds of accesses. */
static void access_bytes(void)
{
	unsigned x = pick(3), k = 1 + pick(3);
	switch (pick(12)) {
	case 0: printf("large[%u] = %u;\n", 149 * x, k); break;
	case 1: printf("r = large[%u] == %u;\n", 149 * x, k); break;
	case 2: printf("large[%u] = large[%u];\n", 149 * x, 149 * pick(3)); break;
	case 3: printf(pick(2) ? "atomic_fetch_or(&at[%u], %u);\n" : "atomic_fetch_xor(&at[%u], %u);\n", x, k); break;
	case 4: printf("{ pthread_mutex_lock(&m); memcpy(copy, buffer, sizeof copy); pthread_mutex_unlock(&m); }\n"); break;
	case 5: printf("{ pthread_mutex_lock(&m); strcpy(buffer, \"%u\"); pthread_mutex_unlock(&m); }\n", k); break;
	case 6:
		printf("{ pthread_mutex_lock(&m); r = %s[0] == '%u'; pthread_mutex_unlock(&m); }\n", pick(2) ? "buffer" : "copy",
		       k);
		break;
	case 7: printf("{ pthread_mutex_lock(&m); bits.%s = %u; pthread_mutex_unlock(&m); }\n", pick(2) ? "low" : "high", k); break;
	case 8:
		printf("{ pthread_mutex_lock(&m); r = bits.%s == %u; pthread_mutex_unlock(&m); }\n", pick(2) ? "low" : "high", k);
		break;
	case 9: printf("wide.%s = %u;\n", pick(2) ? "half[0]" : pick(2) ? "half[1]" : "whole", k); break;
	case 10: printf("r = wide.whole == %uULL + (%uULL << 32);\n", pick(3), pick(3)); break;
	case 11: printf(pick(2) ? "*mains = %u;\n" : "r = *mains == %u;\n", k); break;
	}
}

static void statement(void)
{
	putchar('\t');
	if (pick(3) == 0)
		condition();
	switch (pick(16)) {
	case 0:
	case 1: section(); break;
	case 2: wait_or_wake(); break;
	case 3:
		if (pick(4) == 0)
			plain();
		else
			access();
		break;
	case 4:
	case 5:
		printf("assert(at[%u] != %u || at[%u] %s %u);\n", pick(5), 1 + pick(3), pick(5), pick(2) ? "!=" : "==", pick(3));
		break;
	case 6:
	case 7: try_something(); break;
	case 8:
	case 9: access_bytes(); break;
	default: access();
	}
}

static void variables(void)
{
	puts("atomic_int at[5];\nunion {\n\tatomic_short whole;\n\tatomic_char bytes[2];\n} both;\n_Thread_local atomic_int local;\n"
	     "_Atomic(atomic_int *) lent;\n_Atomic(atomic_int *) p = &at[0];\n_Atomic(int *) given;\nvolatile int d;\n"
	     "volatile struct two pair;\nint a0, a1, ready, x0, x1, rest;\n"
	     "pthread_mutex_t m;\nsem_t s;\npthread_cond_t c;\npthread_barrier_t both_here;\npthread_t id[5];");
	puts("atomic_int large[300], *mains;\nunion {\n\t_Atomic(unsigned long long) whole;\n\tatomic_uint half[2];\n} wide;\n"
	     "char buffer[8], copy[8];\nstruct {\n\tunsigned low : 3, high : 3;\n} bits;\n"
	     "pthread_rwlock_t rw;\npthread_spinlock_t spin;\npthread_once_t once;\npthread_mutex_t robust;\n"
	     "struct timespec past;\nstatic void sets(void)\n{\n\tat[1] = 1;\n}");
}

static void initialise(void)
{
	puts("\tatomic_int mine = 0;\n\tpthread_mutexattr_t kind;\n\tmains = &mine;\n\tpthread_mutexattr_init(&kind);\n"
	     "\tpthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);\n\tpthread_mutex_init(&robust, &kind);\n"
	     "\tpthread_spin_init(&spin, 0);");
	printf("\tsem_init(&s, 0, %u);\n\tpthread_barrier_init(&both_here, 0, 2);\n", pick(2));
}

static void program(unsigned long seed)
{
	begin("a0 a1 ready x0 x1 rest pair at both local lent p given d m s c both_here id large mains wide buffer copy bits rw spin "
	      "once robust past sets t0 t1 t2 t3 t4 program",
	      seed);
	variables();
	memset(joined, 0, sizeof joined);
	threads = 4 + (pick(5) == 0);
	for (thread = 0; thread < threads; thread++) {
		printf("static void *t%u(void *argument)\n{\n\tint r = 0;\n", thread);
		for (unsigned i = 1 + pick(threads == 4 ? 3 : 2); i > 0; i--)
			statement();
		puts("\tr = r & 0;\n\treturn argument;\n}");
	}
	puts("int program(void)\n{");
	initialise();
	create_threads(threads);
	for (unsigned t = 0; t < threads; t++)
		if (!joined[t])
			join_thread(t);
	printf("\tassert(at[%u] != %u);\n\ta0 = at[0], a1 = at[1], x0 = at[2], x1 = at[3], ready = at[4], rest = d;\n\treturn 0;\n}\n",
	       pick(5), 1 + pick(3));
}

int main(int argc, char **argv)
{
	return print_file(
		argc, argv,
		"#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
		"#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n#include \"bitspin.h\"\nstruct two {\n\tint a, b;\n};",
		program, LOOKS_AT_END);
}
