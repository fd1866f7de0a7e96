/* SPDX-License-Identifier: MIT
 *
 * The same line allocates, frees, writes or locks twice; the story has to point at the one that matters.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct config {
	int low;
	int high;
} *_Atomic current;
static int cells[2];
static atomic_int filled;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER, store = PTHREAD_MUTEX_INITIALIZER;

#if defined BLOCKS
static void reload(int value)
{
	struct config *new = malloc(sizeof *new);
	new->low = new->high = value;
	free(atomic_exchange(&current, new));
}

static void *one(void *arg)
{
	struct config *c = current;
	return c->low == c->high ? arg : c;
}

static void *two(void *arg)
{
	reload(1);
	reload(2);
	return arg;
}
#elif defined CELLS
static void *one(void *arg)
{
	while (atomic_load_explicit(&filled, memory_order_relaxed) < 2)
		;
	return cells[0] ? arg : &cells[1];
}

static void *two(void *arg)
{
	for (int i = 0; i < 2; i++) {
		cells[i] = 1;
		atomic_store_explicit(&filled, i + 1, memory_order_relaxed);
	}
	return arg;
}
#else
static void use(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void *one(void *arg)
{
	use(&store, &list);
	return arg;
}

static void *two(void *arg)
{
	use(&list, &store);
	return arg;
}
#endif

int main(void)
{
	pthread_t t, u;
	current = calloc(1, sizeof *current);
#if !defined BLOCKS && !defined CELLS
	use(&store, &list);
#endif
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
