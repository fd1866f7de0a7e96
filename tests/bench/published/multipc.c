/* SPDX-License-Identifier: MIT
 *
 * Producers and workers, as in the benchmark `multipc` of Nguyen, Rodríguez, Sousa, Coti and Petrucci (CAV 2018).  The producers
 * add digits to one number, each twice, and what the number is then says which worker gets their task.  A worker looks twice for
 * tasks.  Nobody joins them: main ends by pthread_exit.
 */
#include <assert.h>
#include <pthread.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef WORKERS
#define WORKERS 5
#endif
enum { LOOKS = 2, DIGITS = 2 };

static pthread_mutex_t number_lock = PTHREAD_MUTEX_INITIALIZER, locks[WORKERS];
static unsigned number, tasks[WORKERS], done[WORKERS];

static void *work(void *argument)
{
	long me = (long)argument;
	for (int i = 0; i < LOOKS; i++) {
		pthread_mutex_lock(&locks[me]);
		int has_task = tasks[me] > 0;
		tasks[me] -= (unsigned)has_task;
		pthread_mutex_unlock(&locks[me]);
		done[me] += (unsigned)has_task;
	}
	assert(done[me] <= LOOKS);
	return NULL;
}

static void *produce(void *argument)
{
	unsigned me = (unsigned)(long)argument, mine = 0;
	for (int i = 0; i < DIGITS; i++) {
		pthread_mutex_lock(&number_lock);
		mine = number = number * PRODUCERS + me;
		pthread_mutex_unlock(&number_lock);
	}
	pthread_mutex_lock(&locks[mine % WORKERS]);
	tasks[mine % WORKERS]++;
	pthread_mutex_unlock(&locks[mine % WORKERS]);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	for (long i = 0; i < WORKERS; i++) {
		pthread_mutex_init(&locks[i], NULL);
		pthread_create(&thread, NULL, work, (void *)i);
	}
	for (long i = 0; i < PRODUCERS; i++)
		pthread_create(&thread, NULL, produce, (void *)i);
	pthread_exit(NULL);
}
