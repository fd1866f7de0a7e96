/* SPDX-License-Identifier: MIT
 *
 * Pipes, socket pairs, event counters and waits for several of them, between the threads of a program.
 *
 * RUN: check -DHANDS_OVER
 * EXPECT: verified
 * RUN: check -DEARLY
 * EXPECT: violated data-race
 * RUN: check -DPOLL_ORDERS
 * EXPECT: verified
 * RUN: check -DNOBODY_WRITES
 * EXPECT: violated deadlock
 * RUN: check -DEND_OF_FILE
 * EXPECT: verified
 * RUN: check -DKEPT_OPEN
 * EXPECT: violated deadlock
 * RUN: check -DBROKEN
 * EXPECT: violated abort
 * RUN: check -DBROKEN -DIGNORED
 * EXPECT: verified
 * RUN: check -DTWO_READERS
 * EXPECT: verified
 * RUN: check -DTWO_READERS -DONE_BYTE
 * EXPECT: violated deadlock
 * RUN: check -DTORN
 * EXPECT: violated assertion
 * RUN: check -DEVENTS
 * EXPECT: verified
 * RUN: check -DEVENTS -DAS_SEMAPHORE
 * EXPECT: violated assertion
 * RUN: check -DSOCKETS
 * EXPECT: verified
 * RUN: check -DPOLL_EITHER
 * EXPECT: verified
 * RUN: check -DPOLL_EITHER -DFIRST_ONLY
 * EXPECT: violated assertion
 * RUN: check -DPOLL_TIMES_OUT
 * EXPECT: violated assertion
 * RUN: check -DPOLL_TIMES_OUT --faults timeout:0
 * EXPECT: verified
 * RUN: check -DEPOLL
 * EXPECT: verified
 * RUN: check -DEPOLL_LOST
 * EXPECT: violated deadlock
 * RUN: check -DEPOLL_ORDER
 * EXPECT: violated assertion
 * RUN: check -DONE_SHOT
 * EXPECT: verified
 * RUN: check -DSELECT
 * EXPECT: verified
 * RUN: check -DFULL
 * EXPECT: inconclusive: more than 4096 bytes are in a pipe or socket, and nobody has read them
 * RUN: check -DBUFFER_RACES
 * EXPECT: violated data-race
 * RUN: check -DCLOSED_MEANWHILE
 * EXPECT: verified
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

int data;
static int a[2], b[2], event;
static char shared[2];

static void *work(void *argument)
{
	char c = 'x', two[2] = { 'y', 'z' };
	uint64_t one = 1;
	(void)c;
	(void)two;
	(void)one;
#if defined HANDS_OVER || defined POLL_ORDERS
	data = 1;
	assert(write(a[1], &c, 1) == 1);
#elif defined EARLY
	assert(write(a[1], &c, 1) == 1);
	data = 1; /* ERROR */
#elif defined END_OF_FILE || defined KEPT_OPEN
	write(a[1], two, 2);
#ifdef END_OF_FILE
	close(a[1]);
#endif
#elif defined BROKEN
	close(a[0]);
#elif defined TWO_READERS
	assert(read(a[0], &c, 1) == 1); /* ERROR */
#elif defined TORN
	write(a[1], two, 1);
	write(a[1], two + 1, 1);
#elif defined EVENTS
	assert(eventfd_write(event, 1) == 0);
#elif defined SOCKETS
	assert(read(a[1], two, 2) == 2 && two[0] == '1' && two[1] == '2');
	assert(write(a[1], "34", 2) == 2);
	close(a[1]);
#elif defined POLL_EITHER || defined EPOLL || defined EPOLL_ORDER || defined SELECT
	write(((int *)argument)[1], &c, 1);
#elif defined POLL_TIMES_OUT || defined ONE_SHOT
	write(a[1], &c, 1);
#elif defined EPOLL_LOST
	epoll_ctl(event, EPOLL_CTL_DEL, a[0], NULL);
	write(a[1], &c, 1);
#elif defined BUFFER_RACES
	shared[1] = 1; /* ERROR */
#elif defined CLOSED_MEANWHILE
	assert(read(a[0], &c, 1) == 1 && c == 'w');
#endif
	return argument;
}

static char c[4];
static struct pollfd fds[2];
static struct epoll_event e = { .events = EPOLLIN }, got[2];

static void prepare(void)
{
#ifdef SOCKETS
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, a) == 0);
#else
	assert(pipe(a) == 0 && pipe2(b, O_NONBLOCK) == 0);
#endif
	fds[0] = (struct pollfd){ a[0], POLLIN, 0 };
	fds[1] = (struct pollfd){ b[0], POLLIN, 0 };
#ifdef EVENTS
#ifdef AS_SEMAPHORE
	event = eventfd(0, EFD_SEMAPHORE);
#else
	event = eventfd(0, EFD_CLOEXEC);
#endif
#elif defined EPOLL || defined EPOLL_LOST || defined EPOLL_ORDER || defined ONE_SHOT
	event = epoll_create1(EPOLL_CLOEXEC);
#ifdef ONE_SHOT
	e.events |= EPOLLONESHOT;
#endif
	e.data.fd = a[0];
	assert(epoll_ctl(event, EPOLL_CTL_ADD, a[0], &e) == 0);
	e.data.fd = b[0];
	assert(epoll_ctl(event, EPOLL_CTL_ADD, b[0], &e) == 0);
	assert(epoll_ctl(event, EPOLL_CTL_ADD, b[0], &e) == -1 && errno == EEXIST);
#endif
#ifdef IGNORED
	signal(SIGPIPE, SIG_IGN);
#endif
}

static void use_pipes(void)
{
#if defined HANDS_OVER
	assert(read(a[0], c, 4) == 1 && c[0] == 'x');
	assert(data == 1);
#elif defined EARLY
	read(a[0], c, 1);
	data = 2; /* ERROR */
#elif defined POLL_ORDERS
	assert(poll(fds, 2, -1) == 1 && fds[0].revents == POLLIN && fds[1].revents == 0);
	assert(data == 1);
	assert(read(b[0], c, 1) == -1 && errno == EAGAIN);
#elif defined NOBODY_WRITES
	read(a[0], c, 1); /* ERROR */
#elif defined END_OF_FILE || defined KEPT_OPEN
	int n = 0;
	while (read(a[0], c, 1) == 1) /* ERROR */
		n++;
	assert(n == 2);
#elif defined BROKEN
	if (write(a[1], c, 1) < 0) /* ERROR */
		assert(errno == EPIPE);
#elif defined TWO_READERS
	write(a[1], c, 1);
#ifndef ONE_BYTE
	write(a[1], c, 1);
#endif
	dup2(a[0], b[0]);
#elif defined TORN
	assert(read(a[0], c, 2) == 2); /* ERROR */
#elif defined EVENTS
	uint64_t value, sum = 0;
	while (sum < 2) {
		assert(read(event, &value, 8) == 8);
		assert(value == 1 || sum == 0);
		sum += value;
#ifdef AS_SEMAPHORE
		assert(sum < 2); /* ERROR */
#endif
	}
#endif
}

static void use_more(void)
{
#if defined SOCKETS
	assert(write(a[0], "12", 2) == 2);
	assert(read(a[0], c, 2) == 2 && c[0] == '3' && c[1] == '4');
	assert(read(a[0], c, 2) == 0);
#elif defined POLL_EITHER
	int n = poll(fds, 2, -1);
	assert(n == 1 || n == 2);
#ifdef FIRST_ONLY
	assert(fds[0].revents); /* ERROR */
#else
	assert(!fds[0].revents + !fds[1].revents == 2 - n);
#endif
#elif defined POLL_TIMES_OUT
	assert(poll(fds, 1, 100) == 1); /* ERROR */
#elif defined EPOLL
	int seen = 0;
	while (seen != 3) {
		int n = epoll_wait(event, got, 2, -1);
		assert(n == 1 || n == 2);
		for (int i = 0; i < n; i++) {
			assert(got[i].events == EPOLLIN);
			assert(read(got[i].data.fd, c, 4) == 1);
			seen |= got[i].data.fd == a[0] ? 1 : 2;
		}
	}
	assert(epoll_wait(event, got, 2, 0) == 0);
#elif defined EPOLL_LOST
	epoll_wait(event, got, 2, -1); /* ERROR */
#elif defined EPOLL_ORDER
	if (epoll_wait(event, got, 2, -1) == 2)
		assert(got[0].data.fd == a[0]); /* ERROR */
#elif defined ONE_SHOT
	assert(epoll_wait(event, got, 2, -1) == 1 && got[0].data.fd == a[0]);
	assert(epoll_wait(event, got, 2, 0) == 0);
	e.data.fd = 7;
	assert(epoll_ctl(event, EPOLL_CTL_MOD, a[0], &e) == 0);
	assert(epoll_wait(event, got, 2, -1) == 1 && got[0].data.fd == 7);
#elif defined SELECT
	fd_set reads;
	FD_ZERO(&reads);
	FD_SET(a[0], &reads);
	FD_SET(b[0], &reads);
	int n = select(b[1] + 1, &reads, NULL, NULL, NULL);
	assert(n >= 1 && n == !!FD_ISSET(a[0], &reads) + !!FD_ISSET(b[0], &reads));
#elif defined FULL
	static char many[4000];
	write(a[1], many, sizeof many);
	write(a[1], many, sizeof many);
#elif defined BUFFER_RACES
	write(a[1], c, 2);
	read(a[0], shared, 2); /* ERROR */
#elif defined CLOSED_MEANWHILE
	int again = dup(a[1]);
	close(a[1]);
	assert(write(a[1], "w", 1) == -1 && errno == EBADF);
	write(again, "w", 1);
#endif
}

int main(void)
{
	pthread_t thread, second;
	(void)second;
	(void)got;
	prepare();
	pthread_create(&thread, NULL, work, a);
#if defined TWO_READERS || defined POLL_EITHER || defined EPOLL || defined EPOLL_ORDER || defined SELECT || defined EVENTS
	pthread_create(&second, NULL, work, b);
#endif
	use_pipes();
	use_more();
	pthread_join(thread, NULL); /* ERROR */
#if defined TWO_READERS || defined POLL_EITHER || defined EPOLL || defined EPOLL_ORDER || defined SELECT || defined EVENTS
	pthread_join(second, NULL); /* ERROR */
#endif
	return 0;
}
