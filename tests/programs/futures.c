/* SPDX-License-Identifier: MIT
 *
 * Futures in C11 threads: call_once, mtx_t, cnd_t, tss_t, _Generic, an atomic reference count and detached helpers.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DFUTURES=3
 * EXPECT: verified
 * RUN: check -DBUG_SIGNAL_LATE
 * EXPECT: violated use-after-free
 * RUN: check -DBUG_FORGET_DROP
 * EXPECT: violated assertion
 * RUN: check -DBUG_TWO_STEP_COUNT
 * EXPECT: violated use-after-free
 */
#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#ifndef FUTURES
#define FUTURES 2
#endif

typedef int compute_fn(int argument);

struct future {
	mtx_t mutex;
	cnd_t ready;
	compute_fn *compute;
	int argument, result;
	enum { PENDING, READY, FAILED } state;
	atomic_int references;
};

static once_flag once = ONCE_FLAG_INIT;
static tss_t depth_key;
static atomic_int live;

#define future_new(f, x) _Generic((x), int: future_new_int, default: future_new_int)((f), (x))

static void keys_init(void)
{
	if (tss_create(&depth_key, free) != thrd_success)
		abort();
}

/* How often this thread has computed something. */
static int *depth(void)
{
	call_once(&once, keys_init);
	int *value = tss_get(depth_key);
	if (value == NULL) {
		value = calloc(1, sizeof *value);
		if (value == NULL || tss_set(depth_key, value) != thrd_success)
			abort();
	}
	return value;
}

static void future_drop(struct future *future)
{
#ifdef BUG_TWO_STEP_COUNT
	atomic_store(&future->references, atomic_load(&future->references) - 1); /* ERROR */
	if (atomic_load(&future->references) != 0) /* ERROR */
		return;
#else
	if (atomic_fetch_sub(&future->references, 1) != 1)
		return;
#endif
	cnd_destroy(&future->ready); /* ERROR */
	mtx_destroy(&future->mutex); /* ERROR */
	free(future); /* ERROR */
	atomic_fetch_sub(&live, 1);
}

static int future_run(void *argument)
{
	struct future *future = argument;
	const int result = future->compute(future->argument);
	++*depth();
	mtx_lock(&future->mutex);
	future->result = result;
	future->state = result < 0 ? FAILED : READY;
#ifndef BUG_SIGNAL_LATE
	cnd_signal(&future->ready);
#endif
	mtx_unlock(&future->mutex);
	future_drop(future);
#ifdef BUG_SIGNAL_LATE
	cnd_signal(&future->ready); /* ERROR */
#endif
	return *depth();
}

static struct future *future_new_int(compute_fn *compute, int argument)
{
	struct future *future = malloc(sizeof *future);
	thrd_t thread;
	if (future == NULL)
		return NULL;
	*future = (struct future){ .compute = compute, .argument = argument, .state = PENDING };
	atomic_init(&future->references, 2);
	if (mtx_init(&future->mutex, mtx_plain) != thrd_success)
		goto no_mutex;
	if (cnd_init(&future->ready) != thrd_success)
		goto no_condition;
	atomic_fetch_add(&live, 1);
	if (thrd_create(&thread, future_run, future) != thrd_success)
		goto no_thread;
	thrd_detach(thread);
	return future;
no_thread:
	atomic_fetch_sub(&live, 1);
	cnd_destroy(&future->ready);
no_condition:
	mtx_destroy(&future->mutex);
no_mutex:
	free(future);
	return NULL;
}

/* Waits; 0 or an errno. */
static int future_get(struct future *future, int *result)
{
	int error = 0;
	mtx_lock(&future->mutex);
	while (future->state == PENDING)
		cnd_wait(&future->ready, &future->mutex);
	if (future->state == FAILED)
		error = EDOM;
	else
		*result = future->result;
	mtx_unlock(&future->mutex);
#ifndef BUG_FORGET_DROP
	future_drop(future);
#else
	if (error == 0)
		future_drop(future);
#endif
	return error;
}

static int root(int argument)
{
	if (argument < 0)
		return -1;
	int low = 0, high = argument + 1;
	while (high - low > 1) {
		const int middle = low + (high - low) / 2;
		if ((long long)middle * middle <= argument)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int main(void)
{
	static const int arguments[] = { 1000000, -1, 15 }, roots[] = { 1000, 0, 3 };
	struct future *futures[FUTURES];
	for (int i = 0; i < FUTURES; i++) {
		futures[i] = future_new(root, arguments[i]);
		if (futures[i] == NULL) {
			fputs("no memory\n", stderr);
			return EXIT_FAILURE;
		}
	}
	for (int i = 0; i < FUTURES; i++) {
		int result = 0;
		const int error = future_get(futures[i], &result);
		assert(error == (arguments[i] < 0 ? EDOM : 0));
		assert(result == roots[i]);
	}
	while (atomic_load(&live) != 0) {
#ifdef BUG_FORGET_DROP
		static int patience = 50;
		assert(patience-- > 0); /* ERROR */
#endif
		thrd_yield();
	}
	return EXIT_SUCCESS;
}
