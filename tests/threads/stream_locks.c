/* SPDX-License-Identifier: MIT
 *
 * Streams have recursive locks: flockfile orders and blocks, and each call on a stream takes its lock; the functions in _unlocked
 * race.  A stream of its own (CASE 10 to 12) is none of the three.
 *
 * RUN: check -DCASE=1
 * EXPECT: violated deadlock
 * RUN: check -DCASE=2
 * EXPECT: verified
 * RUN: check -DCASE=3
 * EXPECT: violated data-race
 * RUN: check -DCASE=4
 * EXPECT: violated data-race
 * RUN: check -DCASE=5
 * EXPECT: violated deadlock
 * RUN: check -DCASE=6
 * EXPECT: violated assertion
 * RUN: check -DCASE=7
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=8
 * EXPECT: verified
 * RUN: check -DCASE=9
 * EXPECT: violated deadlock
 * RUN: check -DCASE=10
 * EXPECT: verified
 * RUN: check -DCASE=11
 * EXPECT: violated deadlock
 * RUN: check -DCASE=12
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *own;

static void act(int who)
{
	switch (CASE) {
	/* clang-format off */
	case 1: /* crossed */
		flockfile(who ? stdout : stderr);
		flockfile(who ? stderr : stdout); /* ERROR */
		funlockfile(stdout);
		funlockfile(stderr);
		break;
	case 2: /* recursive, and it orders */
		flockfile(stdout);
		data++;
		flockfile(stdout);
		putchar_unlocked('x');
		printf("%d\n", data);
		funlockfile(stdout);
		funlockfile(stdout);
		break;
	case 3: putchar_unlocked('x'); break; /* ERROR */
	case 4: who ? (void)puts("x") : (void)putc_unlocked('y', stdout); break; /* ERROR */
	case 5: /* puts waits for the stream */
		if (who) {
			flockfile(stdout);
			pthread_mutex_lock(&mutex); /* ERROR */
			pthread_mutex_unlock(&mutex);
			funlockfile(stdout);
		} else {
			pthread_mutex_lock(&mutex);
			puts("x"); /* ERROR */
			pthread_mutex_unlock(&mutex);
		}
		break;
	case 6: assert(ftrylockfile(stderr) == 0); funlockfile(stderr); break; /* ERROR */
	case 7: if (who) funlockfile(stdout); break; /* ERROR */
	case 8: if (ftrylockfile(stderr) == 0) { data++; fputc_unlocked('x', stderr); funlockfile(stderr); } break;
	case 9: flockfile(stderr); break; /* ERROR */
	case 10: flockfile(own); data++; flockfile(own); funlockfile(own); funlockfile(own); break;
	case 11: flockfile(who ? own : stdout); flockfile(who ? stdout : own); break; /* ERROR */
	case 12: flockfile(own); fprintf(own, "ab"); fputc_unlocked('c', own); funlockfile(own); break; /* in memory */
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
	pthread_t other;
	char *text = NULL;
	size_t size = 0;
	own = CASE == 12 ? open_memstream(&text, &size) : fdopen(2, "w");
	pthread_create(&other, NULL, thread, NULL);
	act(0);
	pthread_join(other, NULL); /* ERROR */
	assert(CASE != 12 || (fflush(own) == 0 && size == 6 && text[2] == 'c'));
	fclose(own);
	free(text);
	return 0;
}
