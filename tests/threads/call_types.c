/* SPDX-License-Identifier: MIT
 *
 * Calls that are right, or that bitspin cannot distinguish from those: pointers of all kinds, enumerations and int, functions
 * without prototypes.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
	int key, value;
};

struct large {
	long a[5];
};

enum colour { RED, GREEN };

static int by_key(const struct pair *a, const struct pair *b) { return a->key - b->key; }
static enum colour opposite(enum colour c) { return c == RED ? GREEN : RED; }
static struct large doubled(struct large s) { s.a[4] *= 2; return s; }
static struct pair swapped(struct pair p) { return (struct pair){ p.value, p.key }; }
static char next(char c) { return c + 1; }
static short half(short s) { return s / 2; }
static _Bool not(_Bool b) { return !b; }
static float third(float f, double d, long double x) { return f + d + x; }
static int sum(int n, ...)
{
	int result = 0;
	__builtin_va_list list;
	__builtin_va_start(list, n);
	while (n--)
		result += __builtin_va_arg(list, int);
	__builtin_va_end(list);
	return result;
}

int old_style(a, c, f)
	int a;
	char c;
	float f;
{
	return a + c + (int)f;
}

int declared();          /* without a prototype */
void *worker()           /* empty brackets: takes what it is given, as compilers have it */
{
	return NULL;
}

static void *typed(struct pair *p)
{
	p->value++;
	return p;
}

int declared(int a, long b)
{
	return a + (int)b;
}

int main(void)
{
	pthread_t a, b;
	struct pair pairs[3] = { { 3, 1 }, { 1, 2 }, { 2, 3 } };
	qsort(pairs, 3, sizeof pairs[0], (int (*)(const void *, const void *))by_key);
	assert(pairs[0].key == 1 && pairs[2].key == 3);
	pthread_create(&a, NULL, worker, pairs);
	pthread_create(&b, NULL, (void *(*)(void *))typed, pairs);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(pairs[0].value == 3);

	int (*colour)(int) = (int (*)(int))opposite;
	unsigned (*unsigned_colour)(unsigned) = (unsigned (*)(unsigned))opposite;
	assert(colour(RED) == GREEN && unsigned_colour(GREEN) == RED);
	struct large (*large)(struct large) = doubled;
	assert(large((struct large){ { 1, 2, 3, 4, 5 } }).a[4] == 10);
	struct pair (*swap)(struct pair) = swapped;
	assert(swap((struct pair){ 1, 2 }).key == 2);
	char (*c)(char) = next;
	short (*s)(short) = half;
	_Bool (*n)(_Bool) = not;
	float (*f)(float, double, long double) = third;
	assert(c('a') == 'b' && s(10) == 5 && n(0) && f(1, 2, 3) == 6);
	int (*variadic)(int, ...) = sum;
	assert(variadic(3, 1, 2, 3) == 6 && variadic(0) == 0 && sum(0) == 0);
	int (*any)() = declared;
	assert(any(1, 2L) == 3 && declared(4, 5L) == 9);
	assert(old_style(1, 'b' - 'a', 2.5f) == 4);
	int (*old)() = old_style;
	assert(old(1, 2, 3.0) == 6);
	int (*length)(const char *, ...) = printf;
	length("%d\n", 5);
	void (*release)(void *) = free;
	release(malloc(4));
	return 0;
}
