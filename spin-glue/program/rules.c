/* SPDX-License-Identifier: MIT
 *
 * What is not reported: the suppressions of the image, and what they have matched.
 */
#include "program.h"
#include "../base/fields.h"
#include "../../runtime/image/suppress.h"
#include "../../runtime/state/end.h"

#include <stdlib.h>
#include <string.h>

static void load(const struct job *job, struct image *image)
{
	char error[4400];
	if (image_load(image, job->image, error, sizeof error) < 0)
		BUG("%s", error);
}

void rules_read(struct job *job)
{
	struct image image;
	load(job, &image);
	list_release(&job->rules);
	for (uint64_t i = 0; i < image.counts[IMAGE_SUPPRESSIONS]; i++) {
		const struct image_suppression *s = &image.suppressions[i];
		list_addf(&job->rules, "%s%s", image_string(&image, s->text), s->here ? " (comment)" : "");
	}
	image_release(&image);
}

void rules_release(struct job *job)
{
	suppressions_release(&job->suppressions);
	list_release(&job->rules);
	for (size_t i = 0; i < job->ntolerated; i++)
		free((char *)job->tolerated[i].file);
	free(job->tolerated);
	job->tolerated = NULL;
	job->ntolerated = 0;
	for (size_t i = 0; i < job->ninterrupted; i++)
		free((char *)job->interrupted[i].file);
	free(job->interrupted);
	job->interrupted = NULL;
	job->ninterrupted = 0;
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

int rules_cover_race(const struct job *job, const json_t *race)
{
	struct image image;
	int found = -1;
	load(job, &image);
	for (uint64_t i = 0; found < 0 && i < image.counts[IMAGE_SUPPRESSIONS]; i++) {
		const struct image_suppression *s = &image.suppressions[i];
		if (s->kind == VIOLATION_DATA_RACE &&
		    (covers(&image, s, race) || covers(&image, s, json_object_get(race, "other"))))
			found = (int)i;
	}
	image_release(&image);
	return found;
}

/* Do both have equal members of these names, or neither has one? */
static bool agree(const json_t *one, const json_t *two, const char *const *keys)
{
	for (; *keys; keys++) {
		const json_t *a = json_object_get(one, *keys), *b = json_object_get(two, *keys);
		if (a != b && !(a && b && json_equal(a, b)))
			return false;
	}
	return true;
}

/* The same kind of fault in the same line; columns make no difference. */
static bool same_fault(const json_t *one, const json_t *two)
{
	static const char *const keys[] = { "kind", "file", "line", "suppression", "unknown", NULL },
				 *const place[] = { "file", "line", NULL };
	return agree(one, two, keys) && agree(json_object_get(one, "other"), json_object_get(two, "other"), place);
}

void rules_note(struct job *job, const json_t *fault)
{
	const json_t *known;
	size_t i;
	json_array_foreach (job->suppressed, i, known)
		if (same_fault(known, fault))
			return;
	json_t *copy = json_deep_copy(fault);
	json_object_del(copy, "type");
	json_array_append_new(job->suppressed, copy);
}

static bool is_place(const struct translator_place *place, const char *file, unsigned line)
{
	return place->line == line && strcmp(place->file, file) == 0;
}

bool rules_interrupt(struct job *job, const char *file, unsigned line)
{
	for (size_t i = 0; i < job->ninterrupted; i++)
		if (is_place(&job->interrupted[i], file, line))
			return false;
	job->interrupted = realloc(job->interrupted, (job->ninterrupted + 1) * sizeof *job->interrupted);
	if (!job->interrupted)
		BUG("out of memory");
	job->interrupted[job->ninterrupted++] = (struct translator_place){ text("%s", file), line };
	return true;
}

bool rules_tolerate(struct job *job, const char *file, unsigned line, const char *other_file, unsigned other_line)
{
	for (size_t i = 0; i < job->ntolerated; i += 2) {
		const struct translator_place *pair = &job->tolerated[i];
		if ((is_place(&pair[0], file, line) && is_place(&pair[1], other_file, other_line)) ||
		    (is_place(&pair[1], file, line) && is_place(&pair[0], other_file, other_line)))
			return false;
	}
	job->tolerated = realloc(job->tolerated, (job->ntolerated + 2) * sizeof *job->tolerated);
	if (!job->tolerated)
		BUG("out of memory");
	job->tolerated[job->ntolerated++] = (struct translator_place){ text("%s", file), line };
	job->tolerated[job->ntolerated++] = (struct translator_place){ text("%s", other_file), other_line };
	return true;
}
