/* SPDX-License-Identifier: MIT
 *
 * Unions: the same bytes read as other types, unions in structs, by value.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdint.h>

union word {
	uint32_t u;
	float f;
	uint8_t bytes[4];
	struct {
		uint16_t low, high;
	};
};

static union word global = {.f = 1.0f};

static union word make(uint32_t u)
{
	return (union word){.u = u};
}

union big {
	long double x;
	uint64_t w[2];
	char c[24];
};

struct tagged {
	enum { INT, POINTER, DOUBLE } tag;
	union {
		int i;
		const void *p;
		double d;
	};
};

static int classify(struct tagged t)
{
	switch (t.tag) {
	case INT: return t.i;
	case POINTER: return t.p == &global;
	case DOUBLE: return (int)t.d;
	}
	return -1;
}

int main(void)
{
	assert(global.u == 0x3f800000 && global.bytes[3] == 0x3f && global.high == 0x3f80);
	union word w = make(0x01020304);
	assert(w.bytes[0] == 4 && w.bytes[3] == 1 && w.low == 0x0304);
	w.bytes[1] = 0xff;
	assert(w.u == 0x0102ff04);
	union big b = {.w = {0x8000000000000000u, 0x3fff}};
	assert(b.x == 1.0L);
	b.c[23] = 'z';
	union big copy = b;
	assert(copy.c[23] == 'z' && copy.x == 1.0L);
	assert(classify((struct tagged){.tag = INT, .i = 42}) == 42);
	assert(classify((struct tagged){.tag = POINTER, .p = &global}) == 1);
	assert(classify((struct tagged){.tag = DOUBLE, .d = -3.5}) == -3);
	return 0;
}
