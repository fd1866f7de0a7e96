/* SPDX-License-Identifier: MIT
 *
 * A handler that allocates may interrupt its thread while that allocates.
 *
 * RUN: check -DOPEN
 * EXPECT: violated signal-unsafe-call
 * RUN: check
 * EXPECT: verified
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static void *volatile kept;

static void handle(int number)
{
	(void)number;
	void *memory = malloc(8); /* ERROR */
	kept = memory;
	free(memory);
}

static void *sender(void *first)
{
	pthread_kill(*(pthread_t *)first, SIGUSR1);
	return NULL;
}

int main(void)
{
	pthread_t first = pthread_self(), thread;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	signal(SIGUSR1, handle);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&thread, NULL, sender, &first);
#ifdef OPEN
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
#endif
	free(malloc(8));
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_join(thread, NULL);
}
