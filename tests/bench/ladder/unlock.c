/* SPDX-License-Identifier: MIT
 *
 * The thread that finds the lock taken gives it back.
 *
 * EXPECT: violated mutex-misuse
 */
#include "padding.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int served;

static void *serve(void *unused)
{
	pthread_mutex_trylock(&lock);
	atomic_fetch_add(&served, 1);
	pthread_mutex_unlock(&lock); /* ERROR: it may be another's */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, serve, 0);
	pad();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	pad_end();
}
