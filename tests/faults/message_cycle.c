/* SPDX-License-Identifier: MIT
 *
 * A message that pan would take for one about a cycle, and whose trail it would then cut short.
 *
 * RUN: check
 * EXPECT: violated assertion
 */
#include <assert.h>

int main(void)
{
	int found = 0;
	assert(found && "there is no cycle (at depth 1)"); /* ERROR */
	return 0;
}
