/* SPDX-License-Identifier: MIT
 *
 * Steps that begin where a step began before and find the same values, and yet end otherwise: the first was no error, the second
 * is one, since another thread has read or written what this one writes again, a choice is another, or a name of a dead variable
 * is left.
 *
 * RUN: check -DFIRST='x = 0' -DSECOND='x = 0'
 * EXPECT: violated data-race
 * RUN: check -DFIRST='(void)x' -DSECOND='x = 0'
 * EXPECT: violated data-race
 * RUN: check -DFIRST='(void)x' -DSECOND='(void)x'
 * EXPECT: verified
 * RUN: check -DFIRST='x = 0' -DSECOND='y = 0'
 * EXPECT: verified
 * RUN: check -DFIRST='pick(0)' -DSECOND='pick(1)' -DEND='!chosen[0] || !chosen[1]'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='pick(0)' -DSECOND='pick(1)' -DEND='chosen[0] || chosen[1]'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='(leave(), enter())' -DSECOND='((void)0)' -DEND='(name == NULL || *name == 1)'
 * EXPECT: violated use-after-free
 * RUN: check -DFIRST='(leave(), enter())' -DSECOND='(name = NULL)' -DEND='(name == NULL || *name == 1)' --races ignore
 * EXPECT: violated use-after-free
 */
#include <assert.h>
#include <bitspin.h>
#include <pthread.h>
#include <stddef.h>

#ifndef END
#define END 1
#endif

static volatile int x, y;
static int chosen[2], *volatile name, *volatile other;
static pthread_mutex_t locks[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

static void pick(int i)
{
	chosen[i] = bitspin_choose(0, 1);
}

static void pass(int lock)
{
	pthread_mutex_lock(&locks[lock]);
	pthread_mutex_unlock(&locks[lock]);
}

static void leave(void)
{
	int variable = 1;
	name = &variable;
	pass(2);
}

static void enter(void)
{
	int variable = 1;
	pass(2);
	other = &variable;
	pass(2);
}

static void *first(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pass(0);
		FIRST; /* ERROR */
	}
	return unused;
}

static void *second(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pass(1);
		SECOND; /* ERROR */
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	(void)chosen, (void)leave, (void)enter, (void)pick;
	assert(END); /* ERROR */
	return 0;
}
