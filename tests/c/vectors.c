/* SPDX-License-Identifier: MIT
 *
 * Loops that clang turns into vectors at -O2, and vector types of the language extension.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));

static int a[64], b[64], c[64];
static float x[16], y[16];
static volatile int seven = 7;

int main(void)
{
	for (int i = 0; i < 64; i++) {
		a[i] = i * seven;
		b[i] = 64 - i;
	}
	for (int i = 0; i < 64; i++)
		c[i] = a[i] > b[i] ? a[i] - b[i] : b[i] ^ a[i];
	int sum = 0, max = 0;
	for (int i = 0; i < 64; i++) {
		sum += c[i];
		max = c[i] > max ? c[i] : max;
	}
	assert(max == 440 && c[63] == 440 && c[1] == (63 ^ 7));
	int again = 0;
	for (volatile int i = 0; i < 64; i++)
		again += c[i];
	assert(sum == again);
	for (int i = 0; i < 16; i++)
		x[i] = (float)i, y[i] = 2 * x[i] + 1;
	float total = 0;
	for (int i = 0; i < 16; i++)
		total += x[i] * y[i];
	assert(total == 2600);
	v4 p = {1, 2, 3, seven}, q = p * p + (v4){1, 1, 1, 1};
	assert(q[0] == 2 && q[3] == 50 && (p > 2)[3] == -1 && (p > 2)[0] == 0);
	q[1] = 100;
	v4 r = q >> 1;
	assert(r[1] == 50 && (r & 3)[1] == 2);
	f4 g = {1, 2, 3, 4}, h = g / 2;
	assert(h[3] == 2 && h[0] == 0.5f);
	return 0;
}
