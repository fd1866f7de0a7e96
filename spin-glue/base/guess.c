/* SPDX-License-Identifier: MIT
 *
 * Which known name a user meant by one that is not known: the one with the fewest typing errors, or one that the word
 * begins, or is a part of, as "race" is of "data-race".
 */
#include "base.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LETTERS = 64, MOST_ERRORS = 2 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Return how many letters must be added, removed, changed or swapped with the next one to make `b` of `a`, where no letter is
 * swapped and changed again (the optimal string alignment distance of Damerau and Levenshtein).  Both have at most MOST_LETTERS. */
static unsigned distance(const char *a, const char *b)
{
	unsigned rows[MOST_LETTERS + 1][MOST_LETTERS + 1];
	size_t na = strlen(a), nb = strlen(b);
	assert(na <= MOST_LETTERS && nb <= MOST_LETTERS);
	for (size_t i = 0; i <= na; i++)
		for (size_t k = 0; k <= nb; k++) {
			if (i == 0 || k == 0) {
				rows[i][k] = (unsigned)(i + k);
				continue;
			}
			rows[i][k] = least(least(rows[i - 1][k], rows[i][k - 1]) + 1, rows[i - 1][k - 1] + (a[i - 1] != b[k - 1]));
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				rows[i][k] = least(rows[i][k], rows[i - 2][k - 2] + 1);
		}
	return rows[na][nb];
}

/* Is the word one of those that hyphens join to the name? */
static bool is_part(const char *word, const char *name)
{
	size_t length = strlen(word);
	for (const char *p = name; length > 2 && (p = strstr(p, word)); p++)
		if ((p == name || p[-1] == '-') && (p[length] == '-' || p[length] == '\0'))
			return true;
	return false;
}

void guess_offer(struct guess *guess, const char *name)
{
	assert(guess->word && (guess->name || guess->errors == 0)); /* it began as zero */
	size_t length = strlen(guess->word);
	if (length == 0 || length > MOST_LETTERS || strlen(name) > MOST_LETTERS)
		return;
	unsigned errors = distance(guess->word, name);
	/* Of a short word, two errors leave nothing. */
	bool near = errors <= MOST_ERRORS && errors * 2 <= least((unsigned)length, (unsigned)strlen(name)) + 1;
	bool begins = length > 1 && (strncmp(name, guess->word, length) == 0 || is_part(guess->word, name));
	if (!near)
		errors = MOST_ERRORS + 1;
	if ((near || begins) && (!guess->name || errors < guess->errors)) {
		guess->name = name;
		guess->errors = errors;
	}
}

char *guess_question(const struct guess *guess, const char *before)
{
	return guess->name ? text("; did you mean '%s%s'?", before, guess->name) : text("%s", "");
}
