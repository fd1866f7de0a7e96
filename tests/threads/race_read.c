/* SPDX-License-Identifier: MIT
 *
 * A read beside a write is a race; two reads are none.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DWRITE
 * EXPECT: violated data-race
 */
#include <pthread.h>

static int shared = 1, sink[2];

static void *work(void *slot)
{
	*(int *)slot = shared; /* ERROR */
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, work, &sink[0]);
	pthread_create(&b, NULL, work, &sink[1]);
#ifdef WRITE
	shared = 2; /* ERROR */
#endif
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
