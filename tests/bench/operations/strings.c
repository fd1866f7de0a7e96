/* SPDX-License-Identifier: MIT
 *
 * Inline assembly that fills and copies bytes, adds up addresses and reads counters, on random operands.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 64 };

static uint64_t seed = 1, hash;
static uint8_t bytes[SIZE], others[SIZE];

static uint64_t word(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static void add(uint64_t a)
{
	hash = (hash ^ a) * 0x9e3779b97f4a7c15;
	hash ^= hash >> 29;
}

static void add_bytes(void)
{
	for (int i = 0; i < SIZE; i += 8) {
		uint64_t a, b;
		memcpy(&a, bytes + i, 8);
		memcpy(&b, others + i, 8);
		add(a), add(b);
	}
}

static void fill(uint64_t value, unsigned width, uint64_t n)
{
	uint8_t *to = bytes + word() % 8;
	uint64_t count = n;
	switch (width) {
	case 0: __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"((uint8_t)value) : "memory"); break;
	case 1: __asm__ volatile("rep; stosw" : "+D"(to), "+c"(count) : "a"((uint16_t)value) : "memory"); break;
	case 2: __asm__ volatile("cld; rep stosl" : "+D"(to), "+c"(count) : "a"((uint32_t)value) : "memory"); break;
	default: __asm__ volatile("cld\n\trep\n\tstosq" : "+D"(to), "+c"(count) : "a"(value) : "memory"); break;
	}
	add(count), add((uint64_t)(to - bytes));
}

static void copy(unsigned width, uint64_t n)
{
	uint8_t *to = others + word() % 8, *from = bytes + word() % 8;
	if (word() % 4 == 0) /* they may overlap */
		from = others + word() % 8;
	uint8_t *first = from;
	uint64_t count = n;
	switch (width) {
	case 0: __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory"); break;
	case 1: __asm__ volatile("rep ; movsw" : "+D"(to), "+S"(from), "+c"(count) : : "memory"); break;
	case 2: __asm__ volatile("rep movsl" : "+D"(to), "+S"(from), "+c"(count) : : "memory"); break;
	default: __asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(count) : : "memory"); break;
	}
	if (n)
		__asm__ volatile("movsb" : "+D"(to), "+S"(from) : : "memory");
	add(count), add((uint64_t)(to - others)), add((uint64_t)(from - first));
}

int main(void)
{
	for (int i = 1; i <= COUNT; i++) {
		uint64_t a = word(), b = word(), sum, more, scaled;
		uint32_t low, high, processor;
		__asm__("leaq (%1,%2), %0" : "=r"(sum) : "r"(a), "r"(b));
		__asm__("leaq -17(%1,%2,4), %0" : "=r"(more) : "r"(a), "r"(b));
		__asm__("lea 0x20(,%1,8), %0" : "=r"(scaled) : "r"(b));
		add(sum), add(more), add(scaled);
		unsigned width = a % 4, most = 48 >> width;
		fill(b, width, (a >> 8) % (most + 1));
		copy(b % 4, (b >> 8) % ((48 >> b % 4) + 1));
		__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
		__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
		add(low & 3);
		if (i % 100 == 0) {
			add_bytes();
			printf("%d %016llx\n", i, (unsigned long long)hash);
		}
	}
	return 0;
}
