/* SPDX-License-Identifier: MIT
 *
 * What is not supported is refused where it stands, so only a path that comes there is inconclusive.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DREACHED
 * EXPECT: inconclusive: unsupported inline assembly "sidt ($0)"; a path comes there, in table
 * RUN: check -DREACHED --extern table=nop
 * EXPECT: verified
 * RUN: check -DREACHED --extern table=choose:1..2
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>

static volatile int asked;

static long table(void)
{
	char where[10] = { 0 };
	__asm__ volatile("sidt (%0)" : : "r"(where) : "memory");
	return where[2];
}

static void *work(void *unused)
{
	if (asked)
		assert(table() == 0); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
#ifdef REACHED
	asked = 1;
#endif
	pthread_create(&thread, 0, work, 0);
	pthread_join(thread, 0);
	return 0;
}
