/* SPDX-License-Identifier: MIT
 *
 * What the program is given when it starts, where that is a choice: arguments (--arg), variables of the environment (--env) and
 * standard input (several --stdin, --stdin-bytes).  The translator calls these functions from _start, see
 * translator/lower/start_inputs.c.  What is chosen lies in memory of the program, so it is part of the state.
 */
#include "../symbolic/symbolic.h"
#include "../trace/turns.h"
#include "externals.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { ROW_BYTES = 8, ROW_SIZE = 16, ROW = 24 }; /* offsets in struct library_file and its size, see libc/library.h */

/* Return bytes as in a string literal, in a static buffer. */
static const char *quoted(const char *bytes, uint64_t length)
{
	static VM_OWN char out[400];
	size_t n = 0;
	out[n++] = '"';
	for (uint64_t i = 0; i < length && n < sizeof out - 10; i++) {
		unsigned char byte = (unsigned char)bytes[i];
		const char *letter = strchr("\n\t\r\"\\", byte);
		if (byte && letter)
			n += (size_t)sprintf(out + n, "\\%c", "ntr\"\\"[letter - "\n\t\r\"\\"]);
		else if (isprint(byte))
			out[n++] = (char)byte;
		else
			n += (size_t)sprintf(out + n, "\\%03o", byte);
	}
	assert(n + 2 <= sizeof out);
	strcpy(out + n, "\"");
	return out;
}

/* ---- arguments: its number, its object, the values one behind the other, how many they are --------------------------- */

void prepare_choose_argument(struct vm_call *call)
{
	vm_offer(call, call->arguments[3]);
}

/* Make the object of a text anew, with the size of what is chosen: an access beyond it is out of bounds. */
static void resize(uint64_t address, uint64_t size)
{
	struct vm_place place = vm_place_of(address);
	if (place.map != &vm_this.globals)
		VM_BUG("what the program is given is no global");
	assert(vm_this.global_index[place.number - 1] != IMAGE_NONE);
	struct vm_object_header header = place.object->header;
	header.size = (uint32_t)size;
	vm_map_add(place.map, vm_this.global_index[place.number - 1], &header);
}

enum vm_outcome run_choose_argument(struct vm_call *call)
{
	uint64_t value = call->arguments[2], length;
	const char *text = vm_string(value, UINT64_MAX, &length);
	for (uint32_t i = 0; i < vm_this.choice; i++)
		text = vm_string(value += length + 1, UINT64_MAX, &length);
	assert(vm_this.choice < call->arguments[3]);
	resize(call->arguments[1], length + 1);
	vm_write(call->arguments[1], text, NULL, length + 1, ACCESS_SYNC_WRITE);
	vm_event_about(ACTION_CHOOSE, VM_ABOUT(.input = true), "argument %u is %s", (unsigned)call->arguments[0],
		       quoted(text, length));
	vm_turn_given((unsigned)call->arguments[0], text, length);
	return CALL_DONE;
}

/* ---- standard input: its row in the table of files, the rows it may have, how many they are -------------------------- */

void prepare_choose_input(struct vm_call *call)
{
	vm_offer(call, call->arguments[2]);
}

enum vm_outcome run_choose_input(struct vm_call *call)
{
	assert(vm_this.choice < call->arguments[2]);
	uint64_t row = call->arguments[1] + vm_this.choice * ROW, name = vm_load64(row, 8, ACCESS_READ);
	uint8_t bytes[ROW];
	memcpy(bytes, vm_access(row, ROW, ACCESS_READ), ROW);
	vm_write(call->arguments[0] + ROW_BYTES, bytes + ROW_BYTES, NULL, ROW - ROW_BYTES, ACCESS_SYNC_WRITE);
	vm_event_about(ACTION_CHOOSE, VM_ABOUT(.input = true), "standard input is the file %s", vm_string(name, UINT64_MAX, NULL));
	uint64_t address, size;
	memcpy(&address, bytes + ROW_BYTES, sizeof address);
	memcpy(&size, bytes + ROW_SIZE, sizeof size);
	vm_turn_given(0, size ? (const char *)vm_access(address, size, ACCESS_READ) : "", size);
	return CALL_DONE;
}

/* ---- ... its row, memory for the text, most bytes of it, the alphabet, how many letters that has ---------------------- */

/* Offer one letter of the text: the first outcome is the end of the text. */
void prepare_choose_text(struct vm_call *call)
{
	vm_offer(call, call->arguments[4] + 1);
}

enum vm_outcome run_choose_text(struct vm_call *call)
{
	uint64_t row = call->arguments[0], bytes = call->arguments[1];
	uint64_t length = vm_load64(row + ROW_SIZE, 8, ACCESS_SYNC_READ);
	assert(length <= call->arguments[2] && vm_this.choice <= call->arguments[4]);
	if (vm_this.choice) {
		char letter = (char)vm_load64(call->arguments[3] + vm_this.choice - 1, 1, ACCESS_READ);
		vm_write(row + ROW_BYTES, &bytes, NULL, sizeof bytes, ACCESS_SYNC_WRITE);
		vm_write(bytes + length++, &letter, NULL, 1, ACCESS_SYNC_WRITE);
		vm_write(row + ROW_SIZE, &length, NULL, sizeof length, ACCESS_SYNC_WRITE);
	}
	if (vm_this.choice && length < call->arguments[2]) {
		vm_offer(call, call->arguments[4] + 1);
		return CALL_REST;
	}
	const char *text = length ? (const char *)vm_access(bytes, length, ACCESS_SYNC_READ) : "";
	vm_event_about(ACTION_CHOOSE, VM_ABOUT(.input = true), "standard input is %s", quoted(text, length));
	vm_turn_given(0, text, length);
	return CALL_DONE;
}

/* ---- any text: which it is, its object, bytes that stay before it, most bytes of it, the row of standard input or 0 --- */

/* First its length is chosen, then each byte is an input.  Of a string none is 0, so its length is known. */
void prepare_choose_any(struct vm_call *call)
{
	vm_offer(call, call->arguments[3] + 1);
}

/* Begin the text with the chosen length. */
static void begin_any(const struct vm_call *call)
{
	uint64_t address = call->arguments[1], before = call->arguments[2], row = call->arguments[4];
	uint8_t *kept = vm_scratch(before + 1);
	assert(vm_this.choice <= call->arguments[3]);
	memcpy(kept, vm_access(address, before, ACCESS_READ), before);
	if (!row || vm_this.choice)
		resize(address, before + vm_this.choice + !row);
	vm_write(address, kept, NULL, before, ACCESS_SYNC_WRITE);
	if (row && vm_this.choice)
		vm_write(row + ROW_BYTES, &address, NULL, sizeof address, ACCESS_SYNC_WRITE);
}

/* Return where the next byte of the text goes, or the size of its object, which is that of a string without its end. */
static uint64_t next_any(const struct vm_call *call, uint64_t *size)
{
	uint64_t address = call->arguments[1], at = call->arguments[2], row = call->arguments[4];
	struct vm_place place = vm_place_of(address);
	*size = place.object->header.size - !row;
	if (row)
		return vm_load64(row + ROW_SIZE, 8, ACCESS_SYNC_READ);
	while (at < *size && (place.object->bytes[at] || (place.object->shadow && place.object->shadow[at])))
		at++;
	return at;
}

static void add_any(const struct vm_call *call, uint64_t at)
{
	uint64_t row = call->arguments[4], length = at + 1;
	uint8_t byte = (uint8_t)call->results[0], shadow = call->shadow ? UINT8_MAX : 0;
	if (call->shadow)
		vm_symbolic_scatter((uint32_t)call->results[0], 1, &byte, &shadow);
	vm_write(call->arguments[1] + at, &byte, &shadow, 1, ACCESS_SYNC_WRITE);
	if (row)
		vm_write(row + ROW_SIZE, &length, NULL, sizeof length, ACCESS_SYNC_WRITE);
}

enum vm_outcome run_choose_any(struct vm_call *call)
{
	uint64_t which = call->arguments[0], row = call->arguments[4], size;
	if (call->awaited)
		add_any(call, next_any(call, &size));
	else
		begin_any(call);
	uint64_t at = next_any(call, &size);
	if (at < size && (call->awaited || vm_this.choice)) {
		vm_await_input(call, 8, row ? 0 : 1, row ? UINT8_MAX : UINT8_MAX - 1);
		return CALL_REST;
	}
	if (vm_symbolic_on())
		return CALL_DONE;
	const char *text = at ? (const char *)vm_access(call->arguments[1], at, ACCESS_SYNC_READ) : "";
	char what[40];
	snprintf(what, sizeof what, "argument %u is", (unsigned)which);
	vm_event_about(ACTION_CHOOSE, VM_ABOUT(.input = true), "%s %s",
		       which >= IMAGE_GIVEN_VARIABLE ? "the environment has" :
			       row                   ? "standard input is" :
						       what,
		       quoted(text, at));
	vm_turn_given((unsigned)which, text, at);
	return CALL_DONE;
}
