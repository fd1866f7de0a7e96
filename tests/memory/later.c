/* SPDX-License-Identifier: MIT
 *
 * A thread that accesses a variable no more needs no older values of it; here one only looks as if it would access `x` no more,
 * when it has seen that `x` has been written: by relaxed accesses, so it may read 0 all the same.
 *
 * RUN: check --memory c11 -DCALLER
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DCALLER -DSEES=acquire -DSHOWS=release
 * EXPECT: verified
 * RUN: check --memory c11 -DCREATES
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DCREATES -DSEES=acquire -DSHOWS=release
 * EXPECT: verified
 * RUN: check --memory c11 -DMODIFIES
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMODIFIES -DATTACHED
 * EXPECT: verified
 * RUN: check --memory c11 -DMODIFIES -DATTACHED -DREADS
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DPOINTER
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DONE_OF_TWO
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DELEMENT
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DINDIRECT
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DCOMPARES
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DJUMPS
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DCLEANS
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DDESTROYS
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DONCE
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DEXITS
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DINTERRUPTED
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSIGNALS
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DFENCE_LATER
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DFENCE_LATER -DOTHER_FENCE=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DFENCE_LATER -DSHOWS=release -DSEES=acquire
 * EXPECT: verified
 */
#include "orders.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

#ifndef SEES
#define SEES relaxed
#endif
#ifndef SHOWS
#define SHOWS relaxed
#endif

static atomic_int x, flag;
#ifdef ONE_OF_TWO
static atomic_int y = 1;
#elif defined ELEMENT
static atomic_int elements[2];
#endif

static void *write(void *unused)
{
#if defined MODIFIES && defined ATTACHED
	ADD(x, 1, relaxed);
#elif defined ELEMENT
	STORE(elements[1], 1, relaxed);
#else
	STORE(x, 1, relaxed);
#endif
	STORE(flag, 1, SHOWS);
	return unused;
}

static void await(void)
{
	while (!LOAD(flag, SEES)) {
	}
}

static void look(void)
{
	assert(LOAD(x, relaxed) == 1); /* ERROR */
}

#if defined CREATES
static void *begin(void *unused)
{
	look();
	return unused;
}

static void *work(void *unused)
{
	pthread_t id;
	await();
	pthread_create(&id, NULL, begin, NULL);
	pthread_join(id, NULL);
	return unused;
}
#elif defined MODIFIES
static void *work(void *unused)
{
	await();
#ifdef READS
	look();
#endif
	assert(ADD(x, 1, relaxed) == 1); /* ERROR */
	return unused;
}
#elif defined POINTER
static void look_at(atomic_int *at)
{
	await();
	assert(LOAD(*at, relaxed) == 1); /* ERROR */
}

static void *work(void *unused)
{
	look_at(&x);
	return unused;
}
#elif defined ONE_OF_TWO
static void *work(void *unused)
{
	atomic_int *at;
	if (LOAD(flag, relaxed))
		at = &y;
	else
		at = &x;
	await();
	assert(LOAD(*at, relaxed) == 1); /* ERROR */
	return unused;
}
#elif defined ELEMENT
static void *work(void *unused)
{
	int i = LOAD(flag, relaxed);
	await();
	assert(LOAD(elements[i], relaxed) <= i);         /* ERROR */
	assert(LOAD(elements[1 - i], relaxed) == 1 - i); /* ERROR */
	return unused;
}
#elif defined INDIRECT
static void (*volatile called)(void) = look;

static void *work(void *unused)
{
	await();
	called();
	return unused;
}
#elif defined COMPARES
static int compare(const void *a, const void *b)
{
	look();
	return *(const int *)a - *(const int *)b;
}

static void *work(void *unused)
{
	int numbers[] = { 2, 1 };
	await();
	qsort(numbers, 2, sizeof *numbers, compare);
	return unused;
}
#elif defined JUMPS
static void *work(void *unused)
{
	jmp_buf back;
	if (setjmp(back))
		look();
	else {
		await();
		longjmp(back, 1);
	}
	return unused;
}
#elif defined CLEANS
static void clean(void *unused)
{
	(void)unused;
	look();
}

static void *work(void *unused)
{
	pthread_cleanup_push(clean, NULL);
	await();
	pthread_exit(NULL);
	pthread_cleanup_pop(0);
	return unused;
}
#elif defined DESTROYS
static pthread_key_t key;

static void destroy(void *unused)
{
	(void)unused;
	look();
}

static void *work(void *unused)
{
	pthread_key_create(&key, destroy);
	pthread_setspecific(key, &key);
	await();
	return unused;
}
#elif defined ONCE
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *work(void *unused)
{
	await();
	pthread_once(&once, look);
	return unused;
}
#elif defined EXITS
static void *work(void *unused)
{
	atexit(look);
	await();
	exit(0);
	return unused;
}
#elif defined INTERRUPTED
static volatile sig_atomic_t waited, handled;

static void handle(int unused)
{
	(void)unused;
	if (waited)
		look();
	handled = 1;
}

static void *work(void *unused)
{
	await();
	waited = 1;
	while (!handled) {
	}
	return unused;
}
#elif defined SIGNALS
static void handle(int unused)
{
	(void)unused;
	look();
}

static void *work(void *unused)
{
	signal(SIGUSR1, handle);
	await();
	raise(SIGUSR1);
	return unused;
}
#elif defined CALLER
static void *work(void *unused)
{
	await();
	look();
	return unused;
}
#endif

#ifdef FENCE_LATER
/* The fence of `reads` need not be after that of `stands`, which reads the old x: between them are only relaxed accesses and no
 * other fence.  So z may be 0 still, though its store has been made: the threads have passed the word on. */
#ifndef OTHER_FENCE
#define OTHER_FENCE seq_cst
#endif
static atomic_int z, passed;

static void *stands(void *unused)
{
	STORE(z, 1, relaxed);
	FENCE(OTHER_FENCE);
	if (LOAD(x, relaxed) == 0)
		STORE(passed, 1, SHOWS);
	return unused;
}

static void *passes(void *unused)
{
	if (LOAD(passed, SEES)) {
		STORE(x, 1, relaxed);
		STORE(flag, 1, SHOWS);
	}
	return unused;
}

static void *reads(void *unused)
{
	if (LOAD(flag, SEES)) {
		FENCE(seq_cst);
		assert(LOAD(z, relaxed) == 1); /* ERROR */
	}
	return unused;
}
#endif

int main(void)
{
#ifdef FENCE_LATER
	RUN(stands, passes, reads);
#elif defined INTERRUPTED
	pthread_t first, second;
	signal(SIGUSR1, handle);
	pthread_create(&first, NULL, write, NULL);
	pthread_create(&second, NULL, work, NULL);
	pthread_kill(second, SIGUSR1);
	pthread_join(second, NULL);
	pthread_join(first, NULL);
#else
	RUN(write, work);
#endif
}
