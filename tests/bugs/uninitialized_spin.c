/* SPDX-License-Identifier: MIT
 *
 * A loop that never ends flips a bit of memory that is uninitialized.  Memory changes each time, though its value is unknown before
 * and after: with slicing the program was verified, and without it the same loop was a thread that waits for ever.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check --reduction all,-slicing
 * EXPECT: verified
 * RUN: check --reduction none
 * EXPECT: verified
 * RUN: check -DINITIALIZED
 * EXPECT: verified
 * RUN: check -DINITIALIZED --reduction none
 * EXPECT: verified
 * RUN: check -O0 -DSAME
 * EXPECT: violated deadlock
 * RUN: check -O0 -DSAME --reduction none
 * EXPECT: violated deadlock
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct cell {
	int v, w;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static struct cell *node;

static void *spin(void *argument)
{
	while (!atomic_load(&flag)) { /* ERROR */
		pthread_mutex_lock(&lock);
#ifdef SAME
		node->w = 5;
#else
		node->w ^= 1;
#endif
		pthread_mutex_unlock(&lock);
	}
	return argument;
}

int main(void)
{
	pthread_t thread;
	node = malloc(sizeof *node);
	if (!node)
		return 1;
#ifdef INITIALIZED
	node->w = 5;
#endif
	pthread_create(&thread, NULL, spin, NULL);
	pthread_join(thread, NULL);
	return 0;
}
