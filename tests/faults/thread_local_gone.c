/* SPDX-License-Identifier: MIT
 *
 * A thread-local variable ends with its thread.
 *
 * RUN: check
 * EXPECT: violated use-after-free
 * RUN: check -DLASTS
 * EXPECT: verified
 */
#include <pthread.h>
#include <stddef.h>

static _Thread_local int own;
static int *address;

static void *work(void *argument)
{
	address = &own;
	own = 1;
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
#ifdef LASTS
	address = &own;
#endif
	*address = 2; /* ERROR */
	return 0;
}
