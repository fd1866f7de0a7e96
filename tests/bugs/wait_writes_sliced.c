/* SPDX-License-Identifier: MIT
 *
 * A thread waits in a loop for what nobody will write, and writes in each round what nothing depends on: its own variable, or
 * always the same to one that others could see.  Slicing leaves these writes out.  They were taken for changes, so the endless
 * wait was missed.  A loop that makes changes which others could see is no wait.
 *
 * RUN: check --races ignore --deadlock circular -DOWN
 * EXPECT: violated deadlock
 * RUN: check --races ignore --deadlock circular -DSAME
 * EXPECT: violated deadlock
 * RUN: check --races ignore --deadlock circular -DTURNS
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int flag; /* not static: at -O1, what is never written is a constant */
static int seen;
static _Thread_local int own;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *waits(void *unused)
{
	while (!atomic_load(&flag)) { /* ERROR */
		pthread_mutex_lock(&mutex); /* ERROR */
#ifdef OWN
		own ^= 1;
#elif defined SAME
		seen = 1;
#else
		seen ^= 1;
#endif
		pthread_mutex_unlock(&mutex);
	}
	(void)own;
	(void)seen;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, waits, NULL);
	pthread_join(thread, NULL); /* ERROR */
}
