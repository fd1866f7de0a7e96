/* SPDX-License-Identifier: MIT
 *
 * A race of memcpy with a store into the middle of what it copies.
 *
 * RUN: check
 * EXPECT: violated data-race
 */
#include <pthread.h>
#include <string.h>

static volatile size_t size = 64;
char from[64], to[64];

static void *copier(void *unused)
{
	memcpy(to, from, size); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, copier, NULL);
	from[40] = 1; /* ERROR */
	pthread_join(thread, NULL);
	return 0;
}
