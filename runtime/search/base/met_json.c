/* SPDX-License-Identifier: MIT
 *
 * See met.h.
 */
#include "met_json.h"
#include "search.h"
#include "../../trace/record.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const untried_names[] = {
#define UNTRIED(name, text, verdict, note, advice) text,
#include "../../state/untried.def"
#undef UNTRIED
};

static json_t *place_json(uint32_t location)
{
	const struct image *image = &vm_this.image;
	assert(location < image->counts[IMAGE_LOCATIONS]);
	return json_pack("{s:o, s:i}", "file", vm_record_string(image_file(image, location)), "line",
			 (int)image_line(image, location));
}

static json_t *set_json(const uint64_t *set)
{
	json_t *list = json_array();
	for (int i = 0; i < 256; i++)
		if (set[i / 64] >> i % 64 & 1)
			json_array_append_new(list, json_integer(i));
	return list;
}

static json_t *untried_json(void)
{
	const struct vm_met_facts *facts = &vm_this.met.facts;
	json_t *list = json_array();
	for (uint32_t i = 0; i < facts->nuntried; i++) {
		const struct vm_met_untried *one = &facts->untried[i];
		assert(one->kind < sizeof untried_names / sizeof *untried_names);
		json_t *row = place_json(one->location);
		json_object_set_new(row, "kind", json_string(untried_names[one->kind]));
		json_object_set_new(row, "name", vm_record_text(one->name, strlen(one->name)));
		json_object_set_new(row, "decides", json_boolean(one->decides));
		json_array_append_new(list, row);
	}
	return list;
}

/* ---- functions and lines ----------------------------------------------------------------------------------------------- */

static bool evaluates(uint32_t function)
{
	const struct image *image = &vm_this.image;
	assert(function < image->counts[IMAGE_FUNCTIONS]);
	for (uint64_t i = 0; i < image->counts[IMAGE_PROPERTIES]; i++) {
		const struct image_property *property = &image->properties[i];
		bool expression = property->kind == PROPERTY_INVARIANT || property->kind == PROPERTY_EXPRESSION ||
			property->kind == PROPERTY_SHOWN;
		if (expression && property->function == function)
			return true;
	}
	for (uint64_t i = 0; i < image->counts[IMAGE_VIEWS]; i++)
		if (image->views[i].kind == VIEW_ABSTRACTION && image->views[i].index == function)
			return true;
	return false;
}

/* Is `location` a place in what the user has written? */
static bool is_users(uint32_t location)
{
	const struct image *image = &vm_this.image;
	return image_line(image, location) && strncmp(image_file(image, location), "/usr/", 5) != 0;
}

static bool is_programs(uint32_t function)
{
	const struct image *image = &vm_this.image;
	const struct image_function *f = &image->functions[function];
	return !(f->flags & (FUNCTION_EXTERN | FUNCTION_LIBRARY)) && is_users(f->location) && function != image->options->start &&
		strncmp(image_string(image, f->name), "__bitspin", 9) != 0 && !evaluates(function);
}

enum { HAS_CODE = 1, HAS_RUN = 2 };

static json_t *lines_json(const uint8_t *lines, uint32_t count, uint8_t flag)
{
	json_t *list = json_array();
	for (uint32_t line = 1; line < count; line++)
		if (lines[line] & flag)
			json_array_append_new(list, json_integer(line));
	return list;
}

/* Add to `row` the lines of the file in which the function begins. */
static void add_lines(json_t *row, const struct image_function *f)
{
	const struct image *image = &vm_this.image;
	assert(vm_this.met.code && (uint64_t)f->code + f->ncode <= image->counts[IMAGE_CODE]);
	const char *file = image_file(image, f->location);
	uint32_t count = 1;
	for (uint32_t i = f->code; i < f->code + f->ncode; i++)
		count = image_line(image, image->code[i].location) >= count ? image_line(image, image->code[i].location) + 1 :
									      count;
	uint8_t *lines = calloc(count, 1);
	for (uint32_t i = f->code; lines && i < f->code + f->ncode; i++) {
		uint32_t location = image->code[i].location;
		assert(image_line(image, location) < count);
		if (strcmp(image_file(image, location), file) == 0)
			lines[image_line(image, location)] |= vm_this.met.code[i] ? HAS_CODE | HAS_RUN : HAS_CODE;
	}
	if (lines) {
		json_object_set_new(row, "code", lines_json(lines, count, HAS_CODE));
		json_object_set_new(row, "lines", lines_json(lines, count, HAS_RUN));
	}
	free(lines);
}

static json_t *functions_json(void)
{
	const struct image *image = &vm_this.image;
	json_t *list = json_array();
	for (uint32_t i = 0; vm_this.met.functions && i < image->counts[IMAGE_FUNCTIONS]; i++) {
		const struct image_function *f = &image->functions[i];
		if (!is_programs(i))
			continue;
		json_t *row = place_json(f->location);
		json_object_set_new(row, "function", vm_record_string(image_string(image, f->name)));
		json_object_set_new(row, "ran", json_boolean(vm_this.met.functions[i]));
		if (vm_this.met.code)
			add_lines(row, f);
		json_array_append_new(list, row);
	}
	for (uint64_t i = 0; i < image->counts[IMAGE_UNNAMED]; i++) {
		const struct image_unnamed *f = &image->unnamed[i];
		json_t *row = place_json(f->location);
		json_object_set_new(row, "function", vm_record_string(image_string(image, f->name)));
		json_object_set_new(row, "ran", json_false());
		if (is_users(f->location))
			json_array_append_new(list, row);
		else
			json_decref(row);
	}
	return list;
}

json_t *vm_met_json(void)
{
	const struct vm_met_facts *facts = &vm_this.met.facts;
	return json_pack("{s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "main_ends", (int)facts->main_ends, "statuses",
			 set_json(facts->statuses), "threads", set_json(facts->threads), "status_place",
			 place_json(facts->status_place), "untried", untried_json(), "functions", functions_json(), "rounds_place",
			 place_json(facts->rounds_place), "drain_place", place_json(facts->drain_place), "daemon_place",
			 place_json(facts->daemon_place), "timer_place", place_json(facts->timer_place));
}
