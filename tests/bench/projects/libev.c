/* SPDX-License-Identifier: MIT */
#include "ev.c"
#include <assert.h>
#include <pthread.h>
static struct ev_loop *loop;
static ev_async wakeup;
static int got;
static void woken(struct ev_loop *of, ev_async *w, int events)
{
	got++;
	ev_break(of, EVBREAK_ALL);
}
static void *sender(void *unused)
{
	ev_async_send(loop, &wakeup);
	return unused;
}
int main(void)
{
	pthread_t thread;
	loop = ev_loop_new(EVBACKEND_POLL);
	ev_async_init(&wakeup, woken);
	ev_async_start(loop, &wakeup);
	pthread_create(&thread, NULL, sender, NULL);
	ev_run(loop, 0);
	assert(got == 1);
	pthread_join(thread, NULL);
}
