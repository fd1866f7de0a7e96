/* SPDX-License-Identifier: MIT
 *
 * A thread that sleeps, beside one that has nothing to do with it.  Where waits may end by themselves, it is no persistent set by
 * itself: nobody signals, so the other may end first, and then all that is left is a deadlock.  With a signal there is none.  A
 * thread that waits for a deadline as well can go on in any case.
 *
 * RUN: check --faults spurious-wakeup:*
 * EXPECT: violated deadlock
 * RUN: check --faults spurious-wakeup:1
 * EXPECT: violated deadlock
 * RUN: check
 * EXPECT: violated deadlock
 * RUN: check --faults spurious-wakeup:* --search bfs
 * EXPECT: violated deadlock
 * RUN: check -DSIGNALS --faults spurious-wakeup:*
 * EXPECT: verified
 * RUN: check -DDEADLINE --faults spurious-wakeup:*
 * EXPECT: verified
 * RUN: check -DDEADLINE --faults timeout:0,spurious-wakeup:*
 * EXPECT: violated deadlock
 * RUN: check -DTWO --faults spurious-wakeup:*
 * EXPECT: violated deadlock
 * RUN: check -DTWO --faults spurious-wakeup:1
 * EXPECT: violated deadlock
 * RUN: check -DTWO -DSIGNALS --faults spurious-wakeup:*
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int work;
static int slept;

static void *sleeper(void *unused)
{
	pthread_mutex_lock(&m);
#ifdef SIGNALS
	while (!slept)
#endif
	{
		slept = 1;
#ifdef DEADLINE
		pthread_cond_timedwait(&changed, &m, &(struct timespec){ 1, 0 }); /* ERROR */
#else
		pthread_cond_wait(&changed, &m); /* ERROR */
#endif
	}
	pthread_mutex_unlock(&m);
	return unused;
}

static void *worker(void *unused)
{
	work++;
	work++;
#ifdef SIGNALS
	pthread_mutex_lock(&m);
	slept = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&m);
#endif
	return unused;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, NULL, sleeper, NULL);
#ifdef TWO
	pthread_create(&c, NULL, sleeper, NULL);
#else
	pthread_create(&c, NULL, worker, NULL);
#endif
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL); /* ERROR */
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
