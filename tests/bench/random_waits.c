/* SPDX-License-Identifier: MIT
 *
 * Prints small random programs of threads that wait in loops: for flags, with locks made by hand, by polls under a mutex.  Loops
 * only read, but for locks and exchanges that fail, so a run that does not end is one of threads that wait.  The same seed gives
 * the same program.  Used by waits.sh.
 *
 *     usage: random_waits SEED
 */
#include "random.h"

static bool polls; /* does somebody poll under the mutex? */

static void body(void)
{
	static const char *const bodies[] = { ";", "sched_yield();", "usleep(1);", "{ count++; sched_yield(); }" };
	puts(bodies[pick(4)]);
}

/* A condition on flags that others set. */
static void condition(void)
{
	unsigned x = pick(3), y = pick(3), k = 1 + pick(2);
	switch (pick(5)) {
	case 0: printf("atomic_load(&a%u) == %u && atomic_load(&a%u)", x, k, y); break;
	case 1: printf("atomic_load(&a%u) || atomic_load(&a%u) == %u", x, y, k); break;
	case 2: printf("equals(&a%u, %u)", x, k); break;
	default: printf("atomic_load(&a%u) %s %u", x, pick(4) ? "==" : "!=", k); break;
	}
}

static void acquire(void)
{
	switch (pick(4)) {
	case 0: printf("while (atomic_exchange(&lock, 1)) "); break;
	case 1: printf("while (atomic_flag_test_and_set(&flag)) "); break;
	case 2: printf("for (int free = 0; !atomic_compare_exchange_strong(&lock, &free, 1); free = 0) "); break;
	case 3: printf("while (pthread_spin_trylock(&spin)) "); break;
	}
	body();
}

static void release(void)
{
	puts("atomic_store(&lock, 0); atomic_flag_clear(&flag);");
}

static void statement(int depth)
{
	unsigned x = pick(3), k = 1 + pick(2);
	indent(1);
	switch (pick(polls ? 11 : 9)) {
	case 0: case 1: case 2: printf("atomic_store(&a%u, %u);\n", x, pick(5) ? k : 0); break;
	case 3: case 4:
		printf("while (!(");
		condition();
		printf(")) ");
		body();
		break;
	case 5:
		printf("for (int i = 0; i < 3; i++) if (");
		condition();
		puts(") break;");
		break;
	case 6:
		if (depth == 0)
			break;
		acquire();
		statement(depth - 1);
		indent(1);
		if (pick(4))
			release();
		break;
	case 7:
		printf("if (");
		condition();
		puts(pick(6) ? ") return 0;" : ") exit(0);");
		break;
	case 8: printf("atomic_fetch_add(&a%u, 1);\n", x); break;
	case 9: printf("for (int seen = 0; !seen;) { pthread_mutex_lock(&m); seen = p == %u; pthread_mutex_unlock(&m); }\n", k); break;
	case 10: printf("pthread_mutex_lock(&m); p = %u; pthread_mutex_unlock(&m);\n", k); break;
	}
	puts("");
}

static void program(unsigned long seed)
{
	begin("", seed);
	unsigned threads = 2 + (pick(4) == 0);
	polls = pick(3) == 0;
	for (unsigned t = 0; t < threads; t++) {
		printf("static void *t%u(void *unused)\n{\n\tunsigned char count = 0;\n", t);
		for (unsigned i = 1 + pick(3); i > 0; i--)
			statement(1);
		puts("\t(void)count;\n\treturn unused;\n}");
	}
	puts("int main(void)\n{\n\tpthread_t id[3];\n\tpthread_spin_init(&spin, 0);");
	create_threads(threads);
	if (pick(3) == 0)
		puts("\tatomic_store(&a0, 1);");
	join_threads(threads);
	puts("\treturn 0;\n}");
}

int main(int argc, char **argv)
{
	puts("#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
	     "static atomic_int a0, a1, a2, lock;\nstatic atomic_flag flag = ATOMIC_FLAG_INIT;\nstatic pthread_spinlock_t spin;\n"
	     "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int p;\n"
	     "static int equals(atomic_int *a, int k) { return atomic_load(a) == k; }");
	program(argc > 1 ? strtoul(argv[1], NULL, 10) : 1);
	return 0;
}
