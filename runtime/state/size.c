/* SPDX-License-Identifier: MIT
 *
 * How many bytes a state would take if it shared nothing with others (vm_state_size() in state.h): what trees and parts that are
 * stored once are measured by.
 */
#include "parts.h"

static uint64_t of_blob(vm_ref ref)
{
	return ref ? vm_table_size(ref) : 0;
}

static uint64_t of_map(vm_ref map)
{
	uint64_t bytes = of_blob(map);
	const vm_ref *objects = map ? vm_table_get(map) : NULL;
	for (uint32_t i = 0; map && i < vm_table_size(map) / sizeof *objects; i++) {
		const struct vm_object_header *header = objects[i] ? vm_table_get(objects[i]) : NULL;
		const vm_ref *pages = header ? (const vm_ref *)(header + 1) : NULL;
		bytes += of_blob(objects[i]);
		for (uint32_t k = 0; header && k < vm_object_refs(header); k++)
			bytes += of_blob(pages[k]);
	}
	return bytes;
}

uint64_t vm_state_size(vm_ref state)
{
	const uint32_t *words = vm_state_words(state), *slot = words + STATE_WORDS;
	uint64_t bytes = vm_words_size(words) + of_map(words[STATE_GLOBALS]) + of_blob(words[3]) + of_blob(words[STATE_RECORDS]);
	for (uint32_t i = 0; i < words[1]; i++, slot += STATE_SLOT_WORDS)
		bytes += of_blob(slot[0]) + of_map(slot[1]) + of_map(slot[2]);
	return bytes;
}
