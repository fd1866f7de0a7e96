/* SPDX-License-Identifier: MIT
 *
 * A reader takes a pointer, and its reference only afterwards.
 *
 * EXPECT: violated use-after-free
 */
#include "padding.h"

#include <stdlib.h>

struct box {
	atomic_int references, value;
};
static struct box *_Atomic shared;

static void drop(struct box *box)
{
	if (atomic_fetch_sub(&box->references, 1) == 1)
		free(box);
}

static void *reader(void *unused)
{
	struct box *box = atomic_load(&shared);
	if (box) {
		atomic_fetch_add(&box->references, 1); /* ERROR: it may be gone by now */
		atomic_fetch_add(&box->value, 1);
		drop(box);
	}
	return unused;
}

static void *owner(void *unused)
{
	struct box *box = atomic_exchange(&shared, NULL);
	drop(box);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	struct box *box = calloc(1, sizeof *box);
	atomic_store(&box->references, 1);
	atomic_store(&shared, box);
	pthread_create(&threads[0], 0, owner, 0);
	pthread_create(&threads[1], 0, reader, 0);
	pad();
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	pad_end();
}
