/* SPDX-License-Identifier: MIT
 *
 * Faults with a budget: allocations and thread creation fail so often on any path and no oftener, and the budget is one for
 * all threads.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DNEVER --faults malloc:1
 * EXPECT: violated assertion
 * RUN: check -DTWICE --faults malloc:1
 * EXPECT: verified
 * RUN: check -DTWICE --faults malloc:2
 * EXPECT: violated assertion
 * RUN: check -DTWICE --faults malloc:*
 * EXPECT: violated assertion
 * RUN: check --faults malloc:3,create:2
 * EXPECT: verified
 * RUN: check -DNEVER --faults create:1
 * EXPECT: violated assertion
 * RUN: check --faults malloc:1 --races ignore
 * EXPECT: verified
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int failures;

static void *work(void *unused)
{
	void *volatile p = malloc(8); /* or an optimiser removes it */
	if (!p) {
		assert(errno == ENOMEM);
		failures++;
	}
	free(p);
	return unused;
}

int main(void)
{
	pthread_t thread;
	int status = pthread_create(&thread, NULL, work, NULL);
	assert(status == 0 || status == EAGAIN);
	char *volatile text = strdup("text");
	failures += text == NULL;
	free(text);
	if (status == 0)
		pthread_join(thread, NULL);
#ifdef NEVER
	assert(failures == 0 && status == 0); /* ERROR */
#endif
#ifdef TWICE
	assert(failures < 2); /* ERROR */
#endif
	return 0;
}
