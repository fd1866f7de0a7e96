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
#include <unistd.h>

#define BUCKETS      64u /* a power of two */
#define MOST_CHANGED 64u /* pages: where more have other bytes, pages that nobody has touched are cheaper */

struct area {
	struct area *next;
	uint32_t number, size; /* of the object */
	enum vm_area which;
	uint8_t *bytes;
	vm_ref *known; /* the stored page that each page is equal to; 0: not known */
};

static VM_OWN struct area *buckets[BUCKETS];
static VM_OWN vm_ref zero_page; /* the last page that was found to be zero */

/* ---- what is blank ----------------------------------------------------------------------------------------------------- */

static const uint8_t blank_byte[VM_AREAS] = { [AREA_BYTES] = 0, [AREA_SHADOW] = 0xff };
static VM_OWN vm_ref blank_page[VM_AREAS];

/* Map `size` bytes of this value that take no memory until they are written, at `at` unless that is NULL. */
static uint8_t *map_constant(uint8_t *at, uint64_t size, uint8_t byte)
{
	enum { PIECE = 2 << 20 };
	static VM_OWN int file = -1; /* PIECE bytes of 0xff */
	int fixed = at ? MAP_FIXED : 0;
	uint8_t *bytes = mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
	if (bytes == MAP_FAILED)
		vm_refuse_scratch();
	if (byte == 0)
		return bytes;
	assert(byte == 0xff);
	if (file < 0) {
		file = memfd_create("bitspin", MFD_CLOEXEC);
		uint8_t *piece = file < 0 || ftruncate(file, PIECE) < 0 ? MAP_FAILED :
									  mmap(NULL, PIECE, PROT_WRITE, MAP_SHARED, file, 0);
		if (piece == MAP_FAILED)
			vm_refuse_scratch();
		memset(piece, byte, PIECE);
		munmap(piece, PIECE);
	}
	for (uint64_t done = 0; done < size; done += PIECE) {
		uint64_t length = size - done < PIECE ? size - done : PIECE;
		int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
		if (mmap(bytes + done, length, PROT_READ | PROT_WRITE, flags, file, 0) == MAP_FAILED)
			vm_refuse_scratch();
	}
	return bytes;
}

const uint8_t *vm_large_blank(enum vm_area which)
{
	static VM_OWN uint8_t *blank[VM_AREAS];
	if (!blank[which]) {
		blank[which] = map_constant(NULL, IMAGE_PART, blank_byte[which]);
		mprotect(blank[which], IMAGE_PART, PROT_READ);
	}
	return blank[which];
}

vm_ref vm_large_blank_page(enum vm_area which)
{
	if (!blank_page[which]) { /* not transient, so that it can be kept */
		bool transient = vm_transient_is_on();
		if (transient)
			vm_transient_end();
		blank_page[which] = vm_state_put(vm_large_blank(which), OBJECT_MOST);
		if (transient)
			vm_transient_begin();
	}
	return blank_page[which];
}

bool vm_large_pages_are_blank(enum vm_area which, uint32_t size, const vm_ref *pages)
{
	uint32_t whole = size / OBJECT_MOST, rest = size % OBJECT_MOST;
	if (size <= LARGE_BLANK || pages[0] != vm_large_blank_page(which) ||
	    memcmp(pages, pages + 1, (whole - 1) * sizeof *pages) != 0)
		return false;
	return rest == 0 || memcmp(vm_table_get(pages[whole]), vm_large_blank(which), rest) == 0;
}

/* ---- areas ----------------------------------------------------------------------------------------------------------- */

static void make(struct area *area, uint32_t size)
{
	bool blank = size > LARGE_BLANK;
	uint32_t pages = vm_page_count(size);
	area->known = vm_limit_allows(blank ? pages * sizeof *area->known : size) ? calloc(pages, sizeof *area->known) : NULL;
	if (!area->known)
		vm_refuse_scratch();
	area->bytes = map_constant(NULL, size, blank ? blank_byte[area->which] : 0);
	area->size = size;
	for (uint32_t i = 0; blank && i < size / OBJECT_MOST; i++)
		area->known[i] = vm_large_blank_page(area->which);
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
	if (ref && (ref == zero_page || ref == blank_page[AREA_BYTES]))
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
	uint32_t bytes = vm_object_page(size), differ = 0;
	vm_ref page = byte == 0 ? zero_page : 0;
	if (size > LARGE_BLANK) {
		page = vm_large_blank_page(byte == blank_byte[AREA_BYTES] ? AREA_BYTES : AREA_SHADOW);
		for (uint32_t i = 0; i < size / bytes; i++)
			differ += area->known[i] != page;
	}
	if (differ > MOST_CHANGED) {
		map_constant(area->bytes, size, byte);
		for (uint32_t i = 0; i < size / bytes; i++)
			area->known[i] = page;
	}
	for (uint32_t i = 0; i < vm_page_count(size); i++) {
		if (page && area->known[i] == page)
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
	zero_page = blank_page[AREA_BYTES] = blank_page[AREA_SHADOW] = 0;
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
