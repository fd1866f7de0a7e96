/* SPDX-License-Identifier: MIT */
#include <assert.h>

struct flags {
	unsigned a : 3, b : 5;
	int c : 4;
	unsigned long long wide : 40;
	_Bool on : 1;
	int plain;
} flags;

int main(void)
{
	flags.a = 5;
	flags.b = 17;
	flags.c = -3;
	flags.wide = 0x123456789;
	flags.on = 1;
	flags.plain = 4;
	flags.b++;
	assert(!flags.plain); /* HERE */
}
