/* SPDX-License-Identifier: MIT
 *
 * Threads: their slots, how they end.  Which slot a thread gets is in names.c, what threads wait for in wait.c.
 *
 * A slot is the Promela process that drives the thread.  A slot is free again once its thread has been joined, or has
 * finished detached; nothing is left of such a thread in the state.  But the slot of a thread that ended with locks stays
 * taken, since the locks name it: a new thread there would seem to hold them.  And a slot may be spent (names.c).
 */
#include "../state/levels.h"
#include "../memory/records.h"
#include "../state/symmetry.h"
#include "sync.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

uint64_t vm_thread_name(unsigned slot)
{
	assert(slot < vm_this.max_threads);
	return slot + 1;
}

unsigned vm_slot_named(uint64_t name)
{
	return name == 0 || name > VM_MAX_SLOTS ? VM_MAX_SLOTS : (unsigned)name - 1;
}

unsigned vm_thread_of(uint64_t name)
{
	if (vm_slot_named(name) >= vm_this.slots)
		return vm_this.max_threads;
	const struct vm_thread *thread = vm_thread_load(vm_slot_named(name));
	bool exists = thread->header.status == THREAD_RUNNING || thread->header.status == THREAD_FINISHED;
	return exists ? thread->slot : vm_this.max_threads;
}

uint64_t *vm_thread_start(unsigned slot, uint32_t function)
{
	struct vm *vm = &vm_this;
	assert(slot < vm->max_threads && vm->threads[slot].header.status == THREAD_UNUSED);
	struct vm_thread *thread = &vm->threads[slot];
	thread->loaded = thread->dirty = true;
	vm_shadow_clear(thread);
	memset(&thread->header, 0, sizeof thread->header);
	thread->header.status = THREAD_RUNNING;
	vm->started[slot / 64] |= UINT64_C(1) << slot % 64;
	if (slot >= vm->slots && slot < vm->max_threads)
		vm->slots = slot + 1;
	if (vm->slots > vm->most_slots)
		vm->most_slots = vm->slots;
	for (unsigned i = 0; i < vm->tls_count; i++) {
		const struct image_global *global = &vm->image.globals[vm->tls_global[i]];
		struct vm_object_header header = { .size = (uint32_t)global->size,
						   .flags = vm_levels_of_global(vm->tls_global[i]) };
		struct vm_object *object = vm_map_add(&thread->locals, i, &header);
		vm_object_change_all(&thread->locals, object);
		memcpy(object->bytes, vm->image.data + global->data, global->size);
	}
	return vm_thread_push(thread, function);
}

void vm_thread_forget(struct vm_thread *thread)
{
	assert(thread->header.frames == 0 && thread->header.status != THREAD_UNUSED);
	uint32_t held = thread->header.held;
	bool spent = thread->header.detached && vm_this.names.once;
	if (!held)
		vm_order_leave(thread->slot);
	memset(&thread->header, 0, sizeof thread->header);
	thread->header.status = held || spent ? THREAD_DEAD : THREAD_UNUSED;
	thread->header.held = held;
	thread->header.detached = spent;
	thread->dirty = true;
}

void vm_thread_holds(unsigned slot)
{
	vm_thread_change(slot)->header.held++;
}

void vm_thread_releases(unsigned slot)
{
	struct vm_thread *thread = vm_thread_change(slot);
	if (thread->header.held == 0 || --thread->header.held)
		return;
	if (thread->header.status == THREAD_DEAD) {
		vm_footprint_add(FOOTPRINT_SLOTS, slot, slot + 1, true);
		vm_thread_forget(thread);
	}
}

/* ---- the last thread -------------------------------------------------------------------------------------------------- */

static bool ends_a_thread(const struct builtin *builtin)
{
	return builtin->run == run_thread_exit || builtin->run == run_cancel;
}

bool vm_last_thread_exits(void)
{
	static VM_OWN bool known, exits;
	exits = known ? exits : vm_this.image.options->exit != IMAGE_NONE && builtin_is_used(ends_a_thread);
	known = true;
	return exits;
}

/* Is the thread the last one that runs?  The answer depends on the first other thread that runs, and not on those behind it.  A
 * thread that was the last one has ended: if an exit handler makes another, that is the last one when it ends, and goes on to
 * exit(0) in turn, as in glibc. */
static bool is_last(const struct vm_thread *thread)
{
	for (unsigned i = 0; i < vm_this.slots; i++) {
		if (i == thread->slot)
			continue;
		vm_footprint_add(FOOTPRINT_THREAD + i, 0, 1, false);
		const struct vm_thread_header *other = &vm_thread_load(i)->header;
		if (other->status == THREAD_RUNNING && !(other->cancel & CANCEL_LAST))
			return false;
	}
	return true;
}

/* Return the address at which the ends of threads are ordered: as in glibc, which counts the threads by an atomic variable. */
static uint64_t ends_of_threads(void)
{
	return vm_provided("ends of threads");
}

/* ---- ends ------------------------------------------------------------------------------------------------------------- */

/* Can the program find out whether a thread has ended without waiting until it has: by trying to join it, or by detaching it and
 * looking whether a new thread gets its name? */
static bool asks_for_ends(const struct builtin *builtin)
{
	return builtin->run == run_thread_join && ((builtin->flags & BUILTIN_TRIES) || builtin_deadline(builtin->flags));
}

static bool detaches(const struct builtin *builtin)
{
	return builtin->run == run_thread_detach;
}

static bool ends_are_observed(void)
{
	static VM_OWN bool known, asked, detached;
	asked = known ? asked : builtin_is_used(asks_for_ends);
	detached = known ? detached : builtin_is_used(detaches);
	known = true;
	return asked || (detached && !vm_this.names.once);
}

bool vm_thread_ends_quietly(const struct vm_thread *thread)
{
	const struct vm_thread_header *header = &thread->header;
	return header->status == THREAD_RUNNING && header->wait == WAIT_EXIT && header->ranges == 0 && header->held == 0 &&
		(!header->detached || vm_this.names.once) && !vm_is_private(header->result) && !ends_are_observed() &&
		!vm_last_thread_exits();
}

static void finish(struct vm_thread *thread, uint64_t result)
{
	assert(thread == vm_this.current && thread->header.frames == 0);
	if (thread->slot == 0)
		vm_met_end(0);
	vm_release_locals(thread);
	vm_share(result);
	vm_futex_owner_ends(thread->slot);
	if (vm_last_thread_exits())
		vm_order_write(ends_of_threads(), true, true, "end of a thread");
	vm_order_end(thread->slot);
	vm_footprint_add_thread(thread->slot);
	if (vm_asks_done(thread->slot))
		vm_footprint_add_proposition();
	if (thread->header.detached) {
		if (!vm_this.names.once)
			vm_footprint_add(FOOTPRINT_SLOTS, thread->slot, thread->slot + 1, true);
		vm_thread_forget(thread);
		return;
	}
	if (vm_is_symmetric() && thread->slot) { /* nobody asks for it */
		if (image_names_dynamic(result & IMAGE_POINTER_MASK))
			vm_symmetry_ends("a thread returns an address, which may be all that keeps memory from being a leak");
		result = thread->header.result_shadow = 0;
	}
	uint32_t held = thread->header.held;
	uint64_t shadow = thread->header.result_shadow;
	memset(&thread->header, 0, sizeof thread->header);
	thread->header.status = THREAD_FINISHED;
	thread->header.result = result;
	thread->header.result_shadow = shadow;
	thread->header.held = held;
	thread->dirty = true;
}

bool vm_thread_leave(struct vm_thread *thread, bool tell)
{
	assert(thread->header.frames == 0 && thread->header.status == THREAD_RUNNING);
	if (vm_push_destructor(thread))
		return true;
	if (!vm_last_thread_exits() || !is_last(thread)) {
		if (tell)
			vm_event(ACTION_EXIT, "thread %u ends", thread->slot);
		finish(thread, thread->header.result);
		return false;
	}
	vm_order_read(ends_of_threads(), true, "end of a thread");
	thread->header.cancel |= CANCEL_ENDING | CANCEL_LAST;
	vm_footprint_add_thread(thread->slot);
	vm_event(ACTION_EXIT, "the last thread ends, as by exit(0)");
	vm_enter(thread, image_function_address(vm_this.image.options->exit), "the end of the last thread", "void (int)")[0] = 0;
	return true;
}
