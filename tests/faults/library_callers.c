/* SPDX-License-Identifier: MIT
 *
 * What goes wrong inside of the C library is the fault of the line that called it.
 *
 * RUN: check
 * EXPECT: violated out-of-bounds
 * RUN: check -DTHREADS
 * EXPECT: violated data-race
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int array[4] = { 4, 3, 2, 1 };
static char text[] = "a b";

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b; /* ERROR */
}

static void *work(void *unused)
{
	strtok(text, " "); /* ERROR */
	return unused;
}

int main(void)
{
#ifdef THREADS
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	strtok(text, " "); /* ERROR */
	pthread_join(thread, NULL);
#endif
	(void)work;
	qsort(array, 5, sizeof *array, compare);
	return 0;
}
