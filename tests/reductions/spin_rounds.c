/* SPDX-License-Identifier: MIT
 *
 * As spins.c: how many rounds a wait has makes no difference to how long its check takes.  Where the number is never met, or is
 * stepped over, the wait has no end of its own.
 *
 * RUN: check --reduction all
 * EXPECT: verified
 * RUN: check --reduction all --search dfs
 * EXPECT: verified
 * RUN: check --reduction all -DASSERTS -DNARROW
 * EXPECT: verified
 * RUN: check --reduction all -DASSERTS -DNARROW_SIGNED
 * EXPECT: verified
 * RUN: check --reduction all -DASSERTS -DSTEPPED_OVER
 * EXPECT: verified
 * RUN: check --reduction all -DASSERTS -DINNER_NEVER_ENDS
 * EXPECT: verified
 * RUN: check --reduction all -O0 -DASSERTS -DFAR
 * EXPECT: violated assertion
 * RUN: check --reduction all -O0 -DASSERTS -DAROUND
 * EXPECT: violated assertion
 * RUN: check --reduction all -O0 -DASSERTS -DMET_LATE
 * EXPECT: violated assertion
 * RUN: check --reduction all -O0 -DASSERTS -DTWO_BOUNDS
 * EXPECT: violated assertion
 * RUN: check --reduction all -DASSERTS -DSECOND_BOUND
 * EXPECT: verified
 * RUN: check --reduction all -O0 -DASSERTS -DLAST_BOUND
 * EXPECT: violated assertion
 * RUN: check --reduction all -O0 -DASSERTS -DNESTED
 * EXPECT: violated assertion
 * RUN: check --reduction all -O0 -DASSERTS -DLAPS_DIFFER
 * EXPECT: verified
 * RUN: check --reduction all -O0 -DASSERTS -DCOUNTS_DOWN
 * EXPECT: violated assertion
 * RUN: check --reduction all -O0 -DASSERTS -DCHANGES_PLACES
 * EXPECT: violated assertion
 * RUN: check --reduction all -O0 -DASSERTS -DSTATISTICS
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, noise;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int both;

#define TRY           \
	if (atomic_load(&flag)) \
	return 1

#ifdef LAPS_DIFFER
/* k passes its bound first.  The step in which `outer` grows takes 128 from i and 384 from k.  If all were like it, i would stay
 * below 200, and k would be so low that i came first. */
static int laps_differ(void)
{
	unsigned char i;
	for (int k, outer = 0; outer < 100; outer++) {
		for (i = 0, k = 0;;) {
			i++;
			k += 3;
			if (k > 387)
				break;
			if (i > 200)
				return 0;
			TRY;
		}
	}
	return 1;
}
#endif

/* Has the flag been seen?  No: the rounds are over. */
static int sees(long long bound)
{
#if defined NARROW
	for (unsigned char i = 0; i < 300; i++)
		TRY;
#elif defined NARROW_SIGNED
	for (signed char i = 1; i < 128; i += 5)
		TRY;
#elif defined STEPPED_OVER
	for (unsigned i = 0; i != 7; i += 2)
		TRY;
#elif defined INNER_NEVER_ENDS
	for (int k = 0; k < 3; k++)
		for (unsigned short i = 9; i != 4; i += 6)
			TRY;
#elif defined FAR
	for (long long i = 0; i < 1000 * bound; i += 7)
		TRY;
#elif defined AROUND
	for (unsigned i = (unsigned)bound; i <= (unsigned)bound; i--)
		TRY;
#elif defined MET_LATE
	for (unsigned i = 0; i != 1; i -= 3)
		TRY;
#elif defined TWO_BOUNDS
	for (long long i = 0, k = 0; i < bound && k < 3 * bound + 1; i++, k += 3)
		TRY;
#elif defined SECOND_BOUND
	/* It is met first, and is not the one that matters. */
	for (long long i = 0, k = 0;; i++, k += 3) {
		TRY;
		if (k > bound)
			return 1;
		if (i > bound)
			return 0;
	}
#elif defined LAST_BOUND
	for (long long i = 0, k = 0;; i++, k += 3) {
		TRY;
		if (k > 3 * bound + 3)
			return 1;
		if (i > bound)
			return 0;
	}
#elif defined NESTED
	for (int k = 0; k < bound; k++)
		for (long long i = 0; i < bound; i++)
			if (atomic_load(&flag))
				goto seen;
#elif defined LAPS_DIFFER
	return laps_differ();
#elif defined COUNTS_DOWN
	int tries = (int)bound;
	while (tries--)
		TRY;
#elif defined CHANGES_PLACES
	for (int i = 0, k = 3, h; i < 400; h = i, i = k, k = h + 4)
		TRY;
#else
	for (int i = 0; i < bound; i++)
		TRY;
#endif
	return 0;
#ifdef NESTED
seen:
	return 1;
#endif
}

static void *waits(void *unused)
{
#ifdef STATISTICS
	atomic_fetch_add(&noise, 1);
#endif
	int seen = sees(1000000000);
#ifdef ASSERTS
	assert(seen); /* ERROR */
#endif
	pthread_mutex_lock(&m);
	both += seen ? 1 : 1;
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, waits, NULL);
	pthread_mutex_lock(&m);
	both++;
	pthread_mutex_unlock(&m);
	atomic_store(&flag, 1);
	pthread_join(thread, NULL);
	assert(both == 2);
}
