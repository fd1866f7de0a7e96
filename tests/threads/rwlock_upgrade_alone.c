/* SPDX-License-Identifier: MIT
 *
 * A reader that asks to write waits for itself; the story says so.  With a deadline it gives up.
 *
 * RUN: check
 * EXPECT: violated deadlock
 * RUN: check -DTIMED
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void)
{
	pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
	pthread_rwlock_rdlock(&lock);
#ifdef TIMED
	struct timespec soon = { 5, 0 };
	assert(pthread_rwlock_timedwrlock(&lock, &soon) == ETIMEDOUT);
#else
	pthread_rwlock_wrlock(&lock); /* ERROR */
#endif
	return 0;
}
