/* SPDX-License-Identifier: MIT
 *
 * What the C library locks for itself orders nothing else: a call between data and a relaxed flag (CASE 1 to 6).  What the system
 * hands on does: what is written to a pipe or a file comes before what reads it, and a signal before who takes it (20 to 24).
 *
 * RUN: check -DCASE=1
 * EXPECT: violated data-race
 * RUN: check -DCASE=2
 * EXPECT: violated data-race
 * RUN: check -DCASE=3
 * EXPECT: violated data-race
 * RUN: check -DCASE=4
 * EXPECT: violated data-race
 * RUN: check -DCASE=5
 * EXPECT: violated data-race
 * RUN: check -DCASE=6
 * EXPECT: violated data-race
 * RUN: check -DCASE=20
 * EXPECT: verified
 * RUN: check -DCASE=21 --fs-write
 * EXPECT: verified
 * RUN: check -DCASE=22
 * EXPECT: verified
 * RUN: check -DCASE=23
 * EXPECT: verified
 * RUN: check -DCASE=24
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

int data; /* not static: an optimiser would see that nobody reads it */
static int pipes[2][2], event;
static atomic_int flag;

static void nothing(void)
{
}

static void call(int who)
{
	switch (CASE) {
	case 1: (void)random(); break;
	case 2: signal(SIGUSR1, SIG_IGN); break;
	case 3: write(pipes[who][1], "x", 1); break; /* each has a pipe of its own */
	case 4: close(open("none", O_RDONLY)); break;
	case 5: atexit(nothing); break;
	case 6: (void)fgetc(stdin); break;
	}
}

/* The other thread has written, and hands it on. */
static void give(void)
{
	uint64_t one = 1;
	switch (CASE) {
	case 20: write(pipes[0][1], "x", 1); break;
	case 21: write(open("file", O_RDWR | O_CREAT, 0600), "x", 1); break;
	case 22: write(event, &one, sizeof one); break;
	case 23: kill(getpid(), SIGUSR1); break;
	case 24: write(pipes[0][1], "x", 1); break;
	}
}

static int is_there(void)
{
	char byte;
	uint64_t count;
	sigset_t set;
	struct pollfd ready = { pipes[0][0], POLLIN, 0 };
	int number;
	switch (CASE) {
	case 20: return read(pipes[0][0], &byte, 1) == 1;
	case 21: return read(open("file", O_RDONLY), &byte, 1) == 1;
	case 22: return read(event, &count, sizeof count) > 0;
	case 23: sigemptyset(&set); sigaddset(&set, SIGUSR1); return sigwait(&set, &number) == 0;
	case 24: return poll(&ready, 1, -1) == 1;
	default: return atomic_load_explicit(&flag, memory_order_relaxed);
	}
}

static void *thread(void *unused)
{
	data = 1; /* ERROR */
	call(1);
	give();
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t other;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	if (CASE == 23)
		pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (CASE == 3 || CASE == 20 || CASE == 24) {
		pipe(pipes[0]);
		pipe(pipes[1]);
	}
	if (CASE == 22)
		event = eventfd(0, 0);
	pthread_create(&other, NULL, thread, NULL);
	if (is_there()) {
		call(0);
		data = 2; /* ERROR */
	}
	pthread_join(other, NULL);
	return 0;
}
