/* SPDX-License-Identifier: MIT
 *
 * Futexes with owners (FUTEX_LOCK_PI): a lock as the C library makes it, and what the system call says.  The system gives the
 * lock to a waiter, and what comes before an unlock happens before what comes after the lock.
 *
 * RUN: check
 * EXPECT: verified for one process id
 * RUN: check -DPLAIN
 * EXPECT: violated data-race
 * RUN: check -DREPLIES
 * EXPECT: verified for one process id
 * RUN: check -DGIVEN
 * EXPECT: verified for one process id
 * RUN: check -DANY
 * EXPECT: violated assertion
 * RUN: check -DCIRCLE
 * EXPECT: verified for one process id
 * RUN: check -DLOST
 * EXPECT: violated deadlock
 * RUN: check -DDIES
 * EXPECT: inconclusive: FUTEX_LOCK_PI of a futex whose owner has ended
 * RUN: check -DDIES --reduction none
 * EXPECT: inconclusive: FUTEX_LOCK_PI of a futex whose owner has ended
 * RUN: check -DTIMES_OUT
 * EXPECT: violated assertion
 * RUN: check -DTIMES_OUT --faults timeout:0
 * EXPECT: verified for one process id
 * RUN: check -DMIXED
 * EXPECT: violated deadlock
 * RUN: check -DWEAKER --memory c11
 * EXPECT: inconclusive: FUTEX_LOCK_PI is not modelled under another memory model than sc
 */
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef MIXED /* with and without FUTEX_PRIVATE_FLAG: they do not meet */
#define LOCK FUTEX_LOCK_PI
#else
#define LOCK FUTEX_LOCK_PI_PRIVATE
#endif
#ifdef WEAKER
#define ORDER memory_order_acq_rel, memory_order_relaxed
#else
#define ORDER memory_order_seq_cst, memory_order_seq_cst
#endif

static atomic_uint lock, other;
static int data, first;
static sem_t taken;

static long futex(atomic_uint *at, int operation, const struct timespec *timeout)
{
	return syscall(SYS_futex, at, operation, 0, timeout, NULL, 0); /* ERROR */
}

static unsigned number(void)
{
	return (unsigned)syscall(SYS_gettid);
}

static void take(atomic_uint *at)
{
	unsigned nobody = 0;
	if (!atomic_compare_exchange_strong_explicit(at, &nobody, number(), ORDER))
		assert(futex(at, LOCK, NULL) == 0);
}

static void give(atomic_uint *at)
{
	unsigned mine = number();
	if (!atomic_compare_exchange_strong_explicit(at, &mine, 0, ORDER))
		assert(futex(at, FUTEX_UNLOCK_PI_PRIVATE, NULL) == 0);
}

static void *adds(void *unused)
{
	take(&lock);
	data++; /* ERROR */
	give(&lock);
#ifdef PLAIN
	data++; /* ERROR */
#endif
	return unused;
}

/* While others wait, the word never says that the lock is free. */
static void *waits(void *name)
{
	take(&lock);
	if (!first)
		first = (int)(long)name;
	give(&lock);
	return name;
}

static void *crosses(void *unused)
{
	take(&other);
	int error = 0;
	if (atomic_load(&lock) != 0 && futex(&lock, LOCK, NULL) != 0)
		error = errno;
	assert(error == 0 || error == EDEADLK);
	if (!error && (atomic_load(&lock) & FUTEX_TID_MASK) == number())
		give(&lock);
	give(&other);
	return unused;
}

static void *keeps(void *unused)
{
	take(&lock);
	sem_post(&taken);
	return unused;
}

int main(void)
{
	pthread_t threads[2] = { 0 };
	void *(*const all[])(void *) = { adds, waits, crosses, keeps };
	struct timespec soon = { 1, 0 };
	int many = 2;
	sem_init(&taken, 0, 0);
	(void)all;
#if defined REPLIES
	many = 0;
	assert(futex(&lock, FUTEX_UNLOCK_PI, NULL) == -1 && errno == EPERM);
	assert(futex(&lock, FUTEX_TRYLOCK_PI, NULL) == 0 && lock == number());
	assert(futex(&lock, FUTEX_TRYLOCK_PI, NULL) == -1 && errno == EDEADLK);
	assert(futex(&lock, FUTEX_LOCK_PI, NULL) == -1 && errno == EDEADLK);
	assert(futex(&lock, FUTEX_UNLOCK_PI, NULL) == 0 && lock == 0);
	lock = FUTEX_TID_MASK; /* nobody's number */
	assert(futex(&lock, FUTEX_LOCK_PI, NULL) == -1 && errno == ESRCH);
	lock = FUTEX_OWNER_DIED;
	assert(futex(&lock, FUTEX_LOCK_PI, NULL) == 0 && lock == (number() | FUTEX_OWNER_DIED));
	soon.tv_nsec = 1000000000;
	assert(futex(&lock, FUTEX_LOCK_PI, &soon) == -1 && errno == EINVAL);
	assert(futex(&lock, FUTEX_UNLOCK_PI, NULL) == 0 && lock == 0);
#elif defined GIVEN || defined ANY
	take(&lock);
	for (int i = 0; i < many; i++)
		pthread_create(&threads[i], NULL, waits, (void *)(long)(i + 1));
	give(&lock);
#elif defined CIRCLE
	many = 1;
	take(&lock);
	pthread_create(&threads[0], NULL, crosses, NULL);
	int result = (int)futex(&other, LOCK, NULL), error = errno;
	assert(result == 0 || error == EDEADLK || error == ESRCH);
	if (result == 0)
		give(&other);
	give(&lock);
#elif defined LOST
	many = 1;
	take(&lock);
	pthread_create(&threads[0], NULL, waits, NULL);
#elif defined DIES
	many = 0;
	pthread_create(&threads[0], NULL, keeps, NULL);
	sem_wait(&taken);
	if (futex(&lock, LOCK, NULL) != 0)
		assert(errno == ESRCH);
#elif defined TIMES_OUT
	many = 1;
	pthread_create(&threads[0], NULL, waits, NULL);
	if (futex(&lock, LOCK, &soon) != 0)
		assert(errno == EDEADLK); /* ERROR */
	else
		give(&lock);
#else
	for (int i = 0; i < many; i++)
		pthread_create(&threads[i], NULL, adds, NULL);
#endif
	for (int i = 0; i < many; i++)
		pthread_join(threads[i], NULL); /* ERROR */
#if defined GIVEN
	assert(lock == 0 && (first == 1 || first == 2));
#elif defined ANY
	assert(first == 1); /* ERROR */
#elif !defined REPLIES && !defined CIRCLE && !defined LOST && !defined DIES && !defined TIMES_OUT
	assert(data == 2);
#endif
	return 0;
}
