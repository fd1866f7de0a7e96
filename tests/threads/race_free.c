/* SPDX-License-Identifier: MIT
 *
 * free beside an access: a race, or a use after free, as the schedule goes.
 *
 * RUN: check --races ignore
 * EXPECT: violated use-after-free
 */
#include <pthread.h>
#include <stdlib.h>

int *shared;

static void *user(void *unused)
{
	*shared = 1; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	shared = malloc(sizeof *shared);
	pthread_create(&thread, NULL, user, NULL);
	free(shared);
	pthread_join(thread, NULL);
	return 0;
}
