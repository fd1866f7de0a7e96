/* SPDX-License-Identifier: MIT
 *
 * See footprint.h.  The accesses of a step are those to shared memory: the visible operation and the plain ones that ride
 * along with it (without those, races are missed: two steps that seem independent may hide one).
 */
#include "footprint.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static VM_OWN struct footprint *recording;
static VM_OWN void (*telling)(const struct vm_range *range); /* NULL: nobody listens */

static VM_OWN uint32_t kind_of_writes; /* WRITE, or the operation */
static VM_OWN uint32_t blocking;       /* BLOCKING, or 0 */
static VM_OWN uint32_t nature;         /* a set of ATOMIC, USELESS, WHILE_SET and UNSETS */
static VM_OWN uint32_t overwriting;    /* OVERWRITES, or 0 */

/* struct vm_range.write.  A number between WRITE and BLOCKING is that of an operation that commutes with its like.  BLOCKING comes
 * on top of READ or WRITE. */
enum { READ, WRITE, BLOCKING = 1 << 30 };

/* Under slicing, two more marks come on top of READ or WRITE.  ATOMIC: the access is that of an atomic instruction.  USELESS:
 * nothing depends on what it reads or writes.  A useless access that is not atomic has the number of the mutex that the step has
 * locked for it. */
enum { ATOMIC = 1 << 28, USELESS = 1 << 27 };
enum { OPERATIONS = 256, NUMBERS = 4096, NUMBER = 1 << 10, SECTION = NUMBERS * NUMBER - NUMBER };

/* Atomic accesses have two more.  WHILE_SET: the access is useless as long as all bytes there are initialized.  UNSETS: the
 * access may change which bytes are. */
enum { WHILE_SET = 1 << 26, UNSETS = 1 << 25 };

/* ... and so has a store: OVERWRITES, as what was there makes no difference to it. */
enum { OVERWRITES = 1 << 29 };
_Static_assert((SECTION & (ATOMIC | USELESS | WHILE_SET | UNSETS | BLOCKING | (OPERATIONS - 1))) == 0,
	       "they have bits of their own");

static uint32_t operation_of(const struct vm_range *range)
{
	return range->write & (OPERATIONS - 1);
}

static bool is_atomic_load(const struct vm_range *range)
{
	return range->write & ATOMIC && operation_of(range) == READ;
}

static bool is_atomic_store(const struct vm_range *range)
{
	return range->write & ATOMIC && range->write & OVERWRITES && operation_of(range) == WRITE;
}

/* ---- sections -------------------------------------------------------------------------------------------------------- */

/* The mutex that the step has locked, and no thread but that in `slot` holds. */
static VM_OWN struct {
	uint32_t number; /* 0: there is none */
	unsigned slot;
} section;

/* Addresses of mutexes by their numbers, from 1; 0: none has it. */
static VM_OWN uint64_t *mutexes;

void vm_footprint_section(uint64_t address)
{
	section.number = 0;
	if (!mutexes)
		mutexes = calloc(NUMBERS, sizeof *mutexes);
	if (!mutexes || !address)
		return;
	uint32_t number = 1 + (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 40) % (NUMBERS - 1);
	if (!mutexes[number])
		mutexes[number] = address;
	if (mutexes[number] != address)
		return; /* another one has the number */
	section.number = number;
	section.slot = vm_this.current->slot;
}

static uint32_t nature_here(void)
{
	assert(section.number < NUMBERS);
	bool inside = nature == USELESS && section.number && section.slot == vm_this.current->slot;
	return nature | (inside ? section.number * NUMBER : 0);
}

/* Are the accesses `x` and `y` both useless, under the same mutex? */
static bool in_one_section(const struct vm_range *x, const struct vm_range *y)
{
	return x->write & y->write & USELESS && x->write & SECTION && !((x->write ^ y->write) & SECTION);
}

/* ---- recording ------------------------------------------------------------------------------------------------------- */

void vm_footprint_clear(struct footprint *footprint)
{
	footprint->count = 0;
	footprint->blocks = footprint->written = 0;
	footprint->everything = false;
}

void vm_footprint_record(struct footprint *footprint)
{
	kind_of_writes = WRITE;
	blocking = 0;
	nature = overwriting = 0;
	section.number = 0;
	recording = footprint;
	if (footprint)
		vm_footprint_clear(footprint);
}

static void reserve(struct footprint *footprint, uint32_t count)
{
	footprint->ranges = vm_grow(footprint->ranges, &footprint->capacity, count, sizeof *footprint->ranges);
}

/* Return the blocks that the range lies in, as a filter: ranges that have a byte in common have a bit in common. */
static uint64_t blocks_of(const struct vm_range *range)
{
	assert(range->low < range->high);
	enum { BLOCK = 32, MOST = 8 };
	uint64_t blocks = 0;
	uint32_t first = range->low / BLOCK, last = (range->high - 1) / BLOCK;
	if (last - first >= MOST)
		return UINT64_MAX;
	for (uint32_t block = first; block <= last; block++)
		blocks |= UINT64_C(1) << ((range->object * 2654435761u + block * 40503u) >> 7 & 63);
	return blocks;
}

void vm_footprint_add_range(struct footprint *to, const struct vm_range *new)
{
	uint64_t blocks = blocks_of(new);
	to->blocks |= blocks;
	to->written |= operation_of(new) == READ ? 0 : blocks;
	for (uint32_t i = to->count; i-- > 0;) {
		struct vm_range *range = &to->ranges[i];
		if (range->object != new->object || range->write != new->write || new->high < range->low || range->high < new->low)
			continue;
		bool stays_one = (new->write &(BLOCKING | (OPERATIONS - 1))) > WRITE || is_atomic_store(new);
		if (stays_one && (range->low != new->low || range->high != new->high))
			continue; /* an operation of twice the size is another one: it carries; two stores can have others between them */
		range->low = new->low < range->low ? new->low : range->low;
		range->high = new->high > range->high ? new->high : range->high;
		return;
	}
	reserve(to, to->count + 1);
	to->ranges[to->count++] = *new;
}

void vm_footprint_add(uint32_t object, uint32_t low, uint32_t high, bool write)
{
	vm_this.noticeable = vm_this.noticeable || write;
	uint32_t kind = !write             ? READ :
		object < IMAGE_END_DYNAMIC ? kind_of_writes :
					     WRITE; /* what properties see does not commute */
	if (object < IMAGE_END_DYNAMIC)
		kind |= blocking | nature_here() | (write ? overwriting : 0);
	struct vm_range range = { .object = object, .low = low, .high = high, .write = kind };
	if (recording)
		vm_footprint_add_range(recording, &range);
	if (telling)
		telling(&range);
}

void vm_footprint_tell(void (*to)(const struct vm_range *range))
{
	telling = to;
}

void vm_footprint_commutes(unsigned operation)
{
	assert(WRITE + operation < OPERATIONS);
	kind_of_writes = WRITE + operation;
}

void vm_footprint_nature(bool atomic, enum image_level level, bool all_set)
{
	bool useless = level == LEVEL_NOTHING || (level == LEVEL_SET && all_set);
	nature = useless ? USELESS : 0;
	if (atomic)
		nature |= ATOMIC | (useless && level == LEVEL_SET ? WHILE_SET : 0) | (all_set ? 0 : UNSETS);
}

void vm_footprint_no_nature(void)
{
	nature = 0;
}

void vm_footprint_overwrites(bool on)
{
	overwriting = on && vm_reduces(REDUCTION_UNREAD) ? OVERWRITES : 0; /* graphs of identities know no such mark */
}

bool vm_footprint_is_overwritten(const struct vm_range *range)
{
	return range->write & OVERWRITES;
}

void vm_footprint_blocking(const struct vm_thread_header *header)
{
	blocking = header && !header->atomic ? BLOCKING : 0;
}

bool vm_footprint_is_blocking(const struct vm_range *range)
{
	return range->write & BLOCKING;
}

bool vm_footprint_writes(const struct vm_range *range)
{
	return operation_of(range) != READ;
}

bool vm_footprint_changes(const struct footprint *footprint)
{
	bool changes = footprint->everything;
	for (uint32_t i = 0; i < footprint->count; i++)
		changes = changes || vm_footprint_writes(&footprint->ranges[i]) || vm_footprint_is_blocking(&footprint->ranges[i]);
	return changes;
}

void vm_footprint_merge(struct footprint *to, const struct footprint *from)
{
	assert(to != from);
	for (uint32_t i = 0; i < from->count; i++)
		vm_footprint_add_range(to, &from->ranges[i]);
	to->everything |= from->everything;
}

void vm_footprint_add_thread(unsigned slot)
{
	assert(slot < vm_this.max_threads);
	vm_footprint_add(FOOTPRINT_THREAD + slot, 0, 1, true);
}

void vm_footprint_add_handle(unsigned slot, bool life)
{
	assert(slot < vm_this.max_threads);
	vm_footprint_add(FOOTPRINT_THREAD + slot, life ? 0 : 1, 2, true);
}

/* Bytes of FOOTPRINT_PROPOSITIONS: what they say, and which memory they read. */
enum { VALUES = 0, MEMORY = 1, BOTH = 2 };

/* Add what a write to memory that properties read touches: it may change what they read next.  So the write depends on the other
 * writes to memory that properties may ever read (vm_property_may_read()), though that is not watched yet: after the write it may
 * be.  Two writes to what is not watched can be swapped: before, between and after them properties read the same, which neither
 * changes. */
void vm_footprint_add_written(bool watched)
{
	if (watched)
		vm_this.watch.written = vm_this.location;
	vm_footprint_add(FOOTPRINT_PROPOSITIONS, watched ? VALUES : MEMORY, BOTH, watched);
}

/* Add what a thread touches that goes elsewhere: it changes what properties say, but not which memory they read.  So its step
 * depends on other steps that change what properties say, but not on writes to what is not watched: properties say the same before
 * and after such a write, in either order. */
void vm_footprint_add_proposition(void)
{
	vm_footprint_add(FOOTPRINT_PROPOSITIONS, VALUES, MEMORY, true);
}

static bool same_bytes(const struct vm_range *x, const struct vm_range *y)
{
	return x->low == y->low && x->high == y->high;
}

/* Is the access `x` so useless that it can be on either side of `y`, with no difference to either? */
static bool is_useless_beside(const struct vm_range *x, const struct vm_range *y)
{
	return x->write & USELESS && !(x->write & WHILE_SET && y->write & UNSETS);
}

/* Can the accesses not be swapped?  Two of the same operation can, if they are to the same bytes.
 *
 * Two atomic instructions can if one of them is useless: a read whose result no state keeps, or a write to bytes of which nothing
 * is kept (translator/analyse/relevance.c, LEVEL_NOTHING).  The state after both has the same bytes in either order, but for bytes
 * of which nothing is kept: a useless write leaves the same there whatever was there before, and what reads there is useless, too,
 * or ends the search (state/levels.h).  At LEVEL_SET, this holds as long as all is set before, between and after: so if all is set
 * where the useless one is, and the other one does not change that.  Atomic instructions do not race with each other; each closes
 * the segment of its own thread only (race.c).  Where there are records, nothing is called useless (access.c).  A plain access may
 * race with them, and the end of the object makes them an error: these have no such mark.
 *
 * For the same reason, two plain ones in sections of one mutex can, when whole sections are swapped: the mutex keeps them from
 * racing in either order.  Where it is not left out, the steps conflict all the same, as each has locked it. */
static bool conflict(const struct vm_range *x, const struct vm_range *y, bool (*left_out)(const struct vm_range *mutex))
{
	if (x->object != y->object || x->low >= y->high || y->low >= x->high)
		return false;
	if (x->write & y->write & BLOCKING)
		return (x->write | y->write) & WRITE && !(left_out && same_bytes(x, y) && left_out(x));
	if (operation_of(x) > WRITE && operation_of(x) == operation_of(y) && same_bytes(x, y))
		return false;
	if (x->write & y->write & ATOMIC && (is_useless_beside(x, y) || is_useless_beside(y, x)))
		return false;
	if (in_one_section(x, y))
		return false;
	return operation_of(x) || operation_of(y);
}

bool vm_footprint_independent_but(const struct footprint *a, const struct footprint *b,
				  bool (*left_out)(const struct vm_range *mutex))
{
	if (a->everything || b->everything)
		return false;
	if (!(a->written & b->blocks) && !(a->blocks & b->written))
		return true;
	for (uint32_t i = 0; i < a->count; i++)
		for (uint32_t k = 0; k < b->count; k++)
			if (conflict(&a->ranges[i], &b->ranges[k], left_out))
				return false;
	return true;
}

bool vm_footprint_conflicts_with_stores(const struct footprint *a, const struct footprint *b, bool reads,
					bool (*left_out)(const struct vm_range *mutex))
{
	unsigned loads = 0;
	for (uint32_t i = 0; i < a->count; i++)
		loads += is_atomic_load(&a->ranges[i]);
	if (a->everything || b->everything || (reads && loads != 1))
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		for (uint32_t k = 0; k < b->count; k++) {
			const struct vm_range *x = &a->ranges[i], *y = &b->ranges[k];
			bool fits = same_bytes(x, y) && is_atomic_store(y) && (reads ? is_atomic_load(x) : is_atomic_store(x));
			if (conflict(x, y, left_out) && !fits)
				return false;
		}
	return true;
}

bool vm_footprint_equal(const struct footprint *a, const struct footprint *b)
{
	return a->count == b->count && a->everything == b->everything && a->blocks == b->blocks && a->written == b->written &&
		(a->count == 0 || memcmp(a->ranges, b->ranges, a->count * sizeof *a->ranges) == 0);
}

bool vm_footprint_is_visible(const struct footprint *footprint)
{
	bool visible = footprint->everything;
	for (uint32_t i = 0; i < footprint->count; i++)
		visible = visible || (footprint->ranges[i].object == FOOTPRINT_PROPOSITIONS && footprint->ranges[i].write);
	return visible;
}

bool vm_footprint_independent(const struct footprint *a, const struct footprint *b)
{
	return vm_footprint_independent_but(a, b, NULL);
}

void vm_footprint_copy(struct footprint *to, const struct footprint *from)
{
	assert(to != from);
	reserve(to, from->count);
	if (from->count)
		memcpy(to->ranges, from->ranges, from->count * sizeof *to->ranges);
	to->count = from->count;
	to->blocks = from->blocks;
	to->written = from->written;
	to->everything = from->everything;
}
