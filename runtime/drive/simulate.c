/* SPDX-License-Identifier: MIT
 *
 * A run of the program that another process steers, step by step: `bitspin simulate` (spin-glue/simulate).
 *
 * It only goes forward, so that what is remembered for reports belongs to this very run; who wants to go back starts another
 * one and takes the steps before that again.  Requests are lines, and so are records (bitspin_vm.h), on standard output; the
 * last one of an answer has the type "done":
 *
 *     take THREAD OUTCOME TIMES     events, violations, ...; done: "taken", fewer than TIMES if the next was not possible
 *     try                           what the next steps would do.  For each: {"type":"try","thread","outcome"}, its events, and
 *                                   {"type":"tried","violates":KIND or nothing}.  What is remembered is not of this run then
 *     stack THREAD                  done: "stack", innermost first
 *     locals THREAD FRAME           {"type":"variable","name","value","address","c":type or nothing}; frame 0: the innermost
 *     globals, heap                 the same
 *     value N                       done: "value", or "error", of expression N, which the image has as PROPERTY_SHOWN
 *
 * Each "done" has "over" ("ended", "violated", "cut"), if nothing can follow, and "threads", by number: {"thread","outcomes",
 * "file","line","column","function","waits": for people}; those that have ended have no outcomes and "ended".
 */
#include "drive.h"
#include "../state/whole.h"
#include "../search/reduce/search_step.h"
#include "../search/replay/replay.h"
#include "../bitspin_vm.h"
#include "../search/base/plan.h"
#include "../search/base/report.h"
#include "../search/base/schedule.h"
#include "../sync/sync.h"
#include "../trace/history.h"
#include "../trace/record.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static VM_SHARED int state; /* the one that the run has come to */

/* ---- answers ------------------------------------------------------------------------------------------------------- */

static json_t *text_json(const char *text)
{
	return vm_record_text(text, strlen(text));
}

/* Make the state the working one, so that it can be looked at. */
static bool look(void)
{
	bool final = vm_state_words(vm_ref_of(state))[0] != 0;
	vm_state_load(vm_ref_of(state));
	vm_tracing = true;
	vm_this.current = NULL;
	return !final;
}

static json_t *thread_json(struct vm_thread *thread)
{
	const uint8_t *outcomes = vm_state_outcomes(vm_state_words(vm_ref_of(state)));
	assert(thread->slot < vm_state_words(vm_ref_of(state))[1]);
	json_t *record = vm_record_at("thread", vm_thread_location(thread), thread);
	if (thread->header.status != THREAD_RUNNING)
		json_object_set_new(record, "ended", json_true());
	json_object_set_new(record, "outcomes", json_integer(outcomes[thread->slot]));
	vm_this.current = thread;
	if (thread->header.status == THREAD_RUNNING && outcomes[thread->slot] && !vm_thread_idles(thread))
		json_object_set_new(record, "waits", json_string("can go on"));
	else if (thread->header.status == THREAD_RUNNING)
		json_object_set_new(record, "waits", text_json(vm_thread_waits_for(thread)));
	vm_this.current = NULL;
	return record;
}

/* End an answer with a record, to which the state of the threads is added. */
static void done(json_t *record)
{
	json_t *threads = json_array();
	uint32_t flags = vm_state_words(vm_ref_of(state))[0];
	record = record ? record : json_object();
	assert(!json_object_get(record, "threads"));
	json_object_set_new(record, "type", json_string("done"));
	if (flags)
		json_object_set_new(record, "over",
				    json_string(flags & STATE_VIOLATED      ? "violated" :
							flags & STATE_ENDED ? "ended" :
									      "cut"));
	if (look())
		for (unsigned i = 0; i < vm_this.slots; i++) {
			struct vm_thread *thread = vm_thread_load(i);
			if (thread->header.status == THREAD_RUNNING || thread->header.status == THREAD_FINISHED)
				json_array_append_new(threads, thread_json(thread));
		}
	json_object_set_new(record, "threads", threads);
	vm_story_flush();
	vm_record_write(record);
}

static void refuse(const char *why)
{
	done(json_pack("{s:s}", "error", why));
}

/* ---- steps --------------------------------------------------------------------------------------------------------- */

static void take(unsigned slot, unsigned choice, unsigned long times)
{
	unsigned long taken = 0;
	for (; taken < times && vm_enabled(state, (int)slot, (int)choice); taken++) {
		state = vm_step(state, (int)slot, (int)choice);
		vm_story_flush();
	}
	done(json_pack("{s:I}", "taken", (json_int_t)taken));
}

static void try_steps(void)
{
	unsigned slots = vm_state_words(vm_ref_of(state))[1], step = vm_this.step;
	for (unsigned slot = 0; slot < slots; slot++)
		for (unsigned choice = 0; vm_enabled(state, (int)slot, (int)choice); choice++) {
			struct vm_found found;
			vm_record_write(json_pack("{s:s, s:i, s:i}", "type", "try", "thread", (int)slot, "outcome", (int)choice));
			vm_step_quietly(state, (int)slot, (int)choice, &found);
			vm_story_flush();
			json_t *record = json_pack("{s:s}", "type", "tried");
			if (found.violates)
				json_object_set_new(record, "violates", json_string(vm_violation_name(found.kind)));
			vm_record_write(record);
			vm_this.step = step;
		}
	done(NULL);
}

/* ---- what there is ------------------------------------------------------------------------------------------------- */

static struct vm_thread *running(unsigned slot)
{
	struct vm_thread *thread = look() && slot < vm_this.slots ? vm_thread_load(slot) : NULL;
	return thread && thread->header.status == THREAD_RUNNING ? thread : NULL;
}

static void tell_stack(unsigned slot)
{
	const struct vm_thread *thread = running(slot);
	const struct image *image = &vm_this.image;
	uint32_t frames = 0;
	struct vm_stack_frame *stack = thread ? vm_stack(thread, &frames) : NULL;
	json_t *array = json_array();
	assert(!thread || frames == thread->header.frames);
	for (uint32_t i = 0; i < frames; i++) {
		json_t *frame = vm_record_at("frame", stack[i].location, thread);
		const char *name = image_string(image, image->functions[stack[i].function].name);
		json_object_set_new(frame, "function", text_json(name));
		json_array_append_new(array, frame);
	}
	free(stack);
	done(json_pack("{s:o}", "stack", array));
}

static void tell_variable(const char *name, uint32_t type, uint64_t address)
{
	assert(address && type < vm_this.image.counts[IMAGE_TYPES]);
	char *value = drive_value(type, address), *c = drive_type(type), at[24];
	snprintf(at, sizeof at, "%#llx", (unsigned long long)address);
	json_t *record = json_pack("{s:s, s:o, s:o, s:s}", "type", "variable", "name", text_json(name), "value", text_json(value),
				   "address", at);
	if (c)
		json_object_set_new(record, "c", text_json(c));
	vm_record_write(record);
	free(value);
	free(c);
}

static void tell_locals(unsigned slot, unsigned frame)
{
	struct vm_thread *thread = running(slot);
	const struct image *image = &vm_this.image;
	if (!thread || frame >= thread->header.frames) {
		refuse("there is no such frame");
		return;
	}
	uint32_t depth = thread->header.frames - frame;
	assert(depth > 0);
	vm_this.current = thread;
	for (uint32_t i = 0; i < thread->locals.count; i++) {
		const struct vm_object *object = vm_map_find(&thread->locals, i);
		const struct vm_past *past = object ? vm_past_of(object->number) : NULL;
		if (!past || object->header.depth != depth || past->symbol == IMAGE_NONE || (object->header.flags & OBJECT_ENDED))
			continue;
		const struct image_symbol *symbol = &image->symbols[past->symbol];
		assert(past->symbol < image->counts[IMAGE_SYMBOLS]);
		bool cleared = (i - vm_this.tls_count) % 2 && !object->shadow && vm_is_zero(object->bytes, object->header.size);
		if (cleared) /* perhaps: by vm_forget_dead() */
			continue;
		const char *name = image_string(image, symbol->name);
		if (*name && !strchr(name, ' ')) /* else it is none of C's, as the variable arguments of a call */
			tell_variable(name, symbol->type, image_address(object->number, 0));
	}
	done(NULL);
}

static bool is_users(const struct image_global *global)
{
	const char *name = image_string(&vm_this.image, global->name);
	return !(global->flags & (GLOBAL_CONSTANT | GLOBAL_INTERNAL | GLOBAL_ERRNO | GLOBAL_BUDGETS | GLOBAL_PROVIDED)) &&
		global->location && name[0] && strncmp(name, "__bitspin", 9) != 0;
}

static void tell_globals(void)
{
	const struct image *image = &vm_this.image;
	look();
	for (uint32_t i = 0; i < image->counts[IMAGE_GLOBALS]; i++)
		if (is_users(&image->globals[i]) && !(image->globals[i].flags & GLOBAL_THREAD_LOCAL))
			tell_variable(image_string(image, image->globals[i].name), image->globals[i].type,
				      image_global_address(i, 0));
	done(NULL);
}

static void tell_heap(void)
{
	bool any = look();
	for (unsigned slot = 0; any && slot < vm_this.slots; slot++) {
		struct vm_thread *thread = vm_thread_load(slot);
		for (uint32_t i = 0; i < thread->heap.count; i++) {
			const struct vm_object *object = vm_map_find(&thread->heap, i);
			const struct vm_past *past = object ? vm_past_of(object->number) : NULL;
			if (!past || vm_is_later_part(object))
				continue;
			uint64_t address = image_address(object->number, 0);
			bool known = past->type && vm_this.image.types[past->type].size <= object->header.size;
			char size[40], *value = known ? drive_value(past->type, address) : NULL;
			snprintf(size, sizeof size, "%llu bytes", (unsigned long long)vm_whole_of(address).size);
			vm_record_write(json_pack("{s:s, s:o, s:o, s:s}", "type", "variable", "name",
						  text_json(vm_describe_object(address)), "value", text_json(value ? value : ""),
						  "size", size));
			free(value);
		}
	}
	done(NULL);
}

/* ---- expressions --------------------------------------------------------------------------------------------------- */

static const struct image_property *shown(unsigned long number)
{
	const struct image *image = &vm_this.image;
	for (uint64_t i = 0; i < image->counts[IMAGE_PROPERTIES]; i++)
		if (image->properties[i].kind == PROPERTY_SHOWN && number-- == 0)
			return &image->properties[i];
	return NULL;
}

/* Return the type of the variable of this name in the expression's function; 0 if there is none. */
static uint32_t type_of(const struct image_property *property, const char *name)
{
	assert(property->function < vm_this.image.counts[IMAGE_FUNCTIONS]);
	const struct image *image = &vm_this.image;
	const struct image_function *function = &image->functions[property->function];
	const struct image_insn *insn = image->code + function->code, *end = insn + function->ncode;
	for (; insn < end; insn++)
		if (insn->op == IMAGE_ALLOCA && insn->b != IMAGE_NONE &&
		    strcmp(image_string(image, image->symbols[insn->b].name), name) == 0)
			return image->symbols[insn->b].type;
	return 0;
}

static void tell_value(unsigned long number)
{
	const struct image_property *property = shown(number);
	struct vm *vm = &vm_this;
	if (!property) {
		refuse("there is no such expression");
		return;
	}
	uint32_t pointer = type_of(property, "__bitspin_at"), type = type_of(property, "__bitspin_is");
	char *value = NULL;
	look();
	assert(!vm->stepping);
	vm->stepping = true;
	if (setjmp(vm->escape) != 0) {
		vm->evaluating = NULL;
		vm->stepping = false;
		json_t *error = json_pack("{s:o}", "error", text_json(vm->ending.message));
		done(error);
		return;
	}
	uint64_t word = vm_evaluate_word(property);
	vm->stepping = false;
	vm->watch.count = 0;
	assert(pointer ? vm->image.types[pointer].kind == TYPE_POINTER : vm->image.types[type].size <= sizeof word);
	value = pointer ? drive_value(vm->image.types[pointer].element, word) : drive_scalar(type, word);
	json_t *answer = json_pack("{s:o, s:b}", "value", text_json(value), "true", word != 0);
	free(value);
	if (pointer) {
		const struct image_type *t = &vm->image.types[vm->image.types[pointer].element];
		bool scalar = t->kind != TYPE_STRUCT && t->kind != TYPE_UNION && t->kind != TYPE_ARRAY;
		struct vm_place place = vm_place_of(word);
		bool there = place.object && place.offset >= 0 && (uint64_t)place.offset + t->size <= place.object->header.size;
		if (!there)
			json_object_set_new(answer, "error", json_string("nothing is there"));
		else
			json_object_set_new(answer, "true",
					    json_boolean(!scalar || !vm_is_zero(place.object->bytes + place.offset, t->size)));
	}
	done(answer);
}

/* ---- requests ------------------------------------------------------------------------------------------------------ */

static void answer(const char *line)
{
	unsigned a = 0, b = 0;
	unsigned long n = 0;
	if (sscanf(line, "take %u %u %lu", &a, &b, &n) == 3)
		take(a, b, n);
	else if (strcmp(line, "try\n") == 0)
		try_steps();
	else if (sscanf(line, "stack %u", &a) == 1)
		tell_stack(a);
	else if (sscanf(line, "locals %u %u", &a, &b) == 2)
		tell_locals(a, b);
	else if (strcmp(line, "globals\n") == 0)
		tell_globals();
	else if (strcmp(line, "heap\n") == 0)
		tell_heap();
	else if (sscanf(line, "value %lu", &n) == 1)
		tell_value(n);
	else
		refuse("there is no such request");
}

int drive_simulate(void)
{
	assert(!vm_this.stepping && vm_this.initial);
	char *line = NULL;
	size_t capacity = 0;
	vm_plan_replay();
	vm_this.step = 0;
	while (getline(&line, &capacity, stdin) >= 0)
		answer(line);
	free(line);
	return 0;
}
