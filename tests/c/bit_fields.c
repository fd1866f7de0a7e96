/* SPDX-License-Identifier: MIT
 *
 * Bit-fields: every width, signed and unsigned, packed and straddling, of width zero, unnamed, bool, 64 bits, in unions;
 * assignment, compound assignment, increment, wrapping, the value of an assignment, initialisers, promotion.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define WIDTHS(X) \
	X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) \
	X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32) X(33) X(34) X(35) X(36) X(37) X(38) X(39) X(40) X(41) X(42) \
	X(43) X(44) X(45) X(46) X(47) X(48) X(49) X(50) X(51) X(52) X(53) X(54) X(55) X(56) X(57) X(58) X(59) X(60) X(61) X(62)

#define MASK(n) ((UINT64_C(1) << (n)) - 1)

/* One field between two others, so that a wrong mask shows; packed, so that most straddle. */
#define TEST(n, attribute, suffix) \
	static void test##n##suffix(uint64_t value) \
	{ \
		struct attribute { \
			uint64_t before : 3; \
			uint64_t u : n; \
			int64_t s : n; \
			uint64_t after : 5; \
		} f = { 5, 0, 0, 21 }; \
		f.u = value; \
		assert(f.u == (value & MASK(n)) && f.before == 5 && f.after == 21 && f.s == 0); \
		f.s = (int64_t)value; \
		int64_t expected = (int64_t)(value << (64 - n)) >> (64 - n); \
		assert(f.s == expected && f.u == (value & MASK(n)) && f.before == 5 && f.after == 21); \
		f.u += UINT64_C(3); \
		assert(f.u == ((value + 3) & MASK(n))); \
		f.u -= UINT64_C(5); \
		f.u *= UINT64_C(7); \
		assert(f.u == ((value - 2) * 7 & MASK(n)) && f.s == expected); \
		f.u ^= MASK(n); \
		f.u |= 1; \
		f.u >>= 1; \
		assert(f.u == (~((value - 2) * 7) & MASK(n)) >> 1); \
		uint64_t old = f.u; \
		assert(f.u++ == old && f.u == ((old + 1) & MASK(n))); \
		assert(--f.u == old && f.s == expected && f.before == 5 && f.after == 21); \
		uint64_t assigned = (f.u = ~value); \
		assert(assigned == (~value & MASK(n))); \
	}
#define EMPTY
#define TEST_PLAIN(n) TEST(n, EMPTY, )
#define TEST_PACKED(n) TEST(n, __attribute__((packed)), packed)
WIDTHS(TEST_PLAIN)
WIDTHS(TEST_PACKED)

struct zero { unsigned a : 3; unsigned : 0; unsigned b : 4; char c; unsigned : 5; unsigned d : 2; };
struct flags { bool x : 1, y : 1; unsigned char z : 6; };
union view {
	uint32_t word;
	struct { uint32_t low : 12, middle : 8, high : 12; } f;
	struct { int32_t : 4, s : 28; } g;
	uint8_t one : 1;
};
enum kind { FIRST, SECOND, THIRD };
struct mixed { enum kind kind : 2; short s : 9; long l : 40; char c; unsigned u : 17; };

static struct mixed table[] = { { SECOND, -200, -(1L << 39), 'x', 0x1ffff }, [2] = { .l = 77, .u = 3 } };

static void promotion(void)
{
	struct { unsigned u : 31, v : 1; uint64_t w : 40; int s : 5; } f = { 0, 1, 0, -16 };
	assert(f.u - 1 < 0);          /* fits int, so it is one */
	assert(f.v - 2 < 0 && ~f.v == -2);
	assert(f.s == -16 && -f.s == 16);
	f.s = 15;
	f.s++;
	assert(f.s == -16);
	f.w = MASK(40);
	assert((f.w << 8) >> 8 == MASK(40) || (f.w << 8) >> 8 == MASK(32)); /* gcc keeps 40 bits, clang 64 */
	assert((f.v ? 'a' : 'b') == 'a' && !f.u && (f.v && !f.u));
}

int main(void)
{
	static const uint64_t values[] = { 0, 1, UINT64_C(0x8765432112345678), UINT64_C(0x5555555555555555), UINT64_MAX };
	for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
#define CALL(n) test##n(values[i]); test##n##packed(values[i]);
		WIDTHS(CALL)
	}
	struct zero z = { 5, 9, 'q', 2 };
	assert(sizeof z == 8 && z.a == 5 && z.b == 9 && z.c == 'q' && z.d == 2);
	struct flags f = { .y = 4 };
	f.x = 0.5;
	f.z = 64 + 3;
	assert(sizeof f == 1 && f.x && f.y && f.z == 3);
	union view v = { .word = 0xabcdef12 };
	assert(v.f.low == 0xf12 && v.f.middle == 0xde && v.f.high == 0xabc && v.one == 0);
	assert(v.g.s == (int32_t)0xabcdef12 >> 4);
	v.f.middle = 0x155;
	v.g.s = -1;
	assert(v.word == 0xfffffff2);
	assert(table[0].kind == SECOND && table[0].s == -200 && table[0].l == -(1L << 39) && table[0].u == 0x1ffff);
	assert(table[1].l == 0 && table[2].l == 77 && table[2].u == 3 && table[0].c == 'x');
	struct mixed *p = &table[1], copy;
	p->l = p->s = (short)(p->kind = THIRD) - 300;
	copy = *p;
	assert(copy.l == 214 && copy.s == 214 && copy.kind == THIRD); /* -298 in nine bits is 214 */
	volatile struct { unsigned a : 7, b : 9; } device = { 100, 300 };
	device.a += 50;
	device.b = device.a | 256;
	assert(device.a == 22 && device.b == 278);
	promotion();
	return 0;
}
