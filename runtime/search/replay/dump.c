/* SPDX-License-Identifier: MIT
 *
 * See dump.h.
 */
#include "dump.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- one state ----------------------------------------------------------------------------------------------------- */

/* Return how many bytes at `offset` are shown as one value. */
static unsigned unit_at(uint64_t address, uint64_t offset, uint64_t size)
{
	unsigned unit = vm_scalar_size(address + offset);
	if (unit == 0)
		unit = offset % 8 == 0 ? 8 : offset % 4 == 0 ? 4 : 1;
	while (offset + unit > size)
		unit /= 2;
	assert(unit && unit <= sizeof(uint64_t) && offset + unit <= size);
	return unit;
}

static void print_object(FILE *out, const struct vm_object *object, uint64_t address)
{
	uint64_t size = object->header.size;
	if (object->header.flags & (OBJECT_HEAP | OBJECT_ENDED))
		fprintf(out, "%s: %llu bytes%s\n", vm_describe_object(address), (unsigned long long)size,
			object->header.flags & OBJECT_ENDED ? ", its block has been left" : "");
	for (uint64_t offset = 0, unit; offset < size && !object->blank; offset += unit) {
		if (!object->shadow && offset % vm_object_stride(object) == 0)
			offset = vm_object_used(object, offset);
		if (offset >= size)
			break;
		uint64_t value = 0;
		unit = unit_at(address, offset, size);
		memcpy(&value, object->bytes + offset, unit);
		if (value || !vm_is_set(address + offset, unit))
			fprintf(out, "%s\n", vm_describe_access(address + offset, (unsigned)unit, value, NULL, true));
	}
}

static void print_map(FILE *out, struct vm_map *map)
{
	for (uint32_t i = 0; i < map->count; i++) {
		const struct vm_object *object = vm_map_find(map, i);
		if (object)
			print_object(out, object, image_address(map->first + i, 0));
	}
}

static void print_globals(FILE *out)
{
	const struct vm *vm = &vm_this;
	for (uint32_t g = 0; g < vm->image.counts[IMAGE_GLOBALS]; g++) {
		struct vm_place place = vm_place_of(image_global_address(g, 0));
		if (place.object && place.map)
			print_object(out, place.object, image_global_address(g, 0));
	}
}

static void print_frame(FILE *out, const struct vm_thread *thread, uint32_t depth)
{
	const struct vm_frame *frame = &thread->frames[depth];
	const struct image *image = &vm_this.image;
	const struct image_function *function = &image->functions[frame->function];
	assert(depth < thread->header.frames && frame->pc < function->ncode);
	uint32_t line = image_line(image, image->code[function->code + frame->pc].location);
	const uint32_t *live = vm_frame_live(frame);
	fprintf(out, "thread %u, frame %u: %s+%u, line %u\n", thread->slot, (unsigned)depth, image_string(image, function->name),
		(unsigned)frame->pc, (unsigned)line);
	for (uint32_t i = 1; i <= live[0]; i++)
		fprintf(out, "thread %u, frame %u: r%u = %#llx%s\n", thread->slot, (unsigned)depth, (unsigned)live[i],
			(unsigned long long)thread->registers[frame->base + live[i]],
			thread->shadowed && thread->shadows[frame->base + live[i]] ? " (uninitialized)" : "");
}

static void print_thread(FILE *out, const uint32_t *words, unsigned slot)
{
	assert(slot < words[1]);
	static const char *const statuses[] = { "not in use", "running", "ended, not joined", "ended with locks" };
	struct vm_thread *thread = vm_thread_load(slot);
	assert(thread->header.status < sizeof statuses / sizeof *statuses);
	unsigned outcomes = vm_state_outcomes(words)[slot];
	fprintf(out, "thread %u: %s; %s; outcomes %u; atomic sections %u; open segment of %u ranges\n", slot,
		statuses[thread->header.status], outcomes ? "can go on" : vm_thread_waits_for(thread), outcomes,
		(unsigned)thread->header.atomic, (unsigned)thread->header.ranges);
	for (uint32_t i = 0; i < thread->header.frames; i++)
		print_frame(out, thread, i);
	print_map(out, &thread->locals);
	print_map(out, &thread->heap);
}

void vm_print_state(FILE *out, vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	if (words[0]) {
		fprintf(out, "a final state: %s\n",
			words[0] & STATE_VIOLATED      ? "a violation" :
				words[0] & STATE_ENDED ? "the program has ended" :
							 "this path is cut");
		return;
	}
	vm_state_load(state);
	print_globals(out);
	for (unsigned i = 0; i < words[1]; i++)
		print_thread(out, words, i);
}

/* ---- two states ---------------------------------------------------------------------------------------------------- */

/* Return the text of a state, between ends of lines; NULL if there is no memory. */
static char *text_of(vm_ref state)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	fputc('\n', out);
	vm_print_state(out, state);
	fclose(out);
	return text;
}

/* Print the lines of `text` that `other` does not have, after `mark`. */
static void print_missing(FILE *out, const char *text, const char *other, char mark)
{
	assert(text[0] == '\n' && other[0] == '\n');
	for (const char *line = text; line[1];) {
		const char *end = strchr(line + 1, '\n');
		assert(end);
		char *whole = strndup(line, (size_t)(end - line) + 1);
		if (whole && !strstr(other, whole))
			fprintf(out, "  %c %.*s\n", mark, (int)(end - line - 1), line + 1);
		free(whole);
		line = end;
	}
}

void vm_print_difference(FILE *out, vm_ref first, vm_ref second)
{
	char *a = text_of(first), *b = text_of(second);
	if (a && b) {
		print_missing(out, a, b, '-');
		print_missing(out, b, a, '+');
	}
	free(a);
	free(b);
}

void vm_show_state(int state)
{
	vm_print_state(stderr, vm_ref_of(state));
}

void vm_show_difference(int first, int second)
{
	vm_print_difference(stderr, vm_ref_of(first), vm_ref_of(second));
}

void vm_trace_begin(int state)
{
	static VM_OWN bool begun;
	if (begun || !vm_this.trace)
		return;
	begun = true;
	fprintf(vm_this.trace, "state %d, before the program starts:\n", state);
	vm_print_state(vm_this.trace, vm_ref_of(state));
}

void vm_trace_step(int thread, int choice, int before, int after)
{
	assert(thread >= 0 && choice >= 0);
	if (!vm_this.trace)
		return;
	fprintf(vm_this.trace, "step %u: thread %d, outcome %d, from state %d to state %d:\n", vm_this.step, thread, choice, before,
		after);
	vm_print_difference(vm_this.trace, vm_ref_of(before), vm_ref_of(after));
	fflush(vm_this.trace);
}
