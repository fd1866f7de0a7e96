/* SPDX-License-Identifier: MIT
 *
 * What is not reported: the suppressions of the image, and what they have matched.
 */
#include "program.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"
#include "../../runtime/image/suppress.h"
#include "../../runtime/state/end.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void load(const struct program *program, struct image *image)
{
	char error[4400];
	if (image_load(image, program->image, error, sizeof error) < 0)
		BUG("%s", error);
}

void rules_read(struct program *program)
{
	struct image image;
	load(program, &image);
	list_release(&program->rules);
	for (uint64_t i = 0; i < image.counts[IMAGE_SUPPRESSIONS]; i++) {
		const struct image_suppression *s = &image.suppressions[i];
		list_addf(&program->rules, "%s%s", image_string(&image, s->text), s->here ? " (comment)" : "");
	}
	image_release(&image);
}

static unsigned line_of(const json_t *object)
{
	return (unsigned)json_integer_value(json_object_get(object, "line"));
}

static bool covers(const struct image *image, const struct image_suppression *s, const json_t *side)
{
	const json_t *frame;
	size_t i;
	if (s->function == IMAGE_NONE && image_suppression_matches(image, s, "", field_text(side, "file"), line_of(side), true))
		return true;
	json_array_foreach (json_object_get(side, "stack"), i, frame)
		if (image_suppression_matches(image, s, field_text(frame, "function"), field_text(frame, "file"), line_of(frame),
					      false))
			return true;
	return false;
}

int rules_cover_race(const struct program *program, const json_t *race)
{
	struct image image;
	int found = -1;
	load(program, &image);
	for (uint64_t i = 0; found < 0 && i < image.counts[IMAGE_SUPPRESSIONS]; i++) {
		const struct image_suppression *s = &image.suppressions[i];
		if (s->kind == VIOLATION_DATA_RACE &&
		    (covers(&image, s, race) || covers(&image, s, json_object_get(race, "other"))))
			found = (int)i;
	}
	image_release(&image);
	assert(found < (int)program->rules.count);
	return found;
}

/* Do both have equal members of these names, or has neither one? */
static bool agree(const json_t *one, const json_t *two, const char *const *keys)
{
	for (; *keys; keys++) {
		const json_t *a = json_object_get(one, *keys), *b = json_object_get(two, *keys);
		if (a != b && !(a && b && json_equal(a, b)))
			return false;
	}
	return true;
}

/* Are both the same kind of fault in the same line?  Columns make no difference. */
static bool same_fault(const json_t *one, const json_t *two)
{
	static const char *const keys[] = { "kind", "file", "line", "suppression", "unknown", NULL },
				 *const place[] = { "file", "line", NULL };
	return agree(one, two, keys) && agree(json_object_get(one, "other"), json_object_get(two, "other"), place);
}

void rules_note(json_t *suppressed, const json_t *fault)
{
	assert(json_is_array(suppressed));
	const json_t *known;
	size_t i;
	json_array_foreach (suppressed, i, known)
		if (same_fault(known, fault))
			return;
	json_t *copy = json_deep_copy(fault);
	json_object_del(copy, "type");
	json_array_append_new(suppressed, copy);
}

static bool is_place(const struct translator_place *place, const char *file, unsigned line)
{
	return place->line == line && strcmp(place->file, file) == 0;
}

bool rules_interrupt(struct program *program, const char *file, unsigned line)
{
	assert(file);
	for (size_t i = 0; i < program->ninterrupted; i++)
		if (is_place(&program->interrupted[i], file, line))
			return false;
	program->interrupted = realloc(program->interrupted, (program->ninterrupted + 1) * sizeof *program->interrupted);
	if (!program->interrupted)
		BUG("out of memory");
	program->interrupted[program->ninterrupted++] = (struct translator_place){ text("%s", file), line };
	return true;
}

bool rules_tolerate(struct program *program, const char *file, unsigned line, const char *other_file, unsigned other_line)
{
	assert(file && line > 0 && other_file && other_line > 0 && program->ntolerated % 2 == 0);
	for (size_t i = 0; i < program->ntolerated; i += 2) {
		const struct translator_place *pair = &program->tolerated[i];
		if ((is_place(&pair[0], file, line) && is_place(&pair[1], other_file, other_line)) ||
		    (is_place(&pair[1], file, line) && is_place(&pair[0], other_file, other_line)))
			return false;
	}
	program->tolerated = realloc(program->tolerated, (program->ntolerated + 2) * sizeof *program->tolerated);
	if (!program->tolerated)
		BUG("out of memory");
	program->tolerated[program->ntolerated++] = (struct translator_place){ text("%s", file), line };
	program->tolerated[program->ntolerated++] = (struct translator_place){ text("%s", other_file), other_line };
	return true;
}
