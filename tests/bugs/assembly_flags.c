/* SPDX-License-Identifier: MIT
 *
 * Inline assembly: `not` leaves the flags as they are, and `neg` sets them.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>

int main(void)
{
	unsigned x = 5, y = 0, z = 0;
	unsigned char equal;
	__asm__("subl $5, %0\n\tnotl %0\n\tsete %1" : "+r"(x), "=q"(equal) : : "cc");
	assert(equal == 1 && x == ~0u);
	__asm__("addl $1, %0\n\tnegl %0\n\tsete %1" : "+r"(y), "=q"(equal) : : "cc");
	assert(equal == 0 && y == -1u);
	__asm__("addl $1, %1\n\tnegl %0\n\tsete %2" : "+r"(z), "+r"(x), "=q"(equal) : : "cc");
	assert(equal == 1 && z == 0 && x == 0);
	x = 1;
	__asm__("addl $1, %1\n\tnegl %0\n\tsete %2" : "+r"(z), "+r"(x), "=q"(equal) : : "cc");
	assert(equal == 1 && z == 0 && x == 2);
}
