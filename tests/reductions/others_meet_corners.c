/* SPDX-License-Identifier: MIT
 *
 * More of what others_meet.c tests: threads must go first, from one to the next, for the violation to show, so ONE must not be
 * offered alone.  Here are rarer ways in which one thread matters to the next.  The verdicts are derived by hand.
 *
 * ALSO: --reduction persistent
 * ALSO: --reduction persistent,supersteps,ends
 * ALSO: --search bfs
 *
 * Locks of other kinds, and attempts to lock:
 * RUN: check -DTWO='L(again); L(again); x = 1; X(again); X(again)' -DTHREE='L(again); if (x) S(c, 1); X(again)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='L(robust)' -DTHREE='CHECK_OWNER; if (r == EOWNERDEAD) S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='L(robust); X(robust)' -DTHREE='CHECK_OWNER; if (r == EOWNERDEAD) S(c, 1)'
 * EXPECT: verified
 * RUN: check -DTWO='L(m); X(m)' -DTHREE='if (pthread_mutex_timedlock(&m, &past)) S(c, 1); else X(m)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='WRITES; NO_MORE' -DTHREE='if (pthread_rwlock_tryrdlock(&rw)) S(c, 1); else NO_MORE'
 * EXPECT: violated assertion
 * RUN: check -DTWO='L(m); while (!d) { X(m); L(m); } S(c, 1); X(m)' -DTHREE='S(d, 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='if (TRY(m)) X(m); else assert(0)' -DFOUR='if (c) { L(m); X(m); }'
 * EXPECT: violated assertion
 *
 * Other things that threads do with each other:
 * RUN: check -DTWO='sem_post(&sem)' -DTHREE='if (!sem_trywait(&sem)) S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='sem_wait(&left)' -DFOUR='if (c) sem_trywait(&left)'
 * EXPECT: violated deadlock
 * RUN: check -DTWO='pthread_once(&once, set_b)' -DTHREE='pthread_once(&once, set_c); if (b) S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTHREE='if (b) pthread_setspecific(key, &x)'
 * EXPECT: violated assertion
 * RUN: check -DTHREE='if (!pthread_tryjoin_np(threads[2], NULL)) S(c, 1)' -DJOINED=2
 * EXPECT: violated assertion
 * RUN: check -DTWO='pthread_exit(d ? &x : NULL)' -DTHREE='if (join(2)) S(c, 1)' -DFIVE='S(d, 1)' -DJOINED=2
 * EXPECT: violated assertion
 * RUN: check -DTWO='pthread_exit(d ? &x : NULL)' -DTHREE='if (join(2) == &y) S(c, 1)' -DFIVE='S(d, 1)' -DJOINED=2
 * EXPECT: verified
 * RUN: check -DTHREE='char k; if (read(ends[0], &k, 1) == 1) S(c, 1)' -DTWO='x = (int)write(ends[1], "", 1)'
 * EXPECT: violated assertion
 * RUN: check -DTHREE='if (b) start()'
 * EXPECT: violated assertion
 * RUN: check -DTHREE='if (!b) exit(0); S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='BOTH(m, o)' -DFOUR='if (c) { BOTH(o, q); }' -DFIVE='BOTH(q, m)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='BOTH(m, o)' -DFOUR='if (c) { BOTH(o, q); }' -DFIVE='BOTH(m, q)'
 * EXPECT: verified
 *
 * Bytes:
 * RUN: check -DTWO='S(u.half[0], 1)' -DTHREE='S(u.half[1], 1)' -DFOUR='if (u.whole == 0x100000001) assert(a)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='L(m); bits.f = 3; X(m)' -DTHREE='L(m); bits.k = 7; X(m)' -DFOUR='L(m); CHECK(bits.f == 3 && bits.k == 7); X(m)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(v[60], 1)' -DTHREE='if (v[60]) S(v[290], 1)' -DFOUR='if (v[290]) assert(a)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='L(m); memset(big, 1, sizeof big); X(m)' -DTHREE='L(m); COPY; X(m)' -DFOUR='L(m); CHECK(copy[390]); X(m)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(*local, 1)' -DTHREE='if (*local) S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='L(m); big[300] = 1; X(m)' -DFOUR='if (c) memset(big, 0, sizeof big)'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(m); big[300] = 1; X(m)' -DFOUR='if (c) memset(big, 0, 300 * sizeof *big)'
 * EXPECT: verified
 * RUN: check -DONE='L(m); h[1] = 1; X(m)' -DFOUR='if (c) { L(m); if (h[1]) S(d, 1); X(m); }'
 * EXPECT: violated uninitialized-read
 * RUN: check -DONE='L(m); h[1] = 1; X(m)' -DFOUR='if (c) { L(m); free(h); X(m); }'
 * EXPECT: violated use-after-free
 * RUN: check -DONE='S(a, d)' -DFOUR='if (c) { S(d, 1); S(d, 0); }' -DLAST='assert(!a)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='if (CAS(b, 1, 2) && b == 2) S(c, 1)' -DTHREE='S(b, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='if (CAS(b, 1, 2) && b == 0) S(c, 1)' -DTHREE='S(b, 1)'
 * EXPECT: verified
 *
 * Sections and assumptions:
 * RUN: check -DTWO='bitspin_atomic_begin(); S(b, 1); S(b, 0); bitspin_atomic_end()'
 * EXPECT: verified
 * RUN: check -DTWO='bitspin_assume(d == 1); S(b, 1)' -DFIVE='S(d, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='bitspin_assume(d == 2); S(b, 1)' -DFIVE='S(d, 1)'
 * EXPECT: verified
 *
 * Thread by thread, THREE comes to what it never does, and what a check cannot go on from:
 * RUN: check -DTWO='S(b, 1); S(c, 1)' -DTHREE='NEVER recurse(1)' -DFOUR='if (d == 2) assert(a)'
 * EXPECT: verified
 * RUN: check -DTWO='S(b, 1); S(c, 1)' -DTHREE='NEVER for (int i = 0; i < 300; i++) start()' -DFOUR='if (d == 2) assert(a)'
 * EXPECT: verified
 * RUN: check -DTWO='S(b, 1); S(c, 1)' -DTHREE='NEVER for (;;) {}' -DFOUR='if (d == 2) assert(a)'
 * EXPECT: verified
 * RUN: check -DTWO='S(b, 1); S(c, 1)' -DTHREE='NEVER assert(0)' -DFOUR='if (d == 2) assert(a)'
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <bitspin.h>
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../thread.h"

#ifndef ONE
#define ONE S(a, 1)
#endif
#ifndef TWO
#define TWO S(b, 1)
#endif
#ifndef THREE
#define THREE \
	if (b) \
	S(c, 1)
#endif
#ifndef FOUR
#define FOUR \
	if (c) \
	assert(a)
#endif
#ifdef FIVE
enum { THREADS = 5 };
#else
#define FIVE
enum { THREADS = 4 };
#endif
#ifndef JOINED
#define JOINED 0 /* a thread that another one joins */
#endif
#ifndef LAST
#define LAST
#endif
#define S(x, value)      atomic_store(&(x), value)
#define CAS(x, old, new) atomic_compare_exchange_strong(&(x), &(int){ old }, new)
#define L(m)             pthread_mutex_lock(&m)
#define X(m)             pthread_mutex_unlock(&m)
#define TRY(m)           (pthread_mutex_trylock(&m) == 0)
#define BOTH(m, o)       L(m), L(o), X(o), X(m)
#define CHECK(x)         assert(!(x) || a)
#define COPY             memcpy(copy, big, sizeof big)
#define WRITES           pthread_rwlock_wrlock(&rw)
#define NO_MORE          pthread_rwlock_unlock(&rw)
#define CHECK_OWNER      int r = check_owner()
#define NEVER            if (saw_second_only())

static atomic_int a, b, c, d, v[300];
static union {
	atomic_llong whole;
	atomic_int half[2];
} u;
static struct {
	unsigned f : 3, k : 5;
} bits;
int x, y, big[400], copy[400]; /* not static: an optimizer would leave out what is only written */
static int *h;
static _Thread_local atomic_int mains;
static atomic_int *local;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER, q = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, robust;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t sem, left;
static struct timespec past;
static int ends[2];
static pthread_t threads[6];

static void set_b(void)
{
	S(b, 1);
}

static void set_c(void)
{
	S(c, 1);
}

static void *start_c(void *unused)
{
	S(c, 1);
	return unused;
}

static void end_key(void *unused)
{
	(void)unused;
	S(c, 1);
}

static void start(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, start_c, NULL);
	pthread_detach(thread);
}

static void *join(int number)
{
	void *value;
	pthread_join(threads[number], &value); /* ERROR */
	return value;
}

static int check_owner(void)
{
	int r = pthread_mutex_lock(&robust);
	if (r == EOWNERDEAD)
		pthread_mutex_consistent(&robust);
	X(robust);
	return r;
}

/* TWO writes b before c. */
static bool saw_second_only(void)
{
	int second = c, first = b;
	S(d, 1);
	return second && !first;
}

static int recurse(int n)
{
	volatile int k = n;
	return k > 0 ? recurse(k) + 1 : 0;
}

THREAD(one, ONE) /* ERROR */
THREAD(two, TWO)
THREAD(three, THREE)
THREAD(four, FOUR) /* ERROR */
THREAD(five, FIVE) /* ERROR */

static void begin(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &attributes);
	pthread_key_create(&key, end_key);
	sem_init(&sem, 0, 0);
	sem_init(&left, 0, 1);
	h = malloc(2 * sizeof *h);
	local = &mains;
	if (pipe(ends))
		abort();
}

int main(void)
{
	static void *(*const functions[])(void *) = { NULL, one, two, three, four, five };
	begin();
	for (int i = 1; i <= THREADS; i++)
		pthread_create(&threads[i], NULL, functions[i], NULL);
	for (int i = 1; i <= THREADS; i++)
		if (i != JOINED)
			join(i);
	LAST; /* ERROR */
	(void)set_b, (void)set_c, (void)start, (void)check_owner, (void)saw_second_only, (void)recurse;
	return 0;
}
