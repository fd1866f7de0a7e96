/* SPDX-License-Identifier: MIT
 *
 * Whatever ends the program runs its exit handlers and destructors: the end of the last thread, as by exit(0), and exit() however
 * it is called.  `bye` fails, so `violated` means that it has run; with -DQUIET it only counts.
 *
 * The last thread is one that main has left behind, main itself, detached, cancelled, or one that calls thrd_exit:
 * RUN: check -DCASE=LEFT
 * EXPECT: violated assertion
 * RUN: check -DCASE=ALONE
 * EXPECT: violated assertion
 * RUN: check -DCASE=DETACHED
 * EXPECT: violated assertion
 * RUN: check -DCASE=CANCELLED
 * EXPECT: violated assertion
 * RUN: check -DCASE=C11
 * EXPECT: violated assertion
 * Its own destructors of thread-specific values come first, then handlers in reverse order, then destructors; handlers that a
 * destructor registers are last.  The status is 0:
 * RUN: check -DCASE=ORDER -DDESTRUCTOR
 * EXPECT: verified
 * RUN: check -DCASE=STATUS
 * EXPECT: verified
 * Either thread may be the last; what both have done is there:
 * RUN: check -DCASE=EITHER
 * EXPECT: verified
 * RUN: check -DCASE=EITHER -DWEAK
 * EXPECT: verified
 * RUN: check -DCASE=FIRST
 * EXPECT: violated assertion
 * A handler of the last thread creates a thread and joins it; that one is not the last:
 * RUN: check -DCASE=CREATES
 * EXPECT: verified
 * exit() from a table, passed to a function, as a signal handler, in a handler, from two threads:
 * RUN: check -DCASE=TABLE
 * EXPECT: violated assertion
 * RUN: check -DCASE=PASSED
 * EXPECT: violated assertion
 * RUN: check -DCASE=SIGNALLED
 * EXPECT: violated assertion
 * RUN: check -DCASE=NESTED
 * EXPECT: verified
 * RUN: check -DCASE=TWICE
 * EXPECT: verified
 * _exit and quick_exit do not run them, by pointer either; quick_exit has its own:
 * RUN: check -DCASE=RAW
 * EXPECT: verified
 * RUN: check -DCASE=QUICK
 * EXPECT: violated assertion
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

enum {
	LEFT,
	ALONE,
	DETACHED,
	CANCELLED,
	C11,
	ORDER,
	STATUS,
	EITHER,
	FIRST,
	CREATES,
	TABLE,
	PASSED,
	SIGNALLED,
	NESTED,
	TWICE,
	RAW,
	QUICK
};

static pthread_t mine, other;
static pthread_key_t key;
static int done, sum[2];
static atomic_int first, calls;

static void bye(void)
{
	assert(0); /* ERROR */
}

static void last_of_all(void)
{
	assert(done == 4);
	_exit(0);
}

#ifdef DESTRUCTOR
__attribute__((destructor)) static void destroy(void)
{
	assert(done++ == 3);
	atexit(last_of_all);
}
#endif

static void key_ends(void *value)
{
	(void)value;
	assert(done++ == 0);
}

static void second(void)
{
	assert(done++ == 1);
}

static void third(int status, void *argument)
{
	assert(status == 0 && argument == &done && done++ == 2);
}

static void *keyed(void *unused)
{
	pthread_setspecific(key, &done);
	return unused;
}

static void *adds(void *slot)
{
	int zero = 0;
	*(int *)slot = 1;
#ifdef WEAK
	atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
#endif
	atomic_compare_exchange_strong(&first, &zero, slot == sum ? 1 : 2);
	return NULL;
}

static void total(void)
{
	assert(sum[0] + sum[1] == 2);
}

static void which(void)
{
	assert(first != 2); /* ERROR */
}

static void *nothing(void *unused)
{
	return unused;
}

static void creates(void)
{
	pthread_t helper;
	assert(done++ == 0);
	pthread_create(&helper, NULL, nothing, NULL);
	pthread_join(helper, NULL);
	assert(done == 1);
}

static void *waits(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static int leaves(void *unused)
{
	(void)unused;
	thrd_exit(3);
}

static void ends(void (*how)(int), int status)
{
	how(status);
}

static void again(void)
{
	assert(atomic_fetch_add(&calls, 1) == 0);
	exit(1);
}

static void status_is_1(int status, void *unused)
{
	(void)unused;
	assert(status == 1 && calls == 1);
}

static void once(void)
{
	assert(atomic_fetch_add(&calls, 1) == 0);
}

static void *exits(void *unused)
{
	exit(0);
	return unused;
}

static void (*const table[])(int) = { exit, _exit, quick_exit };

int main(void)
{
	thrd_t thread;
	volatile int which_one = CASE == RAW ? 1 : CASE == QUICK ? 2 : 0;
	(void)thread;
	if (CASE == ORDER) {
		pthread_key_create(&key, key_ends);
		on_exit(third, &done);
		atexit(second);
	} else if (CASE == STATUS) {
		done = 2;
		on_exit(third, &done);
	} else if (CASE == NESTED) {
		on_exit(status_is_1, NULL);
		atexit(again);
	} else if (CASE == QUICK) {
		at_quick_exit(bye);
		atexit(once);
	} else {
		atexit(CASE == EITHER ? total : CASE == FIRST ? which : CASE == CREATES ? creates : CASE == TWICE ? once : bye);
	}
	switch (CASE) {
	case DETACHED:
	case STATUS:
	case LEFT: pthread_create(&mine, NULL, nothing, NULL); break;
	case CANCELLED: pthread_create(&mine, NULL, waits, NULL); break;
	case C11: thrd_create(&thread, leaves, NULL); break;
	case ORDER: pthread_create(&mine, NULL, keyed, NULL); break;
	case EITHER:
	case FIRST:
		pthread_create(&mine, NULL, adds, &sum[0]);
		pthread_create(&other, NULL, adds, &sum[1]);
		break;
	case TWICE: pthread_create(&mine, NULL, exits, NULL); exit(0);
	case SIGNALLED:
		signal(SIGUSR1, exit);
		raise(SIGUSR1);
		return 0;
	case NESTED: return 5;
	case PASSED: ends(exit, 3); break;
	case TABLE:
	case RAW:
	case QUICK: table[which_one](0);
	}
	if (CASE == DETACHED)
		pthread_detach(mine);
	if (CASE == CANCELLED)
		pthread_cancel(mine);
	pthread_exit(NULL);
}
