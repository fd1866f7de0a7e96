/* SPDX-License-Identifier: MIT
 *
 * See large.h.
 */
#include "large.h"
#include "limit.h"
#include "parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BUCKETS 64u /* a power of two */

struct area {
	struct area *next;
	uint32_t number, size; /* of the object */
	enum vm_area which;
	uint8_t *bytes;
	vm_ref *known; /* the stored page that each page is equal to; 0: not known */
};

static VM_OWN struct area *buckets[BUCKETS];
static VM_OWN vm_ref zero_page; /* the last page that was found to be zero */

/* ---- areas ----------------------------------------------------------------------------------------------------------- */

static void make(struct area *area, uint32_t size)
{
	uint32_t pages = vm_page_count(size);
	void *bytes = MAP_FAILED;
	if (vm_limit_allows(size))
		bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	area->known = bytes == MAP_FAILED ? NULL : calloc(pages, sizeof *area->known);
	if (!area->known)
		vm_refuse_scratch();
	area->bytes = bytes;
	area->size = size;
}

static void unmake(struct area *area)
{
	if (area->size)
		munmap(area->bytes, area->size);
	free(area->known);
	area->size = 0;
	area->known = NULL;
}

static struct area *area_of(uint32_t number, enum vm_area which, uint32_t size)
{
	struct area **place = &buckets[number & (BUCKETS - 1)], *area = *place;
	while (area && (area->number != number || area->which != which))
		area = area->next;
	if (!area) {
		area = calloc(1, sizeof *area);
		if (!area)
			vm_inconclusive(LIMIT_MEMORY, "the memory limit is reached");
		*area = (struct area){ .next = *place, .number = number, .which = which };
		*place = area;
	}
	if (area->size != size) { /* another object has got the number */
		unmake(area);
		make(area, size);
	}
	assert(size > OBJECT_SMALL && area->bytes && area->known);
	return area;
}

static void know(struct area *area, uint32_t page, vm_ref ref)
{
	area->known[page] = vm_is_transient(ref) ? 0 : ref;
}

static bool page_is_zero(const struct area *area, uint32_t page)
{
	vm_ref ref = area->known[page];
	if (ref && ref == zero_page)
		return true;
	uint32_t bytes = vm_object_page(area->size);
	bool zero = vm_is_zero(area->bytes + (uint64_t)page * bytes, vm_page_size(area->size, page));
	if (zero && ref && vm_page_size(area->size, page) == bytes)
		zero_page = ref;
	return zero;
}

/* ---- their pages ------------------------------------------------------------------------------------------------------- */

uint8_t *vm_large_load(uint32_t number, enum vm_area which, uint32_t size, const vm_ref *pages)
{
	struct area *area = area_of(number, which, size);
	uint32_t bytes = vm_object_page(size);
	for (uint32_t i = 0; i < vm_page_count(size); i++) {
		if (area->known[i] == pages[i])
			continue;
		memcpy(area->bytes + (uint64_t)i * bytes, vm_table_get(pages[i]), vm_page_size(size, i));
		know(area, i, pages[i]);
	}
	return area->bytes;
}

uint8_t *vm_large_fill(uint32_t number, enum vm_area which, uint32_t size, uint8_t byte)
{
	struct area *area = area_of(number, which, size);
	uint32_t bytes = vm_object_page(size);
	for (uint32_t i = 0; i < vm_page_count(size); i++) {
		if (byte == 0 && area->known[i] && area->known[i] == zero_page)
			continue;
		memset(area->bytes + (uint64_t)i * bytes, byte, vm_page_size(size, i));
		area->known[i] = 0;
	}
	return area->bytes;
}

void vm_large_touch(uint32_t number, uint32_t size, uint32_t low, uint32_t high)
{
	assert(low <= high && high <= size);
	uint32_t first = low / vm_object_page(size), end = low < high ? (high - 1) / vm_object_page(size) + 1 : first;
	for (struct area *area = buckets[number & (BUCKETS - 1)]; area; area = area->next)
		if (area->number == number && area->size == size)
			memset(area->known + first, 0, (end - first) * sizeof *area->known);
}

void vm_large_store(uint32_t number, enum vm_area which, uint32_t size, vm_ref *pages)
{
	struct area *area = area_of(number, which, size);
	uint32_t bytes = vm_object_page(size);
	for (uint32_t i = 0; i < vm_page_count(size); i++) {
		pages[i] = area->known[i];
		if (pages[i] == 0)
			pages[i] = vm_state_put(area->bytes + (uint64_t)i * bytes, vm_page_size(size, i));
		know(area, i, pages[i]);
	}
}

bool vm_large_is_zero(uint32_t number, enum vm_area which, uint32_t size)
{
	const struct area *area = area_of(number, which, size);
	for (uint32_t i = 0; i < vm_page_count(size); i++)
		if (!page_is_zero(area, i))
			return false;
	return true;
}

bool vm_large_page_is_zero(uint32_t number, uint32_t size, uint64_t offset)
{
	assert(offset < size);
	return page_is_zero(area_of(number, AREA_BYTES, size), (uint32_t)(offset / vm_object_page(size)));
}

/* ---- all areas --------------------------------------------------------------------------------------------------------- */

void vm_large_forget(void)
{
	zero_page = 0;
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct area *area = buckets[i]; area; area = area->next)
			if (area->size)
				memset(area->known, 0, vm_page_count(area->size) * sizeof *area->known);
}

void vm_large_free(void)
{
	for (uint32_t i = 0; i < BUCKETS; i++)
		while (buckets[i]) {
			struct area *next = buckets[i]->next;
			unmake(buckets[i]);
			free(buckets[i]);
			buckets[i] = next;
		}
}
