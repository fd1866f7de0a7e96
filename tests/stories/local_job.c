/* SPDX-License-Identifier: MIT
 *
 * A job on the stack of a thread that does not wait for its end.
 */
#include <pthread.h>
#include <stdlib.h>
struct job { void (*run)(struct job *); struct job *next; int result, done; };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, finished = PTHREAD_COND_INITIALIZER;
static struct job *jobs;
static int stopping;
static void *worker(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mutex);
	for (;;) {
		while (!jobs && !stopping)
			pthread_cond_wait(&work, &mutex);
		if (!jobs)
			break;
		struct job *job = jobs;
		jobs = job->next;
		pthread_mutex_unlock(&mutex);
		job->run(job);
		pthread_mutex_lock(&mutex);
		job->done = 1;
		pthread_cond_broadcast(&finished);
	}
	pthread_mutex_unlock(&mutex);
	return NULL;
}
static void square(struct job *job) { job->result *= job->result; }
static int submit_and_wait(int number)
{
	struct job job = { .run = square, .result = number };
	pthread_mutex_lock(&mutex);
	job.next = jobs;
	jobs = &job;
	pthread_cond_signal(&work);
	struct timespec soon = { 0 };
	int late = pthread_cond_timedwait(&finished, &mutex, &soon);
	pthread_mutex_unlock(&mutex);
	return late ? -1 : job.result;
}
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	int r = submit_and_wait(3);
	pthread_mutex_lock(&mutex);
	stopping = 1;
	pthread_cond_broadcast(&work);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return r < 0;
}
