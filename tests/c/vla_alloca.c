/* SPDX-License-Identifier: MIT
 *
 * Variable length arrays, alloca, arrays in loops, sizeof of a variable length array, two dimensions.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <alloca.h>
#include <assert.h>
#include <string.h>

static volatile int three = 3;

static int sum(int rows, int columns, int m[rows][columns])
{
	int s = 0;
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++)
			s += m[i][j];
	return s;
}

static int build(int n)
{
	int v[n];
	for (int i = 0; i < n; i++)
		v[i] = i;
	int s = 0;
	for (int i = 0; i < n; i++)
		s += v[i];
	assert(sizeof v == (size_t)n * sizeof(int));
	return s;
}

int main(void)
{
	assert(build(10) == 45 && build(1) == 0);
	int m[three][three + 1];
	for (int i = 0; i < three; i++)
		for (int j = 0; j < three + 1; j++)
			m[i][j] = 10 * i + j;
	assert(sum(three, three + 1, m) == 138 && sizeof m == 48 && &m[2][0] - &m[1][0] == 4);
	char *list[4];
	for (int i = 0; i < 4; i++) {
		list[i] = alloca((size_t)i + 2);
		memset(list[i], 'a' + i, (size_t)i + 1);
		list[i][i + 1] = 0;
	}
	assert(!strcmp(list[0], "a") && !strcmp(list[3], "dddd"));
	for (int round = 1; round < 50; round++) {
		long scratch[round];
		scratch[round - 1] = round;
		assert(scratch[round - 1] == round);
	}
	return 0;
}
