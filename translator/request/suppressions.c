/* SPDX-License-Identifier: MIT
 *
 * Faults that are not to be reported: what the user says on the command line and in files, and in comments
 *
 *     // bitspin: ignore KIND[,KIND]
 *
 * on a line of the source.  And the places of races that the search goes past, see spin-glue/pan/races.c.
 */
#include "request.h"
#include "../../runtime/state/end.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
#define VIOLATION(name, text, after, meaning, advice) text,
#include "../../runtime/state/violation.def"
#undef VIOLATION
};

/* A file and a line where a comment is. */
struct place {
	uint32_t file; /* in IMAGE_FILES */
	unsigned line;
};

static uint32_t string_of(struct translation *t, const char *text)
{
	return text ? builder_string(&t->builder, text, strlen(text)) : IMAGE_NONE;
}

static void add(struct translation *t, const struct translator_suppression *s, bool here)
{
	assert(s->kind < sizeof kinds / sizeof *kinds);
	struct image_suppression row = {
		.kind = s->kind,
		.function = string_of(t, s->function),
		.file = string_of(t, s->file),
		.line = s->line,
		.here = here,
		.text = string_of(t, s->text),
	};
	builder_add(&t->builder, IMAGE_SUPPRESSIONS, &row, 1);
}

/* ---- comments ------------------------------------------------------------------------------------------------------ */

static void add_comment(struct translation *t, struct place place, const char *kind, int length)
{
	char *file = xstrdup(builder_file_name(&t->builder, place.file)), *text;
	const char *slash = strrchr(file, '/');
	unsigned number = 0;
	while (number < sizeof kinds / sizeof *kinds &&
	       (strncmp(kinds[number], kind, (size_t)length) != 0 || kinds[number][length] != '\0'))
		number++;
	if (asprintf(&text, "%.*s:%s:%u", length, kind, slash ? slash + 1 : file, place.line) < 0)
		exit(2);
	if (number == sizeof kinds / sizeof *kinds)
		complain(t, NULL, "%s:%u: a comment ignores '%.*s', which is no kind of violation; bitspin(1) lists them", file,
			 place.line, length, kind);
	else
		add(t, &(struct translator_suppression){ .kind = number, .file = file, .line = place.line, .text = text }, true);
	free(text);
	free(file);
}

/* Add the kinds that `line` names behind "bitspin: ignore" in a comment. */
static void read_line(struct translation *t, struct place place, const char *line, const char *end)
{
	static const char words[] = "bitspin: ignore ";
	const char *p = memmem(line, (size_t)(end - line), words, sizeof words - 1), *before = p;
	while (before && before > line && before[-1] == ' ')
		before--;
	if (!p || before < line + 2 || before[-2] != '/' || (before[-1] != '/' && before[-1] != '*'))
		return;
	for (p += sizeof words - 1; p < end;) {
		const char *kind = p += p < end && *p == ' ';
		while (p < end && (isalnum((unsigned char)*p) || *p == '-'))
			p++;
		add_comment(t, place, kind, (int)(p - kind));
		if (p == end || *p != ',')
			return;
		p++;
	}
}

static void read_file(struct translation *t, uint32_t file)
{
	FILE *in = fopen(builder_file_name(&t->builder, file), "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	for (unsigned number = 1; in && (length = getline(&line, &size, in)) > 0; number++)
		read_line(t, (struct place){ file, number }, line, line + length);
	free(line);
	if (in)
		fclose(in);
}

/* ---- races --------------------------------------------------------------------------------------------------------- */

static bool is_place(const struct translator_place *place, const char *file, unsigned line)
{
	return place->line == line && strcmp(place->file, file) == 0;
}

static uint32_t number_of(struct translation *t, const struct translator_place *place, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct translator_place *known = &t->request->tolerated[i];
		if (is_place(known, place->file, place->line))
			return (uint32_t)i + 1;
	}
	return (uint32_t)count + 1;
}

/* Add the pairs of tolerated races, and number their places.  The n-th pair has the places 2n and 2n + 1; the number of a place is
 * where it is named first. */
static void add_races(struct translation *t)
{
	const struct translator_place *places = t->request->tolerated;
	assert(t->request->ntolerated % 2 == 0 && t->request->ntolerated <= IMAGE_MOST_PLACES);
	for (size_t i = 0; i + 1 < t->request->ntolerated; i += 2) {
		uint32_t one = number_of(t, &places[i], i), two = number_of(t, &places[i + 1], i + 1);
		assert(one <= t->request->ntolerated && two <= t->request->ntolerated); /* each place has a number by now */
		struct image_tolerated row = { { one < two ? one : two, one < two ? two : one } };
		builder_add(&t->builder, IMAGE_TOLERATED, &row, 1);
	}
	for (size_t i = 0; i < t->builder.sections[IMAGE_LOCATIONS].count; i++) {
		struct image_location *location = builder_at(&t->builder, IMAGE_LOCATIONS, (uint32_t)i);
		const struct translator_place here = { builder_file_name(&t->builder, location->file), location->line };
		uint32_t number = number_of(t, &here, t->request->ntolerated);
		location->place = number <= t->request->ntolerated ? (uint16_t)number : 0;
	}
}

/* Mark the locations where signals can interrupt a thread. */
static void add_interrupts(struct translation *t)
{
	for (size_t i = 0; t->request->ninterrupted && i < t->builder.sections[IMAGE_LOCATIONS].count; i++) {
		struct image_location *location = builder_at(&t->builder, IMAGE_LOCATIONS, (uint32_t)i);
		for (size_t k = 0; k < t->request->ninterrupted && !location->interrupted; k++)
			location->interrupted = is_place(&t->request->interrupted[k],
							 builder_file_name(&t->builder, location->file), location->line);
	}
}

/* ---- all ----------------------------------------------------------------------------------------------------------- */

static bool is_among_them(struct translation *t, enum vm_violation_kind kind)
{
	for (size_t i = 0; i < t->builder.sections[IMAGE_SUPPRESSIONS].count; i++)
		if (((const struct image_suppression *)builder_at(&t->builder, IMAGE_SUPPRESSIONS, (uint32_t)i))->kind == kind)
			return true;
	return false;
}

/* Switch off what takes for granted that only its holder unlocks a lock, if misuse of mutexes is suppressed: some reductions, and
 * what is said of circles of waiting threads. */
static void expect_misuse(struct translation *t, struct image_options *options)
{
	if (!is_among_them(t, VIOLATION_MUTEX_MISUSE))
		return;
	options->reductions &= ~(uint32_t)(REDUCTION_SECTIONS | REDUCTION_TRANSACTIONS);
	t->result->why_off[REDUCTION_SECTIONS_NUMBER] = t->result->why_off[REDUCTION_TRANSACTIONS_NUMBER] =
		"misuse of mutexes is suppressed";
	if (options->deadlock != DEADLOCK_CIRCULAR)
		return;
	options->deadlock = DEADLOCK_TOTAL;
	add_note(t,
		 "threads that wait for each other in a circle are no error while another thread can run, as it may unlock what it "
		 "does not hold (mutex-misuse is suppressed)");
}

void add_suppressions(struct translation *t, struct image_options *options)
{
	for (size_t i = 0; i < t->request->nsuppressions; i++)
		add(t, &t->request->suppressions[i], false);
	for (uint32_t i = 0; i < t->builder.sections[IMAGE_FILES].count; i++)
		read_file(t, i);
	add_races(t);
	add_interrupts(t);
	expect_misuse(t, options);
	if (t->request->ntolerated) /* who meets in a race has not synchronized */
		options->order |= ORDER_WEAK;
	if (is_among_them(t, VIOLATION_UNINITIALIZED_READ))
		add_note(t, "uninitialized memory is zero where reports of it are suppressed");
}
