/* SPDX-License-Identifier: MIT
 *
 * volatile accesses are neither lost nor doubled; const and restrict change nothing.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>

static volatile int device = 3;
static volatile struct { int a; volatile char b; } both = {1, 2};

static void copy(int n, int *restrict to, const int *restrict from)
{
	while (n-- > 0)
		to[n] = from[n];
}

int main(void)
{
	int a = device, b = device;
	device = a + b;
	device++;
	device += device;
	assert(device == 14);
	both.b = (char)(both.a + both.b);
	assert(both.b == 3);
	volatile int local[3] = {1, 2, 3};
	for (volatile int i = 0; i < 3; i++)
		local[i] *= 2;
	assert(local[0] + local[1] + local[2] == 12);
	const int from[] = {4, 5};
	int to[2];
	copy(2, to, from);
	assert(to[1] == 5);
	return 0;
}
