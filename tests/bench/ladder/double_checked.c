/* SPDX-License-Identifier: MIT
 *
 * Lazy initialization: the pointer is there before what it points to is filled in.
 *
 * EXPECT: violated assertion
 */
#include "padding.h"

#include <assert.h>
#include <stdlib.h>

struct table {
	atomic_int size;
};
static struct table *_Atomic instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct table *get(void)
{
	struct table *table = atomic_load(&instance);
	if (table)
		return table;
	pthread_mutex_lock(&lock);
	table = atomic_load(&instance);
	if (!table) {
		table = calloc(1, sizeof *table);
		atomic_store(&instance, table);
		atomic_store(&table->size, 8);
	}
	pthread_mutex_unlock(&lock);
	return table;
}

static void *user(void *unused)
{
	assert(atomic_load(&get()->size) == 8); /* ERROR: it may not be filled in yet */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, user, 0);
	pad();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	pad_end();
}
