/* SPDX-License-Identifier: MIT
 *
 * See stored.h.
 */
#include "stored.h"

#include <assert.h>
#include <string.h>

void vm_object_read(vm_ref ref, uint32_t low, uint32_t high, uint8_t *to)
{
	assert(ref && low <= high);
	const struct vm_object_header *header = vm_table_get(ref);
	if (header->size <= OBJECT_WHOLE) {
		memcpy(to, (const uint8_t *)(header + 1) + low, high - low);
		return;
	}
	const vm_ref *pages = (const vm_ref *)(header + 1);
	uint32_t bytes_of_page = vm_object_page(header->size);
	for (uint32_t at = low; at < high;) {
		uint32_t page = at / bytes_of_page, end = (page + 1) * bytes_of_page < high ? (page + 1) * bytes_of_page : high;
		memcpy(to + (at - low), (const uint8_t *)vm_table_get(pages[page]) + at % bytes_of_page, end - at);
		at = end;
	}
}

bool vm_object_has(vm_ref ref, uint32_t low, uint32_t high, const uint8_t *bytes)
{
	assert(ref && low <= high && high <= ((const struct vm_object_header *)vm_table_get(ref))->size);
	const struct vm_object_header *header = vm_table_get(ref);
	if (header->size <= OBJECT_WHOLE)
		return memcmp(bytes, (const uint8_t *)(header + 1) + low, high - low) == 0;
	const vm_ref *pages = (const vm_ref *)(header + 1);
	uint32_t bytes_of_page = vm_object_page(header->size);
	for (uint32_t at = low; at < high;) {
		uint32_t page = at / bytes_of_page, end = (page + 1) * bytes_of_page < high ? (page + 1) * bytes_of_page : high;
		if (memcmp(bytes + (at - low), (const uint8_t *)vm_table_get(pages[page]) + at % bytes_of_page, end - at) != 0)
			return false;
		at = end;
	}
	return true;
}

vm_ref vm_object_stored(const uint32_t *words, uint32_t word, uint32_t index)
{
	vm_ref map = words[word];
	return map && index < vm_table_size(map) / sizeof(vm_ref) ? ((const vm_ref *)vm_table_get(map))[index] : 0;
}

bool vm_object_locate(uint32_t number, const uint32_t *words, uint32_t *word, uint32_t *index)
{
	const struct vm *vm = &vm_this;
	if (number < IMAGE_FIRST_DYNAMIC) {
		*word = 2;
		*index = number >= 1 && number - 1 < vm->image.counts[IMAGE_GLOBALS] ? vm->global_index[number - 1] : IMAGE_NONE;
		return *index != IMAGE_NONE;
	}
	uint32_t slot = (number - IMAGE_FIRST_DYNAMIC) / vm->span;
	if (slot >= words[1])
		return false;
	bool heap = number >= vm->threads[slot].heap.first;
	*word = STATE_WORDS + slot * STATE_SLOT_WORDS + (heap ? 2 : 1);
	*index = number - (heap ? vm->threads[slot].heap.first : vm->threads[slot].locals.first);
	return true;
}

bool vm_object_copy(const uint32_t *words, const struct vm_range *range, uint8_t *to)
{
	uint32_t word, index;
	vm_ref ref = vm_object_locate(range->object, words, &word, &index) ? vm_object_stored(words, word, index) : 0;
	if (!ref || range->high > ((const struct vm_object_header *)vm_table_get(ref))->size)
		return false;
	vm_object_read(ref, range->low, range->high, to);
	return true;
}
