/* SPDX-License-Identifier: MIT
 *
 * Steps that are made of what is known of an earlier one (runtime/search/reduce/transition_cache.c): in each case, the step that
 * matters has been taken before, from the same nodes, in a state in which the other threads were elsewhere.  Verdicts are
 * derived by hand.
 *
 * A SPINNER goes on for ever, so that threads that wait for each other in a circle are no deadlock of all.
 *
 * RUN: check --reduction none -DCASE=LOCKS
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=LOCKS -DFIRST_WAITS
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=LOCKS -DSECOND_WAITS
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=LOCKS -DFIRST_WAITS -DSECOND_WAITS
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=LOCKS -DORDERED -DFIRST_WAITS -DSECOND_WAITS
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=THREE_LOCKS
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=THREE_LOCKS -DORDERED
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=JOINED
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=JOINED -DORDERED
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=JOINED_LATER
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=WOKEN
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=WOKEN -DSECOND_WAITS
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=WOKEN -DORDERED
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=SEGMENT
 * EXPECT: violated data-race
 * RUN: check --reduction none -DCASE=SEGMENT -DORDERED
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=ALONE
 * EXPECT: violated data-race
 * RUN: check --reduction none -DCASE=WHO
 * EXPECT: violated assertion
 * RUN: check --reduction none -DCASE=WHO -DORDERED
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=LOST
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=LOST -DORDERED
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=TWO_MUTEXES
 * EXPECT: violated mutex-misuse
 * RUN: check --reduction none -DCASE=TWO_MUTEXES -DORDERED
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=OTHER_MUTEX
 * EXPECT: violated mutex-misuse
 * RUN: check --reduction none -DCASE=OTHER_MUTEX -DORDERED
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=WOKEN_LATE
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=SEMAPHORE
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=TWO_SIGNALS
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=HEAP
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=HEAP -DORDERED
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=HANDED_ON
 * EXPECT: violated assertion
 * RUN: check --reduction none -DCASE=HANDED_ON -DORDERED
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=DIES
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=DIES -DORDERED
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=CANCELLED
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=TIMED
 * EXPECT: violated assertion
 * RUN: check --reduction none -DCASE=DETACHED
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { LOCKS, THREE_LOCKS, JOINED, JOINED_LATER, WOKEN, SEGMENT, ALONE, WHO, LOST, TWO_MUTEXES, OTHER_MUTEX, TWO_SIGNALS,
       WOKEN_LATE, SEMAPHORE, HEAP, HANDED_ON, DIES, CANCELLED, TIMED, DETACHED };

#ifdef FIRST_WAITS
#define FIRST_WAIT sched_yield()
#else
#define FIRST_WAIT ((void)0)
#endif
#ifdef SECOND_WAITS
#define SECOND_WAIT sched_yield()
#else
#define SECOND_WAIT ((void)0)
#endif
#ifdef ORDERED
enum { ORDER = 1 };
#else
enum { ORDER = 0 };
#endif

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int flag, tries, stop;
static int plain, turn, awake;
static pthread_t threads[4];

static void nest(pthread_mutex_t *outer, pthread_mutex_t *inner)
{
	pthread_mutex_lock(outer);
	pthread_mutex_lock(inner); /* ERROR */
	pthread_mutex_unlock(inner);
	pthread_mutex_unlock(outer);
}

static void *spin(void *unused)
{
	while (!ORDER || !stop)
		;
	return unused;
}

/* ---- circles ---------------------------------------------------------------------------------------------------------- */

static void *first(void *unused)
{
	pthread_mutex_lock(&a);
	FIRST_WAIT;
	pthread_mutex_lock(&b); /* ERROR */
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(ORDER ? &a : &b);
	SECOND_WAIT;
	pthread_mutex_lock(ORDER ? &b : &a); /* ERROR */
	pthread_mutex_unlock(ORDER ? &b : &a);
	pthread_mutex_unlock(ORDER ? &a : &b);
	return unused;
}

static void *of_three(void *number)
{
	pthread_mutex_t *all[] = { &a, &b, &c };
	int i = (int)(long)number, next = (i + 1) % 3;
	if (ORDER && next < i)
		nest(all[next], all[i]);
	else
		nest(all[i], all[next]);
	return NULL;
}

/* main holds `a` while it joins who wants it */
static void *wants(void *unused)
{
	flag++;
	pthread_mutex_lock(&a); /* ERROR */
	pthread_mutex_unlock(&a);
	return unused;
}

static void *two_steps(void *unused)
{
	flag++;
	flag++;
	return unused;
}

/* sleeps with `a` while it holds `b` */
static void *sleeper(void *unused)
{
	if (!ORDER)
		pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	while (!turn)
		pthread_cond_wait(&changed, &a); /* ERROR */
	pthread_mutex_unlock(&a);
	if (!ORDER)
		pthread_mutex_unlock(&b);
	return unused;
}

/* has `a`, and wants `b` while the third thread wakes the sleeper */
static void *holder(void *unused)
{
	pthread_mutex_lock(&a);
	turn = 1;
	flag = 1;
	SECOND_WAIT;
	pthread_mutex_lock(&b); /* ERROR */
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return unused;
}

static void *waker(void *unused)
{
	while (!flag)
		;
	pthread_cond_signal(&changed);
	return unused;
}

/* ---- open segments ---------------------------------------------------------------------------------------------------- */

/* The second access meets the first one's segment only where that has gone on to it. */
static void *writes(void *unused)
{
	if (ORDER)
		pthread_mutex_lock(&a);
	tries++;
	plain = 1; /* ERROR */
	if (ORDER)
		pthread_mutex_unlock(&a);
	return unused;
}

static void *writes_alone(void *unused)
{
	plain++;
	flag = 1;
	return unused;
}

/* ---- sleepers --------------------------------------------------------------------------------------------------------- */

static void *sleeps(void *number)
{
	pthread_mutex_lock(&a);
	awake++;
	while (!turn)
		pthread_cond_wait(&changed, &a);
	if (ORDER)
		pthread_cond_signal(&changed);
	else
		turn = 0;
	int mine = ++tries;
	assert(ORDER || mine != 1 || (long)number == 1); /* ERROR */
	pthread_mutex_unlock(&a);
	return NULL;
}

static void *signals(void *unused)
{
	pthread_mutex_lock(&a);
	turn = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&a);
	return unused;
}

/* A signal without the mutex, between the look and the sleep, is lost. */
static void *looks(void *unused)
{
	pthread_mutex_lock(&a);
	while (!flag)
		pthread_cond_wait(&changed, &a);
	pthread_mutex_unlock(&a);
	return unused;
}

static void *sets(void *unused)
{
	if (ORDER)
		pthread_mutex_lock(&a);
	flag = 1;
	pthread_cond_broadcast(&changed);
	if (ORDER)
		pthread_mutex_unlock(&a);
	return unused;
}

static void *sleeps_with(void *mutex)
{
	pthread_mutex_lock(mutex);
	while (!flag)
		pthread_cond_wait(&changed, mutex); /* ERROR */
	pthread_mutex_unlock(mutex);
	return NULL;
}

static void *ends_sleep(void *unused)
{
	while (!tries || !flag) {
		pthread_mutex_lock(&a);
		flag = 1;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&a);
		tries = 1;
	}
	return unused;
}

/* All threads are there: those that were made last are looked at first. */
static atomic_bool go;
static atomic_int ended;

/* The circle is closed by who wakes the sleeper, or not at all. */
static void *holds_if_asleep(void *unused)
{
	while (!go)
		;
	pthread_mutex_lock(&a);
	turn = 1;
	flag = 1;
	if (!tries) {
		pthread_mutex_lock(&b);
		pthread_mutex_unlock(&b);
	}
	pthread_mutex_unlock(&a);
	return unused;
}

static void *wakes_late(void *unused)
{
	while (!flag)
		;
	tries = 1;
	pthread_cond_signal(&changed);
	return unused;
}

static sem_t semaphore;

static void *takes_one(void *unused)
{
	sem_wait(&semaphore);
	return unused;
}

static void *gives_one(void *unused)
{
	sem_post(&semaphore);
	return unused;
}

/* Who sleeps with `a` does so before the other has begun, or never. */

static void *sleeps_first(void *unused)
{
	while (!go)
		;
	pthread_mutex_lock(&a);
	if (!tries)
		pthread_cond_wait(&changed, &a); /* ERROR */
	pthread_mutex_unlock(&a);
	ended++;
	return unused;
}

static void *sleeps_later(void *mutex)
{
	tries = 1;
	pthread_mutex_lock(mutex);
	if (!flag)
		pthread_cond_wait(&changed, mutex);
	pthread_mutex_unlock(mutex);
	ended++;
	return NULL;
}

static void *wakes_both(void *unused)
{
	while (ended < 2) {
		flag = 1;
		pthread_cond_broadcast(&changed);
	}
	return unused;
}

/* Two sleep, and two signal when they do, each to any that sleeps then. */
static void *sleeps_once(void *unused)
{
	pthread_mutex_lock(&a);
	awake++;
	pthread_cond_wait(&changed, &a);
	pthread_mutex_unlock(&a);
	return unused;
}

static void *signals_once(void *unused)
{
	for (int sleepers = 0; sleepers < 2;) {
		pthread_mutex_lock(&a);
		sleepers = awake;
		pthread_mutex_unlock(&a);
	}
	pthread_cond_signal(&changed);
	return unused;
}

/* ---- memory of others ------------------------------------------------------------------------------------------------- */

struct pair {
	pthread_mutex_t left, right;
	int value;
};

static void *takes(void *p)
{
	struct pair *pair = p;
	bool back = atomic_fetch_add(&tries, 1) && !ORDER;
	nest(back ? &pair->right : &pair->left, back ? &pair->left : &pair->right);
	return NULL;
}

/* A counter in main's heap, which is read and written in two sections. */
static void *adds(void *p)
{
	struct pair *pair = p;
	pthread_mutex_lock(&pair->left);
	int value = pair->value;
	if (!ORDER) {
		pthread_mutex_unlock(&pair->left);
		pthread_mutex_lock(&pair->left);
	}
	pair->value = value + 1;
	pthread_mutex_unlock(&pair->left);
	return NULL;
}

/* ---- ends ------------------------------------------------------------------------------------------------------------- */

static void *dies(void *unused)
{
	pthread_mutex_lock(&a);
	flag++;
	if (ORDER)
		pthread_mutex_unlock(&a);
	return unused;
}

static void unlock(void *mutex)
{
	pthread_mutex_unlock(mutex);
}

static void *waits_long(void *unused)
{
	pthread_mutex_lock(&a);
	pthread_cleanup_push(unlock, &a);
	while (!flag)
		pthread_cond_wait(&changed, &a);
	pthread_cleanup_pop(1);
	return unused;
}

static void *waits_shortly(void *unused)
{
	struct timespec soon = { 0 };
	pthread_mutex_lock(&a);
	int error = flag ? 0 : pthread_cond_timedwait(&changed, &a, &soon);
	assert(!error); /* ERROR */
	pthread_mutex_unlock(&a);
	return unused;
}

/* ---------------------------------------------------------------------------------------------------------------------- */

static int count;

static void start(void *(*function)(void *), void *argument)
{
	pthread_create(&threads[count++], NULL, function, argument);
}

static void join_all(void)
{
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL); /* ERROR */
}

static struct pair *new_pair(void)
{
	struct pair *pair = malloc(sizeof *pair);
	pthread_mutex_init(&pair->left, NULL);
	pthread_mutex_init(&pair->right, NULL);
	pair->value = 0;
	return pair;
}

/* Circles: somebody spins on. */
static void run_circles(void)
{
	switch (CASE) {
	case LOCKS:
		start(first, NULL);
		start(second, NULL);
		break;
	case THREE_LOCKS:
		for (long i = 0; i < 3; i++)
			start(of_three, (void *)i);
		break;
	case WOKEN:
		start(sleeper, NULL);
		start(holder, NULL);
		start(waker, NULL);
		break;
	case WOKEN_LATE:
		start(sleeper, NULL);
		start(holds_if_asleep, NULL);
		start(wakes_late, NULL);
		break;
	default: break;
	}
	int workers = count;
	start(spin, NULL);
	go = true;
	for (int i = 0; i < workers; i++)
		pthread_join(threads[i], NULL);
	stop = 1;
	pthread_join(threads[workers], NULL);
}

static void run_joins(void)
{
	if (CASE == JOINED) {
		start(spin, NULL);
		start(wants, NULL);
		pthread_mutex_lock(&a);
		if (ORDER)
			pthread_mutex_unlock(&a);
		pthread_join(threads[1], NULL);
		if (!ORDER)
			pthread_mutex_unlock(&a);
		stop = 1;
		pthread_join(threads[0], NULL);
	} else if (CASE == JOINED_LATER) {
		for (int i = 0; i < 3; i++)
			start(two_steps, NULL);
		for (int i = 2; i >= 0; i--)
			pthread_join(threads[i], NULL);
		assert(flag == 6);
	} else {
		for (int i = 0; i < 2; i++)
			start(two_steps, NULL);
		pthread_detach(threads[0]);
		pthread_join(threads[1], NULL);
	}
}

static void run_heap(void)
{
	struct pair *pair = new_pair();
	for (int i = 0; i < 2; i++)
		start(CASE == HEAP ? takes : adds, pair);
	join_all();
	assert(CASE == HEAP || pair->value == 2); /* ERROR */
	free(pair);
}

static void run_cancelled(void)
{
	start(waits_long, NULL);
	start(two_steps, NULL);
	pthread_cancel(threads[0]);
	join_all();
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
}

static void run_others(void)
{
	switch (CASE) {
	case SEGMENT:
		for (int i = 0; i < 2; i++)
			start(writes, NULL);
		break;
	case ALONE:
		start(writes_alone, NULL);
		plain++; /* ERROR */
		break;
	case WHO:
		for (long i = 1; i <= 2; i++)
			start(sleeps, (void *)i);
		start(signals, NULL);
		start(signals, NULL);
		break;
	case LOST:
		start(looks, NULL);
		start(looks, NULL);
		start(sets, NULL);
		break;
	case TWO_MUTEXES:
		start(sleeps_with, &a);
		start(sleeps_with, ORDER ? &a : &b);
		start(ends_sleep, NULL);
		break;
	case OTHER_MUTEX:
		start(sleeps_first, NULL);
		start(sleeps_later, ORDER ? &a : &b);
		start(wakes_both, NULL);
		go = true;
		break;
	case SEMAPHORE:
		sem_init(&semaphore, 0, 0);
		for (int i = 0; i < 2; i++)
			start(takes_one, NULL);
		for (int i = 0; i < 2; i++)
			start(gives_one, NULL);
		break;
	case TWO_SIGNALS:
		for (int i = 0; i < 2; i++)
			start(sleeps_once, NULL);
		for (int i = 0; i < 2; i++)
			start(signals_once, NULL);
		break;
	case DIES:
		start(dies, NULL);
		start(dies, NULL);
		break;
	case TIMED:
		start(waits_shortly, NULL);
		start(two_steps, NULL);
		break;
	default: break;
	}
	join_all();
	assert(plain || (CASE != SEGMENT && CASE != ALONE));
}

int main(void)
{
	switch (CASE) {
	case LOCKS:
	case THREE_LOCKS:
	case WOKEN:
	case WOKEN_LATE: run_circles(); break;
	case JOINED:
	case JOINED_LATER:
	case DETACHED: run_joins(); break;
	case HEAP:
	case HANDED_ON: run_heap(); break;
	case CANCELLED: run_cancelled(); break;
	default: run_others(); break;
	}
	return 0;
}
