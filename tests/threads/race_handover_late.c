/* SPDX-License-Identifier: MIT
 *
 * The object is handed over, and then written once more: a race.
 *
 * RUN: check
 * EXPECT: violated data-race
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *box;

static void *sender(void *unused)
{
	int *m = malloc(sizeof *m);
	*m = 1;
	pthread_mutex_lock(&mutex);
	box = m;
	pthread_mutex_unlock(&mutex);
	*m = 2; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, sender, NULL);
	pthread_mutex_lock(&mutex);
	int *taken = box;
	pthread_mutex_unlock(&mutex);
	if (taken)
		++*taken; /* ERROR */
	pthread_join(thread, NULL);
	return 0;
}
