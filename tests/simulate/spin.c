/* SPDX-License-Identifier: MIT
 *
 * A thread that goes on for ever, for simulate.sh.
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int rounds, stop;

static void *spin(void *unused)
{
	(void)unused;
	while (!stop)
		rounds = (rounds + 1) % 1000;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, spin, NULL);
	pthread_join(thread, NULL);
	return 0;
}
