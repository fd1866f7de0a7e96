/* SPDX-License-Identifier: MIT
 *
 * Peterson's lock, right under sequential consistency; with the turn given too early, wrong.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DEARLY
 * EXPECT: violated assertion
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn, inside;

static void *work(void *argument)
{
	int me = (int)(intptr_t)argument;
#ifdef EARLY
	turn = !me;
	wants[me] = 1;
#else
	wants[me] = 1;
	turn = !me;
#endif
	while (wants[!me] && turn == !me)
		;
	int others = inside++;
	assert(others == 0); /* ERROR */
	inside--;
	wants[me] = 0;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, (void *)1);
	work((void *)0);
	pthread_join(thread, NULL);
	return 0;
}
