/* SPDX-License-Identifier: MIT
 *
 * Read-write locks: unlocked by a thread that does not hold them, destroyed or initialised while held, used when destroyed.
 *
 * RUN: check -DCASE=1
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=2
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=3
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=4
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=5
 * EXPECT: violated mutex-misuse
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *unlock(void *unused)
{
	pthread_rwlock_unlock(&lock); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_rwlock_rdlock(&lock);
	switch (CASE) {
	case 1:
		pthread_create(&thread, NULL, unlock, NULL);
		pthread_join(thread, NULL);
		break;
	case 2:
		pthread_rwlock_destroy(&lock); /* ERROR */
		break;
	case 3:
		pthread_rwlock_init(&lock, NULL); /* ERROR */
		break;
	case 4:
		pthread_rwlock_unlock(&lock);
		pthread_rwlock_destroy(&lock);
		pthread_rwlock_wrlock(&lock); /* ERROR */
		break;
	case 5:
		pthread_rwlock_unlock(&lock);
		pthread_rwlock_unlock(&lock); /* ERROR */
		break;
	}
	return 0;
}
