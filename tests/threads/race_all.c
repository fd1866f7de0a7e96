/* SPDX-License-Identifier: MIT
 *
 * Three races, and an assertion that fails only in a schedule in which one of them decides.  tests/cli.sh looks at the lines.
 *
 * RUN: check
 * EXPECT: violated data-race
 * RUN: check --all
 * EXPECT: violated assertion
 * RUN: check --all -DNDEBUG
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>

int x, y, z;

static void *work(void *unused)
{
	int old;
	(void)unused;
	z = 1; /* ERROR */
	y = 1; /* ERROR */
	old = x++; /* ERROR */
	return (void *)(long)old;
}

static void race(void)
{
	z = 2; /* ERROR */
	y = 2; /* ERROR */
	x++; /* ERROR */
}

int main(void)
{
	pthread_t thread;
	void *result;
	pthread_create(&thread, NULL, work, NULL);
	race();
	pthread_join(thread, &result);
	(void)x;
	/* Both have added one, unless both have read the same. */
	(void)result;
	assert(x == 2); /* ERROR */
	return 0;
}
