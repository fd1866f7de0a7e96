/* SPDX-License-Identifier: MIT
 *
 * A queue between two threads; who takes two items knows that they come in order.
 */
#include <glib.h>
static int items[2] = { 1, 2 };
static gpointer put(gpointer queue)
{
	for (int i = 0; i < 2; i++)
		g_async_queue_push(queue, &items[i]);
	g_async_queue_unref(queue);
	return NULL;
}
int main(void)
{
	GAsyncQueue *queue = g_async_queue_new();
	GThread *thread = g_thread_new("put", put, g_async_queue_ref(queue));
	int *first = g_async_queue_pop(queue), *second = g_async_queue_try_pop(queue);
	g_assert(*first == 1 && (!second || *second == 2));
	if (!second)
		g_assert(*(int *)g_async_queue_pop(queue) == 2);
	g_thread_join(thread);
	g_assert(g_async_queue_length(queue) == 0);
	g_async_queue_unref(queue);
	return 0;
}
