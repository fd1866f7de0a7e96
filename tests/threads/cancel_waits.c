/* SPDX-License-Identifier: MIT
 *
 * A thread that waits for a signal or for a descriptor ends when it is cancelled.
 *
 * RUN: check -DPOINT=PAUSE
 * EXPECT: verified
 * RUN: check -DPOINT=SUSPEND
 * EXPECT: verified
 * RUN: check -DPOINT=WAIT
 * EXPECT: verified
 * RUN: check -DPOINT=WAIT_INFO
 * EXPECT: verified
 * RUN: check -DPOINT=READ
 * EXPECT: verified
 * RUN: check -DPOINT=RECEIVE
 * EXPECT: verified
 * RUN: check -DPOINT=COUNTER
 * EXPECT: verified
 * RUN: check -DPOINT=POLL
 * EXPECT: verified
 * RUN: check -DPOINT=POLL_TWO
 * EXPECT: verified
 * RUN: check -DPOINT=SELECT
 * EXPECT: verified
 * RUN: check -DPOINT=EPOLL
 * EXPECT: verified
 * RUN: check -DPOINT=POLL_MASKED
 * EXPECT: verified
 * In a loop, and while another one waits for the same:
 * RUN: check -DPOINT=LOOP
 * EXPECT: verified
 * RUN: check -DPOINT=TWO
 * EXPECT: verified
 * If it does not want to be cancelled, it waits on:
 * RUN: check -DPOINT=PAUSE -DDISABLED
 * EXPECT: violated deadlock
 * RUN: check -DPOINT=READ -DDISABLED
 * EXPECT: violated deadlock
 * RUN: check -DPOINT=POLL -DDISABLED
 * EXPECT: violated deadlock
 * What it held in the library is free: nobody has the end of the pipe any more, when it is closed.
 * RUN: check -DPOINT=READ -DCLOSED
 * EXPECT: verified
 * RUN: check -DPOINT=POLL -DCLOSED
 * EXPECT: verified
 * RUN: check -DPOINT=POLL_TWO -DCLOSED
 * EXPECT: verified
 * Nobody cancels it:
 * RUN: check -DPOINT=PAUSE -DLEFT_ALONE
 * EXPECT: violated deadlock
 * RUN: check -DPOINT=READ -DLEFT_ALONE
 * EXPECT: violated deadlock
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PAUSE, SUSPEND, WAIT, WAIT_INFO, READ, RECEIVE, COUNTER, POLL, POLL_TWO, SELECT, EPOLL, POLL_MASKED, LOOP, TWO };

static int ducts[2], sockets[2], counter, set;
static int cleaned;

static void clean(void *count)
{
	++*(int *)count;
}

static void wait_for_signal(void)
{
	sigset_t mask;
	int number;
	sigemptyset(&mask);
	switch (POINT) {
	case PAUSE: pause(); break; /* ERROR */
	case SUSPEND: sigsuspend(&mask); break;
	default:
		sigaddset(&mask, SIGUSR1);
		pthread_sigmask(SIG_BLOCK, &mask, NULL);
		if (POINT == WAIT)
			sigwait(&mask, &number);
		else
			sigwaitinfo(&mask, NULL);
	}
}

static void wait_for_descriptor(void)
{
	struct pollfd p[] = { { .fd = ducts[0], .events = POLLIN }, { .fd = sockets[0], .events = POLLIN } };
	struct epoll_event event;
	sigset_t mask;
	uint64_t count;
	fd_set reads;
	char byte;
	sigemptyset(&mask);
	switch (POINT) {
	case RECEIVE: recv(sockets[0], &byte, 1, 0); break;
	case COUNTER: read(counter, &count, sizeof count); break;
	case POLL: poll(p, 1, -1); break; /* ERROR */
	case POLL_TWO: poll(p, 2, -1); break;
	case POLL_MASKED: ppoll(p, 1, NULL, &mask); break;
	case SELECT:
		FD_ZERO(&reads);
		FD_SET(ducts[0], &reads);
		select(ducts[0] + 1, &reads, NULL, NULL, NULL);
		break;
	case EPOLL: epoll_wait(set, &event, 1, -1); break;
	case LOOP:
		while (read(ducts[0], &byte, 1) == 1 || errno == EINTR)
			;
		break;
	default: read(ducts[0], &byte, 1); /* ERROR */
	}
}

static void *work(void *unused)
{
#ifdef DISABLED
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
	pthread_cleanup_push(clean, &cleaned);
	if (POINT <= WAIT_INFO)
		wait_for_signal();
	else
		wait_for_descriptor();
	pthread_cleanup_pop(0);
	assert(POINT == TWO && cleaned == 0);
	return unused;
}

static void open_all(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	assert(pipe(ducts) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
	counter = eventfd(0, 0);
	set = epoll_create1(0);
	assert(epoll_ctl(set, EPOLL_CTL_ADD, ducts[0], &event) == 0);
}

int main(void)
{
	pthread_t thread, other;
	void *result;
	if (POINT > WAIT_INFO)
		open_all();
	pthread_create(&thread, NULL, work, NULL);
	if (POINT == TWO)
		pthread_create(&other, NULL, work, NULL);
#ifndef LEFT_ALONE
	pthread_cancel(thread);
#endif
	pthread_join(thread, &result); /* ERROR */
	assert(result == PTHREAD_CANCELED && cleaned == 1);
	if (POINT == TWO) { /* who is left gets what is written */
		cleaned = 0;
		assert(write(ducts[1], "x", 1) == 1);
		pthread_join(other, &result);
		assert(!result && cleaned == 0);
	}
#ifdef CLOSED
	signal(SIGPIPE, SIG_IGN);
	close(ducts[0]);
	assert(write(ducts[1], "x", 1) == -1 && errno == EPIPE);
#endif
	return 0;
}
