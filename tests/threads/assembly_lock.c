/* SPDX-License-Identifier: MIT
 *
 * A spin lock in inline assembly orders plain accesses; without its lock prefix there would be a race.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DBROKEN
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>

static volatile int lock;
static int counter;

static void acquire(void)
{
	int taken = 1;
#ifdef BROKEN
	taken = 0;
#else
	while (taken) {
		__asm__ __volatile__("xchgl %0, %1" : "+r"(taken), "+m"(lock) : : "memory");
		if (taken)
			__asm__ __volatile__("pause");
	}
#endif
}

static void release(void)
{
	__asm__ __volatile__("movl $0, %0" : "=m"(lock) : : "memory");
}

static void *work(void *unused)
{
	acquire();
	counter++; /* ERROR */
	release();
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(counter == 2);
	return 0;
}
