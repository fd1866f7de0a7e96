/* SPDX-License-Identifier: MIT
 *
 * Numbers drawn at random, the same each time for the same seed.
 */
#ifndef BITSPIN_RANDOM_H
#define BITSPIN_RANDOM_H

#include <stdint.h>

/* Return 64 bits, and change *seed.  Vigna's splitmix64, after Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014. */
static inline uint64_t vm_draw(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

#endif
