/* SPDX-License-Identifier: MIT
 *
 * --progress.  A stack under a lock is not lock-free: if its owner is stopped, nobody goes on.  That of Treiber is, but a push may
 * be overtaken again and again.  A fetch-and-add is wait-free; so is a call that gives up retrying.
 *
 * RUN: --progress lock-free --thread 'locked_push()' --thread 'locked_push()'
 * EXPECT: violated ltl: lock-free: [] !blocked(1)
 * RUN: --progress lock-free --thread 'push(); pop()' --thread 'push(); pop()'
 * EXPECT: lock-free
 * RUN: --progress wait-free --thread 'push()' --thread 'push()'
 * EXPECT: violated not-wait-free
 * RUN: --progress wait-free --thread 'count()' --thread 'count()'
 * EXPECT: wait-free: 2 threads, 2 operations
 * RUN: --progress wait-free --thread 'count_patiently()' --thread 'count()'
 * EXPECT: wait-free
 *
 * A lock that is only tried does not block; the trials go on.  Two flags that are taken back let each thread go alone, and both go
 * on for ever: obstruction-free.  Who waits for what has come already does not wait.
 *
 * RUN: --progress lock-free --thread 'tried()' --thread 'tried()'
 * EXPECT: violated ltl: lock-free: <> terminated
 * RUN: --progress lock-free --thread 'enter(0); leave(0)' --thread 'enter(1); leave(1)'
 * EXPECT: violated ltl: lock-free: <> terminated
 * RUN: --progress lock-free --thread 'give(); await()' --thread 'give()'
 * EXPECT: lock-free
 * RUN: --progress wait-free --thread 'await()' --thread 'give()'
 * EXPECT: violated ltl: lock-free: <> terminated
 *
 * Threads that a setup starts are asked, too.
 *
 * RUN: --progress lock-free --setup 'start()' --thread 'count()' --thread 'count()'
 * EXPECT: violated ltl: lock-free: [] !blocked(1)
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	struct node *next;
};
static struct node *_Atomic top, *locked_top;
static atomic_int flags[2], given, number;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t work;

void push(void)
{
	struct node *node = malloc(sizeof *node), *old = top;
	do
		node->next = old;
	while (!atomic_compare_exchange_strong(&top, &old, node));
}

void pop(void)
{
	struct node *old = top;
	while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
		;
}

void locked_push(void)
{
	struct node *node = malloc(sizeof *node);
	pthread_mutex_lock(&mutex);
	node->next = locked_top;
	locked_top = node;
	pthread_mutex_unlock(&mutex);
}

void count(void)
{
	number++;
}

void count_patiently(void)
{
	int old = number;
	if (!atomic_compare_exchange_strong(&number, &old, old + 1))
		number++;
}

void tried(void)
{
	while (pthread_mutex_trylock(&mutex))
		sched_yield();
	pthread_mutex_unlock(&mutex);
}

void enter(int i)
{
	for (;;) {
		flags[i] = 1;
		if (!flags[1 - i])
			return;
		flags[i] = 0;
	}
}

void leave(int i)
{
	flags[i] = 0;
}

void give(void)
{
	given = 1;
}

void await(void)
{
	while (!given)
		;
}

static void *worker(void *unused)
{
	sem_wait(&work);
	return unused;
}

void start(void)
{
	pthread_t thread;
	sem_init(&work, 0, 0);
	pthread_create(&thread, NULL, worker, NULL);
}
