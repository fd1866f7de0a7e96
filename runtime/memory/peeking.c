/* SPDX-License-Identifier: MIT
 *
 * See peeking.h.  A token is the number of a mutex in the order in which this process has come across them, from 1 on.
 */
#include "peeking.h"
#include "memory.h"

#include <pthread.h>
#include <stdio.h>

enum { MOST_TOKENS = 4000, MOST_PASSED = 10000 };
_Static_assert(MOST_TOKENS < VM_TOKENS, "footprints have room for so many");

static VM_OWN struct vm_elided *items;
static VM_OWN uint32_t count, capacity;
static VM_OWN bool took_back;
static VM_OWN struct vm_passed passed;

/* ---- which ----------------------------------------------------------------------------------------------------------- */

static bool is_kept(uint32_t object, uint32_t offset)
{
	const struct image *image = &vm_this.image;
	for (uint64_t i = 0; i < image->counts[IMAGE_KEPT]; i++)
		if (image->kept[i].object == object && image->kept[i].offset == offset)
			return true;
	return false;
}

/* The mutex at an address, or NULL: it is no candidate. */
static struct vm_elided *look_up(uint64_t address)
{
	uint64_t number = image_number(address), offset = address - (number << IMAGE_OFFSET_BITS);
	if (number == 0 || number > vm_this.image.counts[IMAGE_GLOBALS] || offset > UINT32_MAX)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		if (items[i].object == number && items[i].offset == offset)
			return &items[i];
	if (count == MOST_TOKENS)
		return NULL;
	items = vm_grow(items, &capacity, (uint64_t)count + 1, sizeof *items);
	items[count] = (struct vm_elided){ .object = (uint32_t)number, .offset = (uint32_t)offset };
	items[count].kept = is_kept((uint32_t)number, (uint32_t)offset);
	return &items[count++];
}

bool vm_peek_elides(uint64_t address)
{
	const struct vm_elided *mutex = vm_this.peeks && !vm_this.evaluating ? look_up(address) : NULL;
	return mutex && !mutex->kept;
}

const struct vm_elided *vm_peek_all(uint32_t *number)
{
	*number = count;
	return items;
}

bool vm_peek_took_back(void)
{
	return took_back;
}

/* ---- taking one back ------------------------------------------------------------------------------------------------- */

/* It goes on being elided in this search, so that paths stay comparable; the next one has it back. */
static void note(struct vm_elided *mutex, const char *why)
{
	took_back = true;
	if (mutex->told)
		return;
	mutex->told = true;
	mutex->location = vm_this.location;
	snprintf(mutex->why, sizeof mutex->why, "%s", why);
}

static _Noreturn void take_back(struct vm_elided *mutex, const char *why)
{
	note(mutex, why);
	vm_inconclusive(LIMIT_PEEKING, "%s is needed: %s", vm_describe(image_address(mutex->object, mutex->offset)), why);
}

static struct vm_elided *held(void)
{
	return vm_this.token ? &items[vm_this.token - 1] : NULL;
}

/* ---- events ---------------------------------------------------------------------------------------------------------- */

static void pass(void)
{
	if (vm_this.current->slot == passed.slot) {
		passed.own++;
	} else {
		passed.born = vm_this.current->slot;
		passed.by_born++;
	}
	vm_this.budget = LOOP_BUDGET; /* the program rests here */
}

void vm_peek_lock(uint64_t address, bool suits)
{
	struct vm_elided *mutex = look_up(address), *outer = held();
	if (outer)
		take_back(outer, "another is locked inside");
	if (vm_this.current->header.atomic)
		take_back(mutex, "it is locked in an atomic section");
	if (!suits)
		take_back(mutex, "it may be held, or robust, where it is locked");
	if (passed.own + passed.by_born >= MOST_PASSED)
		take_back(mutex, "it is locked in a loop without end");
	pass();
	vm_this.eliding = true;
	vm_this.token = (uint32_t)(mutex - items) + 1;
	vm_this.elided++;
}

void vm_peek_unlock(uint64_t address)
{
	struct vm_elided *mutex = look_up(address), *outer = held();
	if (outer && outer != mutex)
		note(outer, "another is unlocked inside");
	if (outer != mutex)
		take_back(mutex, "it is unlocked where it was not locked");
	pass();
	vm_this.eliding = vm_this.unlocking = true;
}

void vm_peek_done(void)
{
	if (vm_this.unlocking)
		vm_this.token = 0;
	vm_this.eliding = vm_this.unlocking = false;
}

static bool is_alone(void)
{
	for (unsigned i = 0; i < vm_this.slots; i++)
		if (i != vm_this.current->slot && vm_thread_load(i)->header.status == THREAD_RUNNING)
			return false;
	return true;
}

void vm_peek_use(uint64_t address)
{
	if (vm_this.peeks && !vm_this.eliding && vm_peek_elides(address) && !is_alone())
		take_back(look_up(address), "it is used by more than lock and unlock");
}

void vm_peek_begin(unsigned slot)
{
	passed = (struct vm_passed){ .slot = slot, .born = vm_this.max_threads };
	vm_this.token = 0;
	vm_this.eliding = vm_this.unlocking = vm_this.unseen_write = false;
}

void vm_peek_rest(void)
{
	if (vm_this.token)
		take_back(held(), "its holder may come to rest");
}

_Noreturn void vm_peek_conflict(uint32_t token, uint64_t address)
{
	char why[sizeof items->why];
	snprintf(why, sizeof why, "orders %s", vm_describe(address));
	take_back(&items[token - 1], why);
}

void vm_peek_race(void)
{
	bool any = false;
	for (uint32_t i = 0; i < count; i++)
		any = any || !items[i].kept;
	if (vm_this.peeks && any)
		vm_inconclusive(LIMIT_PEEKING_RACE, "there is a race, perhaps on another path");
}

struct vm_passed vm_peek_passed(void)
{
	return passed;
}
