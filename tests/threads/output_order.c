/* SPDX-License-Identifier: MIT
 *
 * Printing by two threads has no effect on the verdict.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <pthread.h>
#include <stdio.h>

static void *work(void *name)
{
	printf("hello from %s\n", (const char *)name);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, "thread");
	work("main");
	pthread_join(thread, NULL);
	return 0;
}
