/* SPDX-License-Identifier: MIT
 *
 * Streams in memory: text that was not flushed, a stream that several threads write to, memory that is not the stream's any more.
 *
 * RUN: check -O0 -DFORGOTTEN
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DSTALE
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DSHORT
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DLOST --leaks
 * EXPECT: violated memory-leak
 * RUN: check -O0 -DGONE
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DTHREADS
 * EXPECT: verified
 * RUN: check -O0 -DTHREADS -DORDER
 * EXPECT: violated assertion
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *file;
static char *text;
static size_t size;

static void *write_to(void *word)
{
	fputs(word, file);
	return NULL;
}

static void write_from_threads(void)
{
	pthread_t a, b;
	file = open_memstream(&text, &size);
	pthread_create(&a, NULL, write_to, "ab");
	pthread_create(&b, NULL, write_to, "cd");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	fclose(file);
	assert(size == 4);
#ifdef ORDER
	assert(strcmp(text, "abcd") == 0); /* ERROR */
#endif
	assert(strcmp(text, "abcd") == 0 || strcmp(text, "cdab") == 0);
	free(text);
}

int main(void)
{
	char *own, bytes[4], *given = malloc(4);
	size_t length;
#ifdef FORGOTTEN
	file = open_memstream(&own, &length);
	fprintf(file, "text");
	printf("%zu\n", length); /* ERROR */
#elif defined STALE
	file = open_memstream(&own, &length);
	fprintf(file, "text");
	fclose(file);
	free(own);
	printf("%s\n", own); /* ERROR */
#elif defined SHORT
	file = fmemopen(bytes, 10, "w");
	fprintf(file, "12345");
	fflush(file); /* ERROR */
#elif defined LOST
	file = open_memstream(&own, &length);
	fclose(file); /* ERROR */
	own = NULL;
#elif defined GONE
	file = fmemopen(given, 4, "r");
	free(given);
	fgetc(file); /* ERROR */
#else
	write_from_threads();
#endif
	(void)own, (void)bytes, (void)length;
	free(given);
	return 0;
}
