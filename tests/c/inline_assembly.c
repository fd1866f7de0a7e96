/* SPDX-License-Identifier: MIT
 *
 * The inline assembly that C programs have: barriers, locked read-modify-writes, exchange, byte swap, flags as outputs.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdint.h>

static int fetch_add(volatile int *p, int v)
{
	__asm__ __volatile__("lock; xaddl %0, %1" : "+r"(v), "+m"(*p) : : "memory", "cc");
	return v;
}

static int compare_and_swap(volatile int *p, int old, int new)
{
	int before;
	__asm__ __volatile__("lock\n\tcmpxchgl %2, %1" : "=a"(before), "+m"(*p) : "r"(new), "0"(old) : "memory", "cc");
	return before;
}

static char compare_and_swap_flag(volatile long *p, long old, long new)
{
	char equal;
	__asm__ __volatile__("lock; cmpxchgq %3, %1; sete %0" : "=q"(equal), "+m"(*p), "+a"(old) : "r"(new) : "memory", "cc");
	return equal;
}

static int compare_and_swap_condition(volatile int *p, int old, int new)
{
	int equal;
	__asm__ __volatile__("lock cmpxchg %[new], %[p]" : "=@ccz"(equal), [p] "+m"(*p), "+a"(old) : [new] "r"(new) : "memory");
	return equal;
}

static char decrement_and_test(volatile int *p)
{
	unsigned char zero;
	__asm__ __volatile__("lock; decl %0; setz %1" : "+m"(*p), "=qm"(zero) : : "memory", "cc");
	return zero;
}

/* As in valgrind.h: outside of Valgrind, the answer is the default. */
static unsigned long ask_valgrind(unsigned long request, unsigned long otherwise)
{
	volatile unsigned long words[6] = { request };
	unsigned long answer;
	__asm__ volatile("rolq $3,  %%rdi ; rolq $13, %%rdi\n\t"
			 "rolq $61, %%rdi ; rolq $51, %%rdi\n\t"
			 "xchgq %%rbx,%%rbx"
			 : "=d"(answer)
			 : "a"(&words[0]), "0"(otherwise)
			 : "cc", "memory");
	return answer;
}

/* Add and multiply two words, as libraries of large numbers do. */
static int words(void)
{
	uint64_t low = ~UINT64_C(0), high = 1, product, more;
	__asm__("addq %2, %0; adcq $0, %1" : "+r"(low), "+rm"(high) : "r"(UINT64_C(3)) : "cc");
	__asm__("mulq %3" : "=a"(product), "=d"(more) : "a"(UINT64_C(1) << 63), "rm"(UINT64_C(6)) : "cc");
	return low == 2 && high == 2 && product == 0 && more == 3;
}

static unsigned exchange(volatile unsigned *p, unsigned v)
{
	__asm__ __volatile__("xchgl %0, %1" : "=r"(v), "+m"(*p) : "0"(v) : "memory");
	return v;
}

static uint8_t exchange_byte(volatile uint8_t *p, uint8_t v)
{
	__asm__ __volatile__("xchgb %b0, %1" : "=q"(v), "+m"(*p) : "0"(v) : "memory");
	return v;
}

/* An input and an output in one register, each with a constraint of its own. */
static int compare_and_swap_apart(volatile int *p, int old, int new)
{
	int before;
	__asm__ __volatile__("lock; cmpxchgl %3, %1" : "=a"(before), "+m"(*p) : "a"(old), "r"(new) : "memory", "cc");
	return before;
}

struct wide {
	uint64_t low, high;
} __attribute__((aligned(16)));

static int compare_and_swap_wide(struct wide *p, struct wide *old, struct wide new)
{
	unsigned char equal;
	__asm__ __volatile__("lock cmpxchg16b %0\n\tsetz %3"
			     : "+m"(*p), "=a"(old->low), "=d"(old->high), "=q"(equal)
			     : "a"(old->low), "d"(old->high), "b"(new.low), "c"(new.high)
			     : "memory", "cc");
	return equal;
}

/* Registers that the text loads itself. */
static int compare_and_swap_loaded(struct wide *p, const struct wide *old, struct wide new)
{
	unsigned char equal;
	__asm__ __volatile__("movq 0(%4), %%rax\n\tmovq 8(%4), %%rdx\n\tlock; cmpxchg16b %0; sete %1"
			     : "+m"(*p), "=q"(equal)
			     : "b"(new.low), "c"(new.high), "q"(old)
			     : "memory", "cc", "%rax", "%rdx");
	return equal;
}

static int set_bit(uint32_t *p, int n)
{
	unsigned char old;
	__asm__ __volatile__("lock btsl %2, %0; setc %1" : "+m"(*p), "=qm"(old) : "Ir"(n) : "memory", "cc");
	return old;
}

static int clear_bit(uint64_t *p, long n)
{
	unsigned char old;
	__asm__ __volatile__("lock; btrq %2, %0\n\tsetb %1" : "+m"(*p), "=q"(old) : "r"(n) : "memory", "cc");
	return old;
}

static int through_pointer(int *p)
{
	int v;
	__asm__ __volatile__("movl (%1), %0\n\taddl $5, %0\n\tmovl %0, 4(%1)" : "=&r"(v) : "r"(p) : "memory", "cc");
	return v;
}

int main(void)
{
	volatile int x = 5;
	volatile long l = 7;
	volatile unsigned u = 3;
	volatile uint8_t b = 200;
	int pair[2] = { 37, 0 };
	uint32_t swapped = 0x01020304;
	uint64_t wide = 0x0102030405060708;
	__asm__ __volatile__("" : : : "memory");
	__asm__ __volatile__("pause");
	__asm__ __volatile__("rep; nop" : : : "memory");
	__asm__ __volatile__("mfence" : : : "memory");
	__asm__ __volatile__("lfence\n\tsfence" : : : "memory");
	__asm__ __volatile__("lock; addl $0, 0(%%rsp)" : : : "memory", "cc");
	assert(words());
	assert(ask_valgrind(0x1001, 0) == 0 && ask_valgrind(0x1001, 7) == 7);
	assert(fetch_add(&x, 3) == 5 && x == 8);
	assert(compare_and_swap(&x, 8, 9) == 8 && x == 9 && compare_and_swap(&x, 8, 1) == 9 && x == 9);
	assert(compare_and_swap_flag(&l, 7, 70) && l == 70 && !compare_and_swap_flag(&l, 7, 8) && l == 70);
	assert(compare_and_swap_condition(&x, 9, 2) && x == 2 && !compare_and_swap_condition(&x, 9, 3));
	assert(compare_and_swap_apart(&x, 2, 6) == 2 && compare_and_swap_apart(&x, 5, 7) == 6 && x == 6);
	x = 2;
	struct wide w = { 1, 2 }, old = { 1, 3 };
	assert(!compare_and_swap_wide(&w, &old, (struct wide){ 5, 6 }) && old.low == 1 && old.high == 2 && w.low == 1);
	assert(compare_and_swap_wide(&w, &old, (struct wide){ 5, 6 }) && w.low == 5 && w.high == 6);
	assert(!compare_and_swap_loaded(&w, &old, old) && compare_and_swap_loaded(&w, &w, old) && w.low == 1 && w.high == 2);
	uint32_t bits[3] = { 0 };
	assert(!set_bit(&bits[1], 3) && set_bit(&bits[1], 3) && !set_bit(&bits[1], 33));
	assert(!set_bit(&bits[1], -32) && !set_bit(&bits[1], 31));
	assert(bits[0] == 1 && bits[1] == 0x80000008 && bits[2] == 2);
	uint64_t bit_words[2] = { 7, 1ull << 63 };
	assert(clear_bit(bit_words, 1) && !clear_bit(bit_words, 1) && clear_bit(bit_words, 127));
	assert(bit_words[0] == 5 && bit_words[1] == 0);
	__asm__("btcl $4, %0" : "+r"(bits[0]));
	__asm__("btcl $36, %k0" : "+r"(bit_words[0]));
	assert(bits[0] == 17 && bit_words[0] == 21);
	if (x != 2)
		__asm__ __volatile__("ud2");
	assert(!decrement_and_test(&x) && decrement_and_test(&x) && x == 0);
	assert(exchange(&u, 99) == 3 && u == 99);
	assert(exchange_byte(&b, 7) == 200 && b == 7);
	__asm__("bswap %0" : "+r"(swapped));
	__asm__("bswapq %0" : "+r"(wide));
	assert(swapped == 0x04030201 && wide == 0x0807060504030201);
	__asm__ __volatile__("lock; addl %1, %0" : "+m"(x) : "ir"(40));
	__asm__ __volatile__("lock; incl %0" : "+m"(x));
	__asm__ __volatile__("lock; orl %1, %0" : "+m"(x) : "r"(6));
	assert(x == 47);
	__asm__ __volatile__("lock; subl %1, %0" : "+m"(x) : "ir"(7));
	__asm__ __volatile__("lock; andl %1, %0" : "+m"(x) : "r"(0xf8));
	assert(x == 40);
	assert(through_pointer(pair) == 42 && pair[1] == 42);
	return 0;
}
