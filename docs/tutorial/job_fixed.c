/* SPDX-License-Identifier: MIT
 *
 * A job that a second thread does.  Who ordered it waits until it is done, and frees it.
 */
#include <pthread.h>
#include <stdlib.h>

struct job {
	pthread_mutex_t mutex;
	pthread_cond_t finished;
	int done;
};

static void *work(void *argument)
{
	struct job *job = argument;
	pthread_mutex_lock(&job->mutex);
	job->done = 1;
	pthread_cond_signal(&job->finished);
	pthread_mutex_unlock(&job->mutex);
	return NULL;
}

int main(void)
{
	struct job *job = malloc(sizeof *job);
	pthread_mutex_init(&job->mutex, NULL);
	pthread_cond_init(&job->finished, NULL);
	job->done = 0;

	pthread_t worker;
	pthread_create(&worker, NULL, work, job);
	pthread_mutex_lock(&job->mutex);
	while (!job->done)
		pthread_cond_wait(&job->finished, &job->mutex);
	pthread_mutex_unlock(&job->mutex);
	free(job);

	pthread_join(worker, NULL);
	return 0;
}
