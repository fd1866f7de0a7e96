/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

bool yes;
char letter, newline, nul, high;
signed char sc;
unsigned char uc;
int8_t i8;
uint8_t u8;
short s;
unsigned short us;
int i;
unsigned u;
long l;
unsigned long ul;
int64_t i64;
uint64_t u64;
size_t size;
wchar_t wide;
float f, tenth;
double d, huge, tiny, third;
int main(void)
{
	yes = true;
	letter = 'A';
	newline = '\n';
	nul = 'n';
	nul = '\0';
	high = (char)200;
	sc = -65;
	uc = 65;
	i8 = 66;
	u8 = 200;
	s = -300;
	us = 65535;
	i = -1;
	u = 4000000000u;
	l = -5000000000;
	ul = 18446744073709551615ul;
	i64 = INT64_MIN;
	u64 = 1ull << 63;
	size = (size_t)-1;
	wide = L'w';
	f = 1.5f;
	tenth = 0.1f;
	d = -0.25;
	huge = 1e300;
	tiny = 5e-324;
	third = 1.0 / 3;
	assert(!yes); /* HERE */
}
