/* SPDX-License-Identifier: MIT
 *
 * When main returns the program ends, whatever its threads do: nobody waits for this endless one.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;
static atomic_int spins;

static void *endless(void *unused)
{
	for (;;)
		spins = !spins;
	return unused;
}

static void *blocked(void *unused)
{
	pthread_mutex_lock(&never);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_mutex_lock(&never);
	pthread_create(&a, NULL, endless, NULL);
	pthread_create(&b, NULL, blocked, NULL);
	return 0;
}
