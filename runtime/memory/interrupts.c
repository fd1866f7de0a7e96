/* SPDX-License-Identifier: MIT
 *
 * See interrupts.h.  The accesses that are noted are those of the whole search, on whatever path: paths have the same addresses
 * for the same objects, as far as it goes, and one rest too many does no harm.
 */
#include "interrupts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 8, DEEPEST = 255, FIRST_CAPACITY = 1024 };

#define CALLS UINT64_C(0) /* the word that calls count as writes to; no variable is there */

/* eight bytes of memory, as one thread sees them */
struct word {
	uint64_t key;          /* address and slot; 0: none */
	uint8_t read, written; /* by handlers: the number of those it was in, at most; 0: by none */
	uint32_t accesses;     /* the last of a list, by number; 0: none */
};

/* an access that can be interrupted */
struct access {
	uint32_t location, next;
	uint8_t depth; /* handlers that it is in */
	bool writes;
};

static VM_OWN struct word *words;
static VM_OWN uint32_t capacity, used;
static VM_OWN struct access *accesses;
static VM_OWN uint32_t access_capacity, access_count;
static VM_OWN uint32_t *found;
static VM_OWN uint32_t found_capacity, found_count;

bool vm_is_interrupt(uint32_t function)
{
	static VM_OWN uint32_t runner; /* plus one; 0: there is none */
	static VM_OWN bool known;
	const struct image *image = &vm_this.image;
	if (!vm_has_interrupts())
		return false;
	for (uint32_t i = 0; !known && !runner && i < image->counts[IMAGE_FUNCTIONS]; i++)
		if (strcmp(image_string(image, image->functions[i].name), "__bitspin_interrupted") == 0)
			runner = i + 1;
	known = true;
	return function + 1 == runner;
}

/* Return how many handlers the thread is in that have begun. */
static uint8_t depth_of(const struct vm_thread *thread)
{
	unsigned entered = 0, begun = 0;
	for (uint32_t i = 0; i < thread->header.frames; i++) {
		uint32_t function = thread->frames[i].function;
		if (vm_is_interrupt(function))
			entered++;
		else if (!(vm_this.image.functions[function].flags & FUNCTION_LIBRARY))
			begun = entered;
	}
	return (uint8_t)(begun < DEEPEST ? begun : DEEPEST);
}

/* Return how many handlers the thread is in, begun or not: one may be a function of the C library. */
static uint8_t entered(const struct vm_thread *thread)
{
	unsigned count = 0;
	for (uint32_t i = 0; i < thread->header.frames; i++)
		count += vm_is_interrupt(thread->frames[i].function);
	return (uint8_t)(count < DEEPEST ? count : DEEPEST);
}

/* Return the frame of the thread's innermost handler, from 1 on; 0 if the thread is in none. */
static uint32_t innermost(const struct vm_thread *thread)
{
	uint32_t i = thread->header.frames;
	while (i > 0 && !vm_is_interrupt(thread->frames[i - 1].function))
		i--;
	return i;
}

/* ---- where a thread rests -------------------------------------------------------------------------------------------- */

static bool may_rest(void)
{
	return vm_has_interrupts() && !vm_this.in_library && !vm_this.evaluating && !vm_this.current->header.atomic;
}

/* Is it a place where a signal has to be able to interrupt? */
static bool is_place(enum image_interrupts least)
{
	return vm_this.image.options->interrupts >= least || vm_this.image.locations[vm_this.location].interrupted;
}

bool vm_interrupts_rest_here(void)
{
	return may_rest() && (is_place(INTERRUPTS_SHARED) || vm_cancel_may_strike(vm_this.current));
}

bool vm_interrupts_rest_unsafe(void)
{
	return may_rest() && (is_place(INTERRUPTS_ALL) || vm_cancel_may_strike(vm_this.current));
}

bool vm_interrupts_rest(uint64_t address, bool writes)
{
	if (!may_rest())
		return false;
	return is_place(INTERRUPTS_ALL) || (is_place(INTERRUPTS_SHARED) && vm_is_shared(address)) ||
		(writes && vm_cancel_may_strike(vm_this.current));
}

/* ---- what conflicts -------------------------------------------------------------------------------------------------- */

static uint32_t slot_of(uint64_t key)
{
	assert(used < capacity); /* so that the search ends */
	uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t at = (uint32_t)(hash >> 32) & (capacity - 1);
	while (words[at].key && words[at].key != key)
		at = (at + 1) & (capacity - 1);
	return at;
}

static void make_room(void)
{
	struct word *old = words;
	uint32_t count = capacity;
	if (used * 2 < capacity)
		return;
	capacity = capacity ? capacity * 2 : FIRST_CAPACITY;
	words = calloc(capacity, sizeof *words);
	if (!words)
		VM_BUG("out of memory");
	for (uint32_t i = 0; i < count; i++)
		if (old[i].key)
			words[slot_of(old[i].key)] = old[i];
	free(old);
}

static struct word *word_at(uint64_t address, unsigned thread)
{
	assert(thread < VM_MAX_SLOTS);
	uint64_t key = (address / WORD << 8 | thread) + 1;
	make_room();
	struct word *word = &words[slot_of(key)];
	if (!word->key) {
		word->key = key;
		used++;
	}
	return word;
}

static void find(uint32_t location)
{
	for (uint32_t i = 0; i < found_count; i++)
		if (image_same_line(&vm_this.image, found[i], location))
			return;
	found = vm_grow(found, &found_capacity, found_count + 1, sizeof *found);
	found[found_count++] = location;
}

static bool conflicts(const struct word *word, const struct access *access)
{
	return word->written > access->depth || (access->writes && word->read > access->depth);
}

/* Note that a handler has made an access to `word`, and find the accesses that the first of its kind conflicts with. */
static void note_handler(struct word *word, uint8_t depth, bool writes)
{
	assert(depth > 0);
	uint8_t *most = writes ? &word->written : &word->read;
	if (*most >= depth)
		return;
	*most = depth;
	for (uint32_t i = word->accesses; i; i = accesses[i].next)
		if (conflicts(word, &accesses[i]))
			find(accesses[i].location);
}

static void note_access(struct word *word, const struct access *access)
{
	for (uint32_t i = word->accesses; i; i = accesses[i].next)
		if (accesses[i].location == access->location && accesses[i].depth <= access->depth &&
		    accesses[i].writes >= access->writes)
			return;
	if (access_count == 0)
		access_count = 1; /* number 0 is none */
	accesses = vm_grow(accesses, &access_capacity, access_count + 1, sizeof *accesses);
	assert(word->accesses < access_count);
	accesses[access_count] = *access;
	accesses[access_count].next = word->accesses;
	word->accesses = access_count++;
	if (conflicts(word, access))
		find(access->location);
}

/* Note an access to each word of `size` bytes at `address`.  `seen`: code that the running thread has interrupted can see it.
 * `rests`: the thread has come to rest before it. */
static void note(uint64_t address, uint64_t size, bool seen, bool rests, const struct access *access)
{
	const struct vm_thread *thread = vm_this.current;
	bool interruptible = !rests && thread->header.atomic == 0;
	for (uint64_t at = address / WORD * WORD; at < address + size && (seen || interruptible); at += WORD) {
		struct word *word = word_at(at, thread->slot);
		if (seen)
			note_handler(word, access->depth, access->writes);
		if (interruptible)
			note_access(word, access);
	}
}

void vm_interrupts_note(uint64_t address, uint64_t size, uint32_t own, bool writes)
{
	enum image_interrupts mode = (enum image_interrupts)vm_this.image.options->interrupts;
	if (mode == INTERRUPTS_ALL || vm_this.evaluating || size == 0)
		return;
	struct access access = { .location = vm_this.location, .depth = depth_of(vm_this.current), .writes = writes };
	bool seen = access.depth > 0 && !(own && own > innermost(vm_this.current));
	bool rests = vm_this.image.locations[vm_this.location].interrupted || (mode == INTERRUPTS_SHARED && vm_is_shared(address));
	note(address, size, seen, rests, &access);
}

void vm_interrupts_note_call(void)
{
	if (vm_this.image.options->interrupts == INTERRUPTS_ALL)
		return;
	struct access access = { .location = vm_this.location, .depth = entered(vm_this.current), .writes = true };
	note(CALLS, WORD, access.depth > 0, vm_interrupts_rest_unsafe(), &access);
}

const uint32_t *vm_interrupts_found(unsigned *count)
{
	*count = found_count;
	return found;
}

/* ---- more places ----------------------------------------------------------------------------------------------------- */

void vm_interrupts_synchronise(const struct vm_thread *thread)
{
	if (vm_this.image.options->interrupts == INTERRUPTS_PLACES && depth_of(thread) > 0)
		vm_inconclusive(LIMIT_INTERRUPTS_SHARED, "a signal handler that interrupts a thread synchronizes with others");
}

void vm_interrupts_escape(void)
{
	if (vm_has_interrupts() && vm_this.image.options->interrupts != INTERRUPTS_ALL)
		vm_inconclusive(LIMIT_INTERRUPTS_ALL, "a signal handler that interrupts a thread does not return");
}
