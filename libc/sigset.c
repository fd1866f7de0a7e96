/* SPDX-License-Identifier: MIT
 *
 * Sets of signals, and the calls of System V that hold a signal back.
 */
#include "signals.h"

#include <stdbool.h>

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

/* ---- System V -------------------------------------------------------------------------------------------------------- */

/* Block or unblock one signal.  Return whether it was blocked before; -1 with errno if there is no such signal. */
static int change(int number, int how)
{
	sigset_t set, before;
	put_bits(&set, 0);
	if (sigaddset(&set, number) < 0)
		return -1;
	sigprocmask(how, &set, &before);
	return sigismember(&before, number);
}

int sighold(int number)
{
	return change(number, SIG_BLOCK) < 0 ? -1 : 0;
}

int sigrelse(int number)
{
	return change(number, SIG_UNBLOCK) < 0 ? -1 : 0;
}

int sigignore(int number)
{
	struct sigaction ignored = { .sa_handler = SIG_IGN };
	return sigaction(number, &ignored, NULL);
}

sighandler_t sigset(int number, sighandler_t handler)
{
	struct sigaction old, new = { .sa_handler = handler };
	bool holds = handler == SIG_HOLD;
	if (sigaction(number, holds ? NULL : &new, &old) < 0)
		return SIG_ERR;
	return change(number, holds ? SIG_BLOCK : SIG_UNBLOCK) ? SIG_HOLD : old.sa_handler;
}

int __xpg_sigpause(int number)
{
	sigset_t set;
	sigprocmask(SIG_BLOCK, NULL, &set);
	return sigdelset(&set, number) < 0 ? -1 : sigsuspend(&set);
}
