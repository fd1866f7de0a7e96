/* SPDX-License-Identifier: MIT
 *
 * See global_bytes.h.  From one state to the next, few objects and pages change, so only these are copied.
 */
#include "global_bytes.h"
#include "../../state/state.h"

#include <assert.h>

enum { MOST = 1 << 18, UNIT = 8 }; /* bytes */

static VM_OWN struct {
	bool known;
	uint32_t count, size; /* variables; bytes */
	uint32_t *first;      /* of each variable, its first byte; by index in the map */
	uint32_t capacity;
} layout;

/* the bytes as they were copied last */
struct copy {
	struct global_bytes of;
	vm_ref map;
	uint8_t *bytes;
	vm_ref *parts; /* of each variable: what was copied; for one of pages, 0, and then its pages are looked at */
	vm_ref *pages; /* by place / OBJECT_PAGE of the page's first byte, counted over all variables */
	uint64_t *headers;
	uint32_t bytes_capacity, part_capacity, page_capacity, header_capacity;
};
static VM_OWN struct copy copies[2];

static void lay_out(void)
{
	uint64_t size = 0, nglobals = vm_this.image.counts[IMAGE_GLOBALS];
	layout.known = true;
	for (uint64_t g = 0; g < nglobals && size <= MOST; g++) {
		if (vm_this.global_index[g] == IMAGE_NONE)
			continue;
		layout.first = vm_grow(layout.first, &layout.capacity, (uint64_t)layout.count + 1, sizeof *layout.first);
		assert(vm_this.global_index[g] == layout.count);
		layout.first[layout.count++] = (uint32_t)size;
		size += (vm_this.image.globals[g].size + OBJECT_PAGE - 1) / OBJECT_PAGE * OBJECT_PAGE;
	}
	layout.size = size <= MOST ? (uint32_t)size : 0;
}

bool vm_global_bytes_are_few(void)
{
	if (!layout.known)
		lay_out();
	return layout.size > 0;
}

bool vm_global_range(const struct vm_range *range, struct bytes *bytes)
{
	uint32_t global = range->object - 1;
	if (range->object == 0 || global >= vm_this.image.counts[IMAGE_GLOBALS])
		return false;
	uint32_t index = vm_this.global_index[global];
	if (index == IMAGE_NONE)
		return false;
	assert(index < layout.count);
	*bytes = (struct bytes){ layout.first[index] + range->low, layout.first[index] + range->high };
	return true;
}

static void copy_pages(struct copy *copy, const struct vm_object_header *header, uint32_t first)
{
	const vm_ref *pages = (const vm_ref *)(header + 1);
	uint32_t page = vm_object_page(header->size);
	for (uint32_t at = 0, i = 0; at < header->size; at += page, i++) {
		uint32_t rest = header->size - at, number = (first + at) / OBJECT_PAGE;
		if (copy->pages[number] == pages[i])
			continue;
		copy->pages[number] = pages[i];
		memcpy(copy->bytes + first + at, vm_table_get(pages[i]), rest < page ? rest : page);
	}
}

/* Copy the variable at `index` of the map.  Return whether all its bits are initialized. */
static bool copy_object(struct copy *copy, uint32_t index, vm_ref ref)
{
	const struct vm_object_header *header = vm_table_get(ref);
	bool whole = !(header->flags & OBJECT_SHADOWED);
	copy->headers[index] = (uint64_t)header->flags << 32 | header->size;
	if (header->size > OBJECT_WHOLE)
		copy_pages(copy, header, layout.first[index]);
	else
		memcpy(copy->bytes + layout.first[index], header + 1, header->size);
	copy->parts[index] = whole ? ref : 0;
	return whole;
}

static void reserve(struct copy *copy)
{
	copy->bytes = vm_grow(copy->bytes, &copy->bytes_capacity, layout.size, 1);
	copy->parts = vm_grow(copy->parts, &copy->part_capacity, layout.count, sizeof *copy->parts);
	copy->pages = vm_grow(copy->pages, &copy->page_capacity, layout.size / OBJECT_PAGE + 1, sizeof *copy->pages);
	copy->headers = vm_grow(copy->headers, &copy->header_capacity, layout.count, sizeof *copy->headers);
}

const struct global_bytes *vm_global_bytes(vm_ref state, unsigned which)
{
	struct copy *copy = &copies[which];
	vm_ref map = vm_state_words(state)[STATE_GLOBALS];
	assert(layout.size && !vm_is_transient(state));
	if (map == copy->map && map)
		return &copy->of;
	reserve(copy);
	copy->map = map;
	const vm_ref *refs = map ? vm_table_get(map) : NULL;
	bool whole = map && vm_table_size(map) / sizeof *refs == layout.count;
	for (uint32_t i = 0; i < layout.count && whole; i++)
		if (refs[i] != copy->parts[i] || !refs[i])
			whole = refs[i] && copy_object(copy, i, refs[i]);
	copy->of = (struct global_bytes){ copy->bytes, layout.size, copy->headers, layout.count, whole };
	return &copy->of;
}

void vm_global_bytes_forget(void)
{
	for (unsigned i = 0; i < 2; i++) {
		struct copy *copy = &copies[i];
		copy->map = 0;
		if (copy->part_capacity)
			memset(copy->parts, 0, copy->part_capacity * sizeof *copy->parts);
		if (copy->page_capacity)
			memset(copy->pages, 0, copy->page_capacity * sizeof *copy->pages);
	}
}
