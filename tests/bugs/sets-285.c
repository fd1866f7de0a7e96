/* SPDX-License-Identifier: MIT
 *
 * Found by sets.sh, seed 285:
 * ends with status 126, and 126 with sets: tests/bench/sets.sh: line 23: /tmp/w/inputs2/build/llvm14/bitspin: Pe
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "bitspin.h"
#define INPUT bitspin_choose
struct two { int x; short y; };
static _Atomic int atomic, met;
static _Atomic unsigned char byte;
static int same(int x) { return x; }
static struct two swap(struct two t) { return (struct two){ t.y, (short)t.x }; }
static void *t0(void *argument)
{
	int i = 1; unsigned u = 2; signed char c = 3; unsigned char uc = 4; short s = 5; long l = 6;
	int g = 0, h = 0, a[3] = { 0 }, *p = &g;
	struct two pair = { 1, 2 }, other = { 0 };
	union { int i; unsigned char b[4]; } n = { 0 };
	pair.y = n.i * -3;
	s = i + 0;
	return argument && i == u && c == uc && s == l && g == h && a[0] == *p && pair.x == other.y && n.i ? NULL : argument;
}
static void *t1(void *argument)
{
	int i = 1; unsigned u = 2; signed char c = 3; unsigned char uc = 4; short s = 5; long l = 6;
	int g = 0, h = 0, a[3] = { 0 }, *p = &g;
	struct two pair = { 1, 2 }, other = { 0 };
	union { int i; unsigned char b[4]; } n = { 0 };
	i = INPUT(-3, 4);
	c = INPUT(-3, 4);
	c = a[1] >= a[1];
	pair.y = l > s;
	assert(h != 7);
	return argument && i == u && c == uc && s == l && g == h && a[0] == *p && pair.x == other.y && n.i ? NULL : argument;
}
static void *last(void *argument)
{
	int i = 1; unsigned u = 2; signed char c = 3; unsigned char uc = 4; short s = 5; long l = 6;
	int g = 0, h = 0, a[3] = { 0 }, *p = &g;
	struct two pair = { 1, 2 }, other = { 0 };
	union { int i; unsigned char b[4]; } n = { 0 };
	l = (unsigned)n.b[0] >> (8 & 7);
	return argument && i == u && c == uc && s == l && g == h && a[0] == *p && pair.x == other.y && n.i ? NULL : argument;
}
int main(void)
{
	pthread_t id[2];
	atomic = INPUT(0, 8);
	pthread_create(&id[0], 0, t0, 0);
	pthread_create(&id[1], 0, t1, 0);
	last(NULL);
	pthread_join(id[0], 0);
	pthread_join(id[1], 0);
	assert(atomic != 1000);
	return 0;
}
