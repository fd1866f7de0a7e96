/* SPDX-License-Identifier: MIT
 *
 * See report.h.
 */
#include "report.h"
#include "ends.h"
#include "limits.h"
#include "met_json.h"
#include "plan.h"
#include "progress.h"
#include "../../bitspin_vm.h"
#include "../../interpreter/proposition.h"
#include "../../memory/interrupts.h"
#include "../../trace/history.h"
#include "../../trace/record.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

VM_OWN uint64_t vm_saved[REDUCTIONS];
VM_OWN uint64_t vm_rested;
VM_OWN struct vm_figures (*vm_own_figures)(void);

static const char *const limit_names[] = {
#define LIMIT(name, text, what, meaning, advice) text,
#include "../../state/limit.def"
#undef LIMIT
};

static const char *const violation_names[] = {
#define VIOLATION(name, text, after, meaning, advice) text,
#include "../../state/violation.def"
#undef VIOLATION
};

static const char *const reduction_names[] = {
#define REDUCTION(name, text, sets, meaning, saved) text,
#include "../../image/reduction.def"
#undef REDUCTION
};

const char *vm_violation_name(enum vm_violation_kind kind)
{
	assert((size_t)kind < sizeof violation_names / sizeof *violation_names);
	return violation_names[kind];
}

static json_t *frame_json(const struct vm_stack_frame *frame)
{
	const struct image *image = &vm_this.image;
	assert(frame->function < image->counts[IMAGE_FUNCTIONS] && frame->location < image->counts[IMAGE_LOCATIONS]);
	return json_pack("{s:o, s:o, s:i, s:i}", "function",
			 vm_record_string(image_string(image, image->functions[frame->function].name)), "file",
			 vm_record_string(image_file(image, frame->location)), "line", (int)image_line(image, frame->location),
			 "column", (int)image_column(image, frame->location));
}

/* Return what stands in a stack for `count` frames that are left out. */
static json_t *omitted_json(uint32_t count)
{
	assert(count > 1); /* as many lines would say that as the frame itself */
	char *name = vm_text();
	snprintf(name, VM_TEXT, "(%u more)", (unsigned)count);
	return json_pack("{s:s, s:s, s:i, s:i, s:i}", "function", name, "file", "", "line", 0, "column", 0, "omitted", (int)count);
}

static bool is_programs(const struct vm_stack_frame *frame)
{
	const struct image *image = &vm_this.image;
	return !(image->functions[frame->function].flags & FUNCTION_LIBRARY) && frame->function != image->options->start;
}

/* Return the functions of the program that were being called, innermost first; of a recursion without end, the first and the
 * last. */
static json_t *stack_json(const struct vm_stack_frame *stack, uint32_t frames)
{
	enum { INNER = 200, OUTER = 50 };
	json_t *array = json_array();
	uint32_t programs = 0, seen = 0;
	for (uint32_t i = 0; i < frames; i++)
		programs += is_programs(&stack[i]);
	uint32_t omitted = programs > INNER + OUTER + 1 ? programs - INNER - OUTER : 0;
	assert(omitted != 1); /* as many lines would say that as the frame itself */
	for (uint32_t i = 0; i < frames; i++) {
		if (!is_programs(&stack[i]))
			continue;
		if (seen == INNER && omitted)
			json_array_append_new(array, omitted_json(omitted));
		if (seen < INNER || seen >= INNER + omitted)
			json_array_append_new(array, frame_json(&stack[i]));
		seen++;
	}
	return array;
}

static json_t *place_json(uint32_t location)
{
	const struct image *image = &vm_this.image;
	assert(location < image->counts[IMAGE_LOCATIONS]);
	return json_pack("{s:o, s:i, s:i}", "file", vm_record_string(image_file(image, location)), "line",
			 (int)image_line(image, location), "column", (int)image_column(image, location));
}

static json_t *locks_json(unsigned slot)
{
	json_t *array = json_array();
	uint64_t address;
	for (unsigned next = 0; vm_next_lock_of(slot, &next, &address);) {
		json_t *lock = place_json(vm_locked_at(address));
		const char *name = vm_describe(address);
		json_object_set_new(lock, "object", vm_record_text(name, strlen(name)));
		json_array_append_new(array, lock);
	}
	return array;
}

/* Return the name of the function that the thread runs. */
static const char *thread_function(const struct vm_thread *thread)
{
	assert(thread->header.frames);
	const struct image *image = &vm_this.image;
	const struct vm_frame *first = thread->frames;
	if (first->function == image->options->start && thread->header.frames > 1)
		first++;
	return image_string(image, image->functions[first->function].name);
}

/* Return the threads that have not ended: where each of them is, what it waits for and the locks that it holds. */
static json_t *threads_json(const char *(*waits_for)(unsigned slot))
{
	json_t *array = json_array();
	for (unsigned i = 0; i < vm_this.slots; i++) {
		const struct vm_thread *thread = vm_thread_load(i);
		if (thread->header.status != THREAD_RUNNING || thread->header.frames == 0)
			continue;
		uint32_t frames;
		struct vm_stack_frame *stack = vm_stack(thread, &frames);
		assert(stack && frames);
		json_t *row = json_pack("{s:i, s:s, s:o, s:o}", "thread", (int)i, "function", thread_function(thread), "stack",
					stack_json(stack, frames), "holds", locks_json(i));
		const char *waits = vm_thread_is_blocked(thread) ? vm_thread_waits_for(thread) : waits_for ? waits_for(i) : NULL;
		if (waits)
			json_object_set_new(row, "waits", vm_record_text(waits, strlen(waits)));
		json_array_append_new(array, row);
		free(stack);
	}
	return array;
}

/* Return where a variable went, whose function has returned. */
static json_t *left_json(const struct vm_past *past)
{
	const struct image *image = &vm_this.image;
	const struct vm_left *left = &past->left;
	const char *variable = past->symbol == IMAGE_NONE ? "" : image_string(image, image->symbols[past->symbol].name);
	return json_pack("{s:i, s:i, s:I, s:o, s:i, s:i, s:o, s:o}", "thread", (int)left->slot, "step", (int)left->step, "at",
			 (json_int_t)left->event, "file", vm_record_string(image_file(image, left->location)), "line",
			 (int)image_line(image, left->location), "column", (int)image_column(image, left->location), "function",
			 vm_record_string(
				 left->function == IMAGE_NONE ? "" : image_string(image, image->functions[left->function].name)),
			 "object", vm_record_string(variable));
}

/* Add the stacks, in a replay; and of a race, the other access. */
static void add_stacks(json_t *record, enum vm_violation_kind kind, const struct vm_thread *thread,
		       const char *(*waits)(unsigned slot))
{
	uint32_t frames;
	const struct vm_noted *other = kind == VIOLATION_DATA_RACE ? vm_noted_race() : NULL;
	struct vm_stack_frame *stack = thread ? vm_stack(thread, &frames) : NULL;
	if (stack)
		json_object_set_new(record, "stack", stack_json(stack, frames));
	free(stack);
	json_object_set_new(record, "threads", threads_json(waits));
	const struct vm_past *dead = kind == VIOLATION_USE_AFTER_FREE ? vm_noted_dead() : NULL;
	if (dead)
		json_object_set_new(record, "left", left_json(dead));
	if (other && other->location)
		json_object_set_new(record, "other",
				    json_pack("{s:i, s:i, s:I, s:o, s:i, s:i, s:o}", "thread", (int)other->slot, "step",
					      (int)other->step, "at", (json_int_t)other->event, "file",
					      vm_record_string(image_file(&vm_this.image, other->location)), "line",
					      (int)image_line(&vm_this.image, other->location), "column",
					      (int)image_column(&vm_this.image, other->location), "stack",
					      stack_json(other->stack, other->frames)));
}

/* Place a leak where its memory comes from.  What the search knows is where the program ends. */
static void place_leak(json_t *record, const struct vm_past *leak, uint32_t end)
{
	const struct image *image = &vm_this.image;
	assert(leak->frames == 0 || leak->stack);
	uint32_t i = 0;
	while (i + 1 < leak->frames && (image->functions[leak->stack[i].function].flags & FUNCTION_LIBRARY))
		i++;
	if (leak->frames)
		json_object_set_new(record, "function",
				    json_string(image_string(image, image->functions[leak->stack[i].function].name)));
	json_object_set_new(record, "thread", json_integer(leak->allocated_by));
	json_object_set_new(record, "stack", stack_json(leak->stack, leak->frames));
	json_object_set_new(record, "end",
			    json_pack("{s:o, s:i, s:i}", "file", vm_record_string(image_file(image, end)), "line",
				      (int)image_line(image, end), "column", (int)image_column(image, end)));
}

void vm_report_violation(enum vm_violation_kind kind, const char *message, uint32_t location, const struct vm_thread *thread,
			 const char *(*waits)(unsigned slot))
{
	const struct vm_past *leak = kind == VIOLATION_MEMORY_LEAK && vm_tracing ? vm_noted_leak() : NULL;
	vm_event_of(ACTION_VIOLATION, location, thread, NULL, message);
	vm_story_flush();
	json_t *record = vm_record_at("violation", leak ? leak->allocated_at : location, thread);
	assert((size_t)kind < sizeof violation_names / sizeof *violation_names);
	json_object_set_new(record, "kind", json_string(violation_names[kind]));
	if (vm_is_bounded())
		json_object_set_new(record, "preemptions", json_integer(vm_this.preemptions));
	json_object_set_new(record, "message", vm_record_text(message, strlen(message)));
	if (vm_tracing)
		add_stacks(record, kind, thread, waits);
	if (leak)
		place_leak(record, leak, location);
	vm_record_write(record);
}

struct suppressed {
	enum vm_violation_kind kind;
	uint32_t suppression, location;
	bool unknown;
};

/* Is this kind of fault, in this line and by this suppression, a new one? */
static bool is_news(const struct suppressed *fault)
{
	static VM_OWN struct suppressed *known;
	static VM_OWN size_t count;
	for (size_t i = 0; i < count; i++)
		if (known[i].kind == fault->kind && known[i].suppression == fault->suppression &&
		    known[i].unknown == fault->unknown && image_same_line(&vm_this.image, known[i].location, fault->location))
			return false;
	struct suppressed *more = realloc(known, (count + 1) * sizeof *more);
	if (more) {
		known = more;
		known[count++] = *fault;
	}
	return true;
}

void vm_report_suppressed(enum vm_violation_kind kind, uint32_t suppression, const struct vm_thread *thread, uint32_t location,
			  bool ends)
{
	static const enum {
		GOES_ON,
		DIES,
		UNKNOWN,
		NEVER
	} after[] = {
#define VIOLATION(name, text, after, meaning, advice) after,
#include "../../state/violation.def"
#undef VIOLATION
	};
	assert((size_t)kind < sizeof after / sizeof *after && after[kind] != NEVER);
	bool unknown = ends && (after[kind] != DIES || (kind == VIOLATION_NULL_DEREFERENCE && vm_this.ending.wild));
	const struct suppressed fault = { kind, suppression, location, unknown };
	const char *message = vm_this.ending.message;
	if (vm_tracing) {
		char *line = vm_text();
		snprintf(line, VM_TEXT, "%s: %.150s", violation_names[kind], message);
		vm_event_of(ACTION_SUPPRESSED, location, thread, NULL, line);
	}
	if (vm_tracing || !is_news(&fault))
		return;
	if (!vm_record_wanted()) /* pan is run by hand */
		printf("bitspin: suppressed: %s at %s:%u: %s%s\n", violation_names[kind], image_file(&vm_this.image, location),
		       (unsigned)image_line(&vm_this.image, location), message,
		       unknown ? "; what the program does then is not known, so the search is not exhaustive" : "");
	json_t *record = vm_record_at("suppressed", location, thread);
	json_object_set_new(record, "kind", json_string(violation_names[kind]));
	json_object_set_new(record, "message", vm_record_text(message, strlen(message)));
	json_object_set_new(record, "suppression", json_integer(suppression));
	json_object_set_new(record, "unknown", json_boolean(unknown));
	vm_record_write(record);
}

void vm_report_inconclusive(enum vm_limit limit, const char *reason, uint32_t location)
{
	assert((size_t)limit < sizeof limit_names / sizeof *limit_names);
	if (!vm_record_wanted()) /* pan is run by hand */
		printf("bitspin: the search is not exhaustive: %s (%s:%u)\n", reason, image_file(&vm_this.image, location),
		       (unsigned)image_line(&vm_this.image, location));
	vm_record_write(json_pack("{s:s, s:s, s:o, s:o, s:i, s:i}", "type", "inconclusive", "limit", limit_names[limit], "reason",
				  vm_record_string(reason), "file", vm_record_string(image_file(&vm_this.image, location)), "line",
				  (int)image_line(&vm_this.image, location), "column",
				  (int)image_column(&vm_this.image, location)));
}

void vm_report_bound(unsigned preemptions, uint64_t states, uint64_t transitions, double seconds)
{
	if (!vm_record_wanted())
		printf("bitspin: up to %u preemption%s: %llu states of the program\n", preemptions, preemptions == 1 ? "" : "s",
		       (unsigned long long)states);
	vm_record_write(json_pack("{s:s, s:i, s:I, s:I, s:f}", "type", "bound", "preemptions", (int)preemptions, "states",
				  (json_int_t)states, "transitions", (json_int_t)transitions, "seconds", seconds));
}

void vm_report_restored(unsigned preemptions)
{
	vm_record_write(json_pack("{s:s, s:i}", "type", "restored", "preemptions", (int)preemptions));
}

void vm_report_snapshot(const char *trouble)
{
	vm_record_write(json_pack("{s:s, s:o}", "type", "snapshot", "trouble", vm_record_string(trouble)));
}

/* Return the valuations that were met; NULL if there are too many to tell. */
static json_t *valuations(void)
{
	bool complete;
	unsigned count;
	const uint64_t *values = vm_valuations(&count, &complete);
	json_t *list = json_array();
	for (unsigned i = 0; complete && i < count; i++)
		json_array_append_new(list, json_integer((json_int_t)values[i]));
	if (complete)
		return list;
	json_decref(list);
	return NULL;
}

/* Record which propositions became true or false in the step just taken. */
static void report_changes(uint64_t before, uint64_t now)
{
	unsigned number = 0;
	for (uint64_t i = 0; i < vm_this.image.counts[IMAGE_PROPERTIES]; i++) {
		const struct image_property *property = &vm_this.image.properties[i];
		if (!image_property_is_numbered(property))
			continue;
		assert(number < 64); /* a valuation is one word */
		if ((before ^ now) >> number & 1)
			vm_event(ACTION_HOLDS, "%s becomes %s", image_string(&vm_this.image, property->text),
				 now >> number & 1 ? "true" : "false");
		number++;
	}
}

static json_t *thread_state(struct vm_thread *thread, bool enabled)
{
	json_t *record = vm_record_at("thread", vm_thread_location(thread), thread);
	json_object_set_new(record, "enabled", json_boolean(enabled));
	json_object_set_new(record, "waits", json_string(vm_thread_waits_for(thread)));
	if (vm_interruptions(thread))
		json_object_set_new(record, "interruptible", json_true());
	return record;
}

/* Return the values of the propositions in `state`; 0 where nothing asks for them, as in a search for cycles (pan -l). */
static uint64_t valuation_of(vm_ref state)
{
	return vm_is_temporal() ? vm_valuation(state) : 0;
}

void vm_report_state(vm_ref before, vm_ref state, unsigned slot, uint64_t number)
{
	json_t *threads = json_array();
	bool final = vm_state_words(state)[0] != 0;
	vm_tracing = true;
	if (!final)
		vm_state_load(state);
	report_changes(valuation_of(before), valuation_of(state));
	for (unsigned i = 0; !final && i < vm_this.slots; i++) {
		struct vm_thread *thread = vm_thread_load(i);
		if (thread->header.status == THREAD_RUNNING)
			json_array_append_new(threads, thread_state(thread, vm_state_outcomes(vm_state_words(state))[i]));
	}
	assert(slot < VM_MAX_SLOTS);
	vm_record_write(json_pack("{s:s, s:i, s:i, s:I, s:I, s:o}", "type", "state", "step", (int)vm_this.step, "moved", (int)slot,
				  "state", (json_int_t)number, "valuation", (json_int_t)valuation_of(state), "threads", threads));
}

/* Return the lines where a thread has to rest so that it can be interrupted there; NULL if there are none. */
static json_t *interrupted(void)
{
	unsigned count;
	const uint32_t *locations = vm_interrupts_found(&count);
	json_t *places = count ? json_array() : NULL;
	for (unsigned i = 0; i < count; i++) {
		const char *file = image_file(&vm_this.image, locations[i]);
		unsigned line = image_line(&vm_this.image, locations[i]);
		if (!vm_record_wanted())
			printf("bitspin: a signal can interrupt %s:%u; make the model with --interrupts all\n", file, line);
		json_array_append_new(places, json_pack("{s:o, s:i}", "file", vm_record_string(file), "line", (int)line));
	}
	return places;
}

/* Print the memory of the VM after pan's own figures, for people who run pan by hand. */
static void print_memory(uint64_t bytes)
{
	const double megabyte = 1 << 20;
	uint64_t states = vm_progress_states(), resident = vm_limit_peak();
	if (vm_record_wanted() || vm_driver.replays || !vm_progress_is_first())
		return;
	printf("\nbitspin: memory, in MB:\n%9.3f\tstates of the program in the VM", (double)bytes / megabyte);
	if (states)
		printf(" (%.1f bytes a state)", (double)bytes / (double)states);
	printf("\n%9.3f\tin all: the most that %s has had\n", (double)resident / megabyte,
	       vm_driver.has_processes ? "the first process" : "the process");
}

/* Return why reductions are off that the image asks for. */
static json_t *off(void)
{
	json_t *reasons = json_object();
	for (unsigned i = 0; i < REDUCTIONS; i++) {
		const char *why = vm_plan_reason(i);
		assert(!why || !(vm_this.reductions >> i & 1));
		if (why)
			json_object_set_new(reasons, reduction_names[i], json_string(why));
	}
	return reasons;
}

/* Return how many loads of the program take no step of their own, as no other thread writes what they read. */
static uint64_t owned_loads(void)
{
	const struct image *image = &vm_this.image;
	bool plain = image->options->races == RACES_IGNORE || image->counts[IMAGE_TOLERATED];
	uint64_t count = 0;
	for (uint64_t f = 0; vm_this.owned && f < image->counts[IMAGE_FUNCTIONS]; f++) {
		const struct image_function *function = &image->functions[f];
		for (uint32_t i = 0; i < function->ncode && !(function->flags & FUNCTION_LIBRARY); i++) {
			const struct image_insn *insn = &image->code[function->code + i];
			bool visible = insn->aux & IMAGE_ATOMIC || (plain && insn->a & IMAGE_CONST);
			count += insn->op == IMAGE_LOAD && insn->order & IMAGE_OWNED && visible;
		}
	}
	return count;
}

void vm_report_statistics(void)
{
	json_t *saved = json_object();
	vm_story_flush();
	if (vm_this.met.facts.stale)
		vm_report_inconclusive(LIMIT_STALENESS, "older values than --memory c11 allows were not read", 0);
	vm_saved[REDUCTION_SLICING_NUMBER] = vm_this.unseen;
	vm_saved[REDUCTION_OWNED_NUMBER] = owned_loads();
	for (int i = 0; i < REDUCTIONS; i++)
		if (vm_this.image.options->reductions >> i & 1)
			json_object_set_new(saved, reduction_names[i], json_integer((json_int_t)vm_saved[i]));
	json_t *record = json_pack("{s:s, s:I, s:I, s:I, s:I, s:i, s:o, s:I, s:i, s:o, s:o, s:o*, s:o*}", "type", "statistics",
				   "bytes", (json_int_t)vm_table_peak(), "resident", (json_int_t)vm_limit_peak(), "rested",
				   (json_int_t)vm_rested, "ends", (json_int_t)(vm_own_figures ? vm_own_figures().runs : vm_ends()),
				   "threads", (int)vm_this.most_slots, "met", vm_met_json(), "cut", (json_int_t)vm_limit_paths(),
				   "reasons", (int)vm_limit_reasons(), "saved", saved, "off", off(), "valuations", valuations(),
				   "interrupted", interrupted());
	if (vm_own_figures) {
		struct vm_figures own = vm_own_figures();
		json_object_set_new(record, "states", json_integer((json_int_t)own.states));
		json_object_set_new(record, "transitions", json_integer((json_int_t)own.transitions));
		json_object_set_new(record, "depth", json_integer((json_int_t)own.depth));
		if (own.bytes)
			json_object_set_new(record, "bytes", json_integer((json_int_t)(vm_table_peak() + own.bytes)));
	}
	json_object_set_new(record, "whole", json_integer((json_int_t)vm_progress_size()));
	if (vm_driver.add_figures)
		vm_driver.add_figures(record);
	print_memory((uint64_t)json_integer_value(json_object_get(record, "bytes")));
	assert(record && json_object_get(record, "bytes"));
	vm_record_write(record);
	vm_output_close();
}
