/* SPDX-License-Identifier: MIT
 *
 * The thread pool, action for action as in Florian's thesis on SCALE (2010), appendix A.3.  The queue of jobs is a list with head
 * and tail; what is in its only element no other thread ever reads, so the element has no memory here.
 */
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif

static pthread_mutex_t mutex;
static pthread_cond_t changed;
static int head, tail, next; /* 1: the element */
static int stopping, idle;

static void put(void)
{
	pthread_mutex_lock(&mutex);
	if (tail == 0) {
		if (head != 0)
			__builtin_trap();
		head = 1;
	} else {
		next = 1;
	}
	tail = 1;
	if (idle > 0)
		pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
}

static void take(void)
{
	int first = head;
	(void)first;
	head = 0;
	if (head == 0)
		tail = 0;
}

static void *worker(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&mutex);
		while (head == 0 && !stopping) {
			idle++;
			pthread_cond_wait(&changed, &mutex);
			idle--;
		}
		if (stopping) {
			pthread_mutex_unlock(&mutex);
			break;
		}
		take();
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

int main(void)
{
	pthread_t workers[WORKERS];
	pthread_mutex_init(&mutex, 0);
	pthread_cond_init(&changed, 0);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], 0, worker, 0);
	put();
	pthread_mutex_lock(&mutex);
	stopping = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], 0);
	pthread_mutex_destroy(&mutex);
	pthread_cond_destroy(&changed);
	return 0;
}
