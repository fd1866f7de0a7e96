/* SPDX-License-Identifier: MIT
 *
 * Accesses that a later one does not make superfluous: the third thread is ordered after one of the others and not after the other.
 * Relaxed flags, which order nothing, tell how far the others have come.
 *
 * Two reads; the write follows one of them only:
 *
 * RUN: check -DREADS=1
 * EXPECT: violated data-race
 * RUN: check -DREADS=2
 * EXPECT: violated data-race
 * RUN: check -DREADS=1 -DFOLLOWS_BOTH
 * EXPECT: verified
 * RUN: check -DREADS=2 -DFOLLOWS_BOTH
 * EXPECT: verified
 *
 * A write, and a read that follows it; another read follows neither, and races with the write:
 *
 * RUN: check
 * EXPECT: violated data-race
 * RUN: check -DFOLLOWS_BOTH
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static volatile int data; /* volatile: an optimiser drops what nobody reads */
static atomic_int first_done, second_done;

#ifdef FOLLOWS_BOTH
enum { UNORDERED = memory_order_acquire, TELLS = memory_order_release };
#else
enum { UNORDERED = memory_order_relaxed, TELLS = memory_order_relaxed };
#endif

static void *first(void *unused)
{
#if READS == 2 /* after the other one */
	if (!atomic_load_explicit(&second_done, memory_order_relaxed))
		return unused;
#endif
#ifdef READS
	(void)data; /* ERROR */
	atomic_store_explicit(&first_done, 1, TELLS);
#else
	data = 1; /* ERROR */
	atomic_store_explicit(&first_done, 1, memory_order_release);
#endif
	return unused;
}

static void *second(void *unused)
{
#if READS == 1
	if (!atomic_load_explicit(&first_done, memory_order_relaxed))
		return unused;
#elif !defined READS
	if (!atomic_load_explicit(&first_done, memory_order_acquire))
		return unused;
#endif
	(void)data;
#ifdef READS
	atomic_store_explicit(&second_done, 1, memory_order_release);
#else
	atomic_store_explicit(&second_done, 1, TELLS);
#endif
	return unused;
}

static void *third(void *unused)
{
#ifdef READS
	if (atomic_load_explicit(&first_done, UNORDERED) && atomic_load_explicit(&second_done, memory_order_acquire))
		data = 1; /* ERROR */
#else
	if (atomic_load_explicit(&second_done, UNORDERED))
		(void)data; /* ERROR */
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, first, NULL);
	pthread_create(&thread, NULL, second, NULL);
	pthread_create(&thread, NULL, third, NULL);
	pthread_exit(NULL);
}
