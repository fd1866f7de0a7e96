/* SPDX-License-Identifier: MIT
 *
 * Leader election in a ring (Chang and Roberts 1979).  Each thread sends its number to its neighbour, passes on numbers greater
 * than its own and drops smaller ones; who gets its own number back is the leader, and sends word around.  In the end the
 * greatest leads, all know it, and all threads end.  With -DWRONG a thread does not wait until its neighbour has received what
 * was sent before, which is lost then.
 *
 *     bitspin check --ltl '<> {leader == N}' --ltl '[] ({leader != 0} -> [] {leader == N})' --property termination \
 *         examples/election.c
 *
 * RUN: check --ltl '<> {leader == N}' --ltl '[] ({leader != 0} -> [] {leader == N})' --property termination
 * EXPECT: verified
 * RUN: check --ltl '<> {leader == N}' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DWRONG --ltl '<> {leader == N}'
 * EXPECT: violated ltl
 * RUN: check -DWRONG --ltl '{leader == 0} W {leader == N}'
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
enum { ELECTED = 100 };

static atomic_int channel[N]; /* what the thread at this place has yet to receive; 0: nothing */
static atomic_int leader;

static void send(int to, int message)
{
#ifndef WRONG
	while (channel[to] != 0)
		;
#endif
	channel[to] = message;
}

static int receive(int at)
{
	int message;
	while ((message = channel[at]) == 0)
		;
	channel[at] = 0;
	return message;
}

static void *node(void *argument)
{
	int place = (int)(intptr_t)argument, next = (place + 1) % N, number = place + 1;
	send(next, number);
	for (;;) {
		int message = receive(place);
		if (message == number) {
			leader = number;
			message = ELECTED;
		}
		if (message > number)
			send(next, message);
		if (message == ELECTED)
			return NULL;
	}
}

int main(void)
{
	pthread_t threads[N];
	for (intptr_t i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, node, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
