/* SPDX-License-Identifier: MIT
 *
 * A pointer to a local variable of a function that has returned, of another thread that has ended.
 *
 * RUN: check -O0
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DTHREAD
 * EXPECT: violated use-after-free
 */
#include <pthread.h>

static int *kept;

static void *keep(void *unused)
{
	int local = 7;
	kept = &local;
	return unused;
}

int main(void)
{
#ifdef THREAD
	pthread_t thread;
	pthread_create(&thread, NULL, keep, NULL);
	pthread_join(thread, NULL);
#else
	keep(NULL);
#endif
	return *kept; /* ERROR */
}
