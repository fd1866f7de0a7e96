/* SPDX-License-Identifier: MIT
 *
 * Threads begin, and wait on condition variables and futexes: as the schedule says, and when it is over, as usual.
 *
 * Condition variables are ours: the schedule says whom a signal wakes, which the system's leave open.  Who waits is in a list.
 */
#include "native.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define OURS(name) bitspin_native_##name

/* The program calls them; that they have no prototypes is of no use to anybody. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* ---- threads --------------------------------------------------------------------------------------------------------- */

static void *run_thread(void *argument)
{
	struct thread *me = argument;
	native_become(me);
	native_race_from_start(me);
	return me->start ? me->start(me->argument) : (void *)(intptr_t)me->start_c11(me->argument);
}

/* Wait until the new thread has run to its first stop: its creator goes on after that, as in the VM. */
static void settle(struct thread *child)
{
	for (int looks = 0; looks < 1000 && !native_is_over() && !__atomic_load_n(&child->settled, __ATOMIC_ACQUIRE); looks++)
		native_sleep(&child->settled, 0, 2000000);
}

static struct thread *begin(void)
{
	struct thread *me = native_self(), *child = native_thread_new(me ? me->born : -1);
	native_report->alive[child->number] = 1;
	return child;
}

static bool fails(void)
{
	struct thread *me = native_self();
	bool yes = me && me->fails;
	if (me)
		me->fails = false;
	return yes;
}

static int create(pthread_t *name, const pthread_attr_t *attributes, struct thread *child)
{
	int error = pthread_create(name, attributes, run_thread, child);
	if (error == 0)
		settle(child);
	else
		child->ended = true;
	return error;
}

int OURS(pthread_create)(pthread_t *name, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
	if (fails())
		return EAGAIN;
	struct thread *child = begin();
	child->start = start;
	child->argument = argument;
	return create(name, attributes, child);
}

int OURS(thrd_create)(thrd_t *name, thrd_start_t start, void *argument)
{
	if (fails())
		return thrd_error;
	struct thread *child = begin();
	child->start_c11 = start;
	child->argument = argument;
	return create(name, NULL, child) ? thrd_error : thrd_success;
}

/* ---- condition variables --------------------------------------------------------------------------------------------- */

struct waiter {
	const void *condition;
	pthread_mutex_t *mutex; /* NULL: it waits for a futex */
	int thread, signalled;
	struct waiter *next;
};

static struct waiter *waiters; /* by number of thread */
static int busy;

static void enter(struct waiter *w)
{
	native_lock(&busy);
	struct waiter **at = &waiters;
	while (*at && (*at)->thread < w->thread)
		at = &(*at)->next;
	w->next = *at;
	*at = w;
	native_unlock(&busy);
}

static void quit(void *waiter)
{
	native_lock(&busy);
	for (struct waiter **at = &waiters; *at; at = &(*at)->next)
		if (*at == waiter) {
			*at = (*at)->next;
			break;
		}
	native_unlock(&busy);
}

/* Let a cancelled thread leave the wait; cleanup handlers have the mutex. */
static void quit_cancelled(void *waiter)
{
	const struct waiter *w = waiter;
	quit(waiter);
	pthread_mutex_lock(w->mutex);
}

static void wake(const void *condition, int skip, bool all)
{
	native_lock(&busy);
	for (struct waiter *w = waiters; w; w = w->next) {
		if (w->condition != condition || w->signalled || (!all && skip-- > 0))
			continue;
		__atomic_store_n(&w->signalled, 1, __ATOMIC_RELEASE);
		native_wake(&w->signalled);
		if (!all)
			break;
	}
	native_unlock(&busy);
}

static bool has_passed(clockid_t clock, const struct timespec *deadline)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec > deadline->tv_sec || (t.tv_sec == deadline->tv_sec && t.tv_nsec >= deadline->tv_nsec);
}

/* Wait until another thread wakes this one, as the schedule does not.  Return false if the deadline has passed. */
static bool wait_freely(struct waiter *w, clockid_t clock, const struct timespec *deadline)
{
	while (!__atomic_load_n(&w->signalled, __ATOMIC_ACQUIRE) || !native_is_over()) {
		if (native_is_over() && deadline && has_passed(clock, deadline))
			return false;
		native_sleep(&w->signalled, 0, 50000000);
		pthread_testcancel();
	}
	return true;
}

/* Tell ThreadSanitizer, if it is there, the place of the call. */
__attribute__((weak)) void __tsan_func_entry(void *from);
__attribute__((weak)) void __tsan_func_exit(void);

static bool wait_unscheduled(struct thread *me, struct waiter *w, clockid_t clock, const struct timespec *deadline)
{
	bool volatile in_time;
	pthread_cleanup_push(quit_cancelled, w);
	if (me)
		native_leave(me);
	in_time = wait_freely(w, clock, deadline);
	pthread_cleanup_pop(0);
	return in_time;
}

static int wait_for_signal(const void *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline)
{
	struct thread *me = native_self();
	struct waiter w = { .condition = condition, .mutex = mutex, .thread = me ? me->number : NATIVE_THREADS };
	int key = me ? me->calling - 1 : -1, turns = 0;
	bool in_time = true;
	enter(&w);
	int error = pthread_mutex_unlock(mutex);
	if (error) {
		quit(&w);
		return error;
	}
	while (me && key >= 0 && native_again(me, key))
		turns++; /* to give up, or else to take the mutex */
	if (turns == 0)
		in_time = wait_unscheduled(me, &w, clock, deadline);
	quit(&w);
	error = pthread_mutex_lock(mutex);
	if (error)
		return error;
	if (!__atomic_load_n(&w.signalled, __ATOMIC_ACQUIRE)) /* with the mutex, as cleanup handlers expect */
		pthread_testcancel();
	return !in_time || (turns > 1 && deadline) ? ETIMEDOUT : 0;
}

__attribute__((always_inline)) static inline int wait_on(const void *condition, pthread_mutex_t *mutex, clockid_t clock,
							 const struct timespec *deadline)
{
	if (__tsan_func_entry)
		__tsan_func_entry(__builtin_return_address(0));
	int error = wait_for_signal(condition, mutex, clock, deadline);
	if (__tsan_func_exit)
		__tsan_func_exit();
	return error;
}

static int as_c11(int error)
{
	switch (error) {
	case 0: return thrd_success;
	case ETIMEDOUT: return thrd_timedout;
	case EBUSY: return thrd_busy;
	default: return thrd_error;
	}
}

int OURS(pthread_cond_wait)(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	return wait_on(condition, mutex, CLOCK_REALTIME, NULL);
}

int OURS(pthread_cond_timedwait)(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline)
{
	return wait_on(condition, mutex, CLOCK_REALTIME, deadline);
}

int OURS(pthread_cond_clockwait)(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
				 const struct timespec *deadline)
{
	return wait_on(condition, mutex, clock, deadline);
}

static int signal_one(const void *condition)
{
	const struct thread *me = native_self();
	wake(condition, me ? me->choice : 0, false);
	return 0;
}

static int signal_all(const void *condition)
{
	wake(condition, 0, true);
	return 0;
}

int OURS(pthread_cond_signal)(pthread_cond_t *condition)
{
	return signal_one(condition);
}

int OURS(pthread_cond_broadcast)(pthread_cond_t *condition)
{
	return signal_all(condition);
}

int OURS(cnd_wait)(cnd_t *condition, mtx_t *mutex)
{
	return as_c11(wait_on(condition, (pthread_mutex_t *)mutex, CLOCK_REALTIME, NULL));
}

int OURS(cnd_timedwait)(cnd_t *condition, mtx_t *mutex, const struct timespec *deadline)
{
	return as_c11(wait_on(condition, (pthread_mutex_t *)mutex, CLOCK_REALTIME, deadline));
}

int OURS(cnd_signal)(cnd_t *condition)
{
	return signal_one(condition);
}

int OURS(cnd_broadcast)(cnd_t *condition)
{
	return signal_all(condition);
}

/* ---- futexes --------------------------------------------------------------------------------------------------------- */

/* Return the bit that a thread waits with.  Linux wakes the thread that has waited longest, the schedule any: each has a bit of
 * its own, so that the thread is woken that the schedule says. */
static int bit_of(int thread)
{
	return (int)(1u << thread % 32);
}

static bool is_wait(long operation, long timeout)
{
	return (operation & FUTEX_CMD_MASK) == FUTEX_WAIT && timeout == 0; /* a deadline is told in another way with a bit */
}

/* Return the bit of the thread that is to be woken; 0 if the schedule says nothing of it. */
static int bit_of_chosen(const void *address)
{
	const struct thread *me = native_self();
	int skip = me ? me->choice : 0, bit = 0;
	native_lock(&busy);
	for (struct waiter *w = waiters; w && !bit; w = w->next)
		if (w->condition == address && !w->signalled && skip-- == 0) {
			w->signalled = 1; /* it leaves the list when it gets to it */
			bit = bit_of(w->thread);
		}
	native_unlock(&busy);
	return bit;
}

static long wait_with_bit(const void *address, long operation, long value, int thread)
{
	struct waiter w = { .condition = address, .thread = thread };
	enter(&w);
	long operation_with_bit = FUTEX_WAIT_BITSET | (operation & ~(long)FUTEX_CMD_MASK);
	long result = syscall(SYS_futex, address, operation_with_bit, value, NULL, NULL, bit_of(thread));
	int error = errno;
	quit(&w);
	errno = error;
	return result;
}

long OURS(syscall)(long number, long a, long b, long c, long d, long e, long f)
{
	const struct thread *me = native_self();
	if (number == SYS_futex && me && is_wait(b, d))
		return wait_with_bit((const void *)a, b, c, me->number);
	int bit = number == SYS_futex && (b & FUTEX_CMD_MASK) == FUTEX_WAKE && c == 1 ? bit_of_chosen((const void *)a) : 0;
	if (bit)
		return syscall(number, a, FUTEX_WAKE_BITSET | (b & ~(long)FUTEX_CMD_MASK), c, NULL, NULL, bit);
	return syscall(number, a, b, c, d, e, f);
}

/* ---- deadlines, sleeps ----------------------------------------------------------------------------------------------- */

/* Return the result of a timed call that has tried: in the schedule, what can be had is there when the turn comes; else it is
 * the turn to time out. */
static int timed(int tried)
{
	return tried == EBUSY || tried == EAGAIN ? ETIMEDOUT : tried;
}

static bool is_scheduled(void)
{
	return native_self() && !native_is_over();
}

int OURS(pthread_mutex_timedlock)(pthread_mutex_t *mutex, const struct timespec *deadline)
{
	return is_scheduled() ? timed(pthread_mutex_trylock(mutex)) : pthread_mutex_timedlock(mutex, deadline);
}

int OURS(pthread_mutex_clocklock)(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline)
{
	return is_scheduled() ? timed(pthread_mutex_trylock(mutex)) : pthread_mutex_clocklock(mutex, clock, deadline);
}

int OURS(mtx_timedlock)(mtx_t *mutex, const struct timespec *deadline)
{
	return as_c11(OURS(pthread_mutex_timedlock)((pthread_mutex_t *)mutex, deadline));
}

int OURS(pthread_rwlock_timedrdlock)(pthread_rwlock_t *l, const struct timespec *deadline)
{
	return is_scheduled() ? timed(pthread_rwlock_tryrdlock(l)) : pthread_rwlock_timedrdlock(l, deadline);
}

int OURS(pthread_rwlock_timedwrlock)(pthread_rwlock_t *l, const struct timespec *deadline)
{
	return is_scheduled() ? timed(pthread_rwlock_trywrlock(l)) : pthread_rwlock_timedwrlock(l, deadline);
}

int OURS(pthread_rwlock_clockrdlock)(pthread_rwlock_t *l, clockid_t clock, const struct timespec *deadline)
{
	return is_scheduled() ? timed(pthread_rwlock_tryrdlock(l)) : pthread_rwlock_clockrdlock(l, clock, deadline);
}

int OURS(pthread_rwlock_clockwrlock)(pthread_rwlock_t *l, clockid_t clock, const struct timespec *deadline)
{
	return is_scheduled() ? timed(pthread_rwlock_trywrlock(l)) : pthread_rwlock_clockwrlock(l, clock, deadline);
}

static int try_semaphore(sem_t *semaphore)
{
	pthread_testcancel();
	int result = sem_trywait(semaphore);
	if (result < 0 && errno == EAGAIN)
		errno = ETIMEDOUT;
	return result;
}

int OURS(sem_timedwait)(sem_t *semaphore, const struct timespec *deadline)
{
	return is_scheduled() ? try_semaphore(semaphore) : sem_timedwait(semaphore, deadline);
}

int OURS(sem_clockwait)(sem_t *semaphore, clockid_t clock, const struct timespec *deadline)
{
	return is_scheduled() ? try_semaphore(semaphore) : sem_clockwait(semaphore, clock, deadline);
}

/* Sleep for no time, as in the VM; after the schedule for a little, so that threads that poll do not keep the processors busy.
 * A sleep ends a thread that is asked to end. */
static void rest(void)
{
	int never = 0;
	pthread_testcancel();
	if (native_is_over())
		native_sleep(&never, 0, 1000000);
}

unsigned OURS(sleep)(unsigned seconds)
{
	(void)seconds;
	rest();
	return 0;
}

int OURS(usleep)(unsigned microseconds)
{
	(void)microseconds;
	rest();
	return 0;
}

int OURS(nanosleep)(const struct timespec *time, struct timespec *left)
{
	(void)time;
	if (left)
		*left = (struct timespec){ 0 };
	rest();
	return 0;
}

int OURS(clock_nanosleep)(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
	(void)clock;
	return flags & TIMER_ABSTIME ? (rest(), 0) : OURS(nanosleep)(time, left);
}

int OURS(thrd_sleep)(const struct timespec *time, struct timespec *left)
{
	return OURS(nanosleep)(time, left);
}

/* ---- memory (--faults malloc) ---------------------------------------------------------------------------------------- */

static bool no_memory(void)
{
	bool none = fails();
	if (none)
		errno = ENOMEM;
	return none;
}

void *OURS(malloc)(size_t size)
{
	return no_memory() ? NULL : malloc(size);
}

void *OURS(calloc)(size_t count, size_t size)
{
	return no_memory() ? NULL : calloc(count, size);
}

void *OURS(realloc)(void *memory, size_t size)
{
	return no_memory() ? NULL : realloc(memory, size);
}

void *OURS(aligned_alloc)(size_t alignment, size_t size)
{
	return no_memory() ? NULL : aligned_alloc(alignment, size);
}

int OURS(posix_memalign)(void **memory, size_t alignment, size_t size)
{
	return fails() ? ENOMEM : posix_memalign(memory, alignment, size);
}

char *OURS(strdup)(const char *text)
{
	return no_memory() ? NULL : strdup(text);
}

char *OURS(strndup)(const char *text, size_t most)
{
	return no_memory() ? NULL : strndup(text, most);
}
