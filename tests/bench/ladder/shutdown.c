/* SPDX-License-Identifier: MIT
 *
 * A connection is closed between the look at the flag and its use.
 *
 * EXPECT: violated null-dereference
 */
#include "padding.h"

static atomic_int open = 1;
static int socket_data;
static int *_Atomic connection = &socket_data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sender(void *unused)
{
	if (atomic_load(&open)) {
		pthread_mutex_lock(&lock);
		*atomic_load(&connection) = 1; /* ERROR: it may be closed by now */
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *closer(void *unused)
{
	atomic_store(&open, 0);
	pthread_mutex_lock(&lock);
	atomic_store(&connection, 0);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, sender, 0);
	pthread_create(&threads[1], 0, closer, 0);
	pad();
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	pad_end();
}
