/* SPDX-License-Identifier: MIT
 *
 * A reference count: the last user frees the object, and must know of what the others did to it before.
 *
 * RUN: check -DDROP=acq_rel
 * EXPECT: verified
 * RUN: check -DDROP=release -DFENCE
 * EXPECT: verified
 * RUN: check -DDROP=release
 * EXPECT: violated data-race
 * RUN: check -DDROP=relaxed
 * EXPECT: violated data-race
 * RUN: check -DDROP=acquire
 * EXPECT: violated data-race
 * RUN: check -DDROP=release -DONLY_ATOMIC
 * EXPECT: violated data-race
 * RUN: check -DDROP=acq_rel -DONLY_ATOMIC
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define JOIN(a, b) a##b
#define ORDER(x) JOIN(memory_order_, x)

struct object {
	atomic_int users;
	int value[2];
};

static void drop(struct object *object)
{
	if (atomic_fetch_sub_explicit(&object->users, 1, ORDER(DROP)) != 1)
		return;
#ifdef FENCE
	atomic_thread_fence(memory_order_acquire);
#endif
	free(object); /* ERROR */
}

static void *use(void *argument)
{
	struct object *object = argument;
#ifndef ONLY_ATOMIC
	object->value[1] = 1;
#endif
	drop(object);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	struct object *object = malloc(sizeof *object);
	atomic_init(&object->users, 2);
	pthread_create(&thread, NULL, use, object);
#ifndef ONLY_ATOMIC
	object->value[0] = 1;
#endif
	drop(object);
	return 0;
}
