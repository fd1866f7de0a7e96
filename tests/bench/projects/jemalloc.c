/* SPDX-License-Identifier: MIT
 *
 * A thread gives back what the main thread allocated; both allocate blocks of their own meanwhile.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <jemalloc/jemalloc.h>
static char *given;
static void *give_back(void *unused)
{
	char *own = mallocx(16, FLAGS);
	*own = 2;
	dallocx(given, FLAGS);
	assert(*own == 2);
	dallocx(own, FLAGS);
	return unused;
}
int main(void)
{
	pthread_t thread;
	given = mallocx(16, FLAGS);
	pthread_create(&thread, NULL, give_back, NULL);
	char *own = mallocx(16, FLAGS);
	*own = 3;
	pthread_join(thread, NULL);
	assert(*own == 3);
	dallocx(own, FLAGS);
}
