/* SPDX-License-Identifier: MIT
 *
 * Counters that need no order: relaxed additions by four threads, reference counts (the last user frees the object), and two
 * threads that hand a ball to each other for ever.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DREFERENCES
 * EXPECT: verified
 * RUN: check --memory c11 -DREFERENCES -DDROP=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DREFERENCES -DLAST=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DBALL
 * EXPECT: verified
 * RUN: check --memory c11 -DBALL -DDROP=relaxed
 * EXPECT: violated data-race
 */
#include "orders.h"
#include <stdlib.h>

#ifndef DROP
#define DROP release
#endif
#ifndef LAST
#define LAST acquire
#endif

static atomic_int number;

#ifdef REFERENCES
static struct object {
	atomic_int users;
	int value;
} * object;

static void drop(void)
{
	if (ADD(object->users, -1, DROP) == 1) {
		FENCE(LAST);
		free(object); /* ERROR */
	}
}

static void *work(void *unused)
{
	ADD(object->users, 1, relaxed); /* for another use, as long as we have one */
	assert(object->value == 1);     /* ERROR */
	drop();
	drop();
	return unused;
}

int main(void)
{
	object = malloc(sizeof *object);
	object->value = 1;
	atomic_init(&object->users, 2);
	RUN(work, work);
}
#elif defined BALL
static int data;

static void *play(void *me)
{
	for (;;) {
		while (LOAD(number, acquire) != (int)(size_t)me) {
		}
		data = !data; /* ERROR */
		STORE(number, 1 - (int)(size_t)me, DROP);
	}
}

int main(void)
{
	RUN(play, play);
}
#else
static void *work(void *unused)
{
	ADD(number, 1, relaxed);
	return unused;
}

int main(void)
{
	RUN(work, work, work, work);
	assert(LOAD(number, relaxed) == 4);
}
#endif
