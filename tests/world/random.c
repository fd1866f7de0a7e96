/* SPDX-License-Identifier: MIT
 *
 * Random bytes are a choice among a few; the processor's counter goes forward with the clock.
 *
 * RUN: check -DKIND=0
 * EXPECT: violated assertion
 * RUN: check -DKIND=1
 * EXPECT: violated assertion
 * RUN: check -DKIND=2
 * EXPECT: violated assertion
 * RUN: check -DKIND=3
 * EXPECT: verified for three results of getrandom()
 * RUN: check -DKIND=4
 * EXPECT: verified
 * RUN: check -DKIND=4 --clock forward:1:5us
 * EXPECT: violated assertion
 * RUN: check -DKIND=5 --clock forward:3:5us
 * EXPECT: verified
 */
#include <assert.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#ifndef KIND
#define KIND 0
#endif

int main(void)
{
	unsigned char bytes[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	unsigned long before = __rdtsc();
	struct timespec t;
	volatile int kind = KIND;
	if (kind < 3) {
		assert(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
		assert(bytes[7] != (KIND == 0 ? 0 : KIND == 1 ? 0x5a : 0xff)); /* ERROR */
	} else if (kind == 3) {
		assert(getentropy(bytes, 257) == -1 && bytes[0] == 1 && getentropy(bytes, 2) == 0 && bytes[2] == 1);
		assert(getrandom(bytes, 0, 0) == 0);
	} else if (kind == 4) {
		assert(__rdtsc() - before < 5000); /* ERROR */
	} else {
		clock_gettime(CLOCK_MONOTONIC, &t);
		assert((t.tv_sec - 946684800) * 1000000000 + t.tv_nsec >= (long)before);
		assert((long)__rdtsc() >= (t.tv_sec - 946684800) * 1000000000 + t.tv_nsec);
	}
}
