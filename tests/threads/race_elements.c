/* SPDX-License-Identifier: MIT
 *
 * Different elements of an array are no race; the same one is.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -O0 -DSAME
 * EXPECT: violated data-race
 */
#include <pthread.h>

static int table[2];

static void *work(void *slot)
{
	for (int i = 0; i < 2; i++)
		*(int *)slot += i; /* ERROR */
	return NULL;
}

int main(void)
{
	pthread_t thread;
#ifdef SAME
	pthread_create(&thread, NULL, work, &table[0]);
#else
	pthread_create(&thread, NULL, work, &table[1]);
#endif
	work(&table[0]);
	pthread_join(thread, NULL);
	return 0;
}
