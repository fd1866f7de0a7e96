/* SPDX-License-Identifier: MIT
 *
 * Two readers both want to write before they give up reading.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int readers, cached;

static void *lookup(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	readers++;
	if (!cached) {
		while (readers > 1) /* until nobody else reads */
			;
		cached = 1;
	}
	readers--;
	pthread_rwlock_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, lookup, NULL);
	lookup(NULL);
	pthread_join(thread, NULL);
}
