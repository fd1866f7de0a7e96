/* SPDX-License-Identifier: MIT
 *
 * Adjacent bytes are no race.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>

static struct { char a, b; short c; } shared;

static void *left(void *unused)
{
	shared.a = 1;
	shared.c = 3;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, left, NULL);
	shared.b = 2;
	pthread_join(thread, NULL);
	assert(shared.a == 1 && shared.b == 2 && shared.c == 3);
	return 0;
}
