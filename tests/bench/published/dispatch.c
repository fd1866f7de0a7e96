/* SPDX-License-Identifier: MIT
 *
 * Requests to servers, as in the benchmark `dispatch` of Nguyen, Rodríguez, Sousa, Coti and Petrucci (CAV 2018).  Main sends each
 * of REQUESTS requests to the server whose number another thread has written last; a server looks once whether there is one for it.
 */
#include <assert.h>
#include <pthread.h>

#ifndef SERVERS
#define SERVERS 5
#endif
#ifndef REQUESTS
#define REQUESTS 2
#endif
#define N SERVERS
#include "../pairs/threads.h"

static pthread_mutex_t choice = PTHREAD_MUTEX_INITIALIZER, locks[SERVERS];
static int chosen, received[SERVERS], served[SERVERS], sent;

static void *serve(void *argument)
{
	int number = NUMBER(argument);
	pthread_mutex_lock(&locks[number]);
	served[number] = received[number];
	pthread_mutex_unlock(&locks[number]);
	return NULL;
}

static void *choose(void *unused)
{
	for (int i = 0; i < SERVERS; i++) {
		pthread_mutex_lock(&choice);
		chosen = i;
		pthread_mutex_unlock(&choice);
	}
	return unused;
}

static void request(void)
{
	pthread_t chooser;
	pthread_create(&chooser, NULL, choose, NULL);
	pthread_mutex_lock(&choice);
	int to = chosen;
	pthread_mutex_unlock(&choice);
	pthread_mutex_lock(&locks[to]);
	received[to]++;
	pthread_mutex_unlock(&locks[to]);
	pthread_join(chooser, NULL);
	sent++;
}

int main(void)
{
	pthread_t servers[SERVERS];
	int answered = 0;
	for (long i = 0; i < SERVERS; i++) {
		pthread_mutex_init(&locks[i], NULL);
		pthread_create(&servers[i], NULL, serve, ARGUMENT(i));
	}
	for (int i = 0; i < REQUESTS; i++)
		request();
	for (int i = 0; i < SERVERS; i++) {
		pthread_join(servers[i], NULL);
		answered += served[i];
	}
	assert(sent == REQUESTS && answered <= sent);
	return 0;
}
