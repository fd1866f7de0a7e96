/* SPDX-License-Identifier: MIT
 *
 * A failed assertion, deep in calls.
 *
 * RUN: check
 * EXPECT: violated assertion
 */
#include <assert.h>

static int half(int n)
{
	assert(n % 2 == 0); /* ERROR */
	return n / 2;
}

int main(void)
{
	return half(half(half(12))) - 1;
}
