/* SPDX-License-Identifier: MIT
 *
 * Threads that have nothing to do with the fault, and make the state space huge: each takes a lock of its own or a common one, and
 * changes atomic counters that others read.  pad() starts them; the program need not wait for them.
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef PADDING
#define PADDING 6
#endif
#ifndef ROUNDS
#define ROUNDS 6
#endif

static atomic_int padding_seen[PADDING];
static atomic_int padding_mix;

static void *padding_work(void *argument)
{
	int own = (int)(long)argument;
	for (int i = 0; i < ROUNDS; i++) {
		int before = atomic_load(&padding_mix);
		atomic_store(&padding_seen[own], before % 5 + i);
		atomic_store(&padding_mix, (before * 3 + own + atomic_load(&padding_seen[(own + 1) % PADDING])) % 1000);
	}
	return 0;
}

static pthread_t padding_threads[PADDING];

static void pad(void)
{
	for (long i = 0; i < PADDING; i++) {
		atomic_store(&padding_seen[i], (int)i); /* so that creations do not come before all else */
		pthread_create(&padding_threads[i], 0, padding_work, (void *)i);
	}
}

static inline void pad_end(void)
{
	for (int i = 0; i < PADDING; i++)
		pthread_join(padding_threads[i], 0);
}
