/* SPDX-License-Identifier: MIT
 *
 * Timers: timer_create(), those that are read from a descriptor (timerfd), and the one of alarm() and setitimer().
 *
 * A timer that is set may expire at any moment, as a wait with a time-out may end at any moment.  Who looks at a timerfd finds by
 * choice that it has expired or not, unless he waits for nothing else: then it has.  A timer that starts a thread starts it when it
 * is set, and when that thread first runs is when it expires; with an interval it has two threads, which are to run its function
 * again and again.  One that sends a signal expires when somebody takes that (pending.c).
 */
#include "ducts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { TIMERS = TIMERS_WITH_ID, NANOSECONDS = 1000000000 };

static int fail(int error)
{
	errno = error;
	return -1;
}

/* ---- what timers have in common -------------------------------------------------------------------------------------- */

/* In nanoseconds of the clock (library.h): when it expires, and how long from then to the next time; 0: it expires once. */
struct setting {
	int set;
	long due, interval;
};

static long nanoseconds(struct timespec t)
{
	return t.tv_sec > 1L << 30 ? (1L << 30) * NANOSECONDS : t.tv_sec * NANOSECONDS + t.tv_nsec;
}

static struct timespec as_timespec(long time)
{
	return (struct timespec){ time / NANOSECONDS, time % NANOSECONDS };
}

static int is_time(struct timespec t)
{
	return t.tv_sec >= 0 && t.tv_nsec >= 0 && t.tv_nsec < NANOSECONDS;
}

static int is_clock(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME;
}

long __bitspin_start_of_clocks(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return nanoseconds(now) - __bitspin_clock_passed();
}

static struct setting setting_of(const struct itimerspec *value, int absolute)
{
	long first = nanoseconds(value->it_value), now = __bitspin_clock_passed();
	if (!first)
		return (struct setting){ 0 };
	long due = absolute ? first - __bitspin_start_of_clocks() : now + first;
	return (struct setting){ 1, due > now ? due : now, nanoseconds(value->it_interval) };
}

/* What is left of a setting. */
static struct itimerspec rest_of(const struct setting *s)
{
	long left = s->due - __bitspin_clock_passed();
	struct itimerspec rest = { .it_interval = as_timespec(s->interval) };
	if (s->set)
		rest.it_value = as_timespec(left > 0 ? left : 1);
	return rest;
}

/* ---- timers that are read -------------------------------------------------------------------------------------------- */

static struct setting read_timers[ENDS / 2];

int __bitspin_timer_is_set(int end)
{
	return read_timers[end / 2].set;
}

void __bitspin_timer_forget(int end)
{
	read_timers[end / 2] = (struct setting){ 0 };
}

/* One with an interval may have expired twice before anybody looks. */
int __bitspin_timer_expires(int end, int must)
{
	struct setting *s = &read_timers[end / 2];
	struct duct_end *e = &__bitspin_ends[end];
	if (e->counter)
		return 1;
	if (!s->set || (!must && !bitspin_choose(0, 1)))
		return 0;
	e->counter = s->interval ? (uint64_t)bitspin_choose(1, 2) : 1;
	__bitspin_clock_reach(s->due);
	if (!s->interval)
		*s = (struct setting){ 0 };
	else if (__bitspin_clock_step)
		s->due += s->interval * (long)e->counter;
	else /* the clock stands still */
		s->due = s->interval;
	__bitspin_update(end);
	return 1;
}

int timerfd_create(clockid_t clock, int flags)
{
	if (!is_clock(clock) || (flags & ~(TFD_NONBLOCK | TFD_CLOEXEC)))
		return fail(EINVAL);
	LOCKED;
	int end = __bitspin_new_duct(TIMER, END_CLOSED, flags & TFD_NONBLOCK),
	    fd = __bitspin_name_end(end, 0, !!(flags & TFD_CLOEXEC));
	if (fd < 0)
		__bitspin_refuse("more than 64 descriptors are open");
	UNLOCKED;
	return fd;
}

/* The error number if this is not the descriptor of a timer, or 0. */
static int no_timer(int fd)
{
	int end = __bitspin_end_of(fd);
	return !__bitspin_is_open(fd) ? EBADF : end < 0 || __bitspin_ends[end].kind != TIMER ? EINVAL : 0;
}

/* What is left of a timer that is read.  To tell that, it must be known whether it has expired.  In an atomic section. */
static struct itimerspec rest_of_end(int end)
{
	__bitspin_timer_expires(end, 0);
	return rest_of(&read_timers[end / 2]);
}

int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old)
{
	struct itimerspec new = *value, before = { 0 };
	LOCKED;
	int end = __bitspin_end_of(fd), error = no_timer(fd);
	if (!error &&
	    ((flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)) || !is_time(new.it_value) || !is_time(new.it_interval)))
		error = EINVAL;
	if (!error) {
		if (old)
			before = rest_of_end(end);
		read_timers[end / 2] = setting_of(&new, flags & TFD_TIMER_ABSTIME);
		__bitspin_ends[end].counter = 0;
		__bitspin_order(end);
		__bitspin_update(end);
	}
	UNLOCKED;
	if (!error && old)
		*old = before;
	return error ? fail(error) : 0;
}

int timerfd_gettime(int fd, struct itimerspec *to)
{
	struct itimerspec rest = { 0 };
	LOCKED;
	int error = no_timer(fd);
	if (!error)
		rest = rest_of_end(__bitspin_end_of(fd));
	UNLOCKED;
	if (!error)
		*to = rest;
	return error ? fail(error) : 0;
}

/* ---- timers that send a signal or start a thread --------------------------------------------------------------------- */

static struct timer {
	int used; /* SIGEV_..., plus one; 0: it is free */
	int number;
	union sigval value;
	void (*function)(union sigval);
	struct setting setting;
	pthread_t threads[2]; /* that are to run the function, while the timer is set */
} timers[TIMERS];

static struct timer *timer_of(timer_t id)
{
	unsigned long number = (unsigned long)id;
	return number < TIMERS && timers[number].used ? &timers[number] : NULL;
}

/* What a timer is to do; 0, or an error number. */
static int read_event(struct timer *to, const struct sigevent *event)
{
	to->used = event->sigev_notify + 1;
	to->value = event->sigev_value;
	switch (event->sigev_notify) {
	case SIGEV_NONE: return 0;
	case SIGEV_THREAD: to->function = event->sigev_notify_function; return 0;
	case SIGEV_SIGNAL: to->number = event->sigev_signo; return to->number < 1 || to->number > SIGRTMAX ? EINVAL : 0;
	default: __bitspin_refuse("timer_create() with a signal for one thread is not modelled");
	}
}

int timer_create(clockid_t clock, struct sigevent *event, timer_t *to)
{
	struct timer new = { .used = 1 + SIGEV_SIGNAL, .number = SIGALRM };
	int error = !is_clock(clock) ? EINVAL : event ? read_event(&new, event) : 0;
	if (error)
		return fail(error);
	unsigned long number = 0;
	LOCKED;
	while (number < TIMERS && timers[number].used)
		number++;
	if (number == TIMERS)
		__bitspin_refuse("more than 8 timers are there");
	if (!event)
		new.value.sival_ptr = (void *)number;
	timers[number] = new;
	UNLOCKED;
	*to = (timer_t)number;
	return 0;
}

static void start(struct timer *t);

static int is_for(const struct timer *t, pthread_t thread)
{
	return pthread_equal(t->threads[0], thread) || pthread_equal(t->threads[1], thread);
}

/* Was the timer set anew or deleted since the thread was started for it?  Then it does not expire for that thread. */
static int expires(struct timer *t, struct timer *now)
{
	LOCKED;
	int set = t->setting.set && is_for(t, pthread_self());
	if (set) {
		*now = *t;
		__bitspin_clock_reach(t->setting.due);
		t->setting.set = t->setting.interval && __bitspin_timeout();
		t->setting.due += t->setting.interval;
		if (t->setting.set && !t->threads[1])
			start(t);
	}
	UNLOCKED;
	return set;
}

static void *run_timer(void *timer)
{
	struct timer now;
	while (expires(timer, &now))
		now.function(now.value);
	return NULL;
}

/* What is left of the setting of a timer that sends signals, which pending.c knows.  In an atomic section. */
static void notice_expiry(struct timer *t)
{
	int armed = t->used == 1 + SIGEV_SIGNAL ? __bitspin_timer_armed((int)(t - timers)) : 1;
	t->setting.set = t->setting.set && armed;
	if (armed == 2)
		t->setting.due = __bitspin_clock_passed() + t->setting.interval;
}

/* A timer does not expire any more; what is left of its setting stays, unless it has expired.  In an atomic section. */
static void stop(struct timer *t)
{
	notice_expiry(t);
	if (t->setting.set && t->used == 1 + SIGEV_SIGNAL)
		t->setting.set = __bitspin_timer_disarms((int)(t - timers));
	memset(t->threads, 0, sizeof t->threads);
}

/* In an atomic section. */
static void start(struct timer *t)
{
	if (t->used == 1 + SIGEV_SIGNAL)
		__bitspin_timer_arms((int)(t - timers), t->number, !!t->setting.interval, &t->value);
	if (t->used != 1 + SIGEV_THREAD)
		return;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&t->threads[!!t->threads[0]], &attributes, run_timer, t))
		__bitspin_refuse("no thread can be created for a timer");
	pthread_attr_destroy(&attributes);
}

int timer_settime(timer_t id, int flags, const struct itimerspec *value, struct itimerspec *old)
{
	struct itimerspec new = *value, before = { 0 };
	LOCKED;
	struct timer *t = timer_of(id);
	int valid = t && is_time(new.it_value) && is_time(new.it_interval);
	if (valid) {
		stop(t);
		before = rest_of(&t->setting);
		t->setting = setting_of(&new, flags & TIMER_ABSTIME);
		if (t->setting.set)
			start(t);
	}
	UNLOCKED;
	if (valid && old)
		*old = before;
	return valid ? 0 : fail(EINVAL);
}

int timer_gettime(timer_t id, struct itimerspec *to)
{
	struct itimerspec rest = { 0 };
	LOCKED;
	struct timer *t = timer_of(id);
	if (t) {
		notice_expiry(t);
		rest = rest_of(&t->setting);
	}
	UNLOCKED;
	if (t)
		*to = rest;
	return t ? 0 : fail(EINVAL);
}

int timer_delete(timer_t id)
{
	LOCKED;
	struct timer *t = timer_of(id);
	if (t) {
		stop(t);
		*t = (struct timer){ 0 };
	}
	UNLOCKED;
	return t ? 0 : fail(EINVAL);
}

int timer_getoverrun(timer_t id)
{
	LOCKED;
	struct timer *t = timer_of(id);
	int count = t && t->used == 1 + SIGEV_SIGNAL ? __bitspin_timer_overruns((int)(t - timers)) : 0;
	UNLOCKED;
	return t ? count : fail(EINVAL);
}

/* ---- alarm() and setitimer() ----------------------------------------------------------------------------------------- */

enum { THE_TIMER = TIMERS_WITH_ID }; /* that they share, among those that send signals */

static struct itimerval set_to; /* what it was set to last */

static int is_zero(struct timeval t)
{
	return !t.tv_sec && !t.tv_usec;
}

/* What is left of the time is all of it: clocks stand still.  The result: what the timer was set to.  In an atomic section. */
static struct itimerval set_timer(const struct itimerval *to)
{
	struct itimerval old = { 0 };
	int armed = __bitspin_timer_armed(THE_TIMER);
	if (__bitspin_timer_disarms(THE_TIMER)) {
		old = set_to;
		old.it_value = armed == 2 ? set_to.it_interval : set_to.it_value;
	}
	set_to = *to;
	if (!is_zero(to->it_value))
		__bitspin_timer_arms(THE_TIMER, SIGALRM, !is_zero(to->it_interval), NULL);
	return old;
}

/* A part of a second is rounded, but not to none. */
unsigned alarm(unsigned seconds)
{
	struct itimerval to = { .it_value.tv_sec = seconds };
	LOCKED;
	struct itimerval old = set_timer(&to);
	UNLOCKED;
	return (unsigned)old.it_value.tv_sec +
		(old.it_value.tv_usec >= 500000 || (!old.it_value.tv_sec && old.it_value.tv_usec));
}

int setitimer(__itimer_which_t which, const struct itimerval *value, struct itimerval *old)
{
	struct itimerval to = *value;
	if (which != ITIMER_REAL)
		__bitspin_refuse("setitimer with another timer than ITIMER_REAL is not modelled");
	if (to.it_value.tv_sec < 0 || to.it_value.tv_usec < 0 || to.it_value.tv_usec > 999999 || to.it_interval.tv_sec < 0 ||
	    to.it_interval.tv_usec < 0 || to.it_interval.tv_usec > 999999)
		return fail(EINVAL);
	LOCKED;
	struct itimerval was = set_timer(&to);
	UNLOCKED;
	if (old)
		*old = was;
	return 0;
}
