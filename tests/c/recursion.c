/* SPDX-License-Identifier: MIT
 *
 * Recursion: deep, mutual, through a pointer, with arrays in the frame.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdbool.h>

static unsigned ackermann(unsigned m, unsigned n)
{
	return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static bool odd(unsigned n);
static bool even(unsigned n) { return n == 0 || odd(n - 1); }
static bool odd(unsigned n) { return n != 0 && even(n - 1); }

static int queens(int n, int row, int *columns)
{
	if (row == n)
		return 1;
	int count = 0;
	for (int c = 0; c < n; c++) {
		bool fits = true;
		for (int r = 0; r < row; r++)
			if (columns[r] == c || columns[r] - c == row - r || c - columns[r] == row - r)
				fits = false;
		if (fits) {
			columns[row] = c;
			count += queens(n, row + 1, columns);
		}
	}
	return count;
}

static int depth(int n, int *outer)
{
	int local[2] = {n, *outer};
	if (n == 0)
		return *outer;
	int below = depth(n - 1, local);
	assert(local[0] == n && local[1] == *outer);
	return below + 1;
}

int main(void)
{
	assert(ackermann(2, 3) == 9);
	assert(even(100) && !odd(100));
	int columns[6], start = 500;
	assert(queens(5, 0, columns) == 10);
	assert(depth(200, &start) == 201);
	return 0;
}
