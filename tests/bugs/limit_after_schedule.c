/* SPDX-License-Identifier: MIT
 *
 * To tell what must not happen before a switch, steps are tried that no search has taken.  One of them sends a signal to a thread
 * whose handler is to run; without interrupts in the model, that ended the replay, and the violation was not told.
 *
 *     RUN: check --search random
 *     EXPECT: violated assertion
 *     RUN: check
 *     EXPECT: violated assertion
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <semaphore.h>

static atomic_int is_sending, have_come;
static sem_t end;
static pthread_t worker;

static void handler(int signal)
{
	(void)signal;
	have_come++;
	sem_post(&end);
}

static void *work(void *unused)
{
	while (sem_wait(&end))
		;
	return unused;
}

static void *send(void *unused)
{
	is_sending = 1;
	pthread_kill(worker, SIGUSR1);
	return unused;
}

int main(void)
{
	pthread_t sender;
	struct sigaction action = { .sa_handler = handler };
	sigaction(SIGUSR1, &action, NULL);
	sem_init(&end, 0, 0);
	pthread_create(&worker, NULL, work, NULL);
	pthread_create(&sender, NULL, send, NULL);
	if (is_sending)
		assert(have_come); /* ERROR */
	pthread_join(sender, NULL);
	pthread_join(worker, NULL);
	return 0;
}
