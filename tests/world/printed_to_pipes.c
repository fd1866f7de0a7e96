/* SPDX-License-Identifier: MIT
 *
 * What is printed to a pipe of the program's can be read from it.  Two threads write 1 and 2 to `data`, in any order.
 *
 * RUN: check -DPRINT='dprintf(ends[1], "%d", data)'
 * EXPECT: violated assertion
 * RUN: check -DPRINT='FILE *f = fdopen(ends[1], "w"); assert(fprintf(f, "%d", data) == 1)'
 * EXPECT: violated assertion
 * RUN: check -DPRINT='FILE *f = fdopen(ends[1], "w"); fputc(data + 48, f)'
 * EXPECT: violated assertion
 * RUN: check -DPRINT='fprintf(stderr, "%d", data); dprintf(ends[1], "2")'
 * EXPECT: verified
 * RUN: check -DPRINT='close(1); assert(close(1) == -1); dprintf(ends[1], "2")'
 * EXPECT: verified
 * RUN: check -DPRINT='close(1); dup(ends[1]); printf("%d", data)'
 * EXPECT: inconclusive: a descriptor in place of standard input or output, which was closed, is not modelled
 * RUN: check -DPRINT='close(0); assert(dup(ends[1]) == 0); printf("%d", data)'
 * EXPECT: inconclusive: a descriptor in place of standard input or output, which was closed, is not modelled
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int data;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument)
{
	pthread_mutex_lock(&m);
	data = (int)(long)argument;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	int ends[2];
	char text = 0;
	pthread_t first, second;
	pthread_create(&first, NULL, work, (void *)1L);
	pthread_create(&second, NULL, work, (void *)2L);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	pipe(ends);
	PRINT;
	read(ends[0], &text, 1);
	assert(text == '2'); /* ERROR */
	return 0;
}
