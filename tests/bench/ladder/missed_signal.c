/* SPDX-License-Identifier: MIT
 *
 * The flag is looked at before the lock is taken, so that the only signal may come before the wait.
 *
 * EXPECT: violated deadlock
 */
#include "padding.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int done;

static void *waiter(void *unused)
{
	if (!atomic_load(&done)) {
		pthread_mutex_lock(&lock);
		pthread_cond_wait(&changed, &lock); /* ERROR: nobody signals any more */
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *signaller(void *unused)
{
	pthread_mutex_lock(&lock);
	atomic_store(&done, 1);
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, signaller, 0);
	pthread_create(&threads[1], 0, waiter, 0);
	pad();
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0); /* ERROR */
	pad_end();
}
