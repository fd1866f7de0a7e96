/* SPDX-License-Identifier: MIT
 *
 * What property-guided pruning in the manner of Kusano and Wang (ASE 2014) would lose in a checker that reports races, memory
 * errors and wrong assertions; docs/reductions.md says why it is not done.  Each program is decided with all reductions, with
 * slicing and with none; its twins, which differ in a line, have the other verdict.
 *
 * SPIN      An assertion behind a loop that waits.  Weak control dependence does not count the loop's condition as relevant to what
 *           comes after it, so the write that ends the loop may be passed over, and with it the assertion.
 * ADDRESS   Which element is written depends on an index (or pointer) that the other thread writes.  The first run writes element
 *           0; that element 1 is concerned is seen only on the run with the index of the other thread.
 * SECTIONS  Two empty critical sections in each thread, and a plain write between them.  To pass over sections that do nothing
 *           that matters, and to keep the order that their locks made, hides the race.
 * FREED     Memory is freed under the lock that protects it.  What is written there matters to nobody; that it exists does.
 * TRIES     A thread holds a lock for a section that does nothing relevant; another one tries the lock, and can tell.
 * WRITTEN   A value that is surely overwritten later (write-write pruning) may be read in between, or may be so on some paths only.
 *
 * RUN: check --reduction none -DSPIN
 * EXPECT: violated assertion
 * RUN: check --reduction all -DSPIN
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DSPIN
 * EXPECT: violated assertion
 * RUN: check --reduction none -DSPIN -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all -DSPIN -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all,slicing -DSPIN -DTWIN
 * EXPECT: verified
 * RUN: check --reduction none -DSPIN -DYIELDS
 * EXPECT: violated assertion
 * RUN: check --reduction all -DSPIN -DYIELDS
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DSPIN -DYIELDS
 * EXPECT: violated assertion
 * RUN: check --reduction none -DSPIN -DNEVER
 * EXPECT: violated deadlock
 * RUN: check --reduction all -DSPIN -DNEVER
 * EXPECT: violated deadlock
 * RUN: check --reduction all,slicing -DSPIN -DNEVER
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DSPIN -DNEVER --ltl '<> terminated'
 * EXPECT: violated ltl
 * RUN: check --reduction all -DSPIN -DNEVER --ltl '<> terminated'
 * EXPECT: violated ltl
 * RUN: check --reduction all,slicing -DSPIN -DNEVER --ltl '<> terminated'
 * EXPECT: violated ltl
 * RUN: check --reduction none -DADDRESS
 * EXPECT: violated assertion
 * RUN: check --reduction all -DADDRESS
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DADDRESS
 * EXPECT: violated assertion
 * RUN: check --reduction none -DADDRESS -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all -DADDRESS -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all,slicing -DADDRESS -DTWIN
 * EXPECT: verified
 * RUN: check --reduction none -DADDRESS -DPOINTER
 * EXPECT: violated assertion
 * RUN: check --reduction all -DADDRESS -DPOINTER
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DADDRESS -DPOINTER
 * EXPECT: violated assertion
 * RUN: check --reduction none -DADDRESS -DPOINTER -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all -DADDRESS -DPOINTER -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all,slicing -DADDRESS -DPOINTER -DTWIN
 * EXPECT: verified
 * RUN: check --reduction none -DSECTIONS
 * EXPECT: violated data-race
 * RUN: check --reduction all -DSECTIONS
 * EXPECT: violated data-race
 * RUN: check --reduction all,slicing -DSECTIONS
 * EXPECT: violated data-race
 * RUN: check --reduction none -DSECTIONS -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all -DSECTIONS -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all,slicing -DSECTIONS -DTWIN
 * EXPECT: verified
 * RUN: check --reduction none -DSECTIONS --races ignore
 * EXPECT: verified
 * RUN: check --reduction all -DSECTIONS --races ignore
 * EXPECT: verified
 * RUN: check --reduction all,slicing -DSECTIONS --races ignore
 * EXPECT: verified
 * RUN: check --reduction none -DFREED
 * EXPECT: violated use-after-free
 * RUN: check --reduction all -DFREED
 * EXPECT: violated use-after-free
 * RUN: check --reduction all,slicing -DFREED
 * EXPECT: violated use-after-free
 * RUN: check --reduction none -DFREED -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all -DFREED -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all,slicing -DFREED -DTWIN
 * EXPECT: verified
 * RUN: check --reduction none -DFREED -DTWICE
 * EXPECT: violated double-free
 * RUN: check --reduction all -DFREED -DTWICE
 * EXPECT: violated double-free
 * RUN: check --reduction all,slicing -DFREED -DTWICE
 * EXPECT: violated double-free
 * RUN: check --reduction none -DTRIES
 * EXPECT: violated assertion
 * RUN: check --reduction all -DTRIES
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DTRIES
 * EXPECT: violated assertion
 * RUN: check --reduction none -DTRIES -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all -DTRIES -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all,slicing -DTRIES -DTWIN
 * EXPECT: verified
 * RUN: check --reduction none -DTRIES -DAFTER
 * EXPECT: verified
 * RUN: check --reduction all -DTRIES -DAFTER
 * EXPECT: verified
 * RUN: check --reduction all,slicing -DTRIES -DAFTER
 * EXPECT: verified
 * RUN: check --reduction none -DWRITTEN --races ignore
 * EXPECT: violated assertion
 * RUN: check --reduction all -DWRITTEN --races ignore
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DWRITTEN --races ignore
 * EXPECT: violated assertion
 * RUN: check --reduction none -DWRITTEN --races ignore -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all -DWRITTEN --races ignore -DTWIN
 * EXPECT: verified
 * RUN: check --reduction all,slicing -DWRITTEN --races ignore -DTWIN
 * EXPECT: verified
 * RUN: check --reduction none -DWRITTEN --races ignore -DTWIN -DREAD
 * EXPECT: violated assertion
 * RUN: check --reduction all -DWRITTEN --races ignore -DTWIN -DREAD
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DWRITTEN --races ignore -DTWIN -DREAD
 * EXPECT: violated assertion
 * RUN: check --reduction none -DWRITTEN
 * EXPECT: violated data-race
 * RUN: check --reduction all -DWRITTEN
 * EXPECT: violated data-race
 * RUN: check --reduction all,slicing -DWRITTEN
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int seen;
atomic_int flag; /* not static: an optimiser would know that nobody sets it */
static volatile int x, y, data, chosen;
static volatile int elements[3];
static volatile int *place = &elements[0];
static int *memory;

#if defined SPIN

static void *first(void *argument)
{
	while (atomic_load(&flag) == 0) /* ERROR */
#ifdef YIELDS
		sched_yield();
#else
		continue;
#endif
	assert(atomic_load(&seen) == 0); /* ERROR */
	return argument;
}

static void *second(void *argument)
{
#ifndef TWIN
	atomic_store(&seen, 1);
#endif
#ifndef NEVER
	atomic_store(&flag, 1);
#endif
	return argument;
}

#elif defined ADDRESS

#ifdef TWIN
enum { OTHER = 2 };
#else
enum { OTHER = 1 };
#endif

static void *first(void *argument)
{
	pthread_mutex_lock(&m);
#ifdef POINTER
	place = &elements[OTHER];
#else
	chosen = OTHER;
#endif
	pthread_mutex_unlock(&m);
	return argument;
}

static void *second(void *argument)
{
	pthread_mutex_lock(&m);
	volatile int *mine = place;
	int index = chosen;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	mine[index] = 1;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	int got = elements[1];
	pthread_mutex_unlock(&m);
	assert(got != 1); /* ERROR */
	return argument;
}

#elif defined SECTIONS

static void *first(void *argument)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
#ifndef TWIN
	data = argument ? 1 : 2; /* ERROR */
#endif
	pthread_mutex_lock(&m);
#ifdef TWIN
	data = argument ? 1 : 2;
#endif
	pthread_mutex_unlock(&m);
	return argument;
}

static void *second(void *argument)
{
	return first(argument ? argument : (void *)&data);
}

#elif defined FREED

static void *first(void *argument)
{
	pthread_mutex_lock(&m);
#ifdef TWIN
	if (memory)
#elif defined TWICE
	free(memory); /* ERROR */
	if (0)
#endif
		*memory = 2; /* ERROR */
	pthread_mutex_unlock(&m);
	return argument;
}

static void *second(void *argument)
{
	pthread_mutex_lock(&m);
	free(memory); /* ERROR */
#ifdef TWIN
	memory = NULL;
#endif
	pthread_mutex_unlock(&m);
	return argument;
}

#elif defined TRIES

static void *first(void *argument)
{
	pthread_mutex_lock(&m);
	data = 1;
	pthread_mutex_unlock(&m);
	atomic_store(&flag, 1);
	return argument;
}

static void *second(void *argument)
{
#ifdef AFTER
	while (atomic_load(&flag) == 0) /* ERROR */
		continue;
#endif
	int got = pthread_mutex_trylock(&m);
#ifndef TWIN
	assert(got == 0); /* ERROR */
#endif
	if (got == 0)
		pthread_mutex_unlock(&m);
	return argument;
}

#elif defined WRITTEN

static void *first(void *argument)
{
	x = 2;
#ifndef TWIN
	if (y)
#endif
		x = 0;
	return argument;
}

static void *second(void *argument)
{
#ifdef READ
	assert(x != 2); /* ERROR */
#endif
	x = 1; /* ERROR */
	return argument;
}

#endif

int main(void)
{
	pthread_t one, other;
	memory = calloc(1, sizeof *memory);
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&other, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
#ifdef WRITTEN
	assert(x != 2); /* ERROR */
#endif
	return 0;
}
