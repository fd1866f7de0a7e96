/* SPDX-License-Identifier: MIT
 *
 * Found by sets.sh, seed 295:
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
	s = INPUT(-3, 4);
	i = same(l);
	i = l + h;
	{ int e = 1; if (atomic_compare_exchange_strong(&atomic, &e, a[2])) met |= 1; else i = e; }
	return argument && i == u && c == uc && s == l && g == h && a[0] == *p && pair.x == other.y && n.i ? NULL : argument;
}
static void *t1(void *argument)
{
	int i = 1; unsigned u = 2; signed char c = 3; unsigned char uc = 4; short s = 5; long l = 6;
	int g = 0, h = 0, a[3] = { 0 }, *p = &g;
	struct two pair = { 1, 2 }, other = { 0 };
	union { int i; unsigned char b[4]; } n = { 0 };
	h = INPUT(0, 5);
	u = INPUT(0, 5);
	n.i = s;
	for (int k = 0; k < (pair.y & 3); k++) {
		{ char *q = malloc((uc & 3) + 1); q[l & 1] = 1; free(q); }
		pair.y = c >> (pair.y & 7);
	}
	for (int k = 0; k < (a[2] & 3); k++) {
		bitspin_assume(s == 7);
		other = pair;
	}
	return argument && i == u && c == uc && s == l && g == h && a[0] == *p && pair.x == other.y && n.i ? NULL : argument;
}
static void *last(void *argument)
{
	int i = 1; unsigned u = 2; signed char c = 3; unsigned char uc = 4; short s = 5; long l = 6;
	int g = 0, h = 0, a[3] = { 0 }, *p = &g;
	struct two pair = { 1, 2 }, other = { 0 };
	union { int i; unsigned char b[4]; } n = { 0 };
	s = INPUT(-3, 4);
	n.i = i + l;
	return argument && i == u && c == uc && s == l && g == h && a[0] == *p && pair.x == other.y && n.i ? NULL : argument;
}
int main(void)
{
	pthread_t id[2];
	atomic = INPUT(0, 6);
	pthread_create(&id[0], 0, t0, 0);
	pthread_create(&id[1], 0, t1, 0);
	last(NULL);
	pthread_join(id[0], 0);
	pthread_join(id[1], 0);
	assert(atomic != 1000);
	return 0;
}
