/* SPDX-License-Identifier: MIT
 *
 * Read-copy-update with two counters of readers: who replaces the data waits until no reader can still see the old ones, then
 * frees them.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DREADERS=2
 * EXPECT: verified
 * RUN: check -DBUG_NO_WAIT
 * EXPECT: violated data-race
 * RUN: check -DBUG_ONE_FLIP -DREADERS=2
 * EXPECT: violated data-race
 * RUN: check -DBUG_IN_PLACE
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef READERS
#define READERS 1
#endif

struct data { int a, b; };

static struct data *_Atomic current;
static atomic_int readers[2], epoch;

static int read_lock(void)
{
	int mine = epoch;
	readers[mine]++;
	return mine;
}

static void read_unlock(int mine)
{
	readers[mine]--;
}

/* A reader may have read the epoch and not have counted itself yet when it is flipped: so it is flipped twice. */
static void synchronise(void)
{
#ifndef BUG_NO_WAIT
#ifdef BUG_ONE_FLIP
	int flips = 1;
#else
	int flips = 2;
#endif
	for (int i = 0; i < flips; i++) {
		int old = epoch;
		epoch = !old;
		while (readers[old])
			;
	}
#endif
}

static void *reader(void *unused)
{
	int mine = read_lock();
	struct data *seen = current;
	assert(seen->a == seen->b); /* ERROR */
	read_unlock(mine);
	return unused;
}

static void update(int n)
{
	struct data *old = current;
#ifdef BUG_IN_PLACE
	old->a = old->b = n; /* ERROR */
#else
	struct data *new = malloc(sizeof *new);
	*new = (struct data){ n, n };
	current = new;
	synchronise();
	free(old); /* ERROR */
#endif
}

int main(void)
{
	pthread_t threads[READERS];
	current = calloc(1, sizeof *current);
	for (int i = 0; i < READERS; i++)
		pthread_create(&threads[i], NULL, reader, NULL);
	update(1);
	update(2);
	for (int i = 0; i < READERS; i++)
		pthread_join(threads[i], NULL);
	free(current);
	return 0;
}
