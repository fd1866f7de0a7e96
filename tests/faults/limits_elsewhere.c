/* SPDX-License-Identifier: MIT
 *
 * A limit cuts the path that meets it, and no other: the error beyond the limit is not found, that on the other path is,
 * whichever of the two is looked at first.
 *
 * RUN: check -DLIMIT=1
 * EXPECT: inconclusive: a thread has more than 215040 objects alive
 * RUN: check -DLIMIT=1 -DFIRST=0
 * EXPECT: violated assertion
 * RUN: check -DLIMIT=1 -DFIRST=1
 * EXPECT: violated assertion
 * RUN: check -DLIMIT=2
 * EXPECT: inconclusive: a thread holds a read-write lock more than 255 times
 * RUN: check -DLIMIT=2 -DFIRST=1
 * EXPECT: violated assertion
 * RUN: check -DLIMIT=3
 * EXPECT: inconclusive: the program has more than 8 named semaphores
 * RUN: check -DLIMIT=3 -DFIRST=0
 * EXPECT: violated assertion
 * RUN: check -DLIMIT=3 -DFIRST=1
 * EXPECT: violated assertion
 * RUN: check -DLIMIT=4
 * EXPECT: inconclusive: a choice among 4294967296 values is too wide to explore
 * RUN: check -DLIMIT=4 -DFIRST=1
 * EXPECT: violated assertion
 * RUN: check -DLIMIT=5 --extern pure=pure:0..1
 * EXPECT: inconclusive: pure is called with more than 16 different arguments
 * RUN: check -DLIMIT=5 -DFIRST=0 --extern pure=pure:0..1
 * EXPECT: violated assertion
 * RUN: check -DLIMIT=5 -DFIRST=1 --extern pure=pure:0..1
 * EXPECT: violated assertion
 * RUN: check -DLIMIT=6 --max-memory 200
 * EXPECT: inconclusive: the objects that one step changes take more memory than is left; allow more with --max-memory
 * RUN: check -DLIMIT=6 -DFIRST=0 --max-memory 200
 * EXPECT: violated assertion
 * RUN: check -DLIMIT=6 -DFIRST=1 --max-memory 200
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bitspin.h"

#ifndef FIRST
#define FIRST 2 /* no error elsewhere */
#endif

static int failing;
static void *volatile kept; /* so that an optimiser leaves the allocation */
static void beyond(void) { assert(!failing); }
static void elsewhere(void) { assert(failing); } /* ERROR */

static void objects(void)
{
	void **list = NULL;
	for (int i = 0; i < 600000; i++) {
		void **node = malloc(sizeof *node);
		*node = list;
		list = kept = node;
	}
}

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void readers(void)
{
	for (int i = 0; i < 300; i++)
		pthread_rwlock_rdlock(&lock);
}

static void semaphores(void)
{
	for (int i = 0; i < 20; i++) {
		char name[20];
		snprintf(name, sizeof name, "/semaphore%d", i);
		sem_open(name, O_CREAT, 0600, 1);
	}
}

static void choice(void)
{
	failing = bitspin_choose(INT_MIN, INT_MAX) > 0;
}

#if LIMIT == 5
int pure(int number);
#else
static int pure(int number) { return number; }
#endif

static void memo(void)
{
	for (int i = 0; i < 30; i++)
		bitspin_assume(pure(i) == 0);
}

static void copies(void)
{
	for (int i = 0; i < 10; i++) {
		char *bytes = malloc(30 << 20);
		memset(bytes, i, 30 << 20);
		kept = bytes;
	}
}

static void (*const limits[])(void) = { objects, readers, semaphores, choice, memo, copies };

int main(void)
{
	if (bitspin_choose(0, 1) == FIRST) {
		elsewhere();
	} else {
		limits[LIMIT - 1]();
		failing = 1;
		beyond();
	}
	return 0;
}
