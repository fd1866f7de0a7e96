/* SPDX-License-Identifier: MIT
 *
 * A lock made of a futex, and what the system call says.
 * RUN: check
 * EXPECT: verified
 * RUN: check -DLOST
 * EXPECT: violated deadlock
 * RUN: check -DPRIVATE_DIFFERS
 * EXPECT: violated deadlock
 * RUN: check -DWRONG_BITS
 * EXPECT: violated deadlock
 * RUN: check -DREPLIES
 * EXPECT: verified for one process id
 * RUN: check -DTIMES_OUT
 * EXPECT: violated assertion
 * RUN: check -DTIMES_OUT --faults timeout:0
 * EXPECT: verified
 * RUN: check -DSPURIOUS
 * EXPECT: verified
 * RUN: check -DSPURIOUS --faults spurious-wakeup:1
 * EXPECT: violated assertion
 * RUN: check -DORDERS_NOTHING
 * EXPECT: violated data-race
 * RUN: check -DPLAIN
 * EXPECT: violated data-race
 * RUN: check -DANY_WAITER
 * EXPECT: violated assertion
 * RUN: check -DANY_TWO
 * EXPECT: violated assertion
 * RUN: check -DREQUEUE
 * EXPECT: verified
 * RUN: check -DFREED
 * EXPECT: verified
 * RUN: check -DFREED_WAIT
 * EXPECT: violated use-after-free
 * RUN: check -DMANY
 * EXPECT: verified
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_uint word, other;
int data;

static long futex(atomic_uint *at, int operation, unsigned value, const struct timespec *timeout, atomic_uint *second,
		  unsigned third)
{
	return syscall(SYS_futex, at, operation, value, timeout, second, third); /* ERROR */
}

#if defined LOST || defined PRIVATE_DIFFERS || defined WRONG_BITS
/* LOST: between the look and the wait the value changes back, and nobody wakes the thread. */
static void *work(void *unused)
{
#ifdef LOST
	while (atomic_load(&word) == 0)
		futex(&other, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0); /* ERROR */
#elif defined WRONG_BITS
	futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, 2); /* ERROR */
#else
	futex(&word, FUTEX_WAIT, 0, NULL, NULL, 0); /* ERROR */
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
#ifdef LOST
	atomic_store(&word, 1);
	futex(&other, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#elif defined WRONG_BITS
	futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 4 | 1);
#else
	futex(&word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#endif
	pthread_join(thread, NULL); /* ERROR */
}
#elif defined REPLIES
int main(void)
{
	struct timespec bad = { 0, 1000000000 }, before = { -1, 0 }, soon = { 0, 1 };
	assert(futex(&word, FUTEX_WAIT, 1, NULL, NULL, 0) == -1 && errno == EAGAIN);
	assert(futex(&word, FUTEX_WAIT, 0, &bad, NULL, 0) == -1 && errno == EINVAL);
	assert(futex(&word, FUTEX_WAIT, 0, &before, NULL, 0) == -1 && errno == EINVAL);
	assert(futex(&word, FUTEX_WAIT, 0, &soon, NULL, 0) == -1 && errno == ETIMEDOUT);
	assert(futex(&word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 0) == -1 && errno == EINVAL);
	assert(futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 0) == -1 && errno == EINVAL);
	assert(futex((atomic_uint *)((char *)&word + 1), FUTEX_WAIT, 0, NULL, NULL, 0) == -1 && errno == EINVAL);
	assert(futex(&word, FUTEX_WAKE, 1, NULL, NULL, 0) == 0);
	assert(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 1) == -1 && errno == EAGAIN);
	assert(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 0) == 0);
	assert(syscall(SYS_gettid) == gettid() && syscall(SYS_getpid) == getpid());
}
#elif defined TIMES_OUT || defined SPURIOUS
static void *work(void *unused)
{
	struct timespec soon = { 0, 1 };
#ifdef SPURIOUS
	if (futex(&word, FUTEX_WAIT, 0, NULL, NULL, 0) == 0)
		assert(atomic_load(&word) == 1); /* ERROR */
	(void)soon;
#else
	long result = futex(&word, FUTEX_WAIT, 0, &soon, NULL, 0);
	if (result)
		assert(errno == EAGAIN); /* ERROR */
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	atomic_store(&word, 1);
	futex(&word, FUTEX_WAKE, 1, NULL, NULL, 0);
	pthread_join(thread, NULL);
}
#elif defined ORDERS_NOTHING
/* Who is woken does not happen after what came before the wake. */
static pthread_mutex_t unrelated = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
	if (futex(&word, FUTEX_WAIT, 0, NULL, NULL, 0) == 0)
		data = 2; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	data = 1; /* ERROR */
	pthread_mutex_lock(&unrelated);
	pthread_mutex_unlock(&unrelated);
	while (futex(&word, FUTEX_WAKE, 1, NULL, NULL, 0) == 0)
		;
	pthread_join(thread, NULL);
}
#elif defined PLAIN
static unsigned plain;

static void *work(void *unused)
{
	syscall(SYS_futex, &plain, FUTEX_WAIT, 1, NULL, NULL, 0); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	plain = 2; /* ERROR */
	pthread_join(thread, NULL);
}
#elif defined ANY_WAITER || defined ANY_TWO
#ifdef ANY_TWO
enum { WAKES = 2, N = 3 };
#else
enum { WAKES = 1, N = 2 };
#endif
static atomic_int first;

static void *work(void *argument)
{
	long me = (long)argument;
	futex(&word, FUTEX_WAIT, 0, NULL, NULL, 0);
	atomic_fetch_or(&first, 1 << me);
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	for (long i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	int n = (int)futex(&word, FUTEX_WAKE, WAKES, NULL, NULL, 0);
	sched_yield();
	int who = atomic_load(&first);
#ifdef ANY_TWO
	if (n == 2)
		assert(who != 5); /* ERROR */
#else
	if (n == 1)
		assert(who != 2); /* ERROR */
#endif
	atomic_store(&word, 1);
	while (atomic_load(&first) != (1 << N) - 1)
		futex(&word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
}
#elif defined REQUEUE
static void *work(void *unused)
{
	futex(&word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	long n = futex(&word, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void *)(uintptr_t)INT_MAX, &other, 0);
	assert(n >= 0 && n <= 3);
	atomic_store(&word, 1);
	long rest = futex(&word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
	long moved = futex(&other, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
	assert(moved == (n > 1 ? n - 1 : 0) && rest + n <= 3);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}
#elif defined FREED || defined FREED_WAIT
/* An unlock may wake where memory has been freed; a wait looks at it. */
static void *work(void *argument)
{
	atomic_uint *at = argument;
#ifdef FREED_WAIT
	if (atomic_load(&word))
		futex(at, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
#else
	while (atomic_load(at) == 0)
		futex(at, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	free(at);
#endif
	return NULL;
}

int main(void)
{
	pthread_t thread;
	atomic_uint *at = malloc(sizeof *at);
	atomic_init(at, 0);
	pthread_create(&thread, NULL, work, at);
#ifdef FREED_WAIT
	free(at);
	atomic_store(&word, 1);
#else
	atomic_store(at, 1);
	futex(at, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#endif
	pthread_join(thread, NULL);
}
#else
/* The third lock of Drepper, "Futexes are tricky". */
#ifdef MANY
enum { THREADS = 3 };
#else
enum { THREADS = 2 };
#endif

static void lock(void)
{
	unsigned seen = 0;
	if (atomic_compare_exchange_strong(&word, &seen, 1))
		return;
	if (seen != 2)
		seen = atomic_exchange(&word, 2);
	while (seen != 0) {
		futex(&word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
		seen = atomic_exchange(&word, 2);
	}
}

static void unlock(void)
{
	if (atomic_fetch_sub(&word, 1) != 1) {
		atomic_store(&word, 0);
		futex(&word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
}

static void *work(void *unused)
{
	lock();
	data++;
	unlock();
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert(data == THREADS);
}
#endif
