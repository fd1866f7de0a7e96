/* SPDX-License-Identifier: MIT
 *
 * A bounded buffer with one condition variable for both sides: a signal may wake one who cannot use it, and is lost.  With a
 * broadcast, or with a condition variable for each side, it works; with `if` for `while` it does not, wherever there are two
 * who wait.
 *
 * RUN: check -DBROADCAST
 * EXPECT: verified
 * RUN: check -DTWO
 * EXPECT: verified
 * RUN: check
 * EXPECT: violated deadlock
 * RUN: check -DTWO -DIF
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER, filled = PTHREAD_COND_INITIALIZER;
static int slots[1], count;

#ifdef TWO
#define NOT_FULL changed
#define NOT_EMPTY filled
#else
#define NOT_FULL changed
#define NOT_EMPTY changed
#endif
#ifdef BROADCAST
#define WAKE pthread_cond_broadcast
#else
#define WAKE pthread_cond_signal
#endif
#ifdef IF
#define UNTIL(condition) if (!(condition))
#else
#define UNTIL(condition) while (!(condition))
#endif

static void put(int value)
{
	pthread_mutex_lock(&mutex);
	UNTIL(count == 0)
		pthread_cond_wait(&NOT_FULL, &mutex);
	assert(count == 0);
	slots[count++] = value;
	WAKE(&NOT_EMPTY);
	pthread_mutex_unlock(&mutex);
}

static int get(void)
{
	pthread_mutex_lock(&mutex);
	UNTIL(count == 1)
		pthread_cond_wait(&NOT_EMPTY, &mutex);
	assert(count == 1); /* ERROR */
	int value = slots[--count];
	WAKE(&NOT_FULL);
	pthread_mutex_unlock(&mutex);
	return value;
}

static void *produce(void *value)
{
	put((int)(long)value);
	put((int)(long)value);
	return NULL;
}

static void *consume(void *unused)
{
	(void)unused;
	(void)filled;
	int first = get();
	return (void *)(long)(first + get());
}

int main(void)
{
	pthread_t threads[4];
	void *a, *b;
	for (long i = 0; i < 2; i++) {
		pthread_create(&threads[i], NULL, consume, NULL);
		pthread_create(&threads[2 + i], NULL, produce, (void *)(i + 1));
	}
	pthread_join(threads[0], &a);
	pthread_join(threads[1], &b); /* ERROR */
	pthread_join(threads[2], NULL);
	pthread_join(threads[3], NULL);
	assert((long)a + (long)b == 6);
	return 0;
}
