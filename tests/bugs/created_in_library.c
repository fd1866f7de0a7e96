/* SPDX-License-Identifier: MIT
 *
 * A thread that begins with a call of the C library comes to rest in it, within the step of who creates it.  What the creator does
 * next is the program's own: its overflow, its misaligned accesses and its conversions are errors, and signals interrupt it.
 *
 * RUN: check -O0 -DOVERFLOW --overflow
 * EXPECT: violated signed-overflow
 * RUN: check -O0 -DMISALIGNED
 * EXPECT: violated misaligned-access
 * RUN: check -DCONVERSION -O0
 * EXPECT: violated invalid-conversion
 * The handler sees one of two writes.
 * RUN: check -DTORN
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile int x = 2147483647, y;
static volatile double large = 1e30;
static _Alignas(int) char bytes[16];
static pthread_t first;

static void torn(int number)
{
	(void)number;
	assert(x != 1 || y == 1); /* ERROR */
}

static void *work(void *argument)
{
	pthread_kill(first, SIGUSR1);
	return argument;
}

int main(void)
{
	pthread_t thread;
	int *misaligned = (int *)(bytes + 1);
	first = pthread_self();
	signal(SIGUSR1, torn);
	pthread_create(&thread, NULL, work, NULL);
#if defined OVERFLOW
	x++; /* ERROR */
#elif defined MISALIGNED
	*misaligned = 1; /* ERROR */
#elif defined CONVERSION
	x = (int)large; /* ERROR */
#else
	x = 1;
	y = 1;
#endif
	pthread_join(thread, NULL);
	return misaligned == NULL;
}
