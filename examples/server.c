/* SPDX-License-Identifier: MIT
 *
 * A server that never ends: clients put requests into slots of their own and wait for the answer; the server looks through the
 * slots in turn.  Every request is answered.  With -DWRONG the server begins with slot 0 again after each answer: a busy first
 * client keeps it from the second.
 *
 * In braces a formula has C expressions, compiled with the program: they see its types, static variables and macros.
 *
 *     bitspin check --ltl '[] ({slot[1] == REQUESTED} -> <> {slot[1] == ANSWERED})' examples/server.c
 *
 * RUN: check --ltl '[] ({slot[1] == REQUESTED} -> <> {slot[1] == ANSWERED})'
 * EXPECT: verified
 * RUN: check -DWRONG --ltl '[] ({slot[1] == REQUESTED} -> <> {slot[1] == ANSWERED})'
 * EXPECT: violated ltl
 * RUN: check -DWRONG --ltl '[] ({slot[0] == REQUESTED} -> <> {slot[0] == ANSWERED})'
 * EXPECT: verified
 * RUN: check --property termination
 * EXPECT: violated ltl
 * RUN: check --property progress
 * EXPECT: verified
 * RUN: check --property progress --fairness none
 * EXPECT: violated ltl
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include "bitspin.h"

enum { CLIENTS = 2 };
enum { IDLE, REQUESTED, ANSWERED };

static atomic_int slot[CLIENTS];

static void *client(void *argument)
{
	intptr_t me = (intptr_t)argument;
	for (;;) {
		slot[me] = REQUESTED;
		while (slot[me] != ANSWERED)
			;
		slot[me] = IDLE;
	}
	return NULL;
}

static void serve(void)
{
	for (int i = 0; ; i = (i + 1) % CLIENTS) {
		if (slot[i] != REQUESTED)
			continue;
		slot[i] = ANSWERED;
		bitspin_progress();
#ifdef WRONG
		i = CLIENTS - 1;
#endif
	}
}

int main(void)
{
	pthread_t thread;
	for (intptr_t i = 0; i < CLIENTS; i++)
		pthread_create(&thread, NULL, client, (void *)i);
	serve();
	return 0;
}
