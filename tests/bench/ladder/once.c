/* SPDX-License-Identifier: MIT
 *
 * Something is done once, but for the time between the look and the note.
 *
 * EXPECT: violated assertion
 */
#include "padding.h"

#include <assert.h>

static atomic_int done, times;

static void *starter(void *unused)
{
	if (!atomic_load(&done)) {
		atomic_store(&done, 1);
		assert(atomic_fetch_add(&times, 1) == 0); /* ERROR: the other has done it, too */
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, starter, 0);
	pad();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	pad_end();
}
