/* SPDX-License-Identifier: MIT
 *
 * What the generators of random programs share: numbers that follow from the seed, which is put into `state`, and indentation.
 */
#ifndef BITSPIN_BENCH_RANDOM_H
#define BITSPIN_BENCH_RANDOM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long long state;

static unsigned pick(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

static inline void indent(int depth)
{
	for (int i = 0; i < depth; i++)
		putchar('\t');
}

#endif
