/* SPDX-License-Identifier: MIT
 *
 * Labels and waits that are called through pointers: at() and blocked() see them.
 *
 * RUN: check --ltl '[] (at(asked) -> <> at(answered))'
 * EXPECT: verified
 * RUN: check --ltl '[] !at(asked)'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> blocked(1)'
 * EXPECT: verified
 * RUN: check --ltl '[] !blocked(1)'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] (at(answered) -> !blocked(1))'
 * EXPECT: verified
 */
#include "bitspin.h"

#include <pthread.h>

static void (*volatile label)(const char *) = bitspin_label;
static int (*volatile wait_for)(pthread_cond_t *, pthread_mutex_t *) = pthread_cond_wait;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int asked;

static void *serve(void *unused)
{
	pthread_mutex_lock(&lock);
	while (!asked)
		wait_for(&condition, &lock);
	pthread_mutex_unlock(&lock);
	label("answered");
	return unused;
}

int main(void)
{
	pthread_t server;
	pthread_create(&server, NULL, serve, NULL);
	pthread_mutex_lock(&lock);
	asked = 1;
	label("asked");
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&lock);
	pthread_join(server, NULL);
	return 0;
}
