/* SPDX-License-Identifier: MIT
 *
 * Linkage, and what runs before and after main: constructors and destructors with priorities, weak and aliased names, inline
 * functions of all kinds, cleanup attributes, static locals of functions that are called again, thread-locals with
 * initialisers of every shape, tentative definitions, objects in sections, incomplete types completed later.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static char order[16];
static int used;

#define NOTE(name, when, letter) \
	__attribute__((when)) static void name(void) { order[used++] = letter; }
NOTE(second, constructor(201), 'b')
NOTE(first, constructor(101), 'a')
NOTE(fourth, constructor, 'd')
NOTE(third, constructor(65535 - 1), 'c')

__attribute__((destructor(150))) static void last(void)
{
	if (order[4] != 'm' || order[5] != 'x' || order[6] != 'y')
		abort();
}
NOTE(before_last, destructor(200), 'y')
static void at_exit(void) { order[used++] = 'x'; }

int tentative;
int tentative;
int tentative = 4;
int other_tentative;
extern struct later later_object;
static struct later *later_pointer = &later_object;
struct later { int x; struct later *self; };
struct later later_object = { 5, &later_object };
static int forward(int n);
static int (*table[])(int) = { forward, &forward, *forward };
extern int renamed(int n) __asm__("real_name");
int renamed(int n) { return n + 1; }
__attribute__((weak)) int strong_enough(void) { return 3; }
extern int same_name(void) __attribute__((alias("strong_enough"), weak));
static int hidden(void) __attribute__((unused, noinline, cold));
static int hidden(void) { return 8; }
__attribute__((section("special"))) static int placed = 9;
__attribute__((always_inline)) static inline int always(int n) { return n ? n + forward(n - 1) : 0; }
inline int plain_inline(int n) { return n * 3; }
extern inline int plain_inline(int n);
static int forward(int n) { return n > 0 ? always(n) : 0; }

struct pair { int a; int *b; };
static int shared = 6;
static _Thread_local struct pair local = { 7, &shared };
static __thread int array[3] = { [1] = 5 };
static _Thread_local const char *text = "text";
static __thread uint64_t big = 1ull << 40;

static int counter(void)
{
	static int count = 10;
	static struct { int calls; int *at; } nested = { 0, &count };
	static _Thread_local int mine = 100;
	nested.calls++;
	return ++*nested.at + nested.calls * 1000 + mine++ * 100000;
}

static int cleaned;
static void clean(int *value) { cleaned = cleaned * 10 + *value; }

static int scoped(int n)
{
	__attribute__((cleanup(clean))) int outer = 1;
	for (int i = 0; i < n; i++) {
		__attribute__((cleanup(clean))) int inner = 2 + i;
		if (i == 1)
			return cleaned;
	}
	return -1;
}

static void *work(void *unused)
{
	assert(local.a == 7 && local.b == &shared && array[1] == 5 && array[2] == 0 && text[2] == 'x' && big >> 40 == 1);
	local.a = array[2] = 1;
	assert(counter() / 100000 == 100);
	return unused;
}

int main(void)
{
	assert(used == 4 && order[0] == 'a' && order[1] == 'b' && order[2] == 'c' && order[3] == 'd');
	order[used++] = 'm';
	atexit(at_exit);
	assert(tentative == 4 && other_tentative == 0 && later_pointer->self->x == 5 && table[0] == table[2] && table[1](4) == 10);
	assert(renamed(1) == 2 && strong_enough() == 3 && same_name() == 3 && hidden() == 8 && placed == 9 && plain_inline(2) == 6);
	assert(counter() == 11 + 1000 + 10000000 && counter() == 12 + 2000 + 10100000);
	assert(scoped(1) == -1 && cleaned == 21 && scoped(5) == 212 && cleaned == 21231);
	local.a = 50;
	big++;
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	assert(local.a == 50 && array[2] == 0 && counter() == 14 + 4000 + 10200000);
	return 0;
}
