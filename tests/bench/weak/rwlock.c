/* SPDX-License-Identifier: MIT
 *
 * A read-write lock that counts: of N threads, one or two write and the others read.
 */
#include "threads.h"
enum { ALL = 1 << 20 };
static atomic_int left = ALL;
static int shared;
static void take(int much)
{
	int have = LOAD(&left, RELAXED);
	do
		while (have < much)
			have = LOAD(&left, RELAXED);
	while (!CAS(&left, &have, have - much, ACQUIRE, RELAXED));
}
static void give(int much)
{
	ADD(&left, much, RELEASE);
}
static void *work(void *number)
{
	if ((long)number < (N + 1) / 3) {
		take(ALL);
		shared++;
		give(ALL);
	} else {
		take(1);
		assert(shared <= (N + 1) / 3);
		give(1);
	}
	return NULL;
}
int main(void)
{
	run(work);
}
