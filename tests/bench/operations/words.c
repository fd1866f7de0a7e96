/* SPDX-License-Identifier: MIT
 *
 * Inline assembly that adds, subtracts, multiplies and divides several words, and moves on conditions, on random operands.
 */
#include <stdint.h>
#include <stdio.h>

static uint64_t seed = 1, hash;
static uint64_t word(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	switch (seed % 5) {
	case 0: return 0;
	case 1: return ~UINT64_C(0);
	case 2: return seed >> 60;
	default: return seed;
	}
}

static void add(uint64_t a)
{
	hash = (hash ^ a) * 0x9e3779b97f4a7c15;
	hash ^= hash >> 29;
}

int main(void)
{
	for (int i = 1; i <= COUNT; i++) {
		uint64_t a = word(), b = word(), c = word(), d = word(), e = word(), f = word(), low, high;
		uint32_t x = (uint32_t)a, y = (uint32_t)b;
		__asm__("addq %3, %0\n\tadcq %4, %1\n\tadcq %5, %2" : "+r"(a), "+r"(b), "+rm"(c) : "r"(d), "rm"(e), "rm"(f) : "cc");
		add(a), add(b), add(c);
		__asm__("subq %3, %0; sbbq %4, %1; sbbq $0, %2" : "+r"(a), "+r"(b), "+r"(c) : "rm"(e), "r"(f) : "cc");
		add(a), add(b), add(c);
		__asm__("mulq %3" : "=a"(low), "=d"(high) : "0"(a), "rm"(d) : "cc");
		add(low), add(high);
		__asm__("imulq %3" : "=a"(low), "=d"(high) : "0"(b), "r"(c) : "cc");
		add(low), add(high);
		__asm__("addl %2, %0; adcl $0, %1" : "+r"(x), "+r"(y) : "r"((uint32_t)d) : "cc");
		add(x), add(y);
		if (c > d) {
			__asm__("divq %4" : "=a"(low), "=d"(high) : "0"(a), "1"(d), "rm"(c) : "cc");
			add(low), add(high);
		}
		__asm__("cmpq %2, %1; cmoveq %3, %0; cmovneq %4, %0" : "+r"(a) : "r"(b), "rm"(c), "r"(d), "r"(e) : "cc");
		__asm__("testl %1, %1; cmovzl %2, %0" : "+r"(x) : "r"((uint32_t)f & 1), "r"(y) : "cc");
		__asm__("addq %2, %1; cmovcq %3, %0; cmovncq %4, %0" : "+r"(d), "+r"(e) : "r"(f), "r"(a), "r"(b) : "cc");
		add(a), add(x), add(d), add(e);
		if (i % 100 == 0)
			printf("%d %016llx\n", i, (unsigned long long)hash);
	}
	return 0;
}
