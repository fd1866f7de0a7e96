/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <ck_ring.h>
static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static void *producer(void *unused)
{
	for (int i = 1; i < 3; i++) {
		int *n = malloc(sizeof *n);
		*n = i;
		while (!ck_ring_enqueue_spsc(&ring, buffer, n))
			;
	}
	return unused;
}
int main(void)
{
	pthread_t thread;
	ck_ring_init(&ring, 4);
	pthread_create(&thread, NULL, producer, NULL);
	for (int i = 1; i < 3; i++) {
		int *n;
		while (!ck_ring_dequeue_spsc(&ring, buffer, &n))
			;
		assert(*n == i);
		free(n);
	}
	pthread_join(thread, NULL);
}
