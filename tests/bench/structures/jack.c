/* SPDX-License-Identifier: MIT */
#include "ringbuffer.c"
static jack_ringbuffer_t *ring;
void start(void)
{
	ring = jack_ringbuffer_create(4); /* room for three bytes */
}
size_t put(char c)
{
	return jack_ringbuffer_write(ring, &c, 1);
}
int get(void)
{
	char c;
	return jack_ringbuffer_read(ring, &c, 1) ? c : -1;
}
size_t space(void)
{
	return jack_ringbuffer_read_space(ring);
}
