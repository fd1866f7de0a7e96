/* SPDX-License-Identifier: MIT
 *
 * Inputs that meet.  Sets try each value of one of two inputs that meet: where these are many, terms are tried, and where terms do
 * not end, each value after all.
 *
 * RUN: check -DCASE=1
 * EXPECT: verified
 * RUN: check -DCASE=1 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DCASE=1 -DBUG --all
 * EXPECT: violated assertion
 * RUN: check -DCASE=2
 * EXPECT: verified
 * RUN: check -DCASE=3
 * EXPECT: verified
 * RUN: check -DCASE=4
 * EXPECT: verified
 * RUN: check -DCASE=4 -DBUG
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

signed char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);

#if CASE == 1 /* three that are sorted: 2^24 values */

static int order(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

int main(void)
{
	int v[3];
	for (int i = 0; i < 3; i++)
		v[i] = __VERIFIER_nondet_char();
	int sum = v[0] + v[1] + v[2];
	qsort(v, 3, sizeof *v, order);
	assert(v[0] <= v[1] && v[1] <= v[2]);
	assert(v[0] + v[1] + v[2] == sum);
#ifdef BUG
	assert(v[0] != v[2] - 1 || v[1] != 100); /* ERROR */
#endif
	return 0;
}

#elif CASE == 2 /* a product and its divisors: hard for terms, and few values for sets */

int main(void)
{
	unsigned a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), product = a * b;
	assert(product <= 255 * 255);
	assert(b == 0 || (product / b == a && product % b == 0));
	return 0;
}

#elif CASE == 3 /* a sum for ever: terms grow and grow, and sets have 256 states */

int main(void)
{
	for (unsigned char sum = 0;;) {
		sum = (unsigned char)(sum + __VERIFIER_nondet_uchar());
		assert(sum <= 255);
	}
}

#elif CASE == 4 /* two threads decide by what they have in common */

static int a, b, c;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *raise(void *unused)
{
	pthread_mutex_lock(&mutex);
	if (a < b && b < c)
		a = c;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *lower(void *unused)
{
	pthread_mutex_lock(&mutex);
	if (c < b && b < a)
		a = c;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t one, other;
	a = __VERIFIER_nondet_char(), b = __VERIFIER_nondet_char(), c = __VERIFIER_nondet_char();
	pthread_create(&one, NULL, raise, NULL);
	pthread_create(&other, NULL, lower, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	assert(!(a < b && b < c) && !(c < b && b < a));
#ifdef BUG
	assert(a != c || b != 17 || a != 5); /* ERROR */
#endif
	return 0;
}

#endif
