/* SPDX-License-Identifier: MIT
 *
 * A mutex on a futex (the second one of Drepper, "Futexes are tricky", 2011), for N threads.
 */
#define _GNU_SOURCE
#include "threads.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int word; /* 0: free, 1: locked, 2: locked, and somebody may sleep */
static int counter;
static void lock(void)
{
	int seen = 0;
	if (CAS(&word, &seen, 1, ACQUIRE, RELAXED))
		return;
	while (SWAP(&word, 2, ACQUIRE) != 0)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}
static void unlock(void)
{
	if (SWAP(&word, 0, RELEASE) == 2)
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
static void *work(void *unused)
{
	lock();
	counter++;
	unlock();
	return unused;
}
int main(void)
{
	run(work);
	assert(counter == N);
}
