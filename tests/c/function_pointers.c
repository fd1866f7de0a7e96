/* SPDX-License-Identifier: MIT
 *
 * Function pointers: tables, comparison, as arguments and results, in structs, to variadic functions.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>

typedef int binary(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static binary *const table[] = {add, sub, mul, NULL};
static struct { const char *name; binary *run; } commands[] = {{"add", add}, {"sub", sub}};

static binary *choose(char c)
{
	return c == '+' ? add : c == '-' ? sub : mul;
}

static int apply(binary *f, int a, int b)
{
	return f ? f(a, b) : -1;
}

static int first(int n, ...)
{
	va_list ap;
	va_start(ap, n);
	int x = va_arg(ap, int);
	va_end(ap);
	return x + n;
}

static int (*variadic)(int, ...) = first;
static void noop(void) {}

int main(void)
{
	int sum = 0;
	for (int i = 0; table[i]; i++)
		sum = sum * 100 + table[i](7, 3);
	assert(sum == 100421);
	assert(apply(choose('-'), 5, 8) == -3 && (*choose('*'))(5, 8) == 40 && apply(NULL, 1, 1) == -1);
	assert(choose('+') == add && choose('+') != sub && commands[1].run == sub && commands[1].run(1, 1) == 0);
	assert(variadic(2, 40) == 42);
	void (*p)(void) = noop;
	p();
	void *raw = (void *)p;
	assert(raw == (void *)noop && raw != NULL);
	((void (*)(void))raw)();
	return 0;
}
