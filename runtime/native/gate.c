/* SPDX-License-Identifier: MIT
 *
 * Whose turn it is.  One word says it: 2 * i: turn i may be taken; 2 * i + 1: its thread has it.  A thread gives up its turn when
 * it gets to its next one, ends, or rests; so what it does in between is done by it alone, as in the VM.
 */
#include "native.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct native_schedule *const schedule = &bitspin_native_schedule;
static int word = 1; /* thread 0 has turn 0 */
static __thread struct thread *self;
static struct native_report own_report;

struct native_report *native_report = &own_report;
struct thread *native_threads[NATIVE_THREADS], *native_last_ended;

void bitspin_native_before(int key);
void bitspin_native_last(void);
void bitspin_native_after(int key);

void native_sleep(int *at, int value, long nanoseconds)
{
	struct timespec pause = { .tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000 };
	int error = errno;
	syscall(SYS_futex, at, FUTEX_WAIT, value, &pause, NULL, 0);
	errno = error;
}

void native_wake(int *at)
{
	int error = errno;
	syscall(SYS_futex, at, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
	errno = error;
}

void native_lock(int *busy)
{
	while (__atomic_exchange_n(busy, 1, __ATOMIC_ACQUIRE))
		native_sleep(busy, 1, 1000000);
}

void native_unlock(int *busy)
{
	__atomic_store_n(busy, 0, __ATOMIC_RELEASE);
	native_wake(busy);
}

struct thread *native_self(void)
{
	return self;
}

void native_become(struct thread *thread)
{
	self = thread;
	native_will_end(thread);
	thread->tid = (int)syscall(SYS_gettid);
	char name[16]; /* for gdb and ps */
	snprintf(name, sizeof name, "thread %d", thread->number % 1000);
	prctl(PR_SET_NAME, name);
}

struct thread *native_thread_new(int number)
{
	struct thread *thread = calloc(1, sizeof *thread);
	if (number < 0) /* the schedule does not know it */
		for (number = schedule->nthreads; number < NATIVE_THREADS - 1 && native_threads[number];)
			number++;
	struct thread *before = native_threads[number];
	*thread = (struct thread){ .number = number, .next = -1, .holds = -1, .born = -1 };
	if (number < schedule->nthreads)
		thread->next = before ? before->next : schedule->first[number];
	thread->counts = calloc((size_t)schedule->nkeys + 1, sizeof *thread->counts);
	native_threads[number] = thread;
	return thread;
}

/* ---- the word -------------------------------------------------------------------------------------------------------- */

static int load(const int *at)
{
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

bool native_is_over(void)
{
	return load(&word) == 2 * schedule->nturns;
}

int native_turn(void)
{
	int now = load(&word);
	return now & 1 ? now / 2 : -1;
}

int native_next(void)
{
	return load(&word) / 2 % (schedule->nturns ? schedule->nturns : 1);
}

void native_give_up(void)
{
	__atomic_store_n(&word, 2 * schedule->nturns, __ATOMIC_RELEASE);
	native_report->over = 1;
	native_wake(&word);
}

void native_pass(int turn)
{
	int now = 2 * turn + 1, then = 2 * turn + 2;
	if (turn == schedule->nturns - 1 && schedule->loop >= 0) {
		if (native_report->rounds == schedule->rounds)
			return; /* often enough: the watch ends it, and nothing else happens until then */
		then = 2 * schedule->loop;
		native_report->rounds++;
	}
	if (!__atomic_compare_exchange_n(&word, &now, then, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return;
	if (then == 2 * schedule->nturns)
		native_report->over = 1;
	native_wake(&word);
}

void native_leave(struct thread *me)
{
	if (me->holds >= 0)
		native_pass(me->holds);
	me->holds = -1;
	me->settled = 1;
	native_wake(&me->settled);
}

/* Let a debugger stop here: the last turn begins. */
__attribute__((noinline)) void bitspin_native_last(void)
{
	__asm__ volatile("");
}

static void take(struct thread *me, int turn)
{
	const struct native_turn *t = &schedule->turns[turn];
	while (!native_is_over()) {
		int now = load(&word), free = 2 * turn;
		if (now == free && __atomic_compare_exchange_n(&word, &free, now + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			me->holds = turn;
			__atomic_add_fetch(&native_report->taken, 1, __ATOMIC_RELAXED);
			break;
		}
		native_sleep(&word, now, 100000000);
	}
	if (turn == schedule->nturns - 1)
		bitspin_native_last();
	me->next = t->next;
	if (t->next >= 0 && t->next <= turn && (int)++me->round > schedule->rounds)
		me->next = -1;
	me->choice = t->choice;
	me->born = t->born;
	me->fails = t->fails;
	me->has_value = t->has_value;
	me->value = t->value;
}

void native_wait_over(void)
{
	for (int now; !native_is_over();)
		if ((now = load(&word)) != 2 * schedule->nturns)
			native_sleep(&word, now, 100000000);
}

/* ---- threads --------------------------------------------------------------------------------------------------------- */

enum where { ELSEWHERE, AT_TURN, AT_REST };

/* Is the thread, at its `count`-th visit of `key`, where its next turn is, or its rest?  `begun`: it is in the call. */
static enum where where(const struct thread *me, int key, unsigned count, bool begun)
{
	if (native_is_over() || me->number >= schedule->nthreads)
		return ELSEWHERE;
	if (me->next >= 0) {
		const struct native_turn *t = &schedule->turns[me->next];
		unsigned wanted = t->count + (me->round ? me->round * schedule->increments[me->next] : 0);
		return t->key == key && wanted == count && t->begun == begun ? AT_TURN : ELSEWHERE;
	}
	if (schedule->loop >= 0 && (int)me->round > schedule->rounds)
		return AT_REST; /* wherever it gets to: it has gone round often enough */
	const struct native_rest *rest = &schedule->rests[me->number];
	return rest->count && rest->key == key && rest->count == count && rest->begun == begun ? AT_REST : ELSEWHERE;
}

/* Wait for the next turn of thread `me`, or for the end of the schedule, if either is at the `count`-th visit of `key`. */
static void arrive(struct thread *me, int key, unsigned count)
{
	enum where at = where(me, key, count, false);
	if (at == ELSEWHERE)
		return;
	bool races = at == AT_REST && native_races(me);
	if (races)
		native_bind(me);
	native_leave(me);
	if (at == AT_TURN)
		take(me, me->next);
	else if (races)
		native_race(me);
	else
		native_wait_over();
}

void bitspin_native_before(int key)
{
	struct thread *me = self;
	if (!me)
		return;
	int error = errno;
	me->fails = me->has_value = false;
	me->born = -1;
	me->choice = 0;
	arrive(me, key, ++me->counts[key]);
	me->calling = native_report->at[me->number] = key + 1;
	errno = error;
}

bool native_again(struct thread *me, int key)
{
	if (where(me, key, me->counts[key], true) != AT_TURN)
		return false;
	native_leave(me);
	take(me, me->next);
	return true;
}

void bitspin_native_after(int key)
{
	struct thread *me = self;
	if (!me)
		return;
	while (native_again(me, key))
		;
	if (where(me, key, me->counts[key], true) == AT_REST) { /* it could go on, but the schedule does not let it */
		native_leave(me);
		native_wait_over();
	}
	me->calling = native_report->at[me->number] = 0;
}

void native_ending(struct thread *me, unsigned position)
{
	arrive(me, NATIVE_EXIT, position);
}

void native_end(struct thread *me)
{
	native_report->alive[me->number] = 0;
	native_last_ended = me;
	me->ended = true;
	native_leave(me);
}

/* ---- the start ------------------------------------------------------------------------------------------------------- */

__attribute__((constructor(101))) static void start(void)
{
	const char *path = getenv("BITSPIN_NATIVE_REPORT");
	int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
	if (fd >= 0 && ftruncate(fd, sizeof *native_report) == 0) {
		void *map = mmap(NULL, sizeof *native_report, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (map != MAP_FAILED)
			native_report = map;
	}
	if (fd >= 0)
		close(fd);
	unsetenv("BITSPIN_NATIVE_REPORT");
	native_repeat();
	native_prepare_ends();
	native_become(native_thread_new(0));
	self->holds = 0;
	self->next = schedule->turns[0].next;
	native_report->alive[0] = 1;
	native_watch();
	if (schedule->nturns == 1)
		bitspin_native_last();
}
