/* SPDX-License-Identifier: MIT
 *
 * After a fault that is not to be reported, the program goes on as it would on x86-64 with glibc.
 *
 * RUN: check -O0 --checks=-signed-overflow -DCASE=1
 * EXPECT: verified
 * RUN: check -O0 --overflow --suppressions tests/faults/goes_on.supp -DCASE=1
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -O0 --checks=-misaligned-access -DCASE=2
 * EXPECT: verified
 * RUN: check -O0 --suppressions tests/faults/goes_on.supp -DCASE=2
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -O0 --checks=-invalid-shift -DCASE=3
 * EXPECT: verified, apart from 4 suppressed faults
 * RUN: check -O0 --checks=-invalid-bool -DCASE=4
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -O0 --checks=-uninitialized-read -DCASE=5
 * EXPECT: verified
 * RUN: check -O0 --suppressions tests/faults/goes_on.supp -DCASE=5
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -O0 --checks=-undefined-call -DCASE=6
 * EXPECT: verified
 * RUN: check -O0 --suppressions tests/faults/goes_on.supp -DCASE=6
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -O0 --checks=-overlap -DCASE=7
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -O0 --checks=-invalid-conversion -DCASE=8
 * EXPECT: verified, apart from 8 suppressed faults
 * RUN: check --checks=-mutex-misuse -DCASE=9
 * EXPECT: verified, apart from 5 suppressed faults
 * RUN: check --checks=-thread-misuse -DCASE=10
 * EXPECT: verified, apart from 2 suppressed faults
 * RUN: check -O0 --checks=+memory-leak -DCASE=11
 * EXPECT: violated memory-leak
 * RUN: check -O0 --leaks --checks=-memory-leak -DCASE=11
 * EXPECT: verified
 * RUN: check -O0 --checks=+memory-leak --suppressions tests/faults/goes_on.supp -DCASE=11
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -O0 --checks=-deadlock -DCASE=12
 * EXPECT: verified
 * RUN: check -O0 --suppressions tests/faults/goes_on.supp -DCASE=12
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check --invariant 'count < 2' -DCASE=13
 * EXPECT: violated invariant
 * RUN: check --invariant 'count < 2' --checks=-invariant -DCASE=13
 * EXPECT: violated assertion
 * RUN: check --checks=-invalid-shift,+invalid-shift -O0 -DCASE=3
 * EXPECT: violated invalid-shift
 * RUN: check --checks=-mutex-misuse -DCASE=14
 * EXPECT: violated data-race
 * RUN: check --checks=-mutex-misuse,-data-race -DCASE=14
 * EXPECT: violated assertion
 * RUN: check --checks=-mutex-misuse -DCASE=15
 * EXPECT: verified, apart from 4 suppressed faults
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_spinlock_t spin;
int count, inside, most = INT_MAX, shift = 33;
double large = 3e9, negative = -1, larger = 1e19, largest = 1e30, none = NAN;
static _Alignas(8) char bytes[16];

static void overflow(void) { most++; assert(most == INT_MIN); }
static void misaligned(void) { *(int *)(bytes + 1) = 0x01020304; assert(bytes[1] == 4 && bytes[4] == 1); }

static void shifts(void)
{
	long wide = 1;
	int x = 1 << shift; /* ERROR */
	assert(x == 2);
	x = 8 >> shift;
	assert(x == 4);
	assert(wide << (shift + 32) == 2);
	shift = -1;
	assert(1u << shift == 1u << 31);
}

static void booleans(void) { bool b; memset(&b, 6, 1); assert(!b); }
static void uninitialized(void) { int *p = malloc(sizeof *p); assert(*p == 0); free(p); }
static int takes_long(long x) { return (int)x; }
static void called(void) { int (*f)(int *) = (int (*)(int *))(void *)takes_long; assert(f((int *)5) == 5); }
static void overlap(void) { char s[] = "abcdef"; memcpy(s + 1, s, 4); assert(strcmp(s, "aabcdf") == 0); }

static void conversions(void)
{
	assert((int)large == INT_MIN);
	assert((signed char)(int)100 == 100 && (signed char)(large / 1e7) == 44);
	assert((unsigned)negative == UINT_MAX);
	assert((unsigned long)negative == ULONG_MAX);
	assert((unsigned)larger == 0);
	assert((long)larger == LONG_MIN);
	assert((unsigned long)largest == 1ul << 63);
	assert((int)none == INT_MIN);
}

static void mutexes(void)
{
	assert(pthread_mutex_unlock(&mutex) == 0); /* not held */
	assert(pthread_mutex_lock(&mutex) == 0);
	assert(pthread_mutex_destroy(&mutex) == EBUSY);
	assert(pthread_mutex_unlock(&mutex) == 0);
	assert(pthread_mutex_init(&other, NULL) == 0);
	assert(pthread_mutex_init(&other, NULL) == 0); /* again */
	assert(pthread_mutex_lock(&other) == 0);
	assert(pthread_mutex_init(&other, NULL) == 0); /* held */
	assert(pthread_mutex_trylock(&other) == 0);
	pthread_spin_init(&spin, 0);
	pthread_spin_unlock(&spin); /* not held */
	assert(pthread_spin_lock(&spin) == 0);
}

static void *counter(void *unused) { pthread_mutex_lock(&mutex); count++; pthread_mutex_unlock(&mutex); return unused; } /* ERROR */

static void threads(void)
{
	pthread_t thread;
	pthread_attr_t attributes;
	assert(pthread_join(pthread_self(), NULL) == EDEADLK);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_mutex_lock(&mutex);
	assert(pthread_create(&thread, &attributes, counter, NULL) == 0);
	assert(pthread_join(thread, NULL) == EINVAL);
}

static void leak(void) { count += malloc(7) != NULL; } /* ERROR */
static void hang(void) { pthread_mutex_lock(&mutex); pthread_mutex_lock(&mutex); assert(0); }
static void counts(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, counter, NULL);
	counter(NULL);
	pthread_join(thread, NULL);
	assert(count != 2); /* ERROR */
}

/* Who unlocks what another thread holds lets a third one in. */
static void *intruder(void *unused)
{
	pthread_mutex_lock(&mutex);
	inside++; /* ERROR */
	pthread_mutex_lock(&other);
	pthread_mutex_unlock(&other);
	assert(inside == 1); /* ERROR */
	inside--;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void intrude(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, intruder, NULL);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

/* To wait without the mutex lets it go all the same, whoever holds it, and takes it. */
static void *waker(void *unused)
{
	pthread_mutex_lock(&mutex);
	count = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void wait_without(void)
{
	pthread_t thread;
	pthread_mutex_lock(&other);
	pthread_create(&thread, NULL, waker, NULL);
	pthread_mutex_lock(&mutex);
	int done = count;
	pthread_mutex_unlock(&mutex);
	struct timespec soon = { 0, 0 };
	if (!done)
		pthread_cond_timedwait(&condition, &mutex, &soon);
	else
		pthread_mutex_lock(&mutex);
	assert(pthread_mutex_unlock(&mutex) == 0);
	pthread_join(thread, NULL);
	pthread_mutex_unlock(&other);
	pthread_mutex_unlock(&other); /* not held */
}

int main(void)
{
	switch (CASE) {
	case 1: overflow(); break;
	case 2: misaligned(); break;
	case 3: shifts(); break;
	case 4: booleans(); break;
	case 5: uninitialized(); break;
	case 6: called(); break;
	case 7: overlap(); break;
	case 8: conversions(); break;
	case 9: mutexes(); break;
	case 10: threads(); break;
	case 11: leak(); break;
	case 12: hang(); break;
	case 13: counts(); break;
	case 14: intrude(); break;
	case 15: wait_without(); break;
	}
	return 0;
}
