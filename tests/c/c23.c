/* SPDX-License-Identifier: MIT
 *
 * C23, as clang 19 and newer compile it: nullptr, constexpr, typeof, auto, #embed, enumerations with a type, checked arithmetic,
 * integers of any width.
 *
 * RUN: check --std=gnu2x
 * EXPECT: verified
 */
#if defined __clang__ && __clang_major__ >= 19 && __STDC_VERSION__ >= 202311L
#include <assert.h>
#include <pthread.h>
#include <stdckdint.h>
#include <stddef.h>
#include <stdint.h>

constexpr int LIMIT = 40;
static const unsigned char text[] = {
#embed "c23.c" limit(8)
};
static thread_local int mine = 0b101;
enum color : unsigned char { RED, GREEN = 200 };
static_assert(sizeof(enum color) == 1 && LIMIT == 40);

/* Return a random word (Marsaglia, "Xorshift RNGs", 2003). */
static uint64_t next(void)
{
	static uint64_t state = 88172645463325252u;
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

typedef unsigned _BitInt(256) big;

static big random_number(void)
{
	big number = 0;
	for (int i = 0; i < 4; i++)
		number = number << 64 | next();
	return number;
}

/* Sums and products of integers that no register holds: the laws of rings, and what 128 bits say. */
static void check_wide(void)
{
	for (int i = 0; i < 20; i++) {
		big a = random_number(), b = random_number(), c = random_number();
		uint64_t p = (uint64_t)a, q = (uint64_t)b;
		assert(a + b - b == a && (a + b) + c == a + (b + c) && (a - b) + (b - a) == 0 && (big)(0 - a) + a == 0);
		assert(a * b == b * a && a * (b + c) == a * b + a * c && a * 3 == a + a + a && a << 200 == a * ((big)1 << 200));
		assert((unsigned __int128)((big)p * (big)q) == (unsigned __int128)p * q);
	}
	_BitInt(200) power = 1;
	for (int i = 0; i < 150; i++)
		power *= 2;
	assert(power >> 149 == 2 && -power < 0 && -power + power == 0);
	unsigned _BitInt(300) all = 0;
	all -= 1;
	assert(all >> 299 == 1);
}

[[nodiscard]] static int add(int a, int)
{
	return a + 1'000;
}

static void *work(void *)
{
	mine++;
	assert(mine == 6);
	return nullptr;
}

int main()
{
	pthread_t thread;
	typeof(mine) copy = mine;
	auto other = copy;
	int *pointer = nullptr, result;
	unsigned char narrow;
	assert(pointer == nullptr && other == 5 && text[0] == '/' && sizeof text == 8 && add(1, 2) == 1001);
	assert(ckd_add(&result, INT32_MAX, 1) && !ckd_mul(&result, 1000, 1000) && result == 1000000);
	assert(ckd_sub(&narrow, 1, 2) && narrow == 255);
	check_wide();
	pthread_create(&thread, nullptr, work, nullptr);
	pthread_join(thread, nullptr);
	assert(mine == 5);
	return 0;
}
#else
int main(void)
{
	return 0;
}
#endif
