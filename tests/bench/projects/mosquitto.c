/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <mosquitto.h>
static struct mosquitto *client;
static int ids[2];
static void *publisher(void *id)
{
	mosquitto_publish(client, id, "topic", 1, "x", 1, false);
	return NULL;
}
int main(void)
{
	pthread_t thread;
	mosquitto_lib_init();
	client = mosquitto_new("me", true, NULL);
	assert(client);
	pthread_create(&thread, NULL, publisher, &ids[0]);
	publisher(&ids[1]);
	pthread_join(thread, NULL);
	assert(ids[0] != ids[1]);
	mosquitto_destroy(client);
	mosquitto_lib_cleanup();
}
