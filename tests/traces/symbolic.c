/* SPDX-License-Identifier: MIT
 *
 * Mazurkiewicz traces with inputs, by hand (tests/compare.sh).  1: two threads take a lock, and each asks which of four an input
 * is: the first to ask splits it.  2 orders of the lock times 4 values.  2: two threads that nobody waits for, as main ends by
 * pthread_exit(): 2 orders of a lock.  3: the input chooses one of two variables, by a pointer: 2 orders times 2 values.  4: a loop
 * that waits for another thread comes back to where it was.  5: an assumption leaves one of four values.  6: as 1, with an input of
 * its own for each thread: 2 * 4 * 4.  7: the pointer itself is the input: 2 orders times 2 values.
 *
 * 1, 2 and 7 have the shapes of double-sym-switch, unjoined and sym-pointer, tests of POR-SE (see wakeups.c), with as many paths.
 */
#include "bitspin.h"

#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int flag;
static unsigned char input;
static int a = 4, b = 2;

static int which(unsigned char n)
{
	switch (n) {
	case 0: return 3;
	case 1: return 2;
	case 2: return 1;
	default: return 0;
	}
}

static void take(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
	take();
	if (CASE == 1 || CASE == 6)
		which(CASE == 1 ? input : bitspin_any_uchar());
	return unused;
}

static void *read_one(void *pointer)
{
	take();
	return *(int *)pointer ? pointer : NULL;
}

static void *raise_flag(void *unused)
{
	flag = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
	int *pointer = &a;
	uintptr_t bits;
	input = CASE == 1 || CASE == 3 || CASE == 5 ? bitspin_any_uchar() : 0;
	switch (CASE) {
	case 1:
	case 6:
		pthread_create(&thread, NULL, work, NULL);
		take();
		which(CASE == 1 ? input : bitspin_any_uchar());
		pthread_join(thread, NULL);
		break;
	case 2:
		pthread_create(&thread, NULL, work, NULL);
		pthread_create(&thread, NULL, work, NULL);
		pthread_exit(NULL);
	case 3:
		if (input)
			pointer = &b;
		pthread_create(&thread, NULL, read_one, pointer);
		read_one(pointer);
		pthread_join(thread, NULL);
		break;
	case 4:
		pthread_create(&thread, NULL, raise_flag, NULL);
		while (!flag)
			;
		pthread_join(thread, NULL);
		break;
	case 7:
		bits = bitspin_any_ulong();
		bitspin_assume(bits == (uintptr_t)&a || bits == (uintptr_t)&b);
		pthread_create(&thread, NULL, read_one, (void *)bits);
		read_one((void *)bits);
		pthread_exit(NULL);
	default: bitspin_assume(which(input) == 1);
	}
	return 0;
}
