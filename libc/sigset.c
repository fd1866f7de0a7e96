/* SPDX-License-Identifier: MIT
 *
 * Sets of signals.
 */
#include "signals.h"

int sigemptyset(sigset_t *set)
{
	put_bits(set, 0);
	return 0;
}

int sigfillset(sigset_t *set)
{
	put_bits(set, ~(uint64_t)0 & ~bit(32) & ~bit(33)); /* glibc keeps these two for itself */
	return 0;
}

int sigaddset(sigset_t *set, int number)
{
	if (!is_signal(number))
		return fail(EINVAL);
	set->__val[0] |= bit(number);
	return 0;
}

int sigdelset(sigset_t *set, int number)
{
	if (!is_signal(number))
		return fail(EINVAL);
	set->__val[0] &= ~bit(number);
	return 0;
}

int sigismember(const sigset_t *set, int number)
{
	return is_signal(number) ? !!(bits_of(set) & bit(number)) : fail(EINVAL);
}
