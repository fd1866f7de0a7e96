/* SPDX-License-Identifier: MIT
 *
 * printf and its kin, and what else writes text: where a text goes that format.c has made.
 */
#include "format.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a va_list holds the operands that say where variable arguments are. */
static const uint64_t in_list[IMAGE_AREA_OPERANDS] = { 8, 16, 0 };

/* Return the variable arguments of a call, whose argument number `first` is their first operand, or the va_list. */
static struct vm_variable variable_arguments(const struct vm_call *call, unsigned first, bool list)
{
	uint64_t operands[IMAGE_AREA_OPERANDS] = { 0, 0, VM_GENERAL_END | (uint64_t)VM_VECTOR_END << 32 };
	for (unsigned i = 0; i < IMAGE_AREA_OPERANDS; i++)
		if (list)
			operands[i] = vm_load64(call->arguments[first] + in_list[i], 8, ACCESS_READ);
		else if (first + i < call->count)
			operands[i] = call->arguments[first + i];
	return (struct vm_variable){ operands[0], operands[1], (uint32_t)operands[2], (uint32_t)(operands[2] >> 32), false };
}

/* Return which argument of a call is the format. */
static unsigned format_of(const struct vm_call *call)
{
	const char *kind = call->builtin->data;
	assert(strchr("bnds", kind[0]));
	return strncmp(kind, "bounded", 7) == 0 ? 2 : strncmp(kind, "stdout", 6) == 0 ? 0 : 1;
}

static bool takes_list(const struct vm_call *call)
{
	return strstr(call->builtin->data, " v") != NULL;
}

/* Does `is` say so of a word of the object in which `address` lies? */
static bool any_word(uint64_t address, bool (*is)(uint64_t word))
{
	struct vm_place place = vm_place_of(address);
	for (uint64_t at = 0, word; place.object && at + sizeof word <= place.object->header.size; at += sizeof word) {
		memcpy(&word, place.object->bytes + at, sizeof word);
		if (is(word))
			return true;
	}
	return false;
}

/* Return where variable arguments lie, by operand: 0, those that overflow; 1, saved registers.  0 if that is not known. */
static uint64_t area_of(const struct vm_call *call, unsigned operand)
{
	unsigned first = format_of(call) + 1;
	uint64_t area = 0;
	if (!takes_list(call))
		return first + operand < call->count ? call->arguments[first + operand] : 0;
	const uint8_t *bytes = vm_peek(call->arguments[first] + in_list[operand], sizeof area);
	if (bytes)
		memcpy(&area, bytes, sizeof area);
	return area;
}

bool vm_passes(const struct vm_call *call, bool (*is)(uint64_t word))
{
	for (uint32_t i = 0; i < call->count; i++)
		if (is(call->arguments[i]))
			return true;
	return call->builtin->run == run_print && (any_word(area_of(call, 0), is) || any_word(area_of(call, 1), is));
}

/* What a call prints. */
struct print {
	const char *kind; /* the data of its row */
	bool bounded, wide;
	uint64_t room; /* of the buffer, in characters */
	struct vm_text text;
};

/* Store `kept` bytes of a text and zeros behind them, `size` bytes in all. */
static void store(uint64_t to, const struct vm_text *text, uint64_t kept, uint64_t size)
{
	if (!text->shadow) {
		uint8_t *bytes = vm_access(to, size, ACCESS_WRITE);
		memcpy(bytes, text->bytes, kept);
		memset(bytes + kept, 0, size - kept);
		return;
	}
	uint8_t *copy = vm_scratch(2 * size), *shadow = copy + size;
	memset(copy, 0, 2 * size);
	memcpy(copy, text->bytes, kept);
	memcpy(shadow, text->shadow, kept);
	vm_write(to, copy, shadow, size, ACCESS_WRITE);
}

/* Copy as much of the text to the buffer as there is room for.  A wide text that is cut has no NUL, as in glibc. */
static void put_into_buffer(struct vm_call *call, const struct print *print)
{
	uint64_t unit = print->wide ? sizeof(wchar_t) : 1, length = print->text.length;
	if (print->room == 0)
		return;
	bool fits = length < print->room, cut = print->wide && !fits && print->room > 1;
	uint64_t kept = fits ? length : print->room - 1, written = (kept + !cut) * unit;
	vm_format_overlaps(call->builtin->name, call->arguments[0], written);
	assert(kept <= length && kept * unit <= written);
	store(call->arguments[0], &print->text, kept * unit, written);
}

/* ---- where it goes --------------------------------------------------------------------------------------------------- */

/* Return the descriptor of a FILE (libc/library.h).  Without that library, stdin, stdout and stderr are the numbers 1 to 3. */
static uint32_t descriptor_of(uint64_t stream)
{
	if (stream >= 1 && stream <= 3)
		return (uint32_t)stream - 1;
	return (uint32_t)vm_load64(stream + offsetof(FILE, _fileno), 4, ACCESS_SYNC_READ);
}

/* Write to a descriptor.  False, and errno is set, if it cannot be written to. */
static bool output_to(uint32_t descriptor, const char *text, size_t length)
{
	if (descriptor != 1 && descriptor != 2) {
		vm_set_errno(EBADF);
		return false;
	}
	if (descriptor == 1 || vm_tracing)
		vm_output(text, length);
	return true;
}

/* Write to a FILE, which keeps the error.  Return false if it cannot be written to. */
static bool output_to_stream(uint64_t stream, const char *text, size_t length)
{
	if (output_to(descriptor_of(stream), text, length))
		return true;
	if (stream > 3)
		vm_store64(stream, 4, vm_load64(stream, 4, ACCESS_SYNC_READ) | _IO_ERR_SEEN, ACCESS_SYNC_WRITE);
	return false;
}

/* Copy the text into new memory, and store its address at `where`, as asprintf() does. */
static void put_new(uint64_t where, const struct vm_text *text)
{
	uint64_t address = vm_allocate_heap(text->length + 1, true);
	vm_name_heap(address);
	store(address, text, text->length, text->length + 1);
	vm_store64(where, 8, address, ACCESS_WRITE);
}

/* Return what the function returns; -1 if it fails, or, for functions of libc/ that want to know how much text there was, -1 -
 * length. */
static int64_t result_of(const struct print *print, bool done)
{
	int64_t length = (int64_t)print->text.length;
	bool counted = strstr(print->kind, "counted") != NULL,
	     cut = print->wide && print->bounded && print->text.length >= print->room;
	if (print->text.error)
		vm_set_errno(print->text.error);
	if (counted)
		return print->text.error ? -1 - length : length;
	return !done || print->text.error || cut ? -1 : length;
}

enum vm_outcome run_print(struct vm_call *call)
{
	const char *kind = call->builtin->data;
	struct print print = { .kind = kind, .bounded = strncmp(kind, "bounded", 7) == 0, .wide = strstr(kind, "wide") != NULL };
	bool done = true;
	unsigned format = format_of(call);
	struct vm_variable variable = variable_arguments(call, format + 1, takes_list(call));
	variable.only_shown = strchr("sd", kind[0]) && (call->insn->aux & IMAGE_BLIND);
	print.room = print.bounded ? call->arguments[1] : UINT64_MAX;
	print.text = vm_format(call->arguments[format], &variable, print.wide);
	const char *text = print.text.bytes;
	size_t length = print.text.length;
	if (kind[0] == 'b')
		put_into_buffer(call, &print);
	else if (kind[0] == 'n' && !print.text.error)
		put_new(call->arguments[0], &print.text);
	else if (kind[0] == 'd' || format == 0)
		done = output_to(format ? (uint32_t)call->arguments[0] : 1, text, length);
	else if (kind[0] == 's')
		done = output_to_stream(call->arguments[0], text, length);
	call->results[0] = (uint32_t)result_of(&print, done);
	return CALL_DONE;
}

enum vm_outcome run_puts(struct vm_call *call)
{
	uint64_t length;
	bool line = call->builtin->data != NULL, only_shown = call->insn->aux & IMAGE_BLIND;
	const char *text = (only_shown ? vm_string_shown : vm_string)(call->arguments[0], UINT64_MAX, &length);
	bool done = line ? output_to(1, text, length) : output_to_stream(call->arguments[1], text, length);
	if (line)
		vm_output("\n", 1);
	call->results[0] = done ? line ? (uint32_t)length + 1 : 1 : (uint32_t)-1;
	return CALL_DONE;
}

enum vm_outcome run_fwrite(struct vm_call *call)
{
	uint64_t size;
	if (__builtin_mul_overflow(call->arguments[1], call->arguments[2], &size))
		vm_violation(VIOLATION_OUT_OF_BOUNDS, "fwrite of more bytes than any object has");
	bool only_shown = call->insn->aux & IMAGE_BLIND;
	const void *bytes = only_shown ? vm_bytes_shown(call->arguments[0], size) :
					 vm_access(call->arguments[0], size, ACCESS_READ);
	bool done = output_to_stream(call->arguments[3], bytes, size);
	call->results[0] = done && call->arguments[1] ? call->arguments[2] : 0;
	return CALL_DONE;
}

enum vm_outcome run_write(struct vm_call *call)
{
	output_to((uint32_t)call->arguments[0], (const char *)vm_bytes_shown(call->arguments[1], call->arguments[2]),
		  call->arguments[2]);
	call->results[0] = call->arguments[2];
	return CALL_DONE;
}

/* Return the memory that translator/symbols/provided.c has made for a part of the disk. */
enum vm_outcome run_disk(struct vm_call *call)
{
	char name[40];
	snprintf(name, sizeof name, "part %u of the disk", (unsigned)call->arguments[0]);
	call->results[0] = vm_provided(name);
	return CALL_DONE;
}

enum vm_outcome run_putchar(struct vm_call *call)
{
	char c = (char)call->arguments[0];
	bool done = call->builtin->data ? output_to(1, &c, 1) : output_to_stream(call->arguments[1], &c, 1);
	call->results[0] = done ? (unsigned char)c : (uint32_t)-1;
	return CALL_DONE;
}
