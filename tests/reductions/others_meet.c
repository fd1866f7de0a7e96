/* SPDX-License-Identifier: MIT
 *
 * What all other threads may do together while one rests.  ONE must not be offered alone: only where the others go first, from one
 * to the next, does FOUR see that ONE has not moved (`seen` is 1).  The verdicts are derived by hand.
 *
 * ALSO: --reduction persistent
 * ALSO: --reduction persistent,supersteps,ends
 * ALSO: --search bfs
 *
 * What one thread writes lets the next one go on, until the last one looks at what ONE writes:
 * RUN: check -DTWO='S(b, 1)' -DTHREE='if (b) S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(b, 1)' -DTHREE='if (b) S(c, 1)' -DFOUR='if (c) assert(a <= 1)'
 * EXPECT: verified
 * RUN: check -DTWO='if (d) S(b, 1)' -DTHREE='if (b) S(c, 1)' -DFOUR='S(d, 1); if (c) LOOK'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(b, 1); S(b, 2)' -DTHREE='if (b == 2) S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(b, 1); pthread_exit(NULL)' -DTHREE='if (b) S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(b, 1)' -DTHREE='S(c, 1)' -DFOUR='if (b == 0 && c == 1 && b == 1) LOOK'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(b, 1)' -DTHREE='S(c, 1)' -DFOUR='if (b == 1 && b == 0) LOOK'
 * EXPECT: verified
 * RUN: check -DONE='S(a, 1)' -DTWO='S(a, 2)' -DTHREE='S(c, 1)' -DFOUR='if (c) LOOK'
 * EXPECT: violated assertion
 * RUN: check -DTWO='R(30, S(b, b + 1))' -DTHREE='if (b == 29) S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(b, 1); S(b, 3)' -DTHREE='while (b != 3) {} S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(b, bitspin_nondet_bool())' -DTHREE='if (b) S(c, 1)'
 * EXPECT: violated assertion
 *
 * A thread's own value, and another's in its place:
 * RUN: check -DTWO='S(b, 2); if (b == 1) S(c, 1)' -DTHREE='S(b, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(b, 2); if (b == 0) S(c, 1)' -DTHREE='if (b == 2) S(b, 3)'
 * EXPECT: verified
 * RUN: check -DTWO='CAS(b, 0, 1)' -DTHREE='CAS(b, 1, 2)' -DFOUR='if (b == 2) LOOK'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(c, 5 == atomic_exchange(&b, 1))' -DTHREE='S(b, 5)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(c, atomic_fetch_add(&b, 1))' -DTHREE='atomic_fetch_add(&b, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(b, 2)' -DTHREE='S(d, b)' -DFOUR='atomic_fetch_add(&b, 1); if (b == 3) LOOK'
 * EXPECT: violated assertion
 *
 * Which place it is depends on what others write:
 * RUN: check -DTWO='S(p, &c)' -DTHREE='S(*p, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(b, 3)' -DTHREE='S(v[b], 1)' -DFOUR='if (v[3]) LOOK'
 * EXPECT: violated assertion
 * RUN: check -DONE='S(v[3], 1)' -DTWO='S(b, 2)' -DTHREE='if (b == 2) S(c, 3)' -DFOUR='int k = c; if (k == 3) assert(v[k])'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(f, set_c)' -DTHREE='f()'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(*mains, 1)' -DTHREE='if (*mains) S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='int *q = malloc(4); *q = 1; S(g, q)' -DTHREE='int *q = g; if (q && *q) S(c, 1)'
 * EXPECT: violated assertion
 *
 * Bytes of one place, and of several at once:
 * RUN: check -DTWO='S(u.bytes[0], 1)' -DTHREE='S(u.bytes[1], 1)' -DFOUR='if (u.whole == 257) LOOK'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(u.whole, 257)' -DTHREE='S(u.bytes[1], 0)' -DFOUR='if (u.whole == 1) LOOK'
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(u.whole, 257)' -DTHREE='S(d, u.whole)' -DFOUR='S(u.bytes[0], 5); if (u.whole == 261) LOOK'
 * EXPECT: violated assertion
 * RUN: check -DTWO='L(m); s.x = 1, s.y = 2; X(m)' -DTHREE='L(m); s.x = 3; X(m)' -DFOUR='L(m); LOOKS(s.x == 3 && s.y == 2); X(m)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='L(m); s = (struct pair){ 1, 2 }; X(m)' -DTHREE='L(m); t = s; X(m)' -DFOUR='L(m); if (t.y == 2) LOOK; X(m)'
 * EXPECT: violated assertion
 *
 * Locks, and other things to wait for:
 * RUN: check -DTWO='L(m); S(b, 1); X(m)' -DTHREE='L(m); if (b) S(c, 1); X(m)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='L(m); x = 1; X(m)' -DTHREE='L(m); y = x; X(m)' -DFOUR='L(m); if (y) LOOK; X(m)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='L(m); X(m)' -DTHREE='if (pthread_mutex_trylock(&m)) S(c, 1); else X(m)'
 * EXPECT: violated assertion
 * RUN: check -DONE='BOTH(m, o)' -DTWO='S(b, 1)' -DTHREE='if (b) S(c, 1)' -DFOUR='if (c) { BOTH(o, m); }'
 * EXPECT: violated deadlock
 * RUN: check -DONE='BOTH(m, o)' -DTWO='L(m); S(b, 1); X(m)' -DTHREE='L(o); if (b) S(c, 1); X(o)' -DFOUR='if (c) { BOTH(m, o); }'
 * EXPECT: verified
 * RUN: check -DTWO='S(b, 1)' -DTHREE='join(2); if (b) S(c, 1)' -DJOINED=2
 * EXPECT: violated assertion
 * RUN: check -DTWO='S(b, 1)' -DTHREE='join(2); if (!b) S(c, 1)' -DJOINED=2
 * EXPECT: verified
 * RUN: check -DONE='L(m); S(a, 1); X(m); S(a, 2)' -DTWO='if (b) { L(m); X(m); if (a == 1) S(seen, 1); }' -DTHREE='S(b, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='L(robust)' -DTHREE='L(robust); S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='sem_post(&sem)' -DTHREE='sem_wait(&sem); S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='L(m); x = 1; SIGNAL; X(m)' -DTHREE='L(m); while (!x) WAIT; X(m); S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='pthread_barrier_wait(&barrier)' -DTHREE='pthread_barrier_wait(&barrier); S(c, 1)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='WRITES; x = 1; NO_MORE' -DTHREE='READS; if (x) S(c, 1); NO_MORE'
 * EXPECT: violated assertion
 * RUN: check -DTWO='start(set_b)' -DTHREE='if (b) S(c, 1)'
 * EXPECT: violated assertion
 *
 * Races: of what ONE does with the end of the chain, of two others, and none:
 * RUN: check -DONE='x = 1' -DTWO='S(b, 1)' -DTHREE='if (b) S(c, 1)' -DFOUR='if (c) x = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='x = 1; S(a, 1)' -DTWO='S(b, 1)' -DTHREE='if (b) S(c, 1)' -DFOUR='if (c && a) x = 2'
 * EXPECT: verified
 * RUN: check -DTWO='S(b, 1); x = 1' -DTHREE='if (b) x = 2' -DFOUR='if (c) LOOK'
 * EXPECT: violated data-race
 * RUN: check -DTWO='x = 1; S(b, 1)' -DTHREE='if (b) { x = 2; S(c, 1); }'
 * EXPECT: violated assertion
 * RUN: check -DONE='*h = 1' -DTWO='S(b, 1)' -DTHREE='if (b) S(c, 1)' -DFOUR='if (c) free(h)'
 * EXPECT: violated data-race
 */
#include <bitspin.h>
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../thread.h"

#ifndef ONE
#define ONE S(a, 1)
#endif
#ifndef FOUR
#define FOUR \
	if (c) \
	LOOK
#endif
#ifndef JOINED
#define JOINED 0 /* a thread that another one joins */
#endif
#define R(times, what) \
	for (int i = 0; i < (times); i++) { \
		what; \
	}
#define S(x, value)      atomic_store(&(x), value)
#define CAS(x, old, new) atomic_compare_exchange_strong(&(x), &(int){ old }, new)
#define L(m)             pthread_mutex_lock(&m)
#define X(m)             pthread_mutex_unlock(&m)
#define BOTH(m, o)       L(m), L(o), X(o), X(m)
#define LOOKS(x)         (void)((x) && (LOOK, 1))
#define LOOK             S(seen, 1 + a)
#define WAIT             pthread_cond_wait(&cond, &m)
#define SIGNAL           pthread_cond_signal(&cond)
#define READS            pthread_rwlock_rdlock(&rw)
#define WRITES           pthread_rwlock_wrlock(&rw)
#define NO_MORE          pthread_rwlock_unlock(&rw)

static atomic_int a, b, c, d, v[4], seen, nothing;
static atomic_int *_Atomic p = &nothing, *mains;
static int *_Atomic g, *h;
static union {
	atomic_short whole;
	atomic_char bytes[2];
} u;
static struct pair {
	int x, y;
} s, t;
int x, y; /* not static: an optimizer would leave out what is only written */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER, robust;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static pthread_t threads[5];

static void do_nothing(void)
{
}

static void set_c(void)
{
	S(c, 1);
}

static void (*_Atomic f)(void) = do_nothing;

static void *set_b(void *unused)
{
	S(b, 1);
	return unused;
}

static void start(void *(*function)(void *))
{
	pthread_t thread;
	pthread_create(&thread, NULL, function, NULL);
	pthread_detach(thread);
}

static void join(int number)
{
	pthread_join(threads[number], NULL);
}

THREAD(one, ONE) /* ERROR */
THREAD(two, TWO)
THREAD(three, THREE) /* ERROR */
THREAD(four, FOUR) /* ERROR */

int main(void)
{
	static void *(*const functions[])(void *) = { NULL, one, two, three, four };
	atomic_int mine = 0;
	mains = &mine;
	h = malloc(sizeof *h);
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &kind);
	sem_init(&sem, 0, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	bitspin_atomic_begin(); /* nobody gets anywhere before all are there */
	for (int i = 1; i <= 4; i++)
		pthread_create(&threads[i], NULL, functions[i], NULL);
	bitspin_atomic_end();
	for (int i = 1; i <= 4; i++)
		if (i != JOINED)
			join(i);
	assert(seen != 1); /* ERROR */
	(void)do_nothing, (void)set_c, (void)set_b, (void)start;
	return 0;
}
