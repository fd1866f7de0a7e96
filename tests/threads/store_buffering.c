/* SPDX-License-Identifier: MIT
 *
 * Store buffering: under sequential consistency not both threads can read the old value.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DWRONG
 * EXPECT: violated assertion
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *left(void *unused)
{
	x = 1;
	a = y;
	return unused;
}

static void *right(void *unused)
{
	y = 1;
	b = x;
	return unused;
}

int main(void)
{
	pthread_t l, r;
	pthread_create(&l, NULL, left, NULL);
	pthread_create(&r, NULL, right, NULL);
	pthread_join(l, NULL);
	pthread_join(r, NULL);
	assert(a || b);
#ifdef WRONG
	assert(!(a && b)); /* ERROR */
#endif
	return 0;
}
