/* SPDX-License-Identifier: MIT
 *
 * Memory that mprotect() protects: a sorted list of ranges, none of which touch if they are protected alike, in memory that the
 * translator provides.  So it is part of the state, and equal protections are equal bytes.
 *
 * Whether an access is forbidden depends on its order with mprotect(), and most accesses are no scheduling points.  So for races,
 * mprotect() counts as an access to the whole range: where reading is forbidden before or after, as a write; where only writing is,
 * as a read.  Then accesses that are not ordered with it are data races, as one order faults; and those that are have one outcome
 * only, which depends on what comes before.
 */
#include "protect.h"
#include "../state/reads.h"

#include <assert.h>
#include <string.h>

enum { MOST = 16 };

struct protected
{ /* bytes [low, high), by address; zero: no more */
	uint64_t low, high, how;
};

static const char table_name[] = "memory that is protected";

static uint64_t table_address(void)
{
	static VM_OWN uint64_t address;
	static VM_OWN bool known;
	const struct image *image = &vm_this.image;
	for (uint32_t i = 0; !known && i < image->counts[IMAGE_GLOBALS]; i++)
		if ((image->globals[i].flags & GLOBAL_PROVIDED) &&
		    strcmp(image_string(image, image->globals[i].name), table_name) == 0)
			address = image_global_address(i, 0);
	known = true;
	return address;
}

bool vm_protects(void)
{
	return table_address() != 0;
}

/* Copy the list to `list`, and return how many ranges it has.  No access is recorded: mprotect() counts as an access to the memory
 * that it protects.  The object need not lie at a multiple of eight here, so it is copied. */
static unsigned look(struct protected list[MOST])
{
	struct vm_place place = vm_place_look(table_address());
	unsigned count = 0;
	assert(place.object && place.object->header.size >= MOST * sizeof *list);
	vm_reads_note(&place, 0, MOST * sizeof *list, false);
	memcpy(list, place.object->bytes, MOST * sizeof *list);
	for (; count < MOST && list[count].high; count++)
		assert(list[count].low < list[count].high && (count == 0 || list[count - 1].high <= list[count].low));
	return count;
}

void vm_check_protection(uint64_t address, uint64_t size, bool writes)
{
	struct protected list[MOST];
	unsigned count = look(list);
	for (unsigned i = 0; i < count; i++) {
		uint64_t first = address < list[i].low ? list[i].low : address;
		if (first >= list[i].high || first >= address + size || (!writes && list[i].how != PROTECTED_FROM_ALL))
			continue;
		vm_violation(VIOLATION_OUT_OF_BOUNDS, "%s %s, which mprotect or mmap %s", writes ? "write to" : "read of",
			     vm_describe(first), list[i].how == PROTECTED_FROM_ALL ? "forbids to access" : "forbids to write");
	}
}

void vm_refuse_protected(uint64_t address, uint64_t size)
{
	struct protected list[MOST];
	unsigned count = look(list);
	for (unsigned i = 0; i < count; i++)
		if (address < list[i].high && list[i].low < address + size)
			vm_inconclusive(LIMIT_FUNCTION, "memory is freed that mprotect has protected: %s", vm_describe(address));
}

/* Copy the `n` ranges of `list` to `left`, without the bytes [low, high), and return how many are there.  Raise `strictest` to the
 * strictest way in which any of these bytes was protected. */
static unsigned without(const struct protected *list, unsigned n, uint64_t low, uint64_t high, struct protected *left,
			uint64_t *strictest)
{
	unsigned count = 0;
	for (unsigned i = 0; i < n; i++) {
		struct protected one = list[i];
		bool meets = one.low < high && low < one.high;
		if (meets && one.how > *strictest)
			*strictest = one.how;
		if (!meets)
			left[count++] = one;
		if (meets && one.low < low)
			left[count++] = (struct protected){ one.low, low, one.how };
		if (meets && one.high > high)
			left[count++] = (struct protected){ high, one.high, one.how };
	}
	return count;
}

/* Sort `list` by address, and join entries that touch and are protected alike.  Return how many are left. */
static unsigned tidy(struct protected *list, unsigned count)
{
	unsigned kept = 0;
	for (unsigned i = 1; i < count; i++)
		for (unsigned k = i; k > 0 && list[k].low < list[k - 1].low; k--) {
			struct protected other = list[k];
			list[k] = list[k - 1];
			list[k - 1] = other;
		}
	for (unsigned i = 0; i < count; i++)
		if (kept && list[kept - 1].high == list[i].low && list[kept - 1].how == list[i].how)
			list[kept - 1].high = list[i].high;
		else
			list[kept++] = list[i];
	return kept;
}

void vm_protect(uint64_t address, uint64_t size, enum vm_protection protection)
{
	assert(size > 0 && protection <= PROTECTED_FROM_ALL);
	struct protected left[2 * MOST + 2] = { 0 };
	uint64_t strictest = protection;
	struct protected before[MOST];
	unsigned count = look(before);
	count = without(before, count, address, address + size, left, &strictest);
	/* nothing may be forbidden while the range itself is accessed */
	uint8_t *bytes = vm_access(table_address(), sizeof before, ACCESS_SYNC_WRITE);
	memset(bytes, 0, sizeof before);
	if (strictest != PROTECTED_NOT)
		vm_access_all(address, size, strictest == PROTECTED_FROM_ALL ? ACCESS_WRITE : ACCESS_READ);
	if (protection != PROTECTED_NOT)
		left[count++] = (struct protected){ address, address + size, protection };
	count = tidy(left, count);
	if (count > MOST)
		vm_inconclusive(LIMIT_FUNCTION, "mprotect protects more than 16 ranges of memory");
	bytes = vm_access(table_address(), sizeof before, ACCESS_SYNC_WRITE);
	memcpy(bytes, left, count * sizeof *left);
}
