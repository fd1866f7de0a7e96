/* SPDX-License-Identifier: MIT
 *
 * What is known but not modelled makes the search inconclusive, and says so.
 *
 * RUN: check -DWRITERS
 * EXPECT: inconclusive
 * RUN: check -DSTATIC
 * EXPECT: inconclusive
 * RUN: check -DASYNCHRONOUS
 * EXPECT: inconclusive
 * RUN: check
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t fixed = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

int main(void)
{
	pthread_rwlock_t lock;
	pthread_rwlockattr_t attributes;
	int kind = PTHREAD_RWLOCK_PREFER_WRITER_NP, old;
#ifdef WRITERS
	kind = PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
#endif
	pthread_rwlockattr_init(&attributes);
	pthread_rwlockattr_setkind_np(&attributes, kind);
	pthread_rwlock_init(&lock, &attributes);
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
#ifdef STATIC
	pthread_rwlock_rdlock(&fixed);
#endif
#ifdef ASYNCHRONOUS
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
#endif
	(void)old;
	(void)fixed;
	return 0;
}
