/* SPDX-License-Identifier: MIT */
#include "pa_ringbuffer.c"
static PaUtilRingBuffer ring;
static int data[2];
void start(void)
{
	PaUtil_InitializeRingBuffer(&ring, sizeof *data, 2, data);
}
long put(int n)
{
	return PaUtil_WriteRingBuffer(&ring, &n, 1);
}
int get(void)
{
	int n;
	return PaUtil_ReadRingBuffer(&ring, &n, 1) ? n : -1;
}
