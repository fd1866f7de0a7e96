/* SPDX-License-Identifier: MIT
 *
 * Every call on a stream takes its lock (CASE 1 to 5: main holds the mutex, and calls); reading a line is one step for others
 * (6, 7); the functions in _unlocked race with them, but two that ask do not (8 to 10).  The lock of a call orders nothing, even
 * in a program that uses flockfile (11); a call that waits holds it (12), and a thread that is cancelled in such a call has given
 * it back (13).
 *
 * RUN: check -DCASE=1
 * EXPECT: violated deadlock
 * RUN: check -DCASE=2
 * EXPECT: violated deadlock
 * RUN: check -DCASE=3
 * EXPECT: violated deadlock
 * RUN: check -DCASE=4
 * EXPECT: violated deadlock
 * RUN: check -DCASE=5
 * EXPECT: violated deadlock
 * RUN: check -DCASE=6 --stdin tests/world/inputs/lines
 * EXPECT: verified
 * RUN: check -DCASE=7 --stdin tests/world/inputs/lines
 * EXPECT: verified
 * RUN: check -DCASE=8
 * EXPECT: violated data-race
 * RUN: check -DCASE=9
 * EXPECT: verified
 * RUN: check -O0 -DCASE=10
 * EXPECT: violated data-race
 * RUN: check -DCASE=11
 * EXPECT: violated data-race
 * RUN: check -DCASE=12
 * EXPECT: violated deadlock
 * RUN: check -DCASE=13
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <err.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *own;
static int data, number;
static atomic_int flag;
static char bytes[2][8];

/* They take the mutex and the lock of a stream, crossed. */
static void cross(int who, FILE *file)
{
	if (who) {
		flockfile(file);
		pthread_mutex_lock(&mutex); /* ERROR */
		pthread_mutex_unlock(&mutex);
		funlockfile(file);
		return;
	}
	pthread_mutex_lock(&mutex);
	switch (CASE) {
	case 1: scanf("%d", &number); break; /* ERROR */
	case 2: rewind(stdin); break; /* ERROR */
	case 3: warnx("x"); break; /* ERROR */
	case 4: fflush(NULL); break; /* ERROR */
	case 5: ferror(stdin); break; /* ERROR */
	}
	pthread_mutex_unlock(&mutex);
}

static void act(int who)
{
	switch (CASE) {
	/* clang-format off */
	case 1: case 2: case 4: case 5: cross(who, stdin); break;
	case 3: cross(who, stderr); break;
	case 6: assert(fgets(bytes[who], 8, stdin) && (!strcmp(bytes[who], "12\n") || !strcmp(bytes[who], "34\n"))); break;
	case 7: { int n; assert(scanf("%d", &n) == 1 && (n == 12 || n == 34)); break; }
	case 8: who ? fgets_unlocked(bytes[1], 8, stdin) : fgets(bytes[0], 8, stdin); break; /* ERROR */
	case 9: (void)feof_unlocked(stdin); break;
	case 10: who ? feof_unlocked(stdin) : fgetc(stdin); break; /* ERROR */
	case 11:
		if (who) {
			data = 1; /* ERROR */
			puts("x");
			atomic_store_explicit(&flag, 1, memory_order_relaxed);
		} else if (atomic_load_explicit(&flag, memory_order_relaxed)) {
			puts("y");
			data = 2; /* ERROR */
			flockfile(stdout);
			funlockfile(stdout);
		}
		break;
	case 12: who ? (void)fgets(bytes[1], 8, own) : (void)fputs("x\n", own); break; /* ERROR */
	case 13: if (who) fgets(bytes[1], 8, own); break;
	/* clang-format on */
	}
}

static void *thread(void *unused)
{
	act(1);
	return unused;
}

int main(void)
{
	int fds[2] = { 0, 0 };
	pthread_t other;
	if (CASE >= 12) {
		socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
		own = fdopen(fds[0], "r+");
	}
	pthread_create(&other, NULL, thread, NULL);
	if (CASE == 13)
		pthread_cancel(other);
	act(0);
	pthread_join(other, NULL);
	if (CASE >= 12)
		fclose(own);
	return 0;
}
