/* SPDX-License-Identifier: MIT
 *
 * An exit handler creates a thread.  If the handler runs because the last thread has ended, the new thread is the last one in
 * turn: when it ends, it runs the handlers that are left, and the process ends without waiting for the first handler.  So
 * nobody ever comes back from joining it.  If main returns or calls exit, the thread is one like others.  All programs were run
 * with glibc 2.36.
 *
 * RUN: check -DCREATOR=joins -DSECOND=nothing
 * EXPECT: verified
 * RUN: check -DCREATOR=joins -DSECOND=nothing -DNONE
 * EXPECT: verified
 * RUN: check -DCREATOR=joins -DSECOND=nothing -DRETURN
 * EXPECT: violated assertion
 * RUN: check -DCREATOR=joins -DSECOND=nothing -DCALL
 * EXPECT: violated assertion
 * RUN: check -DCREATOR=joins -DSECOND=in_late
 * EXPECT: verified
 * RUN: check -DCREATOR=pauses -DSECOND=in_late
 * EXPECT: verified
 * RUN: check -DCREATOR=pauses -DSECOND=in_late -DNONE
 * EXPECT: verified
 * RUN: check -DCREATOR=leaves -DSECOND=in_late
 * EXPECT: violated assertion
 * RUN: check -DCREATOR=leaves -DSECOND=races
 * EXPECT: violated data-race
 * RUN: check -DCREATOR=pauses -DSECOND=races
 * EXPECT: violated data-race
 * RUN: check -DCREATOR=leaves -DSECOND=nothing
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_t thread;
static int data;

static void *late(void *unused)
{
	return unused;
}

static void *early(void *unused)
{
	return unused;
}

static void joins(void)
{
	pthread_create(&thread, NULL, late, NULL);
	pthread_join(thread, NULL);
	assert(0); /* ERROR */
}

static void pauses(void)
{
	pthread_create(&thread, NULL, late, NULL);
	data++; /* ERROR */
	for (;;)
		pause();
}

/* The handlers that are left run in this thread, or in the new one. */
static void leaves(void)
{
	pthread_create(&thread, NULL, late, NULL);
	data++; /* ERROR */
}

static void nothing(void)
{
}

static void in_late(void)
{
	assert(pthread_equal(pthread_self(), thread)); /* ERROR */
}

static void races(void)
{
	data++; /* ERROR */
}

int main(void)
{
	pthread_t first;
	atexit(SECOND);
	atexit(CREATOR);
#ifndef NONE
	pthread_create(&first, NULL, early, NULL);
#endif
#ifdef RETURN
	return 0;
#elif defined CALL
	exit(0);
#else
	pthread_exit(NULL);
#endif
	(void)first;
}
