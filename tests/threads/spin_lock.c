/* SPDX-License-Identifier: MIT
 *
 * A spin lock of test-and-set protects plain data.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int x, y;

static void *work(void *unused)
{
	while (atomic_flag_test_and_set(&lock))
		;
	x++;
	y++;
	assert(x == y);
	atomic_flag_clear(&lock);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(x == 2);
	return 0;
}
