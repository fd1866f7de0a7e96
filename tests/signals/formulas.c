/* SPDX-License-Identifier: MIT
 *
 * Formulas about a thread that a signal ends.
 *
 * The signal may be late, but not for ever: pan finds a loop in which it is, and nothing else is known.
 * RUN: check --property termination
 * EXPECT: inconclusive: termination: in the loop that was found, a signal is pending for ever that its thread does not block
 * Nobody sends it.
 * RUN: check --property termination -DNOBODY
 * EXPECT: violated ltl
 * The thread ends in some schedules.
 * RUN: check --ltl '[] !done(1)'
 * EXPECT: violated ltl
 * The flag is set only by the handler, before the thread ends.
 * RUN: check --ltl '[] (done(1) -> {stop == 1})'
 * EXPECT: verified
 * An invariant that only the handler violates, between its two writes.
 * RUN: check --invariant 'one == two'
 * EXPECT: violated invariant
 */
#include <pthread.h>
#include <signal.h>

volatile sig_atomic_t stop;
volatile int one, two;

static void handler(int number)
{
	(void)number;
	one = 1; /* ERROR */
	two = 1;
	stop = 1;
}

static void *work(void *p)
{
	while (!stop) {
	}
	return p;
}

int main(void)
{
	pthread_t t;
	struct sigaction action = { .sa_handler = handler };
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&t, NULL, work, NULL);
#ifndef NOBODY
	pthread_kill(t, SIGUSR1);
#endif
	pthread_join(t, NULL);
	return 0;
}
