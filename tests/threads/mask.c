/* SPDX-License-Identifier: MIT
 *
 * A counter that grows without end makes endlessly many states; masked, there are a few.  What a mask hides is read by the
 * program all the same, and an access to it can be a race.  (An assertion that fails only for large counts would not be
 * found: that the count does not matter is the claim.)
 *
 * RUN: check --mask stats.hits
 * EXPECT: verified
 * RUN: check --mask stats --mask log_entries[1] --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check --mask stats --mask log_entries[1] --preemptions 1
 * EXPECT: verified
 * RUN: check --mask stats.hits -DWRONG
 * EXPECT: violated assertion
 * RUN: check --mask stats.hits -DRACE
 * EXPECT: violated data-race
 * RUN: check --mask stats.hits --races ignore -DRACE
 * EXPECT: verified
 * RUN: check --mask stats.hits --invariant 'turn < 2'
 * EXPECT: verified
 * RUN: check --mask stats.hits --invariant 'stats.hits != 1'
 * EXPECT: violated invariant
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct { long misses, hits; } stats;
static int turn, log_entries[2];

static void *worker(void *argument)
{
	for (;;) {
		pthread_mutex_lock(&mutex);
		stats.hits = stats.hits + 1; /* ERROR */
		turn = !turn;
#ifdef WRONG
		assert(stats.hits != 1); /* ERROR */
#endif
		pthread_mutex_unlock(&mutex);
#ifdef RACE
		if (stats.hits == 0)
			turn = 0;
#endif
	}
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, worker, 0);
	worker(0);
	return 0;
}
