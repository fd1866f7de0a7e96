/* SPDX-License-Identifier: MIT
 *
 * All that the compiler makes of __float128, on random operands: whole words, special values, and numbers near each other.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef __float128 quad;

static uint64_t seed = 1, hash;
static uint64_t word(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

static quad last;
static quad operand(void)
{
	static const quad special[] = { 0, -0.0Q, 1, -1, 0x1p-16494Q, 0x1p-16382Q, 0x1p16383Q, 1 / 0.0Q, -1 / 0.0Q, 0.5Q, 1.5Q };
	uint64_t kind = word() % 8, words[2] = { word(), word() };
	quad x;
	if (kind == 0)
		return special[word() % 11];
	if (kind == 1)
		return last;
	if (kind == 2)
		return (quad)(int64_t)word() / (1 << word() % 20);
	if (kind < 6) /* a moderate exponent */
		words[1] = (words[1] & 0x8000ffffffffffff) | (0x3fff - 80 + word() % 160) << 48;
	memcpy(&x, words, sizeof x);
	return last = x;
}

static void add(const void *bytes, size_t size)
{
	uint64_t words[2] = { 0, 0 };
	memcpy(words, bytes, size);
	hash = (hash ^ words[0]) * 0x9e3779b97f4a7c15;
	hash = ((hash ^ words[1]) << 23 | (hash ^ words[1]) >> 41) * 0x9e3779b97f4a7c15;
}
#define ADD(type, value) \
	do { \
		type result = (value); \
		add(&result, sizeof result); \
	} while (0)

static void round_of(quad a, quad b)
{
	long double extended = (long double)a;
	double number = (double)a;
	float narrow = (float)a;
	ADD(quad, a + b);
	ADD(quad, a - b);
	ADD(quad, a * b);
	ADD(quad, a / b);
	ADD(quad, -a);
	ADD(quad, __builtin_fabsf128(b));
	ADD(quad, __builtin_copysignf128(a, b));
	ADD(int, (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b));
	ADD(int, __builtin_isunordered(a, b) + 2 * __builtin_islessgreater(a, b));
	add(&extended, 10);
	ADD(double, number);
	ADD(float, narrow);
	ADD(quad, extended);
	ADD(quad, number);
	ADD(quad, narrow);
	if (a > -0x1p31Q && a < 0x1p31Q)
		ADD(int32_t, a);
	if (a > -1 && a < 0x1p32Q)
		ADD(uint32_t, a);
	if (a > -0x1p63Q && a < 0x1p63Q)
		ADD(int64_t, a);
	if (a > -1 && a < 0x1p64Q)
		ADD(uint64_t, a);
	if (a > -0x1p127Q && a < 0x1p127Q)
		ADD(__int128, a);
	if (a > -1 && a < 0x1p128Q)
		ADD(unsigned __int128, a);
	ADD(quad, (int32_t)word());
	ADD(quad, (uint32_t)word());
	ADD(quad, (int64_t)word());
	ADD(quad, word());
	ADD(quad, (__int128)word() << 64 | word());
	ADD(quad, (unsigned __int128)word() << 64 | word());
}

int main(void)
{
	for (int i = 1; i <= COUNT; i++) {
		quad a = operand();
		round_of(a, operand());
		if (i % 100 == 0)
			printf("%d %016llx\n", i, (unsigned long long)hash);
	}
	return 0;
}
