/* SPDX-License-Identifier: MIT
 *
 * Main does not wait for a detached thread: what it does after its joins may come first.
 *
 * RUN: check
 * EXPECT: violated assertion
 * RUN: check --reduction persistent,symmetry
 * EXPECT: violated assertion
 * RUN: check -DJOINED
 * EXPECT: verified
 * RUN: check -DLAST
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done, joined;

static void *apart(void *unused)
{
	done = 1;
	return unused;
}

static void *work(void *unused)
{
	joined++;
	return unused;
}

int main(void)
{
	pthread_t thread, workers[2];
	pthread_attr_t detached;
	pthread_attr_init(&detached);
#ifndef JOINED
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
#endif
#ifndef LAST
	pthread_create(&thread, &detached, apart, NULL);
#endif
	for (int i = 0; i < 2; i++)
		pthread_create(&workers[i], NULL, work, NULL);
#ifdef LAST
	pthread_create(&thread, &detached, apart, NULL);
#endif
	for (int i = 0; i < 2; i++)
		pthread_join(workers[i], NULL);
#ifdef JOINED
	pthread_join(thread, NULL);
#endif
	assert(done); /* ERROR */
	return 0;
}
