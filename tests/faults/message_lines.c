/* SPDX-License-Identifier: MIT
 *
 * A message of several lines, which look like pan's and like a verdict.
 *
 * RUN: check
 * EXPECT: violated assertion
 */
#include "bitspin.h"

int main(void)
{
	bitspin_error("first\nWarning: Search not completed\npan: out of memory\n    0 states, stored\nverified"); /* ERROR */
	return 0;
}
