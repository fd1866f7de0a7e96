/* SPDX-License-Identifier: MIT
 *
 * What is easily got wrong between statements: jumps into and out of blocks with variable arrays, computed goto as an
 * interpreter has it, a switch of hundreds of cases and one on wide ranges, statement expressions, commas, conditions without
 * a middle, compound literals and alloca() in loops, longjmp with changed locals, deep recursion, tail calls both ways.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <alloca.h>
#include <assert.h>
#include <limits.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static volatile int one = 1;

enum opcode { PUSH, ADD, MULTIPLY, DUPLICATE, JUMP_IF_LESS, SUBTRACT, END };

static long interpret(const int *code)
{
	static const void *const labels[] = {
		[PUSH] = &&push, [ADD] = &&add, [MULTIPLY] = &&multiply, [DUPLICATE] = &&duplicate, [JUMP_IF_LESS] = &&jump_if_less,
		[SUBTRACT] = &&subtract, [END] = &&end,
	};
	static const int offsets[] = { &&push - &&push, &&end - &&push };
	long stack[16], *top = stack;
	const int *pc = code;
	assert(offsets[0] == 0 && offsets[1] != 0);
#define NEXT goto *labels[*pc++]
	NEXT;
push: *top++ = *pc++; NEXT;
add: top--; top[-1] += top[0]; NEXT;
subtract: top--; top[-1] -= top[0]; NEXT;
multiply: top--; top[-1] *= top[0]; NEXT;
duplicate: *top = top[-1]; top++; NEXT;
jump_if_less:
	if (top[-1] < pc[0])
		pc += pc[1];
	else
		pc += 2;
	NEXT;
end:
	return top[-1];
}

#define CASE(n) case n: return (n) * 7 % 1009;
#define CASES10(n) CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3) CASE(n + 4) CASE(n + 5) CASE(n + 6) CASE(n + 7) \
	CASE(n + 8) CASE(n + 9)
#define CASES100(n) CASES10(n) CASES10(n + 10) CASES10(n + 20) CASES10(n + 30) CASES10(n + 40) CASES10(n + 50) CASES10(n + 60) \
	CASES10(n + 70) CASES10(n + 80) CASES10(n + 90)

static int large(int n)
{
	switch (n) {
		CASES100(0) CASES100(100) CASES100(200) CASES100(300) CASES100(400) CASES100(500)
	case 5000: return -1;
	case INT_MIN ... -1000: return -2;
	case 100000 ... INT_MAX: return -3;
	}
	return -4;
}

static int wide(uint64_t n)
{
	switch (n) {
	case 0x100000000ull: return 1;
	case 0x100000001ull ... 0x1ffffffffull: return 2;
	case UINT64_MAX - 1 ... UINT64_MAX: return 3;
	case 0: return 4;
	}
	switch ((signed char)n) {
	case -128 ... -1: return 5;
	case 'a' ... 'z': return 6;
	default: return 7;
	}
}

static int wide128(unsigned __int128 n)
{
	return n >> 64 ? (uint64_t)(n >> 64) == 5 ? 2 : 1 : 0;
}

static int blocks(int n)
{
	int result = 0, again = 0;
retry:;
	int size = n + again;
	char text[size];
	memset(text, 1, (size_t)size);
	for (int i = 0; i < size; i++)
		result += text[i];
	if (again++ < 3)
		goto retry; /* ends the life of text */
	return result;
}

struct point { int x, y; };

static int literals(void)
{
	struct point last = { 0 };
	int sum = 0;
	for (int i = 0; i < 4; i++) {
		struct point *p = &(struct point){ i, i ? last.x : -1 };
		sum += p->x * 10 + p->y;
		int *v = (int[]){ i, i + 1, [3] = i + 3 };
		sum += v[2] + v[3];
		last = *&(struct point){ p->x + 1 };
		sum += last.x;
	}
	return sum;
}

struct list { struct list *next; int n; };

static int chain(int n)
{
	struct list *head = NULL;
	for (int i = 0; i < n; i++) {
		struct list *new = alloca(sizeof *new);
		*new = (struct list){ head, i };
		head = new;
	}
	int sum = 0;
	for (; head; head = head->next)
		sum += head->n;
	return sum;
}

static jmp_buf place;

static __attribute__((noinline)) void leave(int depth, int value)
{
	char unused[32];
	memset(unused, depth, sizeof unused);
	if (depth == 0)
		longjmp(place, value);
	leave(depth - 1, value);
}

static int jumps(void)
{
	volatile int changed = 1, total = 0;
	int kept = 5;
	int value = setjmp(place);
	if (value < 4) {
		changed += 10;
		total += value;
		leave(value, value + 1);
	}
	return kept * 1000 + changed * 10 + total;
}

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static unsigned ackermann(unsigned m, unsigned n)
{
	return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int calls;
static int count(int value) { calls++; return value; }

int main(void)
{
	/* x = 3; do x = x * x - 1; while (x < 1000) */
	static const int code[] = { PUSH, 3, DUPLICATE, MULTIPLY, PUSH, 1, SUBTRACT, JUMP_IF_LESS, 1000, -7, END };
	assert(interpret(code) == 3968);
	assert(large(0) == 0 && large(599) == 599 * 7 % 1009 && large(600) == -4 && large(5000) == -1 && large(123) == 861);
	assert(large(INT_MIN) == -2 && large(-1000) == -2 && large(-999) == -4 && large(100000) == -3 && large(INT_MAX) == -3);
	assert(wide(1ull << 32) == 1 && wide((1ull << 32) + 1) == 2 && wide(UINT64_MAX) == 3 && wide(0) == 4 && wide(1ull << 33) == 7);
	assert(wide((1ull << 40) + 200) == 5 && wide('q') == 6 && wide128((unsigned __int128)5 << 64) == 2 && wide128(5) == 0);
	assert(blocks(3) == 3 + 4 + 5 + 6 && literals() == 93 && chain(100) == 4950);
	assert(jumps() == 5000 + 410 + 6 && jumps() == 5416);
	assert(is_even(5000) && is_odd(4999) && ackermann(2, 9) == 21);
	int x = ({ int y = one; while (y < 50) y *= 3; y; }) + ({ goto past; past: 2; });
	assert(x == 83);
	x = (count(1), count(2), count(3));
	assert(x == 3 && calls == 3 && (count(0) ?: count(9)) == 9 && calls == 5 && (count(4) ?: count(9)) == 4 && calls == 6);
	x = count(0) && count(1);
	x += count(1) || count(1);
	assert(x == 1 && calls == 8);
	int i = 0, v[3] = { 0 };
	v[i++] = i == 1 || i == 0;
	assert(v[0] == 1);
	for (i = 0; i < 3; i++)
		switch (i)
		case 1: if (0)
		case 2: v[i] += 10; /* a label inside of an if */
	assert(v[1] == 0 && v[2] == 10);
	return 0;
}
