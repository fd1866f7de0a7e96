/* SPDX-License-Identifier: MIT
 *
 * A malloc'ed object is written in private and handed over through a lock.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct message { int body; struct message *next; };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct message *box;

static void *sender(void *unused)
{
	for (int i = 1; i <= 2; i++) {
		struct message *m = malloc(sizeof *m);
		m->body = 10 * i;
		pthread_mutex_lock(&mutex);
		m->next = box;
		box = m;
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, sender, NULL);
	pthread_mutex_lock(&mutex);
	struct message *taken = box;
	box = NULL;
	pthread_mutex_unlock(&mutex);
	int sum = 0;
	while (taken) {
		struct message *next = taken->next;
		sum += ++taken->body;
		free(taken);
		taken = next;
	}
	assert(sum == 0 || sum == 11 || sum == 32);
	pthread_join(thread, NULL);
	return 0;
}
