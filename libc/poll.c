/* SPDX-License-Identifier: MIT
 *
 * Waiting for several descriptors: poll, select, epoll.  See ducts.h.
 *
 * A set of epoll is an end of its own, which is ready while one of its members is; so waiting for it is waiting for one word.
 * Which of several events epoll_wait() reports first is a choice: Linux reports them in the order in which they came.
 */
#include "ducts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

enum { MOST_POLLED = 16, SETS = 4, MEMBERS = 16 };

static int fail(int error)
{
	errno = error;
	return -1;
}

/* ---- poll ------------------------------------------------------------------------------------------------------------ */

/* Files can be read and written at once. */
static int look(const struct pollfd *p)
{
	int end = __bitspin_end_of(p->fd);
	unsigned asked = (unsigned short)p->events | POLLERR | POLLHUP;
	if (p->fd < 0)
		return 0;
	if (end >= 0)
		__bitspin_order_after(&__bitspin_ends[end & ~1]);
	if (end >= 0)
		return (int)((__bitspin_ends[end].kind == SIGNALS ? __bitspin_signals_ready(end) : __bitspin_ready[end]) & asked);
	if (!__bitspin_is_open(p->fd))
		return POLLNVAL;
	return (int)(asked & (p->fd == 1 || p->fd == 2 ? POLLOUT | POLLWRNORM : POLLIN | POLLRDNORM | POLLOUT | POLLWRNORM));
}

static int is_timer(const struct pollfd *p)
{
	int end = p->fd < 0 ? -1 : __bitspin_end_of(p->fd);
	return end >= 0 && __bitspin_ends[end].kind == TIMER;
}

/* How many are ready; one of them `must` be, as the wait is over.  Timers that are set come last: each may have expired or not. */
static int look_at_all(const struct pollfd *p, nfds_t count, short *found, int must)
{
	int ready = 0, timers = 0;
	for (nfds_t i = 0; i < count; i++) {
		found[i] = (short)look(&p[i]);
		timers += found[i] && is_timer(&p[i]);
		ready += found[i] && !is_timer(&p[i]);
	}
	for (nfds_t i = 0; timers && i < count; i++) {
		if (!found[i] || !is_timer(&p[i]))
			continue;
		if (__bitspin_timer_expires(__bitspin_end_of(p[i].fd), must && !ready && timers == 1))
			ready++;
		else
			found[i] = 0;
		timers--;
	}
	return ready;
}

enum { SECOND = 1000000000, MILLISECOND = 1000000 };

/* The end of a wait, by what it has returned: its time may be up.  False: it was interrupted. */
static int wait_is_over(int result, long begin, long nanoseconds)
{
	if (!result)
		__bitspin_clock_reach(begin + nanoseconds);
	return result >= 0;
}

/* Handlers run while the thread waits, not only when it does not. */
static int how_to_wait(int timed, const sigset_t *mask)
{
	return (timed ? AWAIT_TIMED : 0) | (mask ? AWAIT_MASKED : AWAIT_FAILS);
}

int __bitspin_is_duration(const struct timespec *time)
{
	return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < SECOND;
}

/* Nanoseconds, -1 for ever. */
static long duration(const struct timespec *timeout)
{
	return !timeout ? -1 : timeout->tv_sec > 1L << 30 ? (1L << 30) * SECOND : timeout->tv_sec * SECOND + timeout->tv_nsec;
}

/* Add what makes an end ready to a list; the result is the number of entries. */
static size_t list_end(struct waited *list, int end, unsigned events)
{
	if (__bitspin_ends[end].kind == SIGNALS) {
		__bitspin_list_signals(list, events & (POLLIN | POLLRDNORM) ? __bitspin_ends[end].counter : 0);
		return SIGNAL_WORDS;
	}
	*list = (struct waited){ &__bitspin_ready[end], events | POLLERR | POLLHUP };
	return 1;
}

/* Within an atomic section, which is left while the thread waits.  0: the time is up; below 0: the wait was interrupted. */
static int wait_for_all(const struct pollfd *p, nfds_t count, long nanoseconds, const sigset_t *mask)
{
	long begin = __bitspin_clock_passed();
	struct waited list[SIGNAL_WORDS * MOST_POLLED];
	int ends[MOST_POLLED], told = -1;
	size_t n = 0, entries = 0;
	for (nfds_t i = 0; i < count; i++) {
		int end = __bitspin_end_of(p[i].fd);
		if (end < 0)
			continue;
		__bitspin_ends[end].refs++;
		entries += list_end(list + entries, end, (unsigned short)p[i].events);
		told = __bitspin_told_end(p[i].fd, end);
		ends[n++] = end;
	}
	const void *object = n != 1 ? &__bitspin_any : entries == 1 ? (const void *)list[0].word : __bitspin_signals_object();
	if (n > 1)
		__bitspin_watchers++;
	UNLOCKED;
	int result = __bitspin_await(list, entries, object, how_to_wait(nanoseconds >= 0, mask), n == 1 ? told : -1);
	wait_is_over(result, begin, nanoseconds);
	if (n > 1)
		__bitspin_watchers--;
	for (size_t i = 0; i < n; i++)
		__bitspin_release(ends[i]);
	return result;
}

static int poll_for(struct pollfd *p, nfds_t count, long nanoseconds, const sigset_t *mask)
{
	if (count == 0 && nanoseconds > 0 && !mask) {
		struct timespec time = { nanoseconds / SECOND, nanoseconds % SECOND };
		return nanosleep(&time, NULL);
	}
	if (count > MOST_POLLED)
		__bitspin_refuse("poll for more than 16 descriptors");
	short found[count + 1];
	LOCKED;
	uint64_t before = __bitspin_mask_for(mask);
	int ready = look_at_all(p, count, found, 0), result = 0;
	if (!ready && nanoseconds) {
		result = wait_for_all(p, count, nanoseconds, mask);
		ready = result >= 0 ? look_at_all(p, count, found, nanoseconds < 0) : 0; /* a timer that is set may be too late */
	}
	__bitspin_mask_back(mask, before);
	UNLOCKED;
	if (result < 0) {
		pthread_testcancel();
		return fail(EINTR);
	}
	for (nfds_t i = 0; i < count; i++)
		p[i].revents = found[i];
	return ready;
}

int poll(struct pollfd *p, nfds_t count, int timeout)
{
	return poll_for(p, count, timeout < 0 ? -1 : (long)timeout * MILLISECOND, NULL);
}

int ppoll(struct pollfd *p, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
	return timeout && !__bitspin_is_duration(timeout) ? fail(EINVAL) : poll_for(p, count, duration(timeout), mask);
}

/* ---- select ---------------------------------------------------------------------------------------------------------- */

static int has(int fd, const fd_set *set)
{
	return set && FD_ISSET(fd, set);
}

static int select_for(int count, fd_set *reads, fd_set *writes, fd_set *others, long nanoseconds, const sigset_t *mask)
{
	struct pollfd p[MOST_POLLED];
	nfds_t n = 0;
	int ready = 0;
	for (int fd = 0; fd < count; fd++) {
		if (!has(fd, reads) && !has(fd, writes) && !has(fd, others))
			continue;
		if (n == MOST_POLLED)
			__bitspin_refuse("select of more than 16 descriptors");
		p[n].fd = fd;
		p[n++].events = (has(fd, reads) ? POLLIN : 0) | (has(fd, writes) ? POLLOUT : 0);
	}
	if (poll_for(p, n, nanoseconds, mask) < 0)
		return -1;
	for (nfds_t i = 0; i < n; i++)
		if (p[i].revents & POLLNVAL)
			return fail(EBADF);
	for (nfds_t i = 0; i < n; i++) {
		int in = has(p[i].fd, reads) && (p[i].revents & (POLLIN | POLLHUP | POLLERR));
		int out = has(p[i].fd, writes) && (p[i].revents & (POLLOUT | POLLERR));
		ready += in + out;
		if (reads && !in)
			FD_CLR(p[i].fd, reads);
		if (writes && !out)
			FD_CLR(p[i].fd, writes);
		if (others)
			FD_CLR(p[i].fd, others);
	}
	return ready;
}

int select(int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *timeout)
{
	if (!timeout)
		return select_for(count, reads, writes, others, -1, NULL);
	if (timeout->tv_sec < 0 || timeout->tv_usec < 0)
		return fail(EINVAL);
	/* more than a million microseconds are that many seconds more */
	struct timespec time = { timeout->tv_sec + timeout->tv_usec / 1000000, timeout->tv_usec % 1000000 * 1000 };
	return select_for(count, reads, writes, others, duration(&time), NULL);
}

int pselect(int count, fd_set *reads, fd_set *writes, fd_set *others, const struct timespec *timeout, const sigset_t *mask)
{
	if (timeout && !__bitspin_is_duration(timeout))
		return fail(EINVAL);
	return select_for(count, reads, writes, others, duration(timeout), mask);
}

/* ---- epoll ----------------------------------------------------------------------------------------------------------- */

static struct member {
	int fd, end; /* end: plus one; 0: nobody */
	unsigned events;
	uint64_t data;
} sets[SETS][MEMBERS];

static unsigned happening(const struct member *m)
{
	unsigned asked = m->events & (EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP | EPOLLRDNORM | EPOLLWRNORM);
	return m->end && m->events ? __bitspin_ready[m->end - 1] & (asked | POLLERR | POLLHUP) : 0;
}

unsigned __bitspin_set_ready(int end)
{
	const struct member *members = sets[__bitspin_ends[end].counter];
	for (int i = 0; i < MEMBERS; i++)
		if (happening(&members[i]))
			return POLLIN | POLLRDNORM;
	return 0;
}

void __bitspin_forget_end(int end)
{
	for (int i = 0; i < ENDS; i += 2)
		if (__bitspin_ends[i].kind == EPOLL_SET)
			for (int k = 0; k < MEMBERS; k++) {
				struct member *m = &sets[__bitspin_ends[i].counter][k];
				if (i == end || m->end == end + 1)
					*m = (struct member){ 0 };
			}
}

int epoll_create1(int flags)
{
	int taken[SETS] = { 0 }, number = 0;
	if (flags & ~EPOLL_CLOEXEC)
		return fail(EINVAL);
	LOCKED;
	for (int i = 0; i < ENDS; i += 2)
		if (__bitspin_ends[i].kind == EPOLL_SET)
			taken[__bitspin_ends[i].counter] = 1;
	while (number < SETS && taken[number])
		number++;
	if (number == SETS)
		__bitspin_refuse("more than 4 sets of epoll are open");
	int end = __bitspin_new_duct(EPOLL_SET, END_CLOSED, 0);
	__bitspin_ends[end].counter = (uint64_t)number;
	int fd = __bitspin_name_end(end, 0, !!(flags & EPOLL_CLOEXEC));
	if (fd < 0)
		__bitspin_refuse("more than 64 descriptors are open");
	UNLOCKED;
	return fd;
}

int epoll_create(int size)
{
	return size > 0 ? epoll_create1(0) : fail(EINVAL);
}

static struct member *find_member(int set, int fd, int end)
{
	for (int i = 0; i < MEMBERS; i++) {
		struct member *m = &sets[__bitspin_ends[set].counter][i];
		if (m->end == end + 1 && (end < 0 || m->fd == fd))
			return m;
	}
	return NULL;
}

/* The error number, or 0. */
static int control(int set, int operation, int fd, const struct epoll_event *event)
{
	int end = __bitspin_end_of(fd);
	if (!__bitspin_is_open(fd) || set < -1)
		return EBADF;
	if (end < 0)
		return EPERM;
	if (set < 0 || __bitspin_ends[set].kind != EPOLL_SET || set == end)
		return EINVAL;
	struct member *m = find_member(set, fd, end);
	if (operation == EPOLL_CTL_ADD ? m != NULL : m == NULL)
		return m ? EEXIST : ENOENT;
	if (operation == EPOLL_CTL_DEL) {
		*m = (struct member){ 0 };
		return 0;
	}
	if (event->events & (EPOLLET | EPOLLEXCLUSIVE))
		__bitspin_refuse("EPOLLET and EPOLLEXCLUSIVE are not modelled");
	if (__bitspin_ends[end].kind == SIGNALS)
		__bitspin_signals_are_watched(end);
	m = m ? m : find_member(set, fd, -1);
	if (!m)
		__bitspin_refuse("more than 16 descriptors are in a set of epoll");
	*m = (struct member){ fd, end + 1, event->events | EPOLLERR | EPOLLHUP, event->data.u64 };
	return 0;
}

int epoll_ctl(int epfd, int operation, int fd, struct epoll_event *event)
{
	if (operation != EPOLL_CTL_ADD && operation != EPOLL_CTL_MOD && operation != EPOLL_CTL_DEL)
		return fail(EINVAL);
	LOCKED;
	int set = __bitspin_end_of(epfd), error = __bitspin_is_open(epfd) ? control(set, operation, fd, event) : EBADF;
	if (!error) {
		__bitspin_order(set);
		__bitspin_update(set);
	}
	UNLOCKED;
	return error ? fail(error) : 0;
}

/* The members of a set that have something to tell; one of them `must` have, as the wait is over. */
static int find_waiting(const struct member *members, int *waiting, int must)
{
	int timers[MEMBERS], set = 0, count = 0;
	for (int i = 0; i < MEMBERS; i++) {
		if (!happening(&members[i]))
			continue;
		if (__bitspin_ends[members[i].end - 1].kind == TIMER)
			timers[set++] = i;
		else
			waiting[count++] = i;
	}
	for (int i = 0; i < set; i++)
		if (__bitspin_timer_expires(members[timers[i]].end - 1, must && !count && i == set - 1))
			waiting[count++] = timers[i];
	return count;
}

/* Take the events that have happened, in any order. */
static int take_events(int set, struct epoll_event *events, int most, int must)
{
	int waiting[MEMBERS], count = find_waiting(sets[__bitspin_ends[set].counter], waiting, must), taken = 0;
	__bitspin_order(set);
	while (count && taken < most) {
		int chosen = count > 1 ? bitspin_choose(0, count - 1) : 0;
		struct member *m = &sets[__bitspin_ends[set].counter][waiting[chosen]];
		events[taken].events = happening(m);
		__bitspin_order_after(&__bitspin_ends[(m->end - 1) & ~1]);
		events[taken++].data.u64 = m->data;
		if (m->events & EPOLLONESHOT)
			m->events = 0;
		waiting[chosen] = waiting[--count];
	}
	if (taken)
		__bitspin_update(set);
	return taken;
}

int epoll_pwait(int epfd, struct epoll_event *events, int most, int timeout, const sigset_t *mask)
{
	struct epoll_event found[MEMBERS];
	LOCKED;
	int set = __bitspin_end_of(epfd), count = 0;
	int error = !__bitspin_is_open(epfd) ? EBADF : set < 0 || __bitspin_ends[set].kind != EPOLL_SET || most <= 0 ? EINVAL : 0;
	uint64_t before = __bitspin_mask_for(mask);
	if (!error)
		count = take_events(set, found, most, 0);
	if (!error && !count && timeout) {
		struct waited waited = { &__bitspin_ready[set], POLLIN };
		int told = __bitspin_told_end(epfd, set);
		__bitspin_ends[set].refs++;
		UNLOCKED;
		long begin = __bitspin_clock_passed();
		int result = __bitspin_await(&waited, 1, &__bitspin_ready[set], how_to_wait(timeout > 0, mask), told);
		if (wait_is_over(result, begin, (long)timeout * MILLISECOND))
			count = take_events(set, found, most, timeout < 0);
		else
			error = EINTR;
		__bitspin_release(set);
	}
	__bitspin_mask_back(mask, before);
	UNLOCKED;
	if (error == EINTR)
		pthread_testcancel();
	for (int i = 0; i < count; i++)
		events[i] = found[i];
	return error ? fail(error) : count;
}

int epoll_wait(int epfd, struct epoll_event *events, int most, int timeout)
{
	return epoll_pwait(epfd, events, most, timeout, NULL);
}
