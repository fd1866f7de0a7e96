/* SPDX-License-Identifier: MIT
 *
 * A thread works on a local variable of the function that made it, which may have returned by then; so may the thread whose
 * variable another one was given.  Right if the function joins first.
 *
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=3
 * EXPECT: verified
 */
#include <pthread.h>
#include <stddef.h>

struct job { pthread_mutex_t mutex; int result; };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct job *offered;
static pthread_t worker;

static void *work(void *argument)
{
	struct job *job = argument;
	pthread_mutex_lock(&job->mutex); /* ERROR */
	job->result = 1;
	pthread_mutex_unlock(&job->mutex); /* ERROR */
	return NULL;
}

static int begin(void)
{
	struct job job = { .result = 0 };
	pthread_mutex_init(&job.mutex, NULL);
	pthread_create(&worker, NULL, work, &job);
	if (CASE == 3)
		pthread_join(worker, NULL);
	return CASE == 3 ? job.result : 0;
}

static void *offer(void *unused)
{
	struct job mine = { .result = 0 };
	pthread_mutex_lock(&m);
	offered = &mine;
	pthread_mutex_unlock(&m);
	return unused;
}

static void *take(void *unused)
{
	pthread_mutex_lock(&m);
	struct job *job = offered;
	pthread_mutex_unlock(&m);
	if (job)
		job->result = 2; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t giver;
	if (CASE == 2) {
		pthread_create(&giver, NULL, offer, NULL);
		pthread_create(&worker, NULL, take, NULL);
		pthread_join(giver, NULL);
	} else {
		begin();
	}
	if (CASE != 3)
		pthread_join(worker, NULL);
	return 0;
}
