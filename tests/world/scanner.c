/* SPDX-License-Identifier: MIT
 *
 * Threads that share one stream and sort what they have read: streams are thread-safe, the results are not unless locked.
 *
 * RUN: check --stdin tests/libc/files/sub/small.txt
 * EXPECT: verified
 * RUN: check -DBROKEN --stdin tests/libc/files/sub/small.txt
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char letters[4];
static int count;

static void *work(void *unused)
{
	for (int letter; (letter = getchar()) != EOF;) {
#ifndef BROKEN
		pthread_mutex_lock(&lock);
#endif
		letters[count++] = (char)letter; /* ERROR */
#ifndef BROKEN
		pthread_mutex_unlock(&lock);
#endif
	}
	return unused;
}

static int compare(const void *a, const void *b)
{
	return *(const char *)a - *(const char *)b;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	pthread_join(thread, NULL);
	qsort(letters, (size_t)count, 1, compare);
	assert(count == 3 && letters[0] == 'a' && letters[1] == 'b' && letters[2] == 'c');
	return 0;
}
