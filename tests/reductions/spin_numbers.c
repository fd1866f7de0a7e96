/* SPDX-License-Identifier: MIT
 *
 * As spins.c: loops whose rounds hand on more than a number, or that use the number for more than to end.
 *
 * RUN: check -DUSES_NUMBER
 * EXPECT: violated assertion
 * RUN: check -DUSES_NUMBER_BEHIND
 * EXPECT: violated assertion
 * RUN: check -DASKS_OTHER_NUMBER
 * EXPECT: violated assertion
 * RUN: check -DASKS_ABOUT_OTHER_NUMBER
 * EXPECT: violated assertion
 * RUN: check -DASKS_LAST_NUMBER
 * EXPECT: violated assertion
 * RUN: check -DHANDS_ON_NUMBER
 * EXPECT: violated assertion
 * RUN: check -DTRIES_OTHER_THING
 * EXPECT: violated assertion
 * RUN: check -DMOVING_BOUND
 * EXPECT: violated assertion
 * RUN: check -DBOUND_PASSED
 * EXPECT: violated assertion
 * RUN: check -DREMEMBERS
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ROUNDS = 3 };

static atomic_int flag, tries, seen;

#if defined USES_NUMBER
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_load(&flag)) {
			assert(i != 2); /* ERROR */
			return;
		}
}
static void other(void)
{
	atomic_store(&flag, 1);
}

#elif defined USES_NUMBER_BEHIND
static void one(void)
{
	int i;
	for (i = 0; i < ROUNDS; i++)
		if (atomic_load(&flag))
			break;
	assert(i != 1); /* ERROR */
}
static void other(void)
{
	atomic_store(&flag, 1);
}

#elif defined ASKS_OTHER_NUMBER
/* The head asks whether i < 3, this asks whether i < 2. */
static void one(void)
{
	int i;
	for (i = 0; i < ROUNDS; i++)
		if (atomic_load(&flag))
			break;
	if (i < 2)
		return;
	if (i < 3)
		assert(0); /* ERROR */
}
static void other(void)
{
	atomic_store(&flag, 1);
}

#elif defined ASKS_ABOUT_OTHER_NUMBER
/* What is compared is not i but the number after it. */
static void one(void)
{
	int i = 0, next = 0;
	while (i < ROUNDS) {
		next = i + 1;
		if (atomic_load(&flag))
			break;
		i = next;
	}
	assert(next != 3 || i == 3); /* ERROR */
}
static void other(void)
{
	atomic_store(&flag, 1);
}

#elif defined ASKS_LAST_NUMBER
/* The head lets 2 pass, too. */
static void one(void)
{
	int i;
	for (i = 0; i <= 2; i++)
		if (atomic_load(&flag))
			break;
	if (i == 2)
		assert(0); /* ERROR */
}
static void other(void)
{
	atomic_store(&flag, 1);
}

#elif defined HANDS_ON_NUMBER
/* It is stored, and not compared. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_load(&flag)) {
			atomic_store(&seen, i);
			break;
		}
	assert(atomic_load(&seen) == 0); /* ERROR */
}
static void other(void)
{
	atomic_store(&flag, 1);
}

#elif defined TRIES_OTHER_THING
/* The last round looks at something else. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (i == 2) {
			if (atomic_load(&seen))
				assert(0); /* ERROR */
		} else if (atomic_load(&flag)) {
			return;
		}
	}
}
static void other(void)
{
	atomic_store(&seen, 1);
	atomic_store(&flag, 1);
	atomic_store(&flag, 0);
}

#elif defined MOVING_BOUND
/* How many rounds there are changes under way. */
static void one(void)
{
	for (int i = 0; i < atomic_load(&tries); i++)
		if (atomic_load(&flag))
			assert(0); /* ERROR */
}
static void other(void)
{
	atomic_store(&tries, 2);
	atomic_store(&flag, 1);
}

#elif defined BOUND_PASSED
/* The bound becomes 0 when the number is past it. */
static void one(void)
{
	for (int i = 0;; i++) {
		int n = atomic_load(&tries);
		if (i == n)
			return;
		assert(n != 0); /* ERROR */
	}
}
static void other(void)
{
	atomic_store(&tries, 0);
}

#elif defined REMEMBERS
/* A round hands on what it has seen. */
static void one(void)
{
	int old = 0, now = 0;
	for (int i = 0; i < ROUNDS; i++) {
		now = atomic_load(&flag);
		if (now == 2 && old == 1)
			assert(0); /* ERROR */
		old = now;
	}
}
static void other(void)
{
	atomic_store(&flag, 1);
	atomic_store(&flag, 2);
}
#endif

static void *run(void *unused)
{
	one();
	return unused;
}

int main(void)
{
	pthread_t thread;
#ifdef BOUND_PASSED
	atomic_store(&tries, 5);
#endif
	pthread_create(&thread, NULL, run, NULL);
	other();
	pthread_join(thread, NULL);
}
