/* SPDX-License-Identifier: MIT */
#include <ck_ring.h>
static ck_ring_t ring;
static ck_ring_buffer_t buffer[2];
static int items[4];
void start(void)
{
	ck_ring_init(&ring, 2); /* room for one */
}
bool put(int n)
{
	return ck_ring_enqueue_mpmc(&ring, buffer, &items[n]);
}
bool put_alone(int n)
{
	return ck_ring_enqueue_spsc(&ring, buffer, &items[n]);
}
int get(void)
{
	int *item;
	return ck_ring_dequeue_mpmc(&ring, buffer, &item) ? (int)(item - items) : -1;
}
int get_alone(void)
{
	int *item;
	return ck_ring_dequeue_spsc(&ring, buffer, &item) ? (int)(item - items) : -1;
}
