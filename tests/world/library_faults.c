/* SPDX-License-Identifier: MIT
 *
 * What of the C library allocates can fail, and fails as glibc's does; what does not allocate there does not fail.
 *
 * RUN: check --faults malloc:* --fs tests/libc/files
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(void)
{
	int array[3] = { 3, 1, 2 };
	char *text = NULL;
	void *block;
	qsort(array, 3, sizeof *array, compare);
	assert(array[0] == 1 && array[2] == 3);
	if (asprintf(&text, "x%d", 1) < 0)
		assert(errno == ENOMEM);
	else
		assert(!strcmp(text, "x1"));
	int status = posix_memalign(&block, 64, 10);
	assert(status == 0 || status == ENOMEM);
	for (int i = 0; i < 100; i++) { /* descriptors are not lost */
		FILE *file = i % 50 ? NULL : fopen("text.txt", "r");
		assert(file || i % 50 || errno == ENOMEM);
		if (file)
			fclose(file);
	}
	assert(setenv("NAME", "value", 1) == 0 ? getenv("NAME") != NULL : errno == ENOMEM);
	return 0;
}
