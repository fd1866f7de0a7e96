/* SPDX-License-Identifier: MIT
 *
 * An atomic struct too large for any instruction: it is read and written whole, and reading it orders nothing but through
 * itself.  A plain access to it is a race, and so is data that it was not used to hand over.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DTORN
 * EXPECT: violated data-race
 * RUN: check -DLOST
 * EXPECT: violated assertion
 * RUN: check -DAFTER
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct range { long low, high, sum; };

static _Atomic struct range shared;
static long data;

static void add(long n)
{
	struct range old = atomic_load(&shared), new;
	do {
		new = (struct range){ old.low - n, old.high + n, old.sum + n };
#ifdef LOST
	} while (atomic_store(&shared, new), 0);
#else
	} while (!atomic_compare_exchange_weak(&shared, &old, new)); /* ERROR */
#endif
}

static void *work(void *unused)
{
	data = 1;
	add(1);
#ifdef AFTER
	data = 2;
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
#ifdef TORN
	struct range seen = *(struct range *)&shared;
#else
	struct range seen = shared;
#endif
	assert(seen.low == -seen.high);
	if (seen.sum)
		data++; /* ERROR */
	add(2);
	pthread_join(thread, NULL);
	seen = atomic_exchange(&shared, (struct range){ 0 });
	assert(seen.sum == 3 && seen.high == 3 && seen.low == -3); /* ERROR */
	return 0;
}
