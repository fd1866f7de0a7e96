/* SPDX-License-Identifier: MIT
 *
 * What a search has covered that keeps a hash of each state, or a few bits (--search hash-compact and bitstate).
 *
 * Such a search may take a state that it meets for one that was there.  How often that happens is known: the probability grows with
 * the states before it.  So of the states that were met, most of a share is known to have been told apart.  But what only a missed
 * state leads to is not met at all.  So this share is the most that can be covered of all states.
 *
 * How much less it is depends on the graph.  If each state had one predecessor, a state would be seen only if each of those before
 * it was told apart; where states have several, one of them is enough.  We take a state to have one predecessor, and beside it as
 * many as a Poisson distribution gives it, with the mean that the figures of the search have: transitions by states, without those
 * to states that were missed.  Let v be the share of states at some depth that are seen, and p the probability to be missed:
 *
 *     v(0) = 1,   v(k + 1) = (1 - p) (1 - (1 - v(k)) exp(-others v(k)))
 *
 * Of threads that take a lock in turns, each order giving a state of its own, v at the last depth was 0.86, 0.66, 0.46 and 0.30
 * where 0.93, 0.72, 0.47 and 0.29 of all states were seen, and the share of those that were told apart was 0.99 to 0.92.  In other
 * graphs the truth is below it, as predecessors are missed together: 0.99 and 0.94 (seen: 0.94), 0.96 and 0.95 (0.91).  So both are
 * told.
 */
#include "pan.h"

#include <math.h>
#include <stdlib.h>

#define BITS_A_STATE 3 /* hash functions of a bitstate search: pan's -k */

/* How many states of those that were met have been missed, beside the others. */
static double missed_states(double states, bool bitstate, double bits)
{
	enum { PARTS = 1000 };
	double missed = 0;
	for (int i = 0; i < PARTS; i++) {
		double before = states * (i + 0.5) / PARTS;
		double wrong = bitstate ? pow(1 - exp(-BITS_A_STATE * before / bits), BITS_A_STATE) : before / pow(2, 64);
		missed += states / PARTS * wrong / (1 - wrong);
	}
	return missed;
}

struct coverage coverage_of(const struct job *job, unsigned long memory)
{
	const struct statistics *s = &job->statistics;
	double states = s->states, bits = pow(2, array_bits(memory));
	if (states <= 0)
		return (struct coverage){ 0 };
	double missed = missed_states(states, job->options.search == SEARCH_BITSTATE, bits);
	double apart = states / (states + missed), others = fmax(0, (s->transitions - missed) / states - 1), share = 1;
	for (double depth = 0, before = 0; depth < s->depth && fabs(share - before) > 1e-9; depth++) {
		before = share;
		share = apart * (1 - (1 - share) * exp(-others * share));
	}
	return (struct coverage){ apart, share };
}

/* A share, never as all. */
static char *percent(double part)
{
	if (part >= 0.9999)
		return text("more than 99.99 %%");
	if (part >= 0.99)
		return text("%.2f %%", floor(part * 10000) / 100);
	return text("%.0f %%", floor(part * 100));
}

char *coverage_in_words(const struct coverage *coverage)
{
	char *most = percent(coverage->apart), *share = percent(coverage->share);
	char *words = coverage->share >= 0.99 ? text("%s", share) : text("at most %s, perhaps %s", most, share);
	free(most);
	free(share);
	return words;
}

char *coverage_in_part(const struct coverage *coverage)
{
	char *apart = percent(coverage->apart), *words = text("of the states met, %s were told apart", apart);
	free(apart);
	return words;
}

json_t *coverage_json(const struct coverage *coverage, bool complete)
{
	json_t *share = complete ? json_real(coverage->share) : NULL;
	return json_pack("{s:f, s:o*}", "told_apart", coverage->apart, "share", share);
}
