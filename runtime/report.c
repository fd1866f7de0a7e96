/* SPDX-License-Identifier: MIT
 *
 * What the VM tells the glue: lines of JSON in the file named by BITSPIN_RESULT (the contract is in bitspin_vm.h), and the
 * program's own output.  Events are written only in replay; asking for one otherwise costs a test of a flag.
 */
#include "report.h"

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
#include "fault.def"
#undef FAULT
};

static const char *const reduction_names[] = {
#define REDUCTION(name, text, meaning, saved) text,
#include "reduction.def"
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

static json_t *place_record(const char *type, uint32_t location, const struct vm_thread *thread)
{
	const struct image *image = &vm_this.image;
	return json_pack("{s:s, s:s, s:i, s:s, s:i}", "type", type, "file", image_file(image, location), "line",
			 (int)image_line(image, location), "function", function_name(thread), "thread",
			 thread ? (int)thread->slot : 0);
}

/* ---- events -------------------------------------------------------------------------------------------------------- */

static void write_event(enum vm_action action, uint32_t location, const struct vm_thread *thread, const char *detail, size_t length)
{
	json_t *record = place_record("event", location, thread);
	json_object_set_new(record, "step", json_integer(vm_this.step));
	json_object_set_new(record, "action", json_string(action_names[action]));
	json_object_set_new(record, "detail", text(detail, length));
	write_record(record);
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
		write_event(ACTION_BLOCKED, vm_thread_location(thread), thread, detail, strlen(detail));
}

void vm_output(const char *bytes, size_t length)
{
	if (vm_this.evaluating)
		return;
	if (vm_tracing)
		write_event(ACTION_OUTPUT, vm_this.location, vm_this.current, bytes, length);
	else if (output_file)
		fwrite(bytes, 1, length, output_file);
}

/* ---- results ------------------------------------------------------------------------------------------------------- */

void vm_report_violation(enum vm_fault kind, const char *message, uint32_t location, const struct vm_thread *thread)
{
	if (vm_tracing)
		write_event(ACTION_FAULT, location, thread, message, strlen(message));
	json_t *record = place_record("violation", location, thread);
	json_object_set_new(record, "kind", json_string(fault_names[kind]));
	if (vm_this.image.options->preemptions)
		json_object_set_new(record, "preemptions", json_integer(vm_this.preemptions));
	json_object_set_new(record, "message", text(message, strlen(message)));
	write_record(record);
}

void vm_report_inconclusive(const char *limit, const char *reason)
{
	write_record(json_pack("{s:s, s:s, s:s}", "type", "inconclusive", "limit", limit, "reason", reason));
}

void vm_report_statistics(uint64_t ends)
{
	json_t *saved = json_object();
	for (int i = 0; i < REDUCTIONS; i++)
		if (vm_this.image.options->reductions >> i & 1)
			json_object_set_new(saved, reduction_names[i], json_integer((json_int_t)vm_saved[i]));
	write_record(json_pack("{s:s, s:I, s:I, s:o}", "type", "statistics", "bytes", (json_int_t)vm_table_bytes(), "ends",
			       (json_int_t)ends, "saved", saved));
	if (output_file)
		fclose(output_file);
	output_file = NULL;
}
