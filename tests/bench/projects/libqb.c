/* SPDX-License-Identifier: MIT */
#include "ringbuffer_int.h"
#include <assert.h>
#include <pthread.h>
static struct qb_ringbuffer_shared_s header = { .word_size = 16 };
static uint32_t words[16];
static struct qb_ringbuffer_s ring = { .shared_hdr = &header, .shared_data = words };
static void *writer(void *unused)
{
	for (int i = 1; i < 3; i++)
		while (qb_rb_chunk_write(&ring, &i, sizeof i) < 0)
			;
	return unused;
}
int main(void)
{
	pthread_t thread;
	int got;
	qb_rb_sem_create(&ring, QB_RB_FLAG_CREATE);
	pthread_create(&thread, NULL, writer, NULL);
	for (int i = 1; i < 3; i++)
		assert(qb_rb_chunk_read(&ring, &got, sizeof got, -1) == sizeof got && got == i);
	pthread_join(thread, NULL);
}
