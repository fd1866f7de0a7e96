/* SPDX-License-Identifier: MIT
 *
 * A loop hands out the address of its counter: a thread reads it while it changes.
 */
#include <assert.h>
#include <pthread.h>

static int seen[2];

static void *work(void *number)
{
	seen[*(int *)number]++;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, &i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(seen[0] == 1 && seen[1] == 1);
}
