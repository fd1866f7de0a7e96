/* SPDX-License-Identifier: MIT
 *
 * The program whose states unit.c works on: some variables, a thread that weak atomics make keep records.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int data, other, array[400];
atomic_int flag;

static void *work(void *argument)
{
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_acq_rel);
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	data = atomic_load_explicit(&flag, memory_order_relaxed) + other + array[0];
	free(malloc(4));
	return 0;
}
