/* SPDX-License-Identifier: MIT */
#include <apr_pools.h>
#include <apr_queue.h>
static apr_queue_t *queue;
void start(void)
{
	apr_pool_t *pool;
	apr_initialize();
	apr_pool_create(&pool, NULL);
	apr_queue_create(&queue, 1, pool);
}
int put(long n) { return apr_queue_push(queue, (void *)n); }
int try_put(long n) { return apr_queue_trypush(queue, (void *)n) == 0; }
long get(void) { void *p = NULL; return apr_queue_pop(queue, &p) == 0 ? (long)p : -1; }
long try_get(void) { void *p = NULL; return apr_queue_trypop(queue, &p) == 0 ? (long)p : -1; }
int interrupt(void) { return apr_queue_interrupt_all(queue); }
int end(void) { return apr_queue_term(queue); }
unsigned size(void) { return apr_queue_size(queue); }
