/* SPDX-License-Identifier: MIT
 *
 * An array on the stack that is not read any more does not distinguish states, one that will be does.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DLATER
 * EXPECT: violated assertion
 * RUN: check --reduction none -DLATER
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order;

static void *work(void *argument)
{
	pthread_mutex_lock(&mutex);
	int v[3] = { order };
	v[order] = order;
	int mine = v[order++];
	pthread_mutex_unlock(&mutex);
	sched_yield();
#ifdef LATER
	assert(v[mine] != 2 || v[0] != 2); /* ERROR */
#endif
	(void)mine;
	return argument;
}

int main(void)
{
	pthread_t thread[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], 0, work, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], 0);
	return 0;
}
