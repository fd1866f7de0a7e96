/* SPDX-License-Identifier: MIT
 *
 * See renew.h.  A state is copied part by part.  Neighbours on a path share most parts, so where a part has gone is remembered, as
 * far as there is room; a part that is copied twice is found by the table itself.
 */
#include "renew.h"
#include "key.h"
#include "nodes.h"
#include "notes.h"
#include "parts.h"

#include <assert.h>
#include <string.h>

#define REMEMBERED (1u << 14) /* parts; a power of two */

typedef vm_ref copy_part(vm_ref old);

static VM_OWN struct {
	vm_ref old, new; /* old: 0: nothing */
	copy_part *copy;
} remembered[REMEMBERED];

static VM_OWN struct buffer {
	uint32_t *words;
	uint32_t capacity;
} map_buffer, object_buffer, state_buffer;

static vm_ref copy_by(copy_part *copy, vm_ref old)
{
	uint32_t place = old * 2654435761u >> 8 & (REMEMBERED - 1);
	if (old == 0)
		return 0;
	if (remembered[place].old == old && remembered[place].copy == copy)
		return remembered[place].new;
	vm_ref new = copy(old); /* which may use the place */
	remembered[place].old = new ? old : 0;
	remembered[place].new = new;
	remembered[place].copy = copy;
	return new;
}

static vm_ref copy_bytes(vm_ref old)
{
	uint32_t size;
	const void *bytes = vm_table_old(old, &size);
	return vm_table_put(bytes, size);
}

/* Copy a blob of words, in which copy() replaces the refs from `first` on, and return its ref; 0 if there is no memory. */
static vm_ref copy_words(struct buffer *buffer, vm_ref old, uint32_t first, copy_part *copy)
{
	uint32_t size;
	const uint32_t *from = vm_table_old(old, &size), count = size / (uint32_t)sizeof *from;
	buffer->words = vm_grow(buffer->words, &buffer->capacity, count, sizeof *buffer->words);
	assert(size % sizeof *from == 0 && first <= count);
	memcpy(buffer->words, from, size);
	for (uint32_t i = first; i < count; i++) {
		buffer->words[i] = copy_by(copy, from[i]);
		if (from[i] && !buffer->words[i])
			return 0;
	}
	return vm_table_put(buffer->words, size);
}

static vm_ref copy_object(vm_ref old)
{
	uint32_t size;
	const struct vm_object_header *header = vm_table_old(old, &size);
	if (vm_object_refs(header) == 0)
		return copy_bytes(old);
	return copy_words(&object_buffer, old, sizeof *header / sizeof(uint32_t), copy_bytes);
}

static vm_ref copy_map(vm_ref old)
{
	return copy_words(&map_buffer, old, 0, copy_object);
}

/* Return what copies word `i` of a state; NULL if the word is no ref. */
static copy_part *part_of_word(uint32_t i)
{
	if (i == 2)
		return copy_map;
	if (i == 3 || i == STATE_RECORDS)
		return copy_bytes;
	if (i < STATE_WORDS)
		return NULL;
	return (i - STATE_WORDS) % STATE_SLOT_WORDS == 0 ? copy_bytes : copy_map;
}

vm_ref vm_renew_state(vm_ref old)
{
	assert(old && !vm_is_transient(old));
	const uint32_t *words = vm_words_old(old);
	uint32_t size = vm_words_size(words), count = STATE_WORDS + words[1] * STATE_SLOT_WORDS;
	uint32_t capacity = (size + 3) / (uint32_t)sizeof *words;
	state_buffer.words = vm_grow(state_buffer.words, &state_buffer.capacity, capacity, sizeof *state_buffer.words);
	memcpy(state_buffer.words, words, size);
	for (uint32_t i = 0; i < count; i++) {
		copy_part *copy = part_of_word(i);
		if (copy)
			state_buffer.words[i] = copy_by(copy, words[i]);
		if (copy && words[i] && !state_buffer.words[i])
			return 0;
	}
	vm_ref new = vm_words_put(state_buffer.words);
	uint16_t note = vm_note_old(old);
	if (new &&note)
		vm_note_set(new, note);
	return new;
}

bool vm_renew_begin(void)
{
	struct vm *vm = &vm_this;
	assert(!vm->stepping && vm->cut && vm->initial);
	if (!vm_table_renew())
		return false;
	memset(remembered, 0, sizeof remembered);
	vm_words_forget();
	vm_keys_forget();
	vm_state_forget();
	vm->cut = vm_renew_state(vm->cut);
	vm->initial = vm_renew_state(vm->initial);
	return vm->cut && vm->initial;
}

void vm_renew_end(void)
{
	vm_table_drop_old();
}
