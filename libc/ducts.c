/* SPDX-License-Identifier: MIT
 *
 * Pipes, pairs of sockets, event counters; what all ends have in common: see ducts.h.
 *
 * A pipe holds 65536 bytes on Linux, and a writer that finds no room waits.  Here more than 4096 bytes that nobody has read end
 * the path, as inconclusive; so writers never wait, and no state is as large as a pipe could be.  Likewise of sockets, which Linux
 * makes wait after some hundreds of messages.
 */
#include "ducts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_MESSAGES = 200 };

struct duct_end __bitspin_ends[ENDS];
unsigned __bitspin_ready[ENDS];
int __bitspin_watchers, __bitspin_any;

/* Each a variable of its own, so that a step that uses one does not touch the others. */
#define BUFFERS(n) \
	buffer##n##0 [DUCT_BYTES], buffer##n##1 [DUCT_BYTES], buffer##n##2 [DUCT_BYTES], buffer##n##3 [DUCT_BYTES], \
		buffer##n##4 [DUCT_BYTES], buffer##n##5 [DUCT_BYTES], buffer##n##6 [DUCT_BYTES], buffer##n##7 [DUCT_BYTES]
#define NAMES(n) buffer##n##0, buffer##n##1, buffer##n##2, buffer##n##3, buffer##n##4, buffer##n##5, buffer##n##6, buffer##n##7
static unsigned char BUFFERS(0), BUFFERS(1), BUFFERS(2), BUFFERS(3);
static unsigned char *const buffers[ENDS] = { NAMES(0), NAMES(1), NAMES(2), NAMES(3) };

static int fail(int error)
{
	errno = error;
	return -1;
}

/* ---- ends ------------------------------------------------------------------------------------------------------------ */

static unsigned readiness(int end)
{
	const struct duct_end *e = &__bitspin_ends[end];
	int alone = __bitspin_ends[end ^ 1].kind == END_CLOSED, shut = alone ? SHUT_READS | SHUT_WRITES : e->shut;
	switch (e->kind) {
	case END_OF_PIPE: return (e->size ? POLLIN | POLLRDNORM : 0) | (alone ? POLLHUP : 0);
	case START_OF_PIPE: return POLLOUT | POLLWRNORM | (alone ? POLLERR : 0);
	case END_OF_SOCKETS:
		return POLLOUT | POLLWRNORM | (e->size || (shut & SHUT_READS) ? POLLIN | POLLRDNORM : 0) |
			(shut & SHUT_READS ? POLLRDHUP : 0) | (shut == (SHUT_READS | SHUT_WRITES) ? POLLHUP : 0);
	case EVENT_COUNTER: return (e->counter ? POLLIN | POLLRDNORM : 0) | POLLOUT | POLLWRNORM;
	case EPOLL_SET: return __bitspin_set_ready(end);
	case TIMER: return e->counter || __bitspin_timer_is_set(end) ? POLLIN | POLLRDNORM : 0;
	case SIGNALS: return __bitspin_signals_of_process(end);
	default: return 0;
	}
}

static int refresh(int end)
{
	unsigned ready = readiness(end);
	if (ready == __bitspin_ready[end])
		return 0;
	__bitspin_ready[end] = ready;
	return 1;
}

void __bitspin_update(int end)
{
	int changed = refresh(end) | refresh(end ^ 1);
	for (int i = 0; changed && i < ENDS; i += 2) /* sets of sets are told in a second round */
		if (__bitspin_ends[i].kind == EPOLL_SET && refresh(i))
			for (int k = 0; k < ENDS; k += 2)
				if (__bitspin_ends[k].kind == EPOLL_SET)
					refresh(k);
	if (changed && __bitspin_watchers)
		__bitspin_any = 0;
}

int __bitspin_new_duct(int even, int odd, int flags)
{
	int end = 0;
	while (end < ENDS && __bitspin_ends[end].kind != END_FREE)
		end += 2;
	if (end == ENDS)
		__bitspin_refuse("more than 16 pipes, socket pairs, event counters, timers and sets of epoll are open");
	__bitspin_ends[end] = (struct duct_end){ .kind = even, .refs = 1, .flags = flags };
	__bitspin_ends[end + 1] = (struct duct_end){ .kind = odd, .refs = odd != END_CLOSED, .flags = flags };
	return end;
}

void __bitspin_release(int end)
{
	struct duct_end *e = &__bitspin_ends[end], *peer = &__bitspin_ends[end ^ 1];
	__bitspin_order(end);
	if (--e->refs)
		return;
	__bitspin_forget_end(end);
	if (e->size)
		memset(buffers[end], 0, DUCT_BYTES);
	if (e->kind == TIMER)
		__bitspin_timer_forget(end);
	*e = (struct duct_end){ .kind = END_CLOSED };
	if (e->kind == peer->kind)
		e->kind = peer->kind = END_FREE;
	__bitspin_update(end);
}

int __bitspin_wait_for(int end, unsigned mask, int fd)
{
	struct waited waited = { &__bitspin_ready[end], mask };
	int told = __bitspin_told_end(fd, end);
	__bitspin_ends[end].refs++;
	UNLOCKED;
	return __bitspin_await(&waited, 1, &__bitspin_ready[end], AWAIT_RESTARTS, told) >= 0;
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

static long read_counter(struct duct_end *e, int fd, void *to, int held)
{
	__bitspin_told(TOLD_READ, fd, sizeof e->counter);
	uint64_t value = e->flags & EFD_SEMAPHORE ? 1 : e->counter;
	e->counter -= value;
	__bitspin_update((int)(e - __bitspin_ends));
	if (held)
		__bitspin_release((int)(e - __bitspin_ends));
	UNLOCKED;
	memcpy(to, &value, sizeof value);
	return sizeof value;
}

/* The copy to the caller's memory is made outside of the section: it is the caller's access, and may race. */
static long read_buffer(struct duct_end *e, int fd, void *to, size_t size, int held)
{
	unsigned char *buffer = buffers[e - __bitspin_ends];
	size_t taken = size < e->size ? size : e->size;
	unsigned char bytes[taken];
	__bitspin_told(TOLD_READ, fd, (long)taken);
	memcpy(bytes, buffer, taken);
	e->size -= taken;
	memmove(buffer, buffer + taken, e->size);
	memset(buffer + e->size, 0, taken);
	if (!e->size)
		e->messages = 0;
	__bitspin_update((int)(e - __bitspin_ends));
	if (held)
		__bitspin_release((int)(e - __bitspin_ends));
	UNLOCKED;
	memcpy(to, bytes, taken);
	return (long)taken;
}

/* Why nothing can be read from an end, whatever is in it; or 0. */
static int not_readable(const struct duct_end *e, size_t size)
{
	switch (e->kind) {
	case START_OF_PIPE: return EBADF;
	case EPOLL_SET: return EINVAL;
	case EVENT_COUNTER:
	case TIMER: return size < sizeof e->counter ? EINVAL : 0;
	default: return 0;
	}
}

long __bitspin_duct_read(int end, int fd, void *to, size_t size, int flags)
{
	struct duct_end *e = &__bitspin_ends[end];
	int counts = e->kind == EVENT_COUNTER || e->kind == TIMER, may_wait = !(e->flags & O_NONBLOCK) && !(flags & MSG_DONTWAIT);
	__bitspin_order(end);
	if (e->kind == SIGNALS)
		return __bitspin_signals_read(end, fd, to, size, may_wait);
	int error = not_readable(e, size), waits = size && !(__bitspin_ready[end] & (POLLIN | POLLHUP));
	if (!error && !may_wait && (waits || (e->kind == TIMER && !__bitspin_timer_expires(end, 0))))
		error = EAGAIN;
	if (error) {
		UNLOCKED;
		return -error;
	}
	if (waits && !__bitspin_wait_for(end, POLLIN | POLLHUP, fd)) {
		__bitspin_release(end);
		UNLOCKED;
		pthread_testcancel();
		return -EINTR;
	}
	if (waits)
		__bitspin_order(end);
	if (e->kind == TIMER)
		__bitspin_timer_expires(end, 1);
	int told = __bitspin_told_end(fd, end);
	if (counts)
		return read_counter(e, told, to, waits);
	if (size && e->size)
		return read_buffer(e, told, to, size, waits);
	if (size)
		__bitspin_told(TOLD_READ, told, 0);
	if (waits)
		__bitspin_release(end);
	UNLOCKED;
	return 0;
}

/* ---- writing --------------------------------------------------------------------------------------------------------- */

static int add_to_counter(struct duct_end *e, const void *from, size_t size)
{
	uint64_t value;
	if (size < sizeof value)
		return EINVAL;
	memcpy(&value, from, sizeof value);
	if (value == UINT64_MAX)
		return EINVAL;
	if (value > UINT64_MAX - 1 - e->counter)
		__bitspin_refuse("an event counter is full");
	e->counter += value;
	return 0;
}

static int add_to_buffer(int end, const void *from, size_t size)
{
	struct duct_end *e = &__bitspin_ends[end];
	if (size > DUCT_BYTES - e->size)
		__bitspin_refuse("more than 4096 bytes are in a pipe or socket, and nobody has read them");
	if (e->kind == END_OF_SOCKETS && e->messages == MOST_MESSAGES)
		__bitspin_refuse("more than 200 messages are in a socket, and nobody has read them");
	memcpy(buffers[end] + e->size, from, size);
	e->size += size;
	e->messages += e->kind == END_OF_SOCKETS;
	return 0;
}

long __bitspin_duct_write(int end, const void *from, size_t size, int flags)
{
	struct duct_end *e = &__bitspin_ends[end];
	int error = 0, broken = __bitspin_ends[end ^ 1].kind == END_CLOSED || (e->shut & SHUT_WRITES);
	__bitspin_order(end);
	if (e->kind == END_OF_PIPE)
		error = EBADF;
	else if (e->kind == EPOLL_SET || e->kind == TIMER || e->kind == SIGNALS)
		error = EINVAL;
	else if (e->kind == EVENT_COUNTER)
		error = add_to_counter(e, from, size);
	else if (broken)
		error = EPIPE;
	else if (size)
		error = add_to_buffer(end ^ 1, from, size);
	long written = e->kind == EVENT_COUNTER ? sizeof e->counter : (long)size; /* outside, another may close the end meanwhile */
	if (!error)
		__bitspin_update(end);
	UNLOCKED;
	if (error == EPIPE && !(flags & MSG_NOSIGNAL))
		__bitspin_broken_pipe();
	return error ? -error : written;
}

/* ---- making them ----------------------------------------------------------------------------------------------------- */

static int make_pair(int fds[2], int even, int odd, int flags, int cloexec)
{
	LOCKED;
	int end = __bitspin_new_duct(even, odd, flags);
	int first = __bitspin_name_end(end, 0, cloexec), second = first < 0 ? -1 : __bitspin_name_end(end + 1, 0, cloexec);
	if (second < 0)
		__bitspin_refuse("more than 64 descriptors are open");
	__bitspin_update(end);
	__bitspin_told(TOLD_MADE, __bitspin_told_end(first, end), second);
	UNLOCKED;
	fds[0] = first;
	fds[1] = second;
	return 0;
}

int pipe2(int fds[2], int flags)
{
	if (flags & ~(O_NONBLOCK | O_CLOEXEC))
		return fail(EINVAL);
	return make_pair(fds, END_OF_PIPE, START_OF_PIPE, flags & O_NONBLOCK, !!(flags & O_CLOEXEC));
}

int pipe(int fds[2])
{
	return pipe2(fds, 0);
}

int socketpair(int domain, int type, int protocol, int fds[2])
{
	int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (domain != AF_UNIX)
		return fail(EOPNOTSUPP);
	if (kind != SOCK_STREAM || protocol)
		__bitspin_refuse("socketpair with another type than SOCK_STREAM is not modelled");
	return make_pair(fds, END_OF_SOCKETS, END_OF_SOCKETS, type & SOCK_NONBLOCK ? O_NONBLOCK : 0, !!(type & SOCK_CLOEXEC));
}

/* To shut one end for reading shuts the other for writing, and the other way round, as Linux does; what is in the buffers stays. */
int shutdown(int fd, int how)
{
	LOCKED;
	int end = __bitspin_end_of(fd);
	int error = !__bitspin_is_open(fd)                            ? EBADF :
		end < 0 || __bitspin_ends[end].kind != END_OF_SOCKETS ? ENOTSOCK :
		how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR  ? EINVAL :
									0;
	if (!error) {
		int reads = how != SHUT_WR, writes = how != SHUT_RD;
		__bitspin_order(end);
		__bitspin_ends[end].shut |= (reads ? SHUT_READS : 0) | (writes ? SHUT_WRITES : 0);
		if (__bitspin_ends[end ^ 1].kind == END_OF_SOCKETS)
			__bitspin_ends[end ^ 1].shut |= (reads ? SHUT_WRITES : 0) | (writes ? SHUT_READS : 0);
		__bitspin_update(end);
	}
	UNLOCKED;
	return error ? fail(error) : 0;
}

int eventfd(unsigned count, int flags)
{
	if (flags & ~(EFD_NONBLOCK | EFD_CLOEXEC | EFD_SEMAPHORE))
		return fail(EINVAL);
	LOCKED;
	int end = __bitspin_new_duct(EVENT_COUNTER, END_CLOSED, flags & (EFD_NONBLOCK | EFD_SEMAPHORE));
	__bitspin_ends[end].counter = count;
	int fd = __bitspin_name_end(end, 0, !!(flags & EFD_CLOEXEC));
	if (fd < 0)
		__bitspin_refuse("more than 64 descriptors are open");
	__bitspin_update(end);
	__bitspin_told(TOLD_MADE, __bitspin_told_end(fd, end), -1);
	UNLOCKED;
	return fd;
}

int eventfd_read(int fd, eventfd_t *value)
{
	return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}

int eventfd_write(int fd, eventfd_t value)
{
	return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}
