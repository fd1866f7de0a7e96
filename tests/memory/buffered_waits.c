/* SPDX-License-Identifier: MIT
 *
 * Threads that wait in loops while stores are in their buffers (memory/buffers.h): what others will read is a change, though memory
 * is as it was.
 *
 * RING      a ring of two cells: each side waits for a store that is in the other's buffer
 * ANSWER    a question and its answer, by relaxed stores
 * UNREAD    a store that nobody reads stays in the buffer of a thread that waits for ever
 * WRONG     the answer is another one than that which is waited for
 * SAME      ... is what was there before, so nothing changes
 *
 * RUN: check --memory tso -DRING
 * EXPECT: verified
 * RUN: check --memory tso -DRING --reduction none
 * EXPECT: verified
 * RUN: check --memory tso:1 -DRING
 * EXPECT: inconclusive: no violation if at most 1 store of a thread waits
 * RUN: check --memory tso -DRING -DINPUTS
 * EXPECT: verified
 * RUN: check --memory c11 -DRING
 * EXPECT: violated data-race
 * RUN: check --memory tso -DANSWER
 * EXPECT: verified
 * RUN: check --memory tso -DANSWER --reduction none
 * EXPECT: verified
 * RUN: check --memory c11 -DANSWER
 * EXPECT: verified
 * RUN: check -O0 --memory tso -DUNREAD
 * EXPECT: violated deadlock
 * RUN: check -O0 --memory tso -DUNREAD --reduction none
 * EXPECT: violated deadlock
 * RUN: check --memory tso -DANSWER -DWRONG
 * EXPECT: violated deadlock
 * RUN: check --memory c11 -DANSWER -DWRONG
 * EXPECT: violated deadlock
 * RUN: check -O0 --memory tso -DANSWER -DSAME
 * EXPECT: violated deadlock
 * RUN: check -O0 --memory tso -DANSWER -DSAME --reduction none
 * EXPECT: violated deadlock
 * RUN: check -O0 --memory c11 -DANSWER -DSAME
 * EXPECT: violated deadlock
 */
#include <assert.h>
#include <bitspin.h>
#include <pthread.h>
#include <stdatomic.h>

#define GET(place)        atomic_load_explicit(&(place), memory_order_relaxed)
#define PUT(place, value) atomic_store_explicit(&(place), value, memory_order_relaxed)

#ifdef RING

static int cells[2], sent[3]; /* ERROR */
static atomic_uint head, tail;

static void *first(void *unused)
{
	for (int i = 0; i < 3; i++) {
		unsigned at = GET(tail);
		while (at - GET(head) == 2)
			;
#ifdef INPUTS
		sent[i] = bitspin_any_bool();
#else
		sent[i] = 5 + i;
#endif
		cells[at % 2] = sent[i];
		PUT(tail, at + 1);
	}
	return unused;
}

static void *second(void *unused)
{
	for (int i = 0; i < 3; i++) {
		unsigned at = GET(head);
		while (at == GET(tail))
			;
		assert(cells[at % 2] == sent[i]); /* ERROR */
		PUT(head, at + 1);
	}
	return unused;
}

#else

static atomic_int question, answer, unread;

#if defined WRONG
#define ANSWERED 2
#elif defined SAME
#define ANSWERED 0
#else
#define ANSWERED 1
#endif

static void *first(void *unused)
{
	PUT(question, 1);
	while (GET(answer) != 1) /* ERROR */
		;
	return unused;
}

static void *second(void *unused)
{
#ifdef UNREAD
	PUT(unread, 1);
	while (GET(question) != 2) /* ERROR */
		;
#endif
	while (GET(question) != 1)
		;
	PUT(answer, ANSWERED);
	return unused;
}

#endif

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
