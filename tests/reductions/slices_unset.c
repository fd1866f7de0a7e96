/* SPDX-License-Identifier: MIT
 *
 * What is printed must be set, and slicing keeps no more of it than that.  But of a value that is set in part, the other operand
 * may decide: here `flag`, which a thread sets to VALUE, and which nothing else looks at.  The verdicts are derived by hand.
 *
 * ALSO: --reduction all,-slicing
 *
 * RUN: check -O0 -DVALUE=-1 -DDO='printf("%d\n", part.all & flag)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DVALUE=1 -DDO='printf("%d\n", part.all & flag)'
 * EXPECT: verified
 * RUN: check -O0 -DVALUE=0 -DDO='printf("%d\n", part.all | flag)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DVALUE=-256 -DDO='printf("%d\n", part.all | flag)'
 * EXPECT: verified
 * RUN: check -O0 -DVALUE=1 -DDO='printf("%d\n", part.all * flag)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DVALUE=0 -DDO='printf("%d\n", part.all * flag)'
 * EXPECT: verified
 * RUN: check -O0 -DVALUE=-1 -DDO='atomic_fetch_and(&box->a, flag); printf("%d\n", box->a)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DVALUE=-1 -DDO='kept = part.all & flag; moved = kept; printf("%d\n", moved)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DVALUE=1 -DDO='kept = part.all & flag; moved = kept; printf("%d\n", moved)'
 * EXPECT: verified
 * RUN: check -O0 -DVALUE=1 -DDO='sum += flag; printf("%d\n", sum)'
 * EXPECT: verified
 * RUN: check -O0 -DVALUE=1 -DDO='int junk; sum += junk; printf("%d\n", sum)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DVALUE=1 -DDO='int junk; sum += junk'
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static int flag, kept, moved, sum;

static void *set(void *argument)
{
	flag = VALUE;
	return argument;
}

int main(void)
{
	union {
		int all;
		unsigned char bytes[4];
	} part;
	struct box {
		atomic_int a;
	} *box = malloc(sizeof *box);
	pthread_t thread;
	part.bytes[0] = 1;
	pthread_create(&thread, NULL, set, NULL);
	pthread_join(thread, NULL);
	DO; /* ERROR */
	free(box);
	return 0;
}
