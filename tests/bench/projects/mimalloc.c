/* SPDX-License-Identifier: MIT
 *
 * A thread gives back what the main thread has allocated, while that goes on and takes back what others have freed.
 */
#include <assert.h>
#include <mimalloc.h>
#include <pthread.h>
static char *given;
static void *give_back(void *unused)
{
	char *own = mi_malloc(16);
	own[0] = 2;
	assert(given[0] == 1);
	mi_free(given);
	mi_free(own);
	return unused;
}
int main(void)
{
	pthread_t thread;
	given = mi_malloc(16);
	given[0] = 1;
	pthread_create(&thread, NULL, give_back, NULL);
	mi_collect(false);
	char *own = mi_malloc(16);
	own[0] = 3;
	pthread_join(thread, NULL);
	assert(own[0] == 3);
	mi_free(own);
}
