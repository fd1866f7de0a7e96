/* SPDX-License-Identifier: MIT
 *
 * A detached thread goes on by itself; main waits for its work by a condition.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	done++;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *itself(void *unused)
{
	pthread_detach(pthread_self());
	return work(unused);
}

int main(void)
{
	pthread_t a, b, c;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_create(&a, NULL, work, NULL);
	assert(pthread_detach(a) == 0);
	pthread_create(&b, NULL, itself, NULL);
	pthread_create(&c, &attributes, work, NULL);
	pthread_attr_destroy(&attributes);
	pthread_mutex_lock(&mutex);
	while (done < 3)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	return 0;
}
