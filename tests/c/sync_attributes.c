/* SPDX-License-Identifier: MIT
 *
 * Attribute objects of pthread.h: defaults, what reads back, what is refused.
 *
 * RUN: check
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

static void of_threads(void)
{
	pthread_attr_t a;
	int value;
	size_t size;
	void *address;
	struct sched_param parameter = { 0 };
	assert(pthread_attr_init(&a) == 0);
	assert(pthread_attr_getdetachstate(&a, &value) == 0 && value == PTHREAD_CREATE_JOINABLE);
	assert(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED) == 0);
	assert(pthread_attr_getdetachstate(&a, &value) == 0 && value == PTHREAD_CREATE_DETACHED);
	assert(pthread_attr_setdetachstate(&a, 7) == EINVAL);
	assert(pthread_attr_getguardsize(&a, &size) == 0 && size == 4096);
	assert(pthread_attr_setguardsize(&a, 8192) == 0);
	assert(pthread_attr_getguardsize(&a, &size) == 0 && size == 8192);
	assert(pthread_attr_setstacksize(&a, 1) == EINVAL);
	assert(pthread_attr_setstacksize(&a, 1 << 20) == 0);
	assert(pthread_attr_getstacksize(&a, &size) == 0 && size == 1 << 20);
	assert(pthread_attr_setstack(&a, &value, 1) == EINVAL);
	assert(pthread_attr_setstack(&a, (void *)0x10000, 1 << 20) == 0);
	assert(pthread_attr_getstack(&a, &address, &size) == 0 && address == (void *)0x10000 && size == 1 << 20);
	assert(pthread_attr_setstackaddr(&a, (void *)0x20000) == 0);
	assert(pthread_attr_getstackaddr(&a, &address) == 0 && address == (void *)0x20000);
	assert(pthread_attr_getinheritsched(&a, &value) == 0 && value == PTHREAD_INHERIT_SCHED);
	assert(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED) == 0);
	assert(pthread_attr_getinheritsched(&a, &value) == 0 && value == PTHREAD_EXPLICIT_SCHED);
	assert(pthread_attr_setinheritsched(&a, 5) == EINVAL);
	assert(pthread_attr_getschedpolicy(&a, &value) == 0 && value == SCHED_OTHER);
	assert(pthread_attr_setschedpolicy(&a, SCHED_FIFO) == 0);
	assert(pthread_attr_getschedpolicy(&a, &value) == 0 && value == SCHED_FIFO);
	assert(pthread_attr_setschedpolicy(&a, 99) == EINVAL);
	parameter.sched_priority = 3;
	assert(pthread_attr_setschedparam(&a, &parameter) == 0);
	parameter.sched_priority = 0;
	assert(pthread_attr_getschedparam(&a, &parameter) == 0 && parameter.sched_priority == 3);
	assert(pthread_attr_getscope(&a, &value) == 0 && value == PTHREAD_SCOPE_SYSTEM);
	assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM) == 0);
	assert(pthread_attr_destroy(&a) == 0);
}

static void of_mutexes(void)
{
	pthread_mutexattr_t a;
	int value;
	assert(pthread_mutexattr_init(&a) == 0);
	assert(pthread_mutexattr_gettype(&a, &value) == 0 && value == PTHREAD_MUTEX_DEFAULT);
	assert(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK) == 0);
	assert(pthread_mutexattr_gettype(&a, &value) == 0 && value == PTHREAD_MUTEX_ERRORCHECK);
	assert(pthread_mutexattr_settype(&a, 17) == EINVAL);
	assert(pthread_mutexattr_getrobust(&a, &value) == 0 && value == PTHREAD_MUTEX_STALLED);
	assert(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST) == 0);
	assert(pthread_mutexattr_getrobust(&a, &value) == 0 && value == PTHREAD_MUTEX_ROBUST);
	assert(pthread_mutexattr_setrobust(&a, 9) == EINVAL && pthread_mutexattr_setrobust_np(&a, 0) == 0);
	assert(pthread_mutexattr_getrobust_np(&a, &value) == 0 && value == PTHREAD_MUTEX_STALLED);
	assert(pthread_mutexattr_getpshared(&a, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
	assert(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
	assert(pthread_mutexattr_getpshared(&a, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
	assert(pthread_mutexattr_setpshared(&a, 3) == EINVAL);
	assert(pthread_mutexattr_getprotocol(&a, &value) == 0 && value == PTHREAD_PRIO_NONE);
	assert(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT) == 0);
	assert(pthread_mutexattr_getprotocol(&a, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
	assert(pthread_mutexattr_setprotocol(&a, 3) == EINVAL);
	assert(pthread_mutexattr_getprioceiling(&a, &value) == 0 && value == 1);
	assert(pthread_mutexattr_setprioceiling(&a, 10) == 0);
	assert(pthread_mutexattr_getprioceiling(&a, &value) == 0 && value == 10);
	assert(pthread_mutexattr_setprioceiling(&a, 1000) == EINVAL);
	assert(pthread_mutexattr_gettype(&a, &value) == 0 && value == PTHREAD_MUTEX_ERRORCHECK);
	assert(pthread_mutexattr_destroy(&a) == 0);
}

static void of_the_others(void)
{
	pthread_condattr_t c;
	pthread_rwlockattr_t r;
	pthread_barrierattr_t b;
	int value;
	clockid_t clock;
	assert(pthread_condattr_init(&c) == 0);
	assert(pthread_condattr_getclock(&c, &clock) == 0 && clock == CLOCK_REALTIME);
	assert(pthread_condattr_setclock(&c, CLOCK_MONOTONIC) == 0);
	assert(pthread_condattr_getclock(&c, &clock) == 0 && clock == CLOCK_MONOTONIC);
	assert(pthread_condattr_setclock(&c, 77) == EINVAL);
	assert(pthread_condattr_getpshared(&c, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
	assert(pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED) == 0);
	assert(pthread_condattr_getpshared(&c, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
	assert(pthread_condattr_getclock(&c, &clock) == 0 && clock == CLOCK_MONOTONIC);
	assert(pthread_condattr_setpshared(&c, 5) == EINVAL);
	assert(pthread_condattr_destroy(&c) == 0);
	assert(pthread_rwlockattr_init(&r) == 0);
	assert(pthread_rwlockattr_getkind_np(&r, &value) == 0 && value == PTHREAD_RWLOCK_DEFAULT_NP);
	assert(pthread_rwlockattr_setkind_np(&r, PTHREAD_RWLOCK_PREFER_WRITER_NP) == 0);
	assert(pthread_rwlockattr_getkind_np(&r, &value) == 0 && value == PTHREAD_RWLOCK_PREFER_WRITER_NP);
	assert(pthread_rwlockattr_setkind_np(&r, 3) == EINVAL);
	assert(pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_SHARED) == 0);
	assert(pthread_rwlockattr_getpshared(&r, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
	assert(pthread_rwlockattr_setpshared(&r, 4) == EINVAL);
	assert(pthread_rwlockattr_destroy(&r) == 0);
	assert(pthread_barrierattr_init(&b) == 0);
	assert(pthread_barrierattr_getpshared(&b, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
	assert(pthread_barrierattr_setpshared(&b, PTHREAD_PROCESS_SHARED) == 0);
	assert(pthread_barrierattr_getpshared(&b, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
	assert(pthread_barrierattr_setpshared(&b, 2) == EINVAL);
	assert(pthread_barrierattr_destroy(&b) == 0);
}

int main(void)
{
	of_threads();
	of_mutexes();
	of_the_others();
	return 0;
}
