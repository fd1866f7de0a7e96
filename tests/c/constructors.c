/* SPDX-License-Identifier: MIT
 *
 * Constructors run before main, in the order of their priorities.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>

static int order[4], count;

static void first(void) __attribute__((constructor(200)));
static void second(void) __attribute__((constructor(300)));
static void last(void) __attribute__((constructor));

static void last(void) { order[count++] = 3; }
static void second(void) { order[count++] = 2; }
static void first(void) { order[count++] = 1; }

int main(void)
{
	assert(count == 3 && order[0] == 1 && order[1] == 2 && order[2] == 3);
	return 0;
}
