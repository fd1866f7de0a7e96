/* SPDX-License-Identifier: MIT
 *
 * A lock that tests, and then tests and sets, for N threads.
 */
#include "threads.h"
static atomic_int taken;
static int counter;
static void *work(void *unused)
{
	do
		while (LOAD(&taken, RELAXED))
			;
	while (SWAP(&taken, 1, ACQUIRE));
	counter++;
	STORE(&taken, 0, RELEASE);
	return unused;
}
int main(void)
{
	run(work);
	assert(counter == N);
}
