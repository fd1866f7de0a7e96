/* SPDX-License-Identifier: MIT
 *
 * Atomic objects that are no small integers: structs of 3, 8, 12, 16 and 40 bytes, 128-bit integers, float, double and
 * long double, bool, enum, pointers; compound assignment, and the generic and the sized functions of libatomic.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct odd { char c[3]; };
struct point { int x, y; };
struct triple { int a, b, c; };
struct tagged { void *top; uintptr_t tag; };
struct large { long v[5]; };

#define OBJECTS(type, first, second) do { \
	static _Atomic type object; \
	type x = first, y = second, z; \
	object = x; \
	z = object; \
	assert(!memcmp(&z, &x, sizeof z)); \
	z = atomic_exchange(&object, y); \
	assert(!memcmp(&z, &x, sizeof z)); \
	if (sizeof object == sizeof x) { /* else it has padding, which counts */ \
		assert(!atomic_compare_exchange_strong(&object, &x, x) && !memcmp(&x, &y, sizeof y)); \
		assert(atomic_compare_exchange_strong(&object, &y, z)); \
	} \
	atomic_store_explicit(&object, y, memory_order_release); \
	z = atomic_load_explicit(&object, memory_order_acquire); \
	assert(!memcmp(&z, &y, sizeof z)); \
} while (0)

static _Atomic __int128 wide;
static _Atomic unsigned __int128 unsigned_wide;
static _Atomic float real;
static _Atomic double precise = 0.5;
static _Atomic long double extended;
static _Atomic bool truth;
static _Atomic enum colour { RED, GREEN, BLUE } colour;
static _Atomic unsigned char byte = 250;
static _Atomic short word = -3;
static int numbers[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
static int *_Atomic at = numbers;
static __int128 plain;

static void compound(void)
{
	wide = ((__int128)1 << 64) - 1;
	assert(wide++ == UINT64_MAX && wide == (__int128)1 << 64);
	wide -= 2;
	wide *= -3;
	assert(wide == -3 * (((__int128)1 << 64) - 2));
	wide >>= 65;
	assert(wide == -2);
	wide ^= 1;
	assert(wide == -1);
	wide &= 12;
	wide |= 3;
	assert(wide-- == 15 && wide == 14);
	unsigned_wide = 0;
	assert(--unsigned_wide == (unsigned __int128)-1 && atomic_fetch_add(&unsigned_wide, 2) == (unsigned __int128)-1);
	assert(unsigned_wide == 1 && atomic_fetch_sub(&unsigned_wide, 1) == 1 && atomic_fetch_or(&unsigned_wide, 6) == 0);
	assert(atomic_exchange(&unsigned_wide, 9) == 6);
	real += 1.5f;
	real *= 4;
	precise /= 4;
	precise -= 1;
	extended = 1;
	extended += 0.25L;
	assert(real == 6 && precise == -0.875 && extended == 1.25L);
	truth = 7;
	truth &= 1;
	truth |= 2;
	colour = BLUE;
	colour -= 1;
	assert(truth == 1 && colour == GREEN);
	byte += 10;
	assert(byte == 4);
	byte <<= 7;
	assert(byte-- == 0 && byte == 255 && ++byte == 0);
	word *= 20000;
	word /= 7;
	assert(word == (short)(-60000) / 7);
	word %= 10;
	assert(word == 5536 / 7 % 10);
	at = at + 3;
	at--;
	assert(*at == 2 && *at++ == 2 && *--at == 2 && atomic_fetch_add(&at, sizeof(ptrdiff_t) / 8) == &numbers[2]);
	_Atomic struct point p;
	atomic_init(&p, ((struct point){ 1, 2 }));
	struct point q = p;
	assert(q.x == 1 && q.y == 2);
}

static void sized(void)
{
	__int128 expected = 1, seen;
	__atomic_store_n(&plain, 5, __ATOMIC_RELEASE);
	assert(__atomic_fetch_add(&plain, 3, __ATOMIC_SEQ_CST) == 5 && __atomic_sub_fetch(&plain, 2, __ATOMIC_RELAXED) == 6);
	assert(__atomic_fetch_nand(&plain, 2, __ATOMIC_SEQ_CST) == 6 && plain == -3);
	assert(__atomic_and_fetch(&plain, 13, __ATOMIC_SEQ_CST) == 13 && __atomic_xor_fetch(&plain, 1, __ATOMIC_SEQ_CST) == 12);
	assert(__atomic_or_fetch(&plain, 3, __ATOMIC_SEQ_CST) == 15 && __atomic_exchange_n(&plain, 2, __ATOMIC_SEQ_CST) == 15);
	assert(!__atomic_compare_exchange_n(&plain, &expected, 7, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) && expected == 2);
	assert(__atomic_compare_exchange_n(&plain, &expected, 7, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	__atomic_load(&plain, &seen, __ATOMIC_ACQUIRE);
	assert(seen == 7 && __atomic_load_n(&plain, __ATOMIC_CONSUME) == 7);
	struct large a = { { 1, 2, 3, 4, 5 } }, b = { { 6 } }, c;
	__atomic_exchange(&a, &b, &c, __ATOMIC_SEQ_CST);
	assert(c.v[4] == 5 && a.v[0] == 6 && a.v[4] == 0);
	__atomic_store(&b, &c, __ATOMIC_SEQ_CST);
	assert(b.v[2] == 3);
	c.v[0]++;
	assert(!__atomic_compare_exchange(&b, &c, &a, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && c.v[0] == 1);
	assert(__atomic_compare_exchange(&b, &c, &a, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && b.v[0] == 6);
}

int main(void)
{
	OBJECTS(struct odd, { "ab" }, { "cd" });
	OBJECTS(struct point, ((struct point){ 1, 2 }), ((struct point){ 3, 4 }));
	OBJECTS(struct triple, ((struct triple){ 1, 2, 3 }), ((struct triple){ 3, 4, 5 }));
	OBJECTS(struct tagged, ((struct tagged){ &wide, 2 }), ((struct tagged){ 0, 5 }));
	OBJECTS(struct large, { { 1 } }, { { 2 } });
	OBJECTS(float, 1.5f, -2.5f);
	OBJECTS(double, 1e300, 0.0);
	OBJECTS(__int128, 1, -5);
	compound();
	sized();
	return 0;
}
