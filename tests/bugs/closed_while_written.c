/* SPDX-License-Identifier: MIT
 *
 * Main closes a descriptor when it has read what another thread has written there.  That thread may still be about to return from
 * write(), which looked at the descriptor once more: a data race with the close was reported, in variables of our own.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DEVENTS
 * EXPECT: verified
 * RUN: check -DSOCKETS
 * EXPECT: verified
 * Here the descriptor may be closed before anything is written:
 * RUN: check -DEARLY
 * EXPECT: violated assertion
 * RUN: check -DEARLY -DEVENTS
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int fds[2], x;

static void *writer(void *arg)
{
	uint64_t one = 1;
	x = 42;
	ssize_t written = write(fds[1], &one, sizeof one);
	assert(written == sizeof one); /* ERROR */
	return arg;
}

int main(void)
{
	pthread_t t;
	uint64_t value;
#if defined EVENTS
	fds[0] = fds[1] = eventfd(0, 0);
#elif defined SOCKETS
	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
#else
	pipe(fds);
#endif
	pthread_create(&t, NULL, writer, NULL);
#ifndef EARLY
	read(fds[0], &value, sizeof value);
	assert(x == 42 && value == 1);
#endif
	close(fds[1]);
	pthread_join(t, NULL);
	return 0;
}
