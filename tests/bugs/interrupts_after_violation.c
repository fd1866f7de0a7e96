/* SPDX-License-Identifier: MIT
 *
 * A search for all violations that has found one before it learns that signals interrupt a thread: it has to begin again, or it
 * misses what only a handler between two statements brings about.
 *
 * The signals may come after the end of the thread, so that nobody posts.
 * RUN: check --all
 * EXPECT: violated deadlock
 * The handler may run between the two writes, and what it writes is lost.
 * RUN: check --all
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static volatile int v;
static sem_t s;

static void handle(int number)
{
	(void)number;
	sem_post(&s);
	v = 3;
}

static void *work(void *argument)
{
	v = 2;
	v = 2;
	return argument;
}

int main(void)
{
	pthread_t thread;
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_RESTART };
	sem_init(&s, 0, 0);
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, work, NULL);
	pthread_kill(thread, SIGUSR1);
	sem_wait(&s); /* ERROR */
	pthread_join(thread, NULL);
	assert(v != 2); /* ERROR */
	return 0;
}
