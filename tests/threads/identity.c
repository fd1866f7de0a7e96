/* SPDX-License-Identifier: MIT
 *
 * pthread_self and pthread_equal; the number that pthread_create stored is the thread's own.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>

static void *work(void *result)
{
	*(pthread_t *)result = pthread_self();
	return NULL;
}

int main(void)
{
	pthread_t a, b, self_a, self_b;
	pthread_create(&a, NULL, work, &self_a);
	pthread_create(&b, NULL, work, &self_b);
	assert(!pthread_equal(a, b) && !pthread_equal(a, pthread_self()) && pthread_equal(a, a));
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(pthread_equal(a, self_a) && pthread_equal(b, self_b) && pthread_equal(pthread_self(), pthread_self()));
	return 0;
}
