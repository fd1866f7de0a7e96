/* SPDX-License-Identifier: MIT
 *
 * free() itself as a destructor of thread-specific data, as many programs have it; it was taken for no function.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DSHARED
 * EXPECT: violated data-race
 * RUN: check --races ignore
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t keys[2];
static int *shared;

static void *work(void *unused)
{
	for (int i = 0; i < 2; i++) {
		int *value = malloc(sizeof *value);
		*value = i;
		pthread_setspecific(keys[i], value);
		shared = value;
	}
	assert(*(int *)pthread_getspecific(keys[1]) == 1);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_key_create(&keys[0], free);
	pthread_key_create(&keys[1], free);
	pthread_create(&thread, NULL, work, NULL);
#ifdef SHARED
	if (shared != NULL) /* ERROR */
		*shared = 7;
#endif
	pthread_join(thread, NULL);
	return 0;
}
