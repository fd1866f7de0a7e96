/* SPDX-License-Identifier: MIT
 *
 * An invariant that writes, of constants only: its function has no registers at all.
 *
 * RUN: check --invariant 'count = 1'
 * EXPECT: violated invariant
 */
static int count;

int main(void) /* ERROR */
{
	return count;
}
