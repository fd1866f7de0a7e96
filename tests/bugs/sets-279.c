/* SPDX-License-Identifier: MIT
 *
 * Found by sets.sh, seed 279:
 * ends with status 0, and 126 with sets: tests/bench/sets.sh: line 23: /tmp/w/inputs2/build/llvm14/bitspin: Perm
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
	pair.x = INPUT(-3, 4);
	i = pair.x & 3;
	pair.x = INPUT(0, 5);
	c = atomic_exchange(&atomic, c);
	if (c != i) {
		atomic_fetch_or(&atomic, pair.y);
		memcpy((char *)&h + 1, &uc, 1);
	}
	p = uc ? &g : &h;
	pair.x = n.i | 255;
	bitspin_assume(c < 2);
	return argument && i == u && c == uc && s == l && g == h && a[0] == *p && pair.x == other.y && n.i ? NULL : argument;
}
static void *last(void *argument)
{
	int i = 1; unsigned u = 2; signed char c = 3; unsigned char uc = 4; short s = 5; long l = 6;
	int g = 0, h = 0, a[3] = { 0 }, *p = &g;
	struct two pair = { 1, 2 }, other = { 0 };
	union { int i; unsigned char b[4]; } n = { 0 };
	i = INPUT(0, 5);
	while (byte != -3)
		byte = c;
	for (int k = 0; k < (c & 3); k++) {
		i = a[u & 3 & ~1u];
		s = u + 12;
	}
	return argument && i == u && c == uc && s == l && g == h && a[0] == *p && pair.x == other.y && n.i ? NULL : argument;
}
int main(void)
{
	pthread_t id[1];
	atomic = INPUT(0, 3);
	pthread_create(&id[0], 0, t0, 0);
	last(NULL);
	pthread_join(id[0], 0);
	assert(atomic != 1000);
	return 0;
}
