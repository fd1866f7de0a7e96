/* SPDX-License-Identifier: MIT
 *
 * Settings that the first thread that needs them loads.  To be fast, the others look at the pointer before they lock.
 */
#include <pthread.h>
#include <stdlib.h>

struct settings {
	int port;
};

static struct settings *_Atomic settings;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct settings *get_settings(void)
{
	if (settings == NULL) {
		pthread_mutex_lock(&mutex);
		if (settings == NULL) {
			struct settings *loaded = malloc(sizeof *loaded);
			loaded->port = 80;
			settings = loaded;
		}
		pthread_mutex_unlock(&mutex);
	}
	return settings;
}

static void *serve(void *unused)
{
	return get_settings()->port == 80 ? unused : NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, serve, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
