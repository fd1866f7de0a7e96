/* SPDX-License-Identifier: MIT
 *
 * Timers: timer_create(), those that are read from a descriptor (timerfd), and the one of alarm() and setitimer().
 *
 * A timer that is set may expire at any moment, as a wait with a time-out may end at any moment.  Who looks at a timerfd finds by
 * choice that it has expired or not, unless he waits for nothing else: then it has.  A timer that starts a thread starts it when it
 * is set, and when that thread first runs is when it expires.  One that sends a signal sends it when it is set, and when the signal
 * is taken is when it expires.
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

enum { TIMERS = 8, NANOSECONDS = 1000000000 };

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

/* What the clocks showed at the start. */
static long start_of_clocks(void)
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
	long due = absolute ? first - start_of_clocks() : now + first;
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
	pthread_t thread; /* that is to run the function, while the timer is set */
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

/* The thread of a timer.  If the timer was set anew or deleted before the thread ran, the thread does nothing. */
static void *run_timer(void *argument)
{
	struct timer *t = argument;
	struct timer mine = { 0 };
	LOCKED;
	if (t->setting.set && pthread_equal(t->thread, pthread_self())) {
		mine = *t;
		__bitspin_clock_reach(t->setting.due);
		t->setting = (struct setting){ 0 };
		t->thread = 0;
	}
	UNLOCKED;
	if (mine.used)
		mine.function(mine.value);
	return NULL;
}

/* A timer does not expire any more; what is left of its setting stays, unless it has expired.  In an atomic section. */
static void stop(struct timer *t)
{
	if (t->setting.set && t->used == 1 + SIGEV_SIGNAL && !__bitspin_timer_stops(t->number))
		t->setting = (struct setting){ 0 };
	t->thread = 0;
}

/* In an atomic section. */
static void start(struct timer *t)
{
	if (t->used == 1 + SIGEV_SIGNAL)
		__bitspin_timer_sends(t->number, &t->value);
	if (t->used != 1 + SIGEV_THREAD)
		return;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&t->thread, &attributes, run_timer, t))
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
		if (t->setting.set && t->setting.interval && t->used != 1 + SIGEV_NONE)
			__bitspin_refuse("timer_settime() with an interval is not modelled; without one the timer expires once");
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
	if (t)
		rest = rest_of(&t->setting);
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
	UNLOCKED;
	return t ? 0 : fail(EINVAL);
}

/* ---- alarm() and setitimer() ----------------------------------------------------------------------------------------- */

/* The timer that alarm() and setitimer() share: is it set, and to what? */
static struct {
	int set;
	struct timeval to;
} the_timer;

/* For alarm() and setitimer().  The result: was the signal still to come?  In an atomic section. */
static int set_timer(struct timeval to)
{
	int late = the_timer.set && __bitspin_timer_stops(SIGALRM);
	the_timer.to = to;
	the_timer.set = to.tv_sec || to.tv_usec;
	if (the_timer.set)
		__bitspin_timer_sends(SIGALRM, NULL);
	return late;
}

unsigned alarm(unsigned seconds)
{
	LOCKED;
	int late = set_timer((struct timeval){ .tv_sec = seconds });
	UNLOCKED;
	return (unsigned)late;
}

/* What is left of the time is all of it: clocks stand still. */
int setitimer(__itimer_which_t which, const struct itimerval *value, struct itimerval *old)
{
	struct timeval to = value->it_value, interval = value->it_interval;
	if (which != ITIMER_REAL)
		__bitspin_refuse("setitimer with another timer than ITIMER_REAL is not modelled");
	if (to.tv_sec < 0 || to.tv_usec < 0 || to.tv_usec > 999999 || interval.tv_sec < 0 || interval.tv_usec < 0 ||
	    interval.tv_usec > 999999)
		return fail(EINVAL);
	if ((to.tv_sec || to.tv_usec) && (interval.tv_sec || interval.tv_usec))
		__bitspin_refuse("setitimer with an interval is not modelled; the signal comes once without");
	LOCKED;
	struct timeval was = the_timer.to;
	int late = set_timer(to);
	UNLOCKED;
	if (old)
		*old = (struct itimerval){ .it_value = late ? was : (struct timeval){ 0 } };
	return 0;
}
