/* SPDX-License-Identifier: MIT
 *
 * _Generic, _Static_assert, _Alignas, enums, typeof, statement expressions.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdalign.h>
#include <stdint.h>

#define KIND(x) _Generic((x), int: 1, unsigned: 2, double: 3, char *: 4, default: 0)
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

enum colour { RED, GREEN = 5, BLUE, NEGATIVE = -1 };
_Static_assert(BLUE == 6, "enum");

static alignas(64) char line[64];

int main(void)
{
	char text[] = "x";
	assert(KIND(1) == 1 && KIND(1u) == 2 && KIND(1.0) == 3 && KIND(text) == 4 && KIND(1L) == 0);
	int i = 3;
	assert(MAX(i++, 2) == 3 && i == 4);
	enum colour c = BLUE;
	c = (enum colour)(c - 7);
	assert(c == NEGATIVE && c < RED);
	assert((uintptr_t)line % 64 == 0);
	alignas(32) int v[4] = {0};
	assert((uintptr_t)v % 32 == 0 && v[3] == 0);
	int chosen = i ?: 9;
	assert(chosen == 4 && (0 ?: 9) == 9 && __builtin_expect(i == 4, 1));
	return 0;
}
