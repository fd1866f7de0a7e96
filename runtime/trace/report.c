/* SPDX-License-Identifier: MIT
 *
 * What the VM tells the glue: lines of JSON in the file named by BITSPIN_RESULT (the contract is in bitspin_vm.h), and the
 * program's own output.  Events are written only in replay; asking for one otherwise costs a test of a flag.
 */
#include "report.h"
#include "../state/limit.h"
#include "../interpreter/proposition.h"
#include "story.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool vm_tracing;
uint64_t vm_saved[REDUCTIONS];

static FILE *result_file, *output_file;

static const char *const action_names[] = {
#define ACTION(name, text) text,
#include "action.def"
#undef ACTION
};

static const char *const fault_names[] = {
#define FAULT(name, text, meaning) text,
#include "../state/fault.def"
#undef FAULT
};

static const char *const reduction_names[] = {
#define REDUCTION(name, text, meaning, saved) text,
#include "../image/reduction.def"
#undef REDUCTION
};

const char *vm_fault_name(enum vm_fault kind)
{
	return fault_names[kind];
}

void vm_report_open(void)
{
	const char *path = getenv("BITSPIN_RESULT"), *output = getenv("BITSPIN_OUTPUT");
	if (path && *path)
		result_file = fopen(path, "ae");
	if (output && *output)
		output_file = fopen(output, "ae");
}

static void write_record(json_t *record)
{
	if (result_file && record) {
		json_dumpf(record, result_file, JSON_COMPACT);
		fputc('\n', result_file);
		fflush(result_file);
	}
	json_decref(record);
}

/* Any bytes as valid UTF-8: what is not is shown as '?'. */
static json_t *text(const char *bytes, size_t length)
{
	json_t *string = json_stringn(bytes, length);
	if (string)
		return string;
	char *copy = malloc(length + 1);
	for (size_t i = 0; copy && i < length; i++)
		copy[i] = (unsigned char)bytes[i] < 0x80 && bytes[i] ? bytes[i] : '?';
	string = copy ? json_stringn(copy, length) : NULL;
	free(copy);
	return string;
}

static const char *function_name(const struct vm_thread *thread)
{
	if (!thread || !thread->loaded || thread->header.frames == 0)
		return "";
	const struct image *image = &vm_this.image;
	const struct vm_frame *frame = &thread->frames[thread->header.frames - 1];
	while (frame > thread->frames && (image->functions[frame->function].flags & FUNCTION_LIBRARY))
		frame--;
	return image_string(image, image->functions[frame->function].name);
}

static json_t *record_at(const char *type, uint32_t location, const char *function, unsigned slot)
{
	const struct image *image = &vm_this.image;
	return json_pack("{s:s, s:s, s:i, s:s, s:i}", "type", type, "file", image_file(image, location), "line",
			 (int)image_line(image, location), "function", function, "thread", (int)slot);
}

static json_t *place_record(const char *type, uint32_t location, const struct vm_thread *thread)
{
	return record_at(type, location, function_name(thread), thread ? thread->slot : 0);
}

/* ---- events -------------------------------------------------------------------------------------------------------- */

static void write_story_event(const struct story_event *event)
{
	json_t *record = record_at("event", event->location, event->function, event->slot);
	json_object_set_new(record, "step", json_integer(event->step));
	json_object_set_new(record, "action", json_string(action_names[event->action]));
	json_object_set_new(record, "detail", text(event->detail ? event->detail : "", event->length));
	write_record(record);
}

static void write_event(enum vm_action action, uint32_t location, const struct vm_thread *thread, char *detail, size_t length)
{
	struct story_event event = {
		.action = action, .location = location, .function = function_name(thread), .slot = thread ? thread->slot : 0,
		.step = vm_this.step, .detail = detail, .length = length,
	};
	if (vm_story_take(&event))
		write_story_event(&event);
}

void vm_event(enum vm_action action, const char *format, ...)
{
	if (!vm_tracing || vm_this.evaluating)
		return;
	char *detail;
	va_list arguments;
	va_start(arguments, format);
	int length = vasprintf(&detail, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	write_event(action, vm_this.location, vm_this.current, detail, (size_t)length);
	free(detail);
}

void vm_event_access(enum vm_action action, uint64_t address, unsigned bytes, uint64_t value)
{
	if (!vm_tracing || vm_this.evaluating || vm_this.in_library || !vm_is_shared(address))
		return;
	if (bytes)
		vm_event(action, "%s", vm_describe_access(address, bytes, value, action == ACTION_WRITE));
	else
		vm_event(action, "%llu bytes of %s are written", (unsigned long long)value, vm_describe(address));
}

void vm_event_blocked(const struct vm_thread *thread, const char *detail)
{
	if (vm_tracing)
		write_event(ACTION_BLOCKED, vm_thread_location(thread), thread, (char *)detail, strlen(detail));
}

void vm_output(const char *bytes, size_t length)
{
	if (vm_this.evaluating)
		return;
	if (vm_tracing)
		write_event(ACTION_OUTPUT, vm_this.location, vm_this.current, (char *)bytes, length);
	else if (output_file)
		fwrite(bytes, 1, length, output_file);
}

/* ---- results ------------------------------------------------------------------------------------------------------- */

void vm_report_violation(enum vm_fault kind, const char *message, uint32_t location, const struct vm_thread *thread)
{
	if (vm_tracing)
		write_event(ACTION_FAULT, location, thread, (char *)message, strlen(message));
	vm_story_end(write_story_event);
	json_t *record = place_record("violation", location, thread);
	json_object_set_new(record, "kind", json_string(fault_names[kind]));
	if (vm_this.image.options->preemptions)
		json_object_set_new(record, "preemptions", json_integer(vm_this.preemptions));
	json_object_set_new(record, "message", text(message, strlen(message)));
	write_record(record);
}

void vm_report_inconclusive(const char *limit, const char *reason, uint32_t location)
{
	if (!result_file) /* pan is run by hand */
		printf("bitspin: the search is not exhaustive: %s (%s:%u)\n", reason, image_file(&vm_this.image, location),
		       (unsigned)image_line(&vm_this.image, location));
	write_record(json_pack("{s:s, s:s, s:s, s:s, s:i}", "type", "inconclusive", "limit", limit, "reason", reason, "file",
			       image_file(&vm_this.image, location), "line", (int)image_line(&vm_this.image, location)));
}

void vm_report_assumption(const char *format, ...)
{
	static const char *told[16];
	unsigned n = 0;
	while (n < sizeof told / sizeof *told && told[n] && told[n] != format)
		n++;
	if (vm_tracing || n == sizeof told / sizeof *told || told[n])
		return;
	char *assumption;
	va_list arguments;
	told[n] = format;
	va_start(arguments, format);
	int length = vasprintf(&assumption, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	json_t *record = place_record("assumption", vm_this.location, vm_this.current);
	json_object_set_new(record, "assumption", json_string(assumption));
	write_record(record);
	free(assumption);
}

/* NULL if there are too many to tell. */
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

/* What became true or false in the step just taken. */
static void report_changes(uint64_t before, uint64_t now)
{
	unsigned number = 0;
	for (uint64_t i = 0; i < vm_this.image.counts[IMAGE_PROPERTIES]; i++) {
		const struct image_property *property = &vm_this.image.properties[i];
		if (property->kind == PROPERTY_INVARIANT || property->part)
			continue;
		if ((before ^ now) >> number & 1)
			vm_event(ACTION_HOLDS, "%s becomes %s", image_string(&vm_this.image, property->text),
				 now >> number & 1 ? "true" : "false");
		number++;
	}
}

static json_t *thread_state(struct vm_thread *thread, bool enabled)
{
	json_t *record = place_record("thread", vm_thread_location(thread), thread);
	json_object_set_new(record, "enabled", json_boolean(enabled));
	json_object_set_new(record, "waits", json_string(vm_thread_waits_for(thread)));
	return record;
}

void vm_report_state(vm_ref before, vm_ref state)
{
	json_t *threads = json_array();
	bool final = vm_state_words(state)[0] != 0;
	vm_tracing = true;
	if (!final)
		vm_state_load(state);
	report_changes(vm_valuation(before), vm_valuation(state));
	for (unsigned i = 0; !final && i < vm_this.slots; i++) {
		struct vm_thread *thread = vm_thread_load(i);
		if (thread->header.status == THREAD_RUNNING)
			json_array_append_new(threads, thread_state(thread, vm_state_outcomes(vm_state_words(state))[i]));
	}
	write_record(json_pack("{s:s, s:i, s:I, s:I, s:o}", "type", "state", "step", (int)vm_this.step, "state", (json_int_t)state,
			       "valuation", (json_int_t)vm_valuation(state), "threads", threads));
}

void vm_report_statistics(uint64_t ends)
{
	json_t *saved = json_object();
	vm_story_end(write_story_event);
	for (int i = 0; i < REDUCTIONS; i++)
		if (vm_this.image.options->reductions >> i & 1)
			json_object_set_new(saved, reduction_names[i], json_integer((json_int_t)vm_saved[i]));
	write_record(json_pack("{s:s, s:I, s:I, s:I, s:i, s:b, s:I, s:i, s:o, s:o*}", "type", "statistics", "bytes",
			       (json_int_t)vm_table_bytes(), "resident", (json_int_t)vm_limit_peak(), "ends", (json_int_t)ends,
			       "threads", (int)vm_this.most_slots, "main_ends", vm_this.main_ends, "cut", (json_int_t)vm_limit_paths(),
			       "reasons", (int)vm_limit_reasons(), "saved", saved, "valuations", valuations()));
	if (output_file)
		fclose(output_file);
	output_file = NULL;
}
