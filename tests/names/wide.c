/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <complex.h>

long double ld;
_Complex double z;
float _Complex fz;
__int128 huge;
unsigned __int128 uhuge;
struct {
	char c;
	long double ld;
} s;

int main(void)
{
	ld = 0.5L;
	s.ld = -2.0L;
	z = 1.5 + 2.5 * I;
	fz = 3.5f;
	huge = (__int128)1 << 100;
	uhuge = 5;
	huge = -3;
	s.c = 'c';
	assert(!s.ld); /* HERE */
}
