/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <ck_fifo.h>
static ck_fifo_spsc_t spsc;
static ck_fifo_mpmc_t mpmc;
static int items[4];
void start(void)
{
	ck_fifo_spsc_init(&spsc, malloc(sizeof(ck_fifo_spsc_entry_t)));
	ck_fifo_mpmc_init(&mpmc, aligned_alloc(16, sizeof(ck_fifo_mpmc_entry_t)));
}
void put_alone(int n)
{
	ck_fifo_spsc_enqueue(&spsc, malloc(sizeof(ck_fifo_spsc_entry_t)), &items[n]);
}
int get_alone(void)
{
	int *item;
	return ck_fifo_spsc_dequeue(&spsc, &item) ? (int)(item - items) : -1;
}
void put(int n)
{
	ck_fifo_mpmc_enqueue(&mpmc, aligned_alloc(16, sizeof(ck_fifo_mpmc_entry_t)), &items[n]);
}
int get(void)
{
	ck_fifo_mpmc_entry_t *garbage;
	int *item;
	return ck_fifo_mpmc_dequeue(&mpmc, &item, &garbage) ? (int)(item - items) : -1;
}
