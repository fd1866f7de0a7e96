/* SPDX-License-Identifier: MIT
 *
 * What a search has covered that keeps a hash of each state, or a few bits (--search hash-compact and bitstate).
 *
 * Such a search may take a state that it meets for one that was there.  How often that happens is known: the probability grows
 * with the states before it.  So of the states that were met, most of a share is known to have been told apart.  But what only
 * a missed state leads to is not met at all.  So this share is the most that can be covered of all states.
 *
 * How much less it is depends on the graph.  Of threads that take a lock in turns, each order giving a state of its own, 95 %
 * were told apart of the states that were met, and these were 30 % of all: each step may lose a state, and with it all that
 * comes after. Where many ways lead to each state, the two figures are nearly the same.  An estimate from the depth of the
 * search and from how many steps lead to a state was tried: it said 93 %.  So the first figure is told, as a bound.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../options/options.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define BITS_A_STATE 3 /* hash functions of a bitstate search: pan's -k */

/* Return how many states were missed, by estimate, beside the `states` that were met. */
static double missed_states(double states, bool bitstate, double bits)
{
	enum { PARTS = 1000 };
	double missed = 0;
	for (int i = 0; i < PARTS; i++) {
		double before = states * (i + 0.5) / PARTS;
		double wrong = bitstate ? pow(1 - exp(-BITS_A_STATE * before / bits), BITS_A_STATE) : before / pow(2, 64);
		assert(wrong < 1);
		missed += states / PARTS * wrong / (1 - wrong);
	}
	return missed;
}

struct coverage coverage_of(const struct job *job)
{
	const struct statistics *s = &job->result.statistics;
	double states = s->states, bits = pow(2, array_bits(&job->inputs->options));
	if (states <= 0)
		return (struct coverage){ 0 };
	double missed = missed_states(states, job->inputs->options.search == SEARCH_BITSTATE, bits);
	assert(missed >= 0);
	return (struct coverage){ states / (states + missed) };
}

/* Return `part` as a percentage, which is never 100. */
static char *percent(double part)
{
	assert(part >= 0 && part <= 1);
	if (part >= 0.9999)
		return text("more than 99.99 %%");
	if (part >= 0.99)
		return text("%.2f %%", floor(part * 10000) / 100);
	return text("%.0f %%", floor(part * 100));
}

char *coverage_in_words(const struct coverage *coverage)
{
	enum { NEARLY_ALL = 9999 /* of 10,000 */ };
	char *most = percent(coverage->apart);
	char *words = text("%s%s", coverage->apart * 10000 >= NEARLY_ALL ? "" : "at most ", most);
	free(most);
	return words;
}

char *coverage_in_part(const struct coverage *coverage)
{
	char *apart = percent(coverage->apart), *words = text("of the states met, %s were told apart", apart);
	free(apart);
	return words;
}

json_t *coverage_json(const struct coverage *coverage)
{
	return json_pack("{s:f}", "told_apart", coverage->apart);
}
