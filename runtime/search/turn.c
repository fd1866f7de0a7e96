/* SPDX-License-Identifier: MIT
 *
 * Whose turn it is in a claim with fairness built in; ltl/fairness.c says what turns are for.
 */
#include "../bitspin_vm.h"

int vm_weak_turn(int state, int turn, int threads)
{
	while (turn < threads && !vm_enabled(state, turn, 0))
		turn++;
	return turn;
}

int vm_strong_turn(int idle, int turn, int threads)
{
	while (turn < threads && (unsigned)idle >> turn & 1)
		turn++;
	return turn;
}

int vm_idle(int state, int idle)
{
	unsigned rest = (unsigned)idle;
	for (int thread = 0; rest; thread++, rest >>= 1)
		if ((rest & 1) && vm_enabled(state, thread, 0))
			return 0;
	return 1;
}
