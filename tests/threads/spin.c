/* SPDX-License-Identifier: MIT
 *
 * Spin locks exclude; a thread that spins on its own waits for ever.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DTWICE
 * EXPECT: violated deadlock
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int count;

static void *work(void *unused)
{
	int tried = pthread_spin_trylock(&lock);
	assert(tried == 0 || tried == EBUSY);
	if (tried)
		pthread_spin_lock(&lock); /* ERROR */
	count++;
#ifdef TWICE
	pthread_spin_lock(&lock); /* ERROR */
#endif
	pthread_spin_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_spin_init(&lock, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL); /* ERROR */
	assert(count == 2);
	pthread_spin_destroy(&lock);
	return 0;
}
