/* SPDX-License-Identifier: MIT
 *
 * A barrier of a mutex and a condition variable that is used twice: a fast thread comes back before the slow ones have left,
 * so waiting for the count alone is wrong; the generation, or the sense, tells one use from the next.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DSENSE
 * EXPECT: verified
 * RUN: check -DCOUNT_ONLY
 * EXPECT: violated deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { THREADS = 3, PHASES = 2 };

#ifdef SENSE /* without locks, after Hensgen, Finkel and Manber */
static atomic_int left = THREADS;
static atomic_bool sense;

static void arrive(bool *mine)
{
	*mine = !*mine;
	if (atomic_fetch_sub(&left, 1) == 1) {
		left = THREADS;
		sense = *mine;
	} else {
		while (sense != *mine)
			;
	}
}
#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int here, generation;

static void arrive(bool *unused)
{
	(void)unused;
	pthread_mutex_lock(&mutex);
	int mine = generation;
	if (++here == THREADS) {
		here = 0;
		generation++;
		pthread_cond_broadcast(&all_here);
	}
#ifdef COUNT_ONLY
	(void)mine;
	while (here != 0)
#else
	while (generation == mine)
#endif
		pthread_cond_wait(&all_here, &mutex); /* ERROR */
	pthread_mutex_unlock(&mutex);
}
#endif

static atomic_int done[PHASES];

static void *work(void *unused)
{
	bool mine = false;
	for (int phase = 0; phase < PHASES; phase++) {
		done[phase]++;
		arrive(&mine);
		assert(done[phase] == THREADS);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
