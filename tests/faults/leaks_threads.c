/* SPDX-License-Identifier: MIT
 *
 * Leaks when threads end, or are cut off by the end of main, or main leaves them behind.
 *
 * RUN: check --leaks -DCASE=1
 * EXPECT: violated memory-leak
 * RUN: check --leaks -DCASE=2
 * EXPECT: verified
 * RUN: check --leaks -DCASE=3
 * EXPECT: verified
 * RUN: check --leaks -DCASE=4
 * EXPECT: verified
 * RUN: check --leaks -DCASE=5
 * EXPECT: violated memory-leak
 * RUN: check --leaks -DCASE=6
 * EXPECT: violated memory-leak
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int *volatile local;

/* Holds memory in a register and on its stack while it waits. */
static void *holder(void *unused)
{
	int *one = malloc(sizeof *one), *two[2] = { malloc(4), malloc(4) };
	*one = 1;
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		*two[i] = *one;
		pthread_mutex_unlock(&m);
	}
	free(one);
	free(two[0]);
	free(two[1]);
	return unused;
}

/* Returns memory that somebody must take by joining. */
static void *giver(void *unused)
{
	(void)unused;
	return malloc(8); /* ERROR */
}

static void *keeps_local(void *unused)
{
	local = malloc(4); /* ERROR */
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return unused;
}

static void *unlucky(void *shared)
{
	int **slot = shared;
	pthread_mutex_lock(&m);
	int *mine = *slot; /* both may find nothing there and put something */
	pthread_mutex_unlock(&m);
	if (mine == NULL) {
		pthread_mutex_lock(&m);
		*slot = malloc(sizeof **slot); /* ERROR */
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

static int *slot;

int main(void)
{
	pthread_t a, b;
	void *result;
	switch (CASE) {
	case 1:
		pthread_create(&a, NULL, giver, NULL);
		pthread_join(a, NULL);
		return 0;
	case 2: /* not joined: the thread's result is still there to be taken */
		pthread_create(&a, NULL, giver, NULL);
		return 0;
	case 3:
		pthread_create(&a, NULL, giver, NULL);
		pthread_join(a, &result);
		free(result);
		return 0;
	case 4:
		pthread_create(&a, NULL, holder, NULL);
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
		return 0;
	case 5:
		pthread_create(&a, NULL, keeps_local, NULL);
		pthread_detach(a);
		pthread_exit(NULL);
	case 6:
		pthread_create(&a, NULL, unlucky, &slot);
		pthread_create(&b, NULL, unlucky, &slot);
		pthread_join(a, NULL);
		pthread_join(b, NULL);
		free(slot);
		slot = NULL;
	}
	return 0;
}
