/* SPDX-License-Identifier: MIT
 *
 * pthread_join yields what the thread returned or gave to pthread_exit.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>

static int numbers[2] = {10, 20};

static void *by_return(void *argument)
{
	return (int *)argument + 1;
}

static void deep(void *argument)
{
	pthread_exit(argument);
}

static void *by_exit(void *argument)
{
	deep(argument);
	assert(0);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	void *x, *y;
	assert(pthread_create(&a, NULL, by_return, numbers) == 0);
	assert(pthread_create(&b, NULL, by_exit, numbers) == 0);
	assert(pthread_join(b, &y) == 0 && pthread_join(a, &x) == 0);
	assert(x == &numbers[1] && y == &numbers[0]);
	return 0;
}
