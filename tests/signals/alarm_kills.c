/* SPDX-License-Identifier: MIT
 *
 * alarm() without a handler ends the process.  It ends no wait: threads that wait until then are in a deadlock.  pause() and what
 * waits for a signal is none.
 *
 * RUN: check -DCASE=0
 * EXPECT: violated deadlock
 * RUN: check -DCASE=1
 * EXPECT: violated deadlock
 * RUN: check -DCASE=2
 * EXPECT: violated deadlock
 * RUN: check -DCASE=3
 * EXPECT: verified
 * RUN: check -DCASE=4
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static volatile int flag;

static void lock(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second); /* ERROR */
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void *crossed(void *unused)
{
	lock(&b, &a);
	return unused;
}

int main(void)
{
	pthread_t thread;
	alarm(1);
	switch (CASE) {
	case 0:
		pthread_create(&thread, NULL, crossed, NULL);
		lock(&a, &b);
		pthread_join(thread, NULL);
		break;
	case 1:
		pthread_mutex_lock(&a);
		pthread_cond_wait(&never, &a); /* ERROR */
		break;
	case 2:
		while (!flag) /* ERROR */
			;
		break;
	case 3:
		pause();
		assert(0); /* it is killed before */
		break;
	case 4: /* it is killed, or gets to the end before */
		pthread_create(&thread, NULL, crossed, NULL);
		pthread_join(thread, NULL);
		break;
	}
	return 0;
}
