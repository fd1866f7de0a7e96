/* SPDX-License-Identifier: MIT
 *
 * Inputs that threads get as their argument, by value, and return.
 *
 * RUN: check -DCASE=1
 * EXPECT: verified
 * RUN: check -DCASE=1 --inputs symbolic
 * EXPECT: verified
 * RUN: check -DCASE=1 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DCASE=1 -DBUG --inputs symbolic
 * EXPECT: violated assertion
 * RUN: check -DCASE=2
 * EXPECT: verified
 * RUN: check -DCASE=2 -DBUG
 * EXPECT: violated deadlock
 * RUN: check -DCASE=3
 * EXPECT: verified
 * RUN: check -DCASE=3 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DCASE=4 --inputs sets
 * EXPECT: verified
 * RUN: check -DCASE=4 -DBUG --inputs sets
 * EXPECT: violated null-dereference
 * RUN: check -DCASE=5
 * EXPECT: verified
 * RUN: check -DCASE=6
 * EXPECT: verified
 * RUN: check -DCASE=6 --inputs symbolic
 * EXPECT: verified
 * RUN: check -DCASE=6 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DCASE=6 -DBUG --inputs symbolic
 * EXPECT: violated assertion
 * RUN: check -DCASE=7
 * EXPECT: verified
 * RUN: check -DCASE=7 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DCASE=8
 * EXPECT: verified
 * RUN: check -DCASE=8 --memory c11
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);

static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

#if CASE == 1 /* each thread adds its own */

static long sum;

static void *add(void *number)
{
	pthread_mutex_lock(&locks[0]);
	sum += (intptr_t)number;
	pthread_mutex_unlock(&locks[0]);
	return NULL;
}

int main(void)
{
	pthread_t one, other;
	int a = __VERIFIER_nondet_int();
	pthread_create(&one, NULL, add, (void *)(intptr_t)a);
	pthread_create(&other, NULL, add, (void *)(intptr_t)5);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	assert(sum == a + 5L);
#ifdef BUG
	assert(sum != 123456); /* ERROR */
#endif
	return 0;
}

#elif CASE == 2 /* an input decides in which order a thread locks */

static void *both(void *number)
{
	int first = (intptr_t)number & 1;
	pthread_mutex_lock(&locks[first]);
	pthread_mutex_lock(&locks[!first]); /* ERROR */
	pthread_mutex_unlock(&locks[0]);
	pthread_mutex_unlock(&locks[1]);
	return NULL;
}

int main(void)
{
	pthread_t one, other;
	int a = __VERIFIER_nondet_int();
	int b = a;
#ifdef BUG
	if (a == 77777)
		b = a + 1;
#endif
	pthread_create(&one, NULL, both, (void *)(intptr_t)a);
	pthread_create(&other, NULL, both, (void *)(intptr_t)b);
	pthread_join(one, NULL);
	pthread_join(other, NULL); /* ERROR */
	return 0;
}

#elif CASE == 3 /* threads that C11 names, which main starts in a loop */

static int largest;

static int keep(void *number)
{
	pthread_mutex_lock(&locks[0]);
	if ((intptr_t)number > largest)
		largest = (int)(intptr_t)number;
	pthread_mutex_unlock(&locks[0]);
	return 0;
}

int main(void)
{
	thrd_t threads[2];
	int numbers[2];
	for (int i = 0; i < 2; i++) {
		numbers[i] = __VERIFIER_nondet_uchar();
		thrd_create(&threads[i], keep, (void *)(intptr_t)numbers[i]);
	}
	for (int i = 0; i < 2; i++)
		thrd_join(threads[i], NULL);
	assert(largest == (numbers[0] > numbers[1] ? numbers[0] : numbers[1]));
#ifdef BUG
	assert(largest != 200 || numbers[0] != 100); /* ERROR */
#endif
	return 0;
}

#elif CASE == 4 /* an input that is taken for an address */

static void *follow(void *pointer)
{
#ifdef BUG
	*(volatile int *)pointer = 1; /* ERROR */
#else
	assert((intptr_t)pointer < 64);
#endif
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, follow, (void *)(intptr_t)(__VERIFIER_nondet_int() & 63));
	pthread_join(thread, NULL);
	return 0;
}

#elif CASE == 5 /* detached, and alike */

static int count;

static void *work(void *number)
{
	pthread_mutex_lock(&locks[0]);
	count += (intptr_t)number > 10;
	assert(count <= 3);
	pthread_mutex_unlock(&locks[0]);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, work, (void *)(intptr_t)__VERIFIER_nondet_int());
		pthread_detach(thread);
	}
	return 0;
}

#elif CASE == 6 /* results: of one thread that has ended long before, and of one that has not */

static void *twice(void *number)
{
	return (void *)(2 * (intptr_t)number);
}

static void *draw(void *unused)
{
	(void)unused;
	return (void *)(intptr_t)__VERIFIER_nondet_int();
}

int main(void)
{
	pthread_t one, other;
	void *doubled, *drawn;
	int a = __VERIFIER_nondet_int();
	pthread_create(&one, NULL, twice, (void *)(intptr_t)a);
	pthread_create(&other, NULL, draw, NULL);
	pthread_join(other, &drawn);
	pthread_join(one, &doubled);
	assert((intptr_t)doubled == 2L * a);
	if ((intptr_t)drawn > 70000)
		assert((intptr_t)drawn + (intptr_t)doubled > 2L * a);
#ifdef BUG
	assert((intptr_t)drawn != 80000 || (intptr_t)doubled != 14); /* ERROR */
#endif
	return 0;
}

#elif CASE == 7 /* of thrd_join(), and of none */

static int half(void *number)
{
	return (int)(intptr_t)number / 2;
}

int main(void)
{
	thrd_t threads[2];
	int a = __VERIFIER_nondet_int(), result;
	for (int i = 0; i < 2; i++)
		thrd_create(&threads[i], half, (void *)(intptr_t)a);
	thrd_join(threads[1], NULL);
	thrd_join(threads[0], &result);
	assert(result <= 1073741823);
#ifdef BUG
	assert(result != -500 || a != -1001); /* ERROR */
#endif
	return 0;
}

#elif CASE == 8 /* a small one, also under another memory model */

static void *same(void *number)
{
	return number;
}

int main(void)
{
	pthread_t thread;
	void *result;
	unsigned char a = __VERIFIER_nondet_uchar();
	pthread_create(&thread, NULL, same, (void *)(intptr_t)a);
	pthread_join(thread, &result);
	assert((intptr_t)result == a);
	return 0;
}

#endif
