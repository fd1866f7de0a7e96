/* SPDX-License-Identifier: MIT
 *
 * The identity of what was found.  It is made of what stays when lines are added elsewhere, and whichever schedule comes to it: the
 * kind, and for each place where it happens the file, the function, the words of the line, and which of the lines with these words
 * it is.  Of a race both accesses count, of a deadlock all threads that wait, in no order; of a formula, the formula.
 */
#include "output.h"
#include "source.h"
#include "../base/base.h"
#include "../base/fields.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_PLACES = 300 };

/* Return "file, function, words, which of them" for a place; of a line that cannot be read, its number. */
static char *identity_of(const json_t *place)
{
	const char *file = field_text(place, "file");
	long long line = field_number(place, "line");
	char *words = source_words(file, line), *identity;
	if (words)
		identity = text("%s\n%s\n%s\n%u\n", from_here(file), field_text(place, "function"), words,
				source_same_before(file, line));
	else
		identity = text("%s\n%s\n%lld\n", from_here(file), field_text(place, "function"), line);
	free(words);
	return identity;
}

/* Return where a thread is in the program, which is not in our C library. */
static const json_t *frame_in_program(const json_t *stack)
{
	const json_t *frame;
	size_t i;
	json_array_foreach (stack, i, frame)
		if (!frame_is_ours(frame))
			return frame;
	return NULL;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Collect the places of a violation.  Return how many there are. */
static size_t places_of(const json_t *violation, const json_t *places[MOST_PLACES])
{
	size_t count = 0, i;
	const json_t *thread, *other = json_object_get(violation, "other");
	bool deadlock = field_is(violation, "kind", "deadlock");
	json_array_foreach (json_object_get(violation, "threads"), i, thread)
		if (deadlock && count < MOST_PLACES - 2 && *field_text(thread, "waits"))
			places[count++] = frame_in_program(json_object_get(thread, "stack"));
	if (count == 0)
		places[count++] = violation;
	if (other) {
		const json_t *frame = frame_in_program(json_object_get(other, "stack"));
		places[count++] = frame ? frame : other;
	}
	assert(count > 0 && count <= MOST_PLACES);
	return count;
}

char *fingerprint(const json_t *violation)
{
	const json_t *places[MOST_PLACES];
	char *identities[MOST_PLACES];
	size_t count = places_of(violation, places);
	for (size_t i = 0; i < count; i++)
		identities[i] = identity_of(places[i]);
	qsort(identities, count, sizeof *identities, compare);
	XXH3_state_t *state = XXH3_createState();
	if (!state)
		BUG("out of memory");
	XXH3_128bits_reset(state);
	const char *kind = field_text(violation, "kind"), *formula = field_text(violation, "formula");
	XXH3_128bits_update(state, kind, strlen(kind) + 1);
	XXH3_128bits_update(state, formula, strlen(formula) + 1);
	for (size_t i = 0; i < count; i++) {
		XXH3_128bits_update(state, identities[i], strlen(identities[i]) + 1);
		free(identities[i]);
	}
	XXH128_hash_t hash = XXH3_128bits_digest(state);
	XXH3_freeState(state);
	return text("%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}
