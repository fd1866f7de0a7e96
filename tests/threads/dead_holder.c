/* SPDX-License-Identifier: MIT
 *
 * A lock whose holder has ended and been joined belongs to nobody who comes later, be the new thread in the old one's place.
 *
 * RUN: check
 * EXPECT: violated deadlock
 * RUN: check -DUNLOCK
 * EXPECT: violated mutex-misuse
 * RUN: check -DSPIN
 * EXPECT: violated mutex-misuse
 * ALSO: --races ignore
 */
#include <pthread.h>

static pthread_mutex_t recursive, normal = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;

static void *lock(void *unused)
{
	pthread_mutex_lock(&recursive); /* ERROR */
	pthread_mutex_lock(&normal);
	pthread_spin_lock(&spin);
	return unused;
}

static void *unlock(void *unused)
{
#ifdef SPIN
	pthread_spin_unlock(&spin); /* ERROR */
#endif
#ifdef UNLOCK
	pthread_mutex_unlock(&normal); /* ERROR */
#endif
	pthread_mutex_lock(&recursive); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&recursive, &attributes);
	pthread_spin_init(&spin, 0);
	pthread_create(&thread, NULL, lock, NULL);
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, unlock, NULL);
	pthread_join(thread, NULL); /* ERROR */
	return 0;
}
