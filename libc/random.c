/* SPDX-License-Identifier: MIT
 *
 * Pseudo-random numbers, the same as glibc's.  random() is an additive feedback generator, x[i] = x[i-3] + x[i-31]
 * (Knuth, The Art of Computer Programming, volume 2, section 3.2.2), started by Park and Miller's generator; the drand48
 * family is the linear congruence that POSIX gives.
 */
#include "library.h"

#include <stdlib.h>

enum { DEGREE = 31, SEPARATION = 3, WARM_UP = 310 };

/* Apart from the others, as these decide where the next word is: a program may only print its random numbers. */
static unsigned words[DEGREE];
static int ready;
static unsigned at; /* of the word to be changed next */

static unsigned next_word(void)
{
	unsigned front = at, rear = (front + DEGREE - SEPARATION) % DEGREE;
	unsigned word = words[front] += words[rear];
	at = (front + 1) % DEGREE;
	return word >> 1;
}

static void seed(unsigned value)
{
	long word = (int)(value + !value); /* as a signed number, as glibc has it; no branch decides on the seed */
	for (int i = 0; i < DEGREE; i++) {
		words[i] = (unsigned)word;
		word = 16807L * word % 2147483647L;
		word += 2147483647L & word >> 63;
	}
	ready = 1;
	at = SEPARATION;
	for (int i = 0; i < WARM_UP; i++)
		next_word();
}

void srandom(unsigned value)
{
	LOCKED;
	seed(value);
	UNLOCKED;
}

void srand(unsigned value)
{
	srandom(value);
}

long random(void)
{
	__bitspin_untried(UNTRIED_SEED, "");
	LOCKED;
	if (!ready)
		seed(1);
	unsigned word = next_word();
	UNLOCKED;
	return (long)word;
}

int rand(void)
{
	return (int)random();
}

int rand_r(unsigned *state)
{
	static const unsigned ranges[] = { 2048, 1024, 1024 };
	unsigned word = *state, result = 0;
	for (int i = 0; i < 3; i++) {
		word = word * 1103515245u + 12345u;
		result = result << 10 ^ word / 65536 % ranges[i];
	}
	*state = word;
	return (int)result;
}

/* ---- drand48 --------------------------------------------------------------------------------------------------------- */

#define BITS_48 ((UINT64_C(1) << 48) - 1)

#include <stdint.h>

/* One place for all threads, without a lock: glibc's drand48, lrand48, mrand48 and srand48 race (MT-Unsafe race:drand48), unlike
 * random and rand, which take a lock there. */
static uint64_t congruence;

static uint64_t advance(uint64_t x)
{
	return (x * UINT64_C(0x5deece66d) + 11) & BITS_48;
}

static uint64_t own(void)
{
	__bitspin_untried(UNTRIED_SEED, "");
	return congruence = advance(congruence);
}

static uint64_t given(unsigned short parts[3])
{
	uint64_t x = advance(parts[0] | (uint64_t)parts[1] << 16 | (uint64_t)parts[2] << 32);
	for (int i = 0; i < 3; i++)
		parts[i] = (unsigned short)(x >> 16 * i);
	return x;
}

static double as_double(uint64_t x)
{
	return (double)x / (double)(BITS_48 + 1);
}

void srand48(long value)
{
	congruence = ((uint64_t)(uint32_t)value << 16) + 0x330e;
}

double drand48(void) { return as_double(own()); }
double erand48(unsigned short parts[3]) { return as_double(given(parts)); }
long lrand48(void) { return (long)(own() >> 17); }
long nrand48(unsigned short parts[3]) { return (long)(given(parts) >> 17); }
long mrand48(void) { return (int32_t)(own() >> 16); }
long jrand48(unsigned short parts[3]) { return (int32_t)(given(parts) >> 16); }
