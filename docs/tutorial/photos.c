/* SPDX-License-Identifier: MIT
 *
 * A cache of photos.  Some lie in memory, some on the disk, and each of the two places has a lock.
 */
#include <pthread.h>

static pthread_mutex_t memory = PTHREAD_MUTEX_INITIALIZER, disk = PTHREAD_MUTEX_INITIALIZER;
static int in_memory = 1, on_disk = 1;

static void *load(void *unused)
{
	pthread_mutex_lock(&disk);
	pthread_mutex_lock(&memory);
	in_memory++;
	on_disk--;
	pthread_mutex_unlock(&memory);
	pthread_mutex_unlock(&disk);
	return unused;
}

static void *evict(void *unused)
{
	pthread_mutex_lock(&memory);
	pthread_mutex_lock(&disk);
	in_memory--;
	on_disk++;
	pthread_mutex_unlock(&disk);
	pthread_mutex_unlock(&memory);
	return unused;
}

int main(void)
{
	pthread_t loader, cleaner;
	pthread_create(&loader, NULL, load, NULL);
	pthread_create(&cleaner, NULL, evict, NULL);
	pthread_join(loader, NULL);
	pthread_join(cleaner, NULL);
	return 0;
}
