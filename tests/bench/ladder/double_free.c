/* SPDX-License-Identifier: MIT
 *
 * Two threads see that they are the last to use a buffer.
 *
 * EXPECT: violated double-free
 */
#include "padding.h"

#include <stdlib.h>

static atomic_int users = 2;
static char *buffer;

static void *user(void *unused)
{
	atomic_fetch_sub(&users, 1);
	if (atomic_load(&users) == 0)
		free(buffer); /* ERROR: both may see 0 */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	buffer = malloc(8);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, user, 0);
	pad();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	pad_end();
}
