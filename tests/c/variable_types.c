/* SPDX-License-Identifier: MIT
 *
 * Types that are known when the program runs, and other rare ones: pointers to variable arrays, their sizes and typedefs,
 * flexible array members, designators with ranges, anonymous members, wide strings of all kinds, tables of functions of
 * different types, arrays as parameters, alignment, volatile structs, complex numbers in structs, packed unions.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <complex.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

static volatile int three = 3;

static int trace(int n, int m, int (*matrix)[n][m])
{
	int sum = 0;
	for (int i = 0; i < n && i < m; i++)
		sum += (*matrix)[i][i];
	assert(sizeof *matrix == sizeof(int) * (unsigned)(n * m) && sizeof (*matrix)[0] == sizeof(int) * (unsigned)m);
	return sum;
}

static size_t sizes(int n)
{
	typedef short row[n];
	n = 100; /* changes nothing */
	row a, *b = &a;
	size_t before = sizeof(row) + sizeof *b;
	int i = 0;
	before += sizeof(char[++i]); /* evaluated, as the type is variable */
	assert(i == 1 && sizeof(i++) == 4 && i == 1);
	int (*p)[three] = malloc(sizeof(int[4][three]));
	for (int k = 0; k < 12; k++)
		p[k / 3][k % 3] = k;
	assert(p[3][2] == 11 && (char *)(p + 2) - (char *)p == 24 && *(*(p + 1) + 1) == 4 && &p[1] - &p[0] == 1);
	int (*end)[three] = p + 4;
	assert(end - p == 4 && end[-1][0] == 9);
	free(p);
	return before;
}

static double mean(size_t n, const double values[static n])
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return sum / (double)n;
}

struct message { uint16_t length; struct { char key; int value; } items[]; };

static int flexible(int n)
{
	struct message *m = malloc(offsetof(struct message, items) + (size_t)n * sizeof m->items[0]);
	m->length = (uint16_t)n;
	for (int i = 0; i < n; i++) {
		m->items[i].key = (char)('a' + i);
		m->items[i].value = i * i;
	}
	struct message head = *m; /* without the items */
	int sum = head.length;
	for (int i = 0; i < m->length; i++)
		sum += m->items[i].value + m->items[i].key - 'a';
	free(m);
	return sum;
}

static const struct table {
	unsigned char class[256];
	struct { int low, high; } ranges[4];
	union { int number; const char *text; struct { short a, b; }; };
} table = {
	.class = { ['0' ... '9'] = 1, ['a' ... 'z'] = 2, ['A' ... 'Z'] = 2, ['_'] = 3 },
	.ranges = { [1 ... 2] = { 5, 6 }, [2].high = 7, [0].low = 1 },
	.text = "union",
};

typedef int int_function(int);
static int twice(int x) { return 2 * x; }
static double halve(double x) { return x / 2; }
static const char *name(void) { return "name"; }
static struct table *none(struct table *t, ...) { return t; }
static void (*const functions[])(void) = {
	(void (*)(void))twice, (void (*)(void))halve, (void (*)(void))name, (void (*)(void))none,
};
static int_function *choose(int which) { return which ? twice : (int_function *)functions[0]; }
static int (*(*nested(void))(int))(int) { return choose; }

struct complicated { float complex z; alignas(32) char c; double complex w; };

static struct complicated conjugate(struct complicated x)
{
	return (struct complicated){ conjf(x.z), (char)-x.c, conj(x.w) * I };
}

union __attribute__((packed)) view { char c; struct __attribute__((packed)) { char skip; uint64_t word; } u; };

static int sum_of(int count, ...)
{
	va_list list, again;
	int sum = 0;
	va_start(list, count);
	va_copy(again, list);
	for (int i = 0; i < count; i++) {
		struct complicated x = va_arg(list, struct complicated);
		sum += (int)crealf(x.z) + x.c + (int)cimag(x.w);
	}
	for (int i = 0; i < count; i++)
		sum += 100 * va_arg(again, struct complicated).c;
	va_end(again);
	va_end(list);
	return sum;
}

int main(void)
{
	int square[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };
	assert(trace(three, three + 1, &square) == 18 && sizes(5) == 21 && flexible(4) == 4 + 14 + 6);
	assert(mean(4, (const double[]){ 1, 2, 3, 4 }) == 2.5);
	assert(table.class['7'] == 1 && table.class['q'] == 2 && table.class['_'] == 3 && table.class['-'] == 0);
	assert(table.ranges[0].low == 1 && table.ranges[1].high == 6 && table.ranges[2].high == 7 && table.ranges[2].low == 5 &&
	       table.ranges[3].low == 0 && !strcmp(table.text, "union"));
	assert(((int_function *)functions[0])(21) == 42 && ((double (*)(double))functions[1])(3) == 1.5);
	assert(!strcmp(((const char *(*)(void))functions[2])(), "name") && nested()(1)(4) == 8 && (*nested())(0)(5) == 10);
	wchar_t wide[] = L"x\x263a" L"yz";
	char16_t sixteen[] = u"a\U0001f600";
	char32_t thirty_two[] = U"a\U0001f600";
	const char *eight = u8"\u00e9\u20ac";
	assert(sizeof wide == 5 * 4 && wide[1] == 0x263a && wide[4] == 0 && L'\xffff' == 65535 && sizeof L'a' == 4);
	assert(sizeof sixteen == 8 && sixteen[1] == 0xd83d && sixteen[2] == 0xde00 && sizeof thirty_two == 12 &&
	       thirty_two[1] == 0x1f600);
	assert(strlen(eight) == 5 && (unsigned char)eight[0] == 0xc3 && u'\u20ac' == 0x20ac && U'\U0001f600' == 0x1f600);
	struct complicated x = { 1 + 2 * I, 5, 3 - 4 * I }, y = conjugate(x);
	assert(crealf(y.z) == 1 && cimagf(y.z) == -2 && y.c == -5 && creal(y.w) == -4 && cimag(y.w) == 3);
	assert(alignof(struct complicated) == 32 && sizeof x == 64 && offsetof(struct complicated, c) == 32 && (uintptr_t)&x % 32 == 0);
	assert(sum_of(2, x, y) == (1 + 5 - 4) + (1 - 5 + 3) && conjugate(conjugate(x)).c == 5);
	union view v = { .u = { 1, 0x0102030405060708 } };
	assert(sizeof v == 9 && v.c == 1 && v.u.word >> 56 == 1 && ((char *)&v)[1] == 8);
	volatile struct { int a; char b[3]; } device = { 1, "ab" }, copy;
	copy = device;
	copy.b[1]++;
	device.a += copy.b[1];
	assert(device.a == 1 + 'c' && device.b[1] == 'b');
	char overlap[16] = "0123456789";
	memmove(overlap + 2, overlap, 10);
	memmove(overlap, overlap + 1, 5);
	assert(!strcmp(overlap, "10123323456789") || !memcmp(overlap, "1012334", 5));
	int *p = square[0];
	assert(p[3] == 4 && *(square[1] + 2) == 7 && 2[p] == 3 && &square[3] - square == 3 && (square + 1)[0][0] == 5);
	return 0;
}
