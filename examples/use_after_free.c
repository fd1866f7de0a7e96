/* SPDX-License-Identifier: MIT
 *
 * Use after free: two threads share a counted object.  Each drops its reference under the lock, and the last one
 * frees it. Who was not the last looks at the count once more; the other one may have freed the object by then.
 * With -DRIGHT nobody touches the object after dropping his reference.
 *
 *     bitspin check --races ignore examples/use_after_free.c
 *
 * RUN: check --races ignore
 * EXPECT: violated use-after-free
 * RUN: check -DRIGHT
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdlib.h>

struct shared {
	int references;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#ifndef RIGHT
int last_seen;
#endif

static void drop(struct shared *shared)
{
	pthread_mutex_lock(&mutex);
	int left = --shared->references;
	pthread_mutex_unlock(&mutex);
	if (left == 0)
		free(shared);
#ifndef RIGHT
	else
		last_seen = shared->references; /* ERROR */
#endif
}

static void *work(void *shared)
{
	drop(shared);
	return NULL;
}

int main(void)
{
	struct shared *shared = malloc(sizeof *shared);
	shared->references = 2;
	pthread_t thread;
	pthread_create(&thread, NULL, work, shared);
	drop(shared);
	pthread_join(thread, NULL);
	return 0;
}
