/* SPDX-License-Identifier: MIT */
#include "ringbuffer_int.h"
static struct qb_ringbuffer_shared_s header = { .word_size = 16 };
static uint32_t words[16];
static struct qb_ringbuffer_s ring = { .shared_hdr = &header, .shared_data = words };
void start(void)
{
	qb_rb_sem_create(&ring, QB_RB_FLAG_CREATE);
}
int put(int n)
{
	return qb_rb_chunk_write(&ring, &n, sizeof n) == sizeof n;
}
int get(void)
{
	int n;
	return qb_rb_chunk_read(&ring, &n, sizeof n, 0) == sizeof n ? n : -1;
}
int get_waiting(void)
{
	int n;
	return qb_rb_chunk_read(&ring, &n, sizeof n, -1) == sizeof n ? n : -1;
}
