/* SPDX-License-Identifier: MIT
 *
 * Accesses through a number, and through a function's address.
 *
 * RUN: check -O0
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DCODE
 * EXPECT: violated out-of-bounds
 */
#include <stdint.h>

int main(void)
{
#ifdef CODE
	char *p = (char *)(uintptr_t)main;
	*p = 1; /* ERROR */
#else
	volatile uintptr_t number = (uintptr_t)1 << 50;
	int *p = (int *)number;
	*p = 1; /* ERROR */
#endif
	return 0;
}
