/* SPDX-License-Identifier: MIT
 *
 * A barrier waits for three, and only two come when one has nothing to do.
 */
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static const int parts[] = { 4, 0, 2 };

static void *work(void *part)
{
	if (*(const int *)part == 0)
		return NULL;
	pthread_barrier_wait(&barrier);
	return part;
}

int main(void)
{
	pthread_t threads[3];
	pthread_barrier_init(&barrier, NULL, 3);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, (void *)&parts[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}
