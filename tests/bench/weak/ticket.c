/* SPDX-License-Identifier: MIT
 *
 * A ticket lock for N threads.
 */
#include "threads.h"
static atomic_int next, served;
static int counter;
static void *work(void *unused)
{
	int ticket = ADD(&next, 1, RELAXED);
	while (LOAD(&served, ACQUIRE) != ticket)
		;
	counter++;
	STORE(&served, ticket + 1, RELEASE);
	return unused;
}
int main(void)
{
	run(work);
	assert(counter == N);
}
