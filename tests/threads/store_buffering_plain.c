/* SPDX-License-Identifier: MIT
 *
 * Store buffering on plain variables: a race; sequentially consistent when races are ignored.
 *
 * RUN: check
 * EXPECT: violated data-race
 * RUN: check --races ignore
 * EXPECT: verified
 * RUN: check --races ignore -DWRONG
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>

int x, y;
static int a, b;

static void *left(void *unused)
{
	x = 1; /* ERROR */
	a = y; /* ERROR */
	return unused;
}

static void *right(void *unused)
{
	y = 1; /* ERROR */
	b = x; /* ERROR */
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
