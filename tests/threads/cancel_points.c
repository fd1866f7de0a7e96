/* SPDX-License-Identifier: MIT
 *
 * A pending request acts where a thread blocks: on a semaphore, in a join, in a loop that sleeps or tests; not where it takes
 * a mutex.
 *
 * RUN: check -DPOINT=0
 * EXPECT: verified
 * RUN: check -DPOINT=1
 * EXPECT: verified
 * RUN: check -DPOINT=2
 * EXPECT: verified
 * RUN: check -DPOINT=3
 * EXPECT: verified
 * RUN: check -DPOINT=4
 * EXPECT: violated deadlock
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t never;
static pthread_mutex_t taken = PTHREAD_MUTEX_INITIALIZER;
static pthread_t main_thread;

static void *work(void *unused)
{
	switch (POINT) {
	case 0:
		sem_wait(&never);
		break;
	case 1:
		pthread_join(main_thread, NULL);
		break;
	case 2:
		for (;;)
			sleep(1);
	case 3:
		for (;;)
			pthread_testcancel();
	case 4:
		pthread_mutex_lock(&taken); /* ERROR */
		break;
	}
	assert(0);
	return unused;
}

int main(void)
{
	pthread_t thread;
	void *result;
	main_thread = pthread_self();
	sem_init(&never, 0, 0);
	pthread_mutex_lock(&taken);
	pthread_create(&thread, NULL, work, NULL);
	pthread_cancel(thread);
	pthread_join(thread, &result); /* ERROR */
	assert(result == PTHREAD_CANCELED);
	return 0;
}
