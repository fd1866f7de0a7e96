/* SPDX-License-Identifier: MIT
 *
 * Inline assembly and intrinsics of x86-64 against C: random words, each operation computed in two ways.  It runs natively, too.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#ifndef ROUNDS
#define ROUNDS 40
#endif

static uint64_t state = 88172645463325252u;

/* Return a random word, often with few bits or of a short width (Marsaglia, "Xorshift RNGs", 2003). */
static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	uint64_t word = state;
	switch (state >> 60 & 7) {
	case 0: return 0;
	case 1: return UINT64_MAX;
	case 2: return word & 255;
	case 3: return word & 0xffffffff;
	case 4: return UINT64_C(1) << (word & 63);
	default: return word;
	}
}

static void check_shifts(uint64_t value, uint8_t by)
{
	uint64_t a = value, b = value, c = value, d = value, e = value;
	uint8_t count = by & 63;
	__asm__("rolq %%cl, %0" : "+r"(a) : "c"(by));
	assert(a == (value << count | (count ? value >> (64 - count) : 0)));
	__asm__("rorq %%cl, %0" : "+r"(b) : "c"(by));
	assert(b == (value >> count | (count ? value << (64 - count) : 0)));
	__asm__("shlq %%cl, %0" : "+r"(c) : "c"(by));
	assert(c == value << count);
	__asm__("shrq %%cl, %0" : "+r"(d) : "c"(by));
	assert(d == value >> count);
	__asm__("sarq %%cl, %0" : "+r"(e) : "c"(by));
	assert((int64_t)e == (int64_t)value >> count);
	uint16_t f = (uint16_t)value, g = f, h = f;
	__asm__("rolw $5, %0" : "+r"(f));
	assert(f == (uint16_t)((uint16_t)value << 5 | (uint16_t)value >> 11));
	__asm__("shlw %%cl, %0" : "+r"(g) : "c"(by));
	assert(g == (uint16_t)((uint32_t)(uint16_t)value << (by & 31)));
	__asm__("sarw %0" : "+r"(h));
	assert((int16_t)h == (int16_t)value >> 1);
}

static void check_bits(uint64_t value, uint32_t index)
{
	uint8_t carry = 2, equal = 2, tested = 2;
	uint64_t ones, zeros, low;
	__asm__("bt %2, %1; setc %0" : "=r"(carry) : "r"((uint32_t)value), "r"(index));
	assert(carry == ((uint32_t)value >> (index & 31) & 1));
	__asm__("btq $7, %1\n\tsetc %0" : "=r"(carry) : "r"(value));
	assert(carry == (value >> 7 & 1));
	__asm__("popcntq %1, %0" : "=r"(ones) : "r"(value));
	assert(ones == (uint64_t)__builtin_popcountll(value));
	__asm__("lzcntq %1, %0" : "=r"(zeros) : "r"(value));
	assert(zeros == (value ? (uint64_t)__builtin_clzll(value) : 64));
	__asm__("tzcntq %1, %0" : "=r"(low) : "r"(value));
	assert(low == (value ? (uint64_t)__builtin_ctzll(value) : 64));
	__asm__("cmpl %2, %1; sete %0" : "=q"(equal) : "r"((uint32_t)value), "r"(index));
	assert(equal == ((uint32_t)value == index));
	__asm__("testl %2, %1; setz %0" : "=q"(tested) : "r"((uint32_t)value), "r"(index));
	assert(tested == (((uint32_t)value & index) == 0));
}

__attribute__((target("sse4.2"))) static void check_sum(uint32_t sum, uint64_t data)
{
	uint64_t expected = sum;
	for (int i = 0; i < 64; i++) {
		uint64_t bit = (expected ^ data >> i) & 1;
		expected = expected >> 1 ^ (bit ? 0x82f63b78 : 0);
	}
	assert(_mm_crc32_u64(sum, data) == expected);
	uint32_t parts = _mm_crc32_u32(sum, (uint32_t)data);
	parts = _mm_crc32_u16(parts, (uint16_t)(data >> 32));
	parts = _mm_crc32_u8(parts, (uint8_t)(data >> 48));
	assert(_mm_crc32_u8(parts, (uint8_t)(data >> 56)) == expected);
}

union vector {
	__m128i all;
	uint8_t u8[16];
	int8_t s8[16];
	int16_t s16[8];
	uint16_t u16[8];
	int32_t s32[4];
	uint32_t u32[4];
	uint64_t u64[2];
};

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
	return value < least ? least : value > most ? most : value;
}

static void check_vectors(union vector a, union vector b)
{
	union vector differences = { _mm_sad_epu8(a.all, b.all) }, high = { _mm_mulhi_epi16(a.all, b.all) };
	union vector high_unsigned = { _mm_mulhi_epu16(a.all, b.all) }, sums = { _mm_madd_epi16(a.all, b.all) };
	union vector bytes = { _mm_packs_epi16(a.all, b.all) }, unsigned_bytes = { _mm_packus_epi16(a.all, b.all) };
	union vector words = { _mm_packs_epi32(a.all, b.all) };
	int mask = _mm_movemask_epi8(a.all), expected_mask = 0;
	uint64_t expected[2] = { 0, 0 };
	for (int i = 0; i < 16; i++) {
		expected_mask |= (a.u8[i] >> 7) << i;
		expected[i / 8] += (uint64_t)(a.u8[i] > b.u8[i] ? a.u8[i] - b.u8[i] : b.u8[i] - a.u8[i]);
		int16_t wide = i < 8 ? a.s16[i] : b.s16[i - 8];
		assert(bytes.s8[i] == clamp(wide, -128, 127) && unsigned_bytes.u8[i] == clamp(wide, 0, 255));
	}
	assert(mask == expected_mask && !memcmp(expected, differences.u64, 16));
	for (int i = 0; i < 8; i++) {
		assert(high.s16[i] == (int16_t)(a.s16[i] * b.s16[i] >> 16));
		assert(high_unsigned.u16[i] == (uint16_t)((uint32_t)a.u16[i] * b.u16[i] >> 16));
		assert(words.s16[i] == clamp(i < 4 ? a.s32[i] : b.s32[i - 4], INT16_MIN, INT16_MAX));
	}
	for (int i = 0; i < 4; i++)
		assert(sums.u32[i] == (uint32_t)(a.s16[2 * i] * b.s16[2 * i]) + (uint32_t)(a.s16[2 * i + 1] * b.s16[2 * i + 1]));
}

static void check_vector_shifts(union vector a, uint64_t by)
{
	__m128i count = _mm_set_epi64x(0, (int64_t)by);
	union vector left = { _mm_sll_epi16(a.all, count) }, right = { _mm_srl_epi32(a.all, count) };
	union vector sign = { _mm_sra_epi16(a.all, count) }, whole = { _mm_sll_epi64(a.all, count) };
	union vector some = { _mm_slli_epi32(a.all, (int)(by & 63)) };
	for (int i = 0; i < 8; i++) {
		assert(left.u16[i] == (by > 15 ? 0 : (uint16_t)(a.u16[i] << by)));
		assert(sign.s16[i] == a.s16[i] >> (by > 15 ? 15 : by));
	}
	for (int i = 0; i < 4; i++) {
		assert(right.u32[i] == (by > 31 ? 0 : a.u32[i] >> by));
		assert(some.u32[i] == ((by & 63) > 31 ? 0 : a.u32[i] << (by & 63)));
	}
	for (int i = 0; i < 2; i++)
		assert(whole.u64[i] == (by > 63 ? 0 : a.u64[i] << by));
}

static void check_control(void)
{
	unsigned control, before = _mm_getcsr();
	__asm__ volatile("stmxcsr %0" : "=m"(control));
	assert((control & 0x1f80) == 0x1f80 && (before & 0x1f80) == 0x1f80);
	_mm_setcsr(before | 0x8000);
	assert(_mm_getcsr() & 0x8000);
	__asm__ volatile("ldmxcsr %0" : : "m"(before) : "memory");
	assert(!(_mm_getcsr() & 0x8000));
}

/* To a check, a processor without extensions; cpuid writes all four words.  <cpuid.h> saves rbx around it. */
static void check_processor(void)
{
	unsigned a = 7, b = 7, c = 7, d = 7, words[4] = { 0 };
	__builtin_cpu_init();
	int extensions = !!__builtin_cpu_supports("avx2") + !!__builtin_cpu_supports("avx512vbmi2");
	int known = __get_cpuid(1, &words[0], &words[1], &words[2], &words[3]);
	__cpuid(0, a, b, c, d);
#ifdef __BITSPIN__
	assert(extensions == 0);
	assert(!known && !__get_cpuid_max(0, NULL) && !words[2] && a == 0 && b == 0 && c == 0 && d == 0);
#else
	assert(extensions <= 2);
	assert(known && b > 7 && c > 7 && d > 7); /* the vendor */
#endif
}

int main(void)
{
	check_processor();
	for (int i = 0; i < ROUNDS; i++) {
		union vector a = { .u64 = { next(), next() } }, b = { .u64 = { next(), next() } };
		uint64_t value = next(), by = next();
		check_shifts(value, (uint8_t)by);
		check_bits(value, (uint32_t)by);
		check_sum((uint32_t)value, by);
		check_vectors(a, b);
		check_vector_shifts(a, by & 1 ? by & 71 : by);
	}
	check_control();
	assert(__builtin_return_address(0));
}
