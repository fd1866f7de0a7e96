/* SPDX-License-Identifier: MIT
 *
 * Integers of odd widths: bit-fields are loaded, shifted and compared as i1 to i63.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdint.h>

struct odd {
	unsigned a : 1, b : 3, c : 7, d : 13, e : 8;
	signed f : 5, g : 27;
	uint64_t h : 33, i : 31;
	int64_t j : 47, k : 17;
	_Bool l : 1;
};

static struct odd global = {.b = 5, .c = 100, .f = -3, .h = 0x1ffffffffu, .j = -1};
static volatile int one = 1;

static unsigned wrap3(unsigned n)
{
	struct odd o = {0};
	for (unsigned i = 0; i < n; i++)
		o.b++;
	return o.b;
}

int main(void)
{
	struct odd o = global;
	assert(o.a == 0 && o.b == 5 && o.c == 100 && o.d == 0 && o.f == -3 && o.h == 0x1ffffffffu && o.j == -1 && !o.l);
	o.a = one;
	o.b += 4 * one;
	o.c = (unsigned)(o.c + 60 * one) & 0x7f;
	o.d = (unsigned)(8191 * one);
	o.f = 15 * one;
	o.g = -(1 << 26) * one;
	o.h += (unsigned)one;
	o.i = (uint64_t)-one;
	o.j = -((int64_t)1 << 46) * one;
	o.k = 65535 * one;
	o.l = 2 * one;
	assert(o.a == 1 && o.b == 1 && o.c == 32 && o.d == 8191 && o.f == 15 && o.g == -(1 << 26));
	assert(o.h == 0 && o.i == 0x7fffffff && o.j == -((int64_t)1 << 46) && o.k == 65535 && o.l == 1);
	assert(wrap3(8) == 0 && wrap3(19) == 3);
	assert((o.b ^ o.d) == (1 ^ 8191));
	global.e = 0xa5;
	assert(global.e == 0xa5 && global.d == 0 && global.f == -3);
	return 0;
}
