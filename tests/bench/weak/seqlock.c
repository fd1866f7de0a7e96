/* SPDX-License-Identifier: MIT
 *
 * A sequence lock (Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012): two of N threads write two
 * words, the others read them until both are of one time.
 */
#include "threads.h"
static atomic_int sequence, first, second;
static void write_both(void)
{
	int seen = LOAD(&sequence, RELAXED);
	do
		while (seen & 1)
			seen = LOAD(&sequence, RELAXED);
	while (!CAS(&sequence, &seen, seen + 1, ACQUIRE, RELAXED));
	atomic_thread_fence(RELEASE);
	STORE(&first, seen, RELAXED);
	STORE(&second, seen, RELAXED);
	STORE(&sequence, seen + 2, RELEASE);
}
static void read_both(void)
{
	int before, a, b;
	do {
		before = LOAD(&sequence, ACQUIRE);
		a = LOAD(&first, RELAXED);
		b = LOAD(&second, RELAXED);
		atomic_thread_fence(ACQUIRE);
	} while ((before & 1) || LOAD(&sequence, RELAXED) != before);
	assert(a == b);
}
static void *work(void *number)
{
	(long)number < 2 ? write_both() : read_both();
	return NULL;
}
int main(void)
{
	run(work);
}
