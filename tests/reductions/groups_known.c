/* SPDX-License-Identifier: MIT
 *
 * What a group of threads can do is known from the state before, unless the step between changes it (search/reduce/groups.c).
 * Here it does: after what `changes` does, `reacts` comes to write what `looks` reads, and not in its first run.
 *
 * RUN: check -DFLAG
 * EXPECT: violated assertion
 * RUN: check -DFLAG --reduction persistent
 * EXPECT: violated assertion
 * RUN: check -DPOSTS
 * EXPECT: violated assertion
 * RUN: check -DPOSTS --reduction persistent
 * EXPECT: violated assertion
 * RUN: check --no-deadlock -DNEITHER
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag, busy, seen;
static sem_t may_go;

static void *changes(void *unused)
{
#ifdef FLAG
	flag = 1;
#elif defined POSTS
	sem_post(&may_go);
#endif
	return unused;
}

static void *reacts(void *unused)
{
#ifdef FLAG
	if (!flag)
		return unused;
	busy++; /* ends the run, as `hinders` does it, too */
#else
	busy++;
	sem_wait(&may_go);
#endif
	seen = 1;
	return unused;
}

static void *hinders(void *unused)
{
	busy++;
	return unused;
}

static void *looks(void *unused)
{
	assert(!seen); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	sem_init(&may_go, 0, 0);
	pthread_create(&thread, NULL, looks, NULL);
	pthread_create(&thread, NULL, changes, NULL);
	pthread_create(&thread, NULL, hinders, NULL);
	pthread_create(&thread, NULL, reacts, NULL);
	pthread_exit(NULL);
}
