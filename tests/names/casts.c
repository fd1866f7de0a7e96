/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdint.h>

struct tagged {
	uintptr_t bits;
	void *raw;
	long number;
} t;

int target[4];
unsigned words[4];
unsigned char *bytes;

int main(void)
{
	t.bits = (uintptr_t)&target[1];
	t.raw = (void *)1;
	t.number = 42;
	bytes = (unsigned char *)words;
	bytes[5] = 200;
	*(unsigned short *)&words[3] = 7;
	*(long *)&target[2] = 5;
	assert(!t.number); /* HERE */
}
