/* SPDX-License-Identifier: MIT
 *
 * What does not pay for its time rests: a cache that seldom finds anything, a rule that seldom leaves anything out.
 */
#ifndef BITSPIN_GAIN_H
#define BITSPIN_GAIN_H

/* How often something was tried since the last window ended, how often that was of use, and for how many tries it is to rest.  The
 * units are those of who counts. */
struct vm_gain {
	unsigned tried, useful, rest;
};

/* Begin the next window after so many tries; if fewer than `least` of them were of use, after a rest. */
static inline void vm_gain_settle(struct vm_gain *gain, unsigned window, unsigned least, unsigned rest)
{
	if (gain->tried < window)
		return;
	gain->rest = gain->useful < least ? rest : 0;
	gain->tried = gain->useful = 0;
}

/* Count so many tries that have come by, whether they were tried or not. */
static inline void vm_gain_pass(struct vm_gain *gain, unsigned tries)
{
	gain->rest -= tries < gain->rest ? tries : gain->rest;
}

#endif
