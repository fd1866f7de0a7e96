/* SPDX-License-Identifier: MIT
 *
 * Functions of string.h that write memory.  Those that only read it are the host's.
 */
#include "../state/levels.h"
#include "../state/whole.h"
#include "../memory/hidden.h"
#include "../trace/history.h"
#include "externals.h"

#include <assert.h>
#include <string.h>

static void copy_piece(uint64_t to, uint64_t from, uint64_t size)
{
	struct vm_bytes source = vm_access_bits(from, size, ACCESS_READ);
	if (size == 0)
		return;
	assert(size <= IMAGE_PART); /* it has been accessed */
	uint8_t *copy = vm_scratch(2 * size),
		*shadow = source.shadow ? copy + size : NULL; /* the write may move what the read saw */
	memcpy(copy, source.bytes, size);
	if (shadow)
		memcpy(shadow, source.shadow, size);
	struct vm_place place = vm_place_look(from); /* the access has noted it */
	vm_hidden_read(&place, size, to - from);
	vm_levels_copied(to, from, size);
	vm_write_moved(to, copy, shadow, size, ACCESS_WRITE, to - from);
}

void vm_copy(uint64_t to, uint64_t from, uint64_t size)
{
	uint64_t piece = vm_piece(to, vm_piece(from, size));
	if (piece < size && (to - from < size || from - to < size))
		vm_inconclusive(LIMIT_OBJECT_SIZE, "%s are moved from %s to where they overlap, across a multiple of 256 MB",
				vm_byte_count(size), vm_describe(from));
	for (; piece < size; piece = vm_piece(to, vm_piece(from, size))) {
		copy_piece(to, from, piece);
		to += piece;
		from += piece;
		size -= piece;
	}
	copy_piece(to, from, size);
}

static void fill(uint64_t to, uint8_t byte, uint64_t size)
{
	enum { MUCH = 1 << 20 };
	for (uint64_t done = 0, piece; done == 0 || done < size; done += piece) {
		piece = vm_piece(to + done, size - done);
		if (byte == 0 && piece >= MUCH)
			vm_set_zero(to + done, piece);
		else
			memset(vm_access(to + done, piece, ACCESS_WRITE), byte, piece);
		if (size == 0)
			break;
	}
	vm_event_access(ACTION_WRITE, to, 0, size, NULL);
}

void vm_refuse_overlap(const char *what, uint64_t to, uint64_t written, uint64_t from, uint64_t read)
{
	struct vm_place one = vm_place_of(to), other = vm_place_of(from);
	if (!one.object || !other.object || (to - from >= read && from - to >= written))
		return;
	struct vm_whole a = vm_whole_of(to), b = vm_whole_of(from);
	uint64_t size = a.size, most = written > read ? written : read;
	int64_t first = a.offset < b.offset ? a.offset : b.offset;
	if (a.first != b.first || first < 0 || most > size || (uint64_t)(a.offset > b.offset ? a.offset : b.offset) > size - most)
		return; /* the access is out of bounds, which is worse */
	vm_fault(VIOLATION_OVERLAP, "%s writes %s to %s and reads %s from %s, which overlap", what, vm_byte_count(written),
		 vm_describe(to), vm_byte_count(read), vm_describe(from));
}

/* Report a memcpy() whose arguments overlap.  An assignment between structures is a memcpy in bitcode, too; so the two may be
 * the same. */
static void refuse_memcpy(const struct vm_call *call)
{
	uint64_t to = call->arguments[0], from = call->arguments[1], size = call->arguments[2];
	const char *name = call->builtin ? call->builtin->name : "memcpy";
	bool moves = call->builtin ? strcmp(name, "memmove") == 0 : call->insn->op == IMAGE_MEMMOVE;
	if (!moves && to != from)
		vm_refuse_overlap(call->builtin ? name : "memcpy or an assignment", to, size, from, size);
}

enum vm_outcome run_memmove(struct vm_call *call)
{
	refuse_memcpy(call);
	vm_copy(call->arguments[0], call->arguments[1], call->arguments[2]);
	call->results[0] = call->arguments[0] + (call->builtin && call->builtin->data ? call->arguments[2] : 0);
	vm_event_access(ACTION_WRITE, call->arguments[0], 0, call->arguments[2], NULL);
	return CALL_DONE;
}

enum vm_outcome run_memset(struct vm_call *call)
{
	fill(call->arguments[0], (uint8_t)call->arguments[1], call->arguments[2]);
	call->results[0] = call->arguments[0];
	return CALL_DONE;
}

enum vm_outcome run_bzero(struct vm_call *call)
{
	fill(call->arguments[0], 0, call->arguments[1]);
	return CALL_DONE;
}

enum vm_outcome run_strcpy(struct vm_call *call)
{
	uint64_t length;
	vm_string(call->arguments[1], UINT64_MAX, &length);
	vm_refuse_overlap(call->builtin->name, call->arguments[0], length + 1, call->arguments[1], length + 1);
	vm_copy(call->arguments[0], call->arguments[1], length + 1);
	call->results[0] = call->arguments[0] + (call->builtin->data ? length : 0);
	return CALL_DONE;
}

enum vm_outcome run_strncpy(struct vm_call *call)
{
	uint64_t length, n = call->arguments[2];
	call->results[0] = call->arguments[0];
	if (n == 0)
		return CALL_DONE;
	vm_string(call->arguments[1], n, &length);
	vm_refuse_overlap(call->builtin->name, call->arguments[0], n, call->arguments[1], length < n ? length + 1 : n);
	vm_copy(call->arguments[0], call->arguments[1], length);
	assert(length <= n);
	memset(vm_access(call->arguments[0] + length, n - length, ACCESS_WRITE), 0, n - length);
	call->results[0] += call->builtin->data ? length : 0;
	return CALL_DONE;
}

enum vm_outcome run_strcat(struct vm_call *call)
{
	uint64_t before, length = 0, n = call->builtin->data ? call->arguments[2] : UINT64_MAX;
	vm_string(call->arguments[0], UINT64_MAX, &before);
	vm_string(call->arguments[1], n, &length);
	if (n)
		vm_refuse_overlap(call->builtin->name, call->arguments[0] + before, length + 1, call->arguments[1],
				  length < n ? length + 1 : n);
	vm_copy(call->arguments[0] + before, call->arguments[1], length);
	*vm_access(call->arguments[0] + before + length, 1, ACCESS_WRITE) = 0;
	call->results[0] = call->arguments[0];
	return CALL_DONE;
}

enum vm_outcome run_strdup(struct vm_call *call)
{
	uint64_t length;
	vm_string(call->arguments[0], call->builtin->data ? call->arguments[1] : UINT64_MAX, &length);
	call->results[0] = vm_allocate(length + 1, true);
	vm_copy(call->results[0], call->arguments[0], length);
	return CALL_DONE;
}
