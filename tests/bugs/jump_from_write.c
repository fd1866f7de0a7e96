/* SPDX-License-Identifier: MIT
 *
 * A handler leaves by siglongjmp() from a plain write in an endless loop.  What the other return of sigsetjmp() needs is kept
 * there; it was kept at calls only, so `keep` was another value then.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf env;
static int steps;
static volatile sig_atomic_t armed;
static sem_t ready;

static void handler(int number)
{
	if (armed)
		siglongjmp(env, number);
}

static int work(int n)
{
	int keep = n * 3;
	if (sigsetjmp(env, 1))
		return keep;
	armed = 1;
	sem_post(&ready);
	for (;;) {
		steps = 1;
		steps = 2;
	}
	return 0;
}

static void *thread(void *p)
{
	int got = work(*(int *)p);
	assert(got == 15);
	return p;
}

int main(void)
{
	int five = 5;
	pthread_t t;
	sem_init(&ready, 0, 0);
	signal(SIGUSR1, handler);
	pthread_create(&t, NULL, thread, &five);
	sem_wait(&ready);
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	return 0;
}
