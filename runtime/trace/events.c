/* SPDX-License-Identifier: MIT
 *
 * Events, and the records that they are written as: lines of JSON in the file named by BITSPIN_RESULT (the contract is in
 * bitspin_vm.h); and the program's own output.  Events are written only in replay; asking for one otherwise costs a test of a flag.
 */
#include "describe.h"
#include "history.h"
#include "record.h"
#include "story.h"
#include "../state/reads.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

VM_SHARED bool vm_tracing;

static VM_SHARED FILE *result_file, *output_file;

static const char *const action_names[] = {
#define ACTION(name, text) text,
#include "action.def"
#undef ACTION
};

void vm_record_open(void)
{
	const char *path = getenv("BITSPIN_RESULT"), *output = getenv("BITSPIN_OUTPUT");
	if (path && *path)
		result_file = fopen(path, "ae");
	if (output && *output)
		output_file = fopen(output, "ae");
}

bool vm_record_wanted(void)
{
	return result_file != NULL;
}

static VM_SHARED bool muted;

void vm_record_mute(bool mute)
{
	muted = mute;
}

void vm_record_write(json_t *record)
{
	if (result_file && record && !muted) {
		json_dumpf(record, result_file, JSON_COMPACT);
		fputc('\n', result_file);
		fflush(result_file);
	}
	json_decref(record);
}

char *vm_records_so_far(void)
{
	const char *path = getenv("BITSPIN_RESULT");
	FILE *file = path && *path ? fopen(path, "re") : NULL;
	char *lines = NULL;
	size_t size = 0;
	if (file && getdelim(&lines, &size, '\0', file) < 0) {
		free(lines);
		lines = NULL;
	}
	if (file)
		fclose(file);
	return lines;
}

static VM_OWN char *earlier; /* lines of another process; NULL: none */

void vm_records_write(const char *lines)
{
	if (!result_file)
		return;
	free(earlier);
	earlier = strdup(lines);
	fputs(lines, result_file);
	fflush(result_file);
}

json_t *vm_record_text(const char *bytes, size_t length)
{
	json_t *string = json_stringn(bytes, length);
	if (string)
		return string;
	char *copy = malloc(length + 1);
	for (size_t i = 0, n; copy && i < length; i += n) {
		json_t *character = NULL;
		for (n = 1; n <= 4 && i + n <= length && bytes[i] && !(character = json_stringn(bytes + i, n)); n++)
			;
		n = character ? n : 1;
		memcpy(copy + i, character ? bytes + i : "?", n);
		json_decref(character);
	}
	string = copy ? json_stringn(copy, length) : NULL;
	free(copy);
	return string;
}

json_t *vm_record_string(const char *string)
{
	return vm_record_text(string, strlen(string));
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
	return json_pack("{s:s, s:o, s:i, s:i, s:o, s:i}", "type", type, "file", vm_record_string(image_file(image, location)),
			 "line", (int)image_line(image, location), "column", (int)image_column(image, location), "function",
			 vm_record_string(function), "thread", (int)slot);
}

json_t *vm_record_at(const char *type, uint32_t location, const struct vm_thread *thread)
{
	return record_at(type, location, function_name(thread), thread ? thread->slot : 0);
}

/* ---- events -------------------------------------------------------------------------------------------------------- */

static void write_story_event(const struct story_event *event)
{
	json_t *record = record_at("event", event->location, event->function, event->slot);
	json_object_set_new(record, "step", json_integer(event->step));
	assert(event->action < sizeof action_names / sizeof *action_names);
	json_object_set_new(record, "action", json_string(action_names[event->action]));
	json_object_set_new(record, "detail", vm_record_text(event->detail ? event->detail : "", event->length));
	json_object_update(record, event->about);
	json_decref(event->about);
	vm_record_write(record);
}

/* Return "OBJECT:OFFSET", which is equal for what lies at the same place. */
static json_t *address_json(uint64_t address)
{
	char key[60];
	uint32_t object = (uint32_t)image_number(address);
	snprintf(key, sizeof key, "%u:%lld", object, (long long)(address - image_address(object, 0)));
	return json_string(key);
}

static json_t *about_json(const struct vm_about *about)
{
	assert(about->nthreads == 0 || about->threads);
	json_t *json = json_object();
	if (about->address) {
		const char *name = about->name ? about->name : vm_describe(about->address);
		json_object_set_new(json, "object", vm_record_string(name));
		json_object_set_new(json, "address", address_json(about->address));
	}
	if (about->bytes)
		json_object_set_new(json, "bytes", json_integer((json_int_t)about->bytes));
	if (about->value)
		json_object_set_new(json, "value", vm_record_string(about->value));
	if (about->reads || about->writes)
		json_object_set_new(json, "write", json_boolean(about->writes));
	if (about->stale)
		json_object_set_new(json, "stale", json_true());
	if (about->nstores)
		json_object_set_new(json, "store", json_integer(about->stores[0]));
	json_t *waiting = about->nwaiting ? json_array() : NULL;
	for (uint32_t i = 0; i < about->nwaiting; i++)
		json_array_append_new(waiting, json_integer(about->waiting[i]));
	if (waiting)
		json_object_set_new(json, "waiting", waiting);
	json_t *newer = about->nstores > 1 ? json_array() : NULL;
	for (uint32_t i = 1; newer && i < about->nstores; i++)
		json_array_append_new(newer, json_integer(about->stores[i]));
	if (newer)
		json_object_set_new(json, "newer", newer);
	if (about->input)
		json_object_set_new(json, "input", json_true());
	if (about->releases)
		json_object_set_new(json, "releases", address_json(about->releases));
	if (about->nthreads == 1)
		json_object_set_new(json, "to", json_integer(about->threads[0]));
	json_t *woken = about->nthreads > 1 ? json_array() : NULL;
	for (unsigned i = 0; woken && i < about->nthreads; i++)
		json_array_append_new(woken, json_integer(about->threads[i]));
	if (woken)
		json_object_set_new(json, "woken", woken);
	return json;
}

/* An allocation is told when a variable holds the block, which is called after it, or when something else is that the thread does.
 * What it reads in the same step may come before, as in "list[i] = malloc(...)". */
static VM_OWN struct {
	struct story_event event;
	uint64_t address, size; /* 0: nothing waits */
} allocation;

static bool may_come_before_allocation(enum vm_action action, const struct vm_thread *thread)
{
	const struct vm_past *past = allocation.address ? vm_past_of((uint32_t)image_number(allocation.address)) : NULL;
	return past && action == ACTION_READ && thread && thread->slot == allocation.event.slot &&
		vm_this.step == allocation.event.step && (!past->name || past->weak);
}

static void tell_allocation(void)
{
	struct story_event event = allocation.event;
	if (!allocation.address)
		return;
	assert(image_number(allocation.address) >= IMAGE_FIRST_DYNAMIC);
	char *detail, *name = strdup(vm_describe_object(allocation.address));
	const struct vm_about about = { .address = allocation.address, .name = name, .bytes = allocation.size };
	const struct vm_past *past = vm_past_of((uint32_t)image_number(allocation.address));
	bool named = !past || past->name; /* else it is called after this place, which is told anyway */
	int length = asprintf(&detail, "%s%s%llu byte%s", named ? name : "a block", named ? ", " : " of ",
			      (unsigned long long)allocation.size, allocation.size == 1 ? "" : "s");
	allocation.address = 0;
	if (length >= 0) {
		event.about = about_json(&about);
		event.detail = detail;
		event.length = (size_t)length;
		vm_story_take(&event, write_story_event);
		free(detail);
	}
	free(name);
}

void vm_event_allocate(uint64_t address, uint64_t size)
{
	if (!vm_tracing || vm_this.evaluating)
		return;
	tell_allocation();
	allocation.address = address;
	allocation.size = size;
	allocation.event = (struct story_event){
		.action = ACTION_ALLOCATE,
		.location = vm_this.location,
		.function = function_name(vm_this.current),
		.slot = vm_this.current->slot,
		.step = vm_this.step,
	};
}

uint64_t vm_events_taken(void)
{
	return vm_story_taken() + (allocation.address != 0);
}

/* Return the functions that have called the one where `thread` is, innermost first, for an event; NULL if there are none, or nobody
 * has asked for them. */
static json_t *callers_json(const struct vm_thread *thread)
{
	static VM_SHARED int wanted = -1;
	const struct image *image = &vm_this.image;
	if (wanted < 0)
		wanted = getenv("BITSPIN_CALLERS") && *getenv("BITSPIN_CALLERS");
	if (!wanted || !thread || !thread->loaded || thread->header.frames < 2)
		return NULL;
	uint32_t frames = 0, i = 0;
	struct vm_stack_frame *stack = vm_stack(thread, &frames);
	json_t *callers = json_array();
	while (stack && i < frames && image->functions[stack[i].function].flags & FUNCTION_LIBRARY)
		i++;
	for (i++; stack && i < frames; i++)
		if (stack[i].function != image->options->start)
			json_array_append_new(callers,
					      json_pack("{s:o, s:o, s:i}", "function",
							vm_record_string(
								image_string(image, image->functions[stack[i].function].name)),
							"file", vm_record_string(image_file(image, stack[i].location)), "line",
							(int)image_line(image, stack[i].location)));
	free(stack);
	return callers;
}

static void write_event(enum vm_action action, uint32_t location, const struct vm_thread *thread, const struct vm_about *about,
			char *detail, size_t length)
{
	if (!may_come_before_allocation(action, thread))
		tell_allocation();
	json_t *callers = callers_json(thread),
	       *json = about || callers ? about_json(about ? about : &(struct vm_about){ 0 }) : NULL;
	if (callers)
		json_object_set_new(json, "callers", callers);
	struct story_event event = {
		.action = action,
		.location = location,
		.function = function_name(thread),
		.slot = thread ? thread->slot : 0,
		.step = vm_this.step,
		.detail = detail,
		.length = length,
		.about = json,
	};
	vm_story_take(&event, write_story_event);
}

void vm_event_tell(enum vm_action action, const struct vm_about *about, const char *format, ...)
{
	if (vm_this.evaluating)
		return;
	char *detail;
	va_list arguments;
	va_start(arguments, format);
	int length = vasprintf(&detail, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	write_event(action, vm_this.location, vm_this.current, about, detail, (size_t)length);
	free(detail);
}

void vm_story_flush(void)
{
	tell_allocation();
	vm_story_end(write_story_event);
}

void vm_event_access(enum vm_action action, uint64_t address, unsigned bytes, uint64_t value, const uint64_t *old)
{
	vm_event_met(action, address, bytes, value, old, NULL, 0);
}

void vm_event_met(enum vm_action action, uint64_t address, unsigned bytes, uint64_t value, const uint64_t *old,
		  const uint32_t *stores, uint32_t nstores)
{
	if (!vm_tracing || vm_this.evaluating || vm_this.in_library || !vm_is_shared(address))
		return;
	bool writes = action == ACTION_WRITE;
	struct vm_about about = { .address = address, .bytes = bytes ? bytes : value, .reads = !writes, .writes = writes };
	about.stores = stores;
	about.nstores = nstores;
	if (bytes) {
		const char *text = vm_describe_access(address, bytes, value, old, writes);
		about.name = vm_describe_bytes(address, bytes, NULL);
		about.value = vm_is_set(address, bytes) ? vm_describe_value(address, bytes, value) : "uninitialized";
		vm_event_tell(action, &about, "%s", text);
	} else {
		about.name = vm_describe_area(address, value);
		vm_event_tell(action, &about, "%llu byte%s of %s %s written", (unsigned long long)value, value == 1 ? "" : "s",
			      about.name, value == 1 ? "is" : "are");
	}
}

void vm_event_of(enum vm_action action, uint32_t location, const struct vm_thread *thread, const struct vm_about *about,
		 const char *detail)
{
	if (vm_tracing)
		write_event(action, location, thread, about, (char *)detail, strlen(detail));
}

void vm_output(const char *bytes, size_t length)
{
	if (vm_this.evaluating)
		return;
	vm_reads_refuse(); /* as if it read something: it has an effect each time */
	vm_this.outward = true;
	if (vm_this.silent)
		return;
	if (vm_tracing)
		write_event(ACTION_OUTPUT, vm_this.location, vm_this.current, NULL, (char *)bytes, length);
	else if (output_file)
		fwrite(bytes, 1, length, output_file);
}

void vm_output_close(void)
{
	if (output_file)
		fclose(output_file);
	output_file = NULL;
}

void vm_report_assumption(const char *format, ...)
{
	static VM_OWN const char *told[16];
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
	if (!earlier || !strstr(earlier, assumption)) {
		json_t *record = vm_record_at("assumption", vm_this.location, vm_this.current);
		json_object_set_new(record, "assumption", json_string(assumption));
		vm_record_write(record);
	}
	free(assumption);
}
