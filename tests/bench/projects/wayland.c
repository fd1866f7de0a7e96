/* SPDX-License-Identifier: MIT
 *
 * Two threads use one display: each sends a request and gives its object back. */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>
#include "wayland-client.h"
static void *use(void *display)
{
	struct wl_registry *registry = wl_display_get_registry(display);
	assert(registry);
	wl_registry_destroy(registry);
	return NULL;
}
int main(void)
{
	int ends[2];
	pthread_t threads[2];
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	struct wl_display *display = wl_display_connect_to_fd(ends[0]);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, use, display);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(wl_display_flush(display) == 24);
	wl_display_disconnect(display);
	close(ends[1]);
}
