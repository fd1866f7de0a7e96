/* SPDX-License-Identifier: MIT
 *
 * Aliases, weak definitions, weak declarations that nobody defines, common linkage between functions.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>

int original = 3;
extern int other __attribute__((alias("original")));

int compute(int x) { return x * 2; }
int renamed(int) __attribute__((alias("compute")));

__attribute__((weak)) int fallback(void) { return 11; }
extern int absent(void) __attribute__((weak));
extern int nowhere __attribute__((weak));

int main(void)
{
	other++;
	assert(original == 4 && &other == &original);
	assert(renamed(21) == 42 && renamed == compute);
	assert(fallback() == 11);
	assert(!absent && !&nowhere);
	return 0;
}
