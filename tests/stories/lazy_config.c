/* SPDX-License-Identifier: MIT
 *
 * An object that is made when it is first used, and read by who has seen its address by a relaxed load.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct config { int size; const char *name; };
static _Atomic(struct config *) instance;
static struct config *get(void)
{
	struct config *c = atomic_load_explicit(&instance, memory_order_relaxed);
	if (!c) {
		c = malloc(sizeof *c);
		c->size = 10;
		c->name = "default";
		struct config *expected = NULL;
		if (!atomic_compare_exchange_strong_explicit(&instance, &expected, c, memory_order_release, memory_order_relaxed)) {
			free(c);
			c = expected;
		}
	}
	return c;
}
static void *use(void *p)
{
	assert(get()->size == 10);
	return p;
}
int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, use, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	free(atomic_load(&instance));
	return 0;
}
