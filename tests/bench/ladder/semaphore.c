/* SPDX-License-Identifier: MIT
 *
 * A semaphore lets in one at a time, until a thread that did not get in leaves as well.
 *
 * EXPECT: violated assertion
 */
#include "padding.h"

#include <assert.h>
#include <semaphore.h>

static sem_t slots;
static atomic_int inside;

static void *polite(void *unused)
{
	if (sem_trywait(&slots) == 0) {
		assert(atomic_fetch_add(&inside, 1) == 0); /* ERROR: there was one more slot than there should be */
		atomic_fetch_sub(&inside, 1);
	}
	sem_post(&slots);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	sem_init(&slots, 0, 1);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], 0, polite, 0);
	pad();
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	pad_end();
}
