/* SPDX-License-Identifier: MIT
 *
 * Threads: their slots, their names, when they can go on, how they end.
 *
 * A slot is the Promela process that drives the thread.  A slot is free again once its thread has been joined, or has
 * finished detached; nothing is left of such a thread in the state.
 */
#include "inject.h"

#include <stdio.h>
#include <string.h>

uint64_t vm_thread_name(unsigned slot)
{
	return slot + 1;
}

unsigned vm_thread_of(uint64_t name)
{
	if (name == 0 || name > vm_this.slots)
		return vm_this.max_threads;
	const struct vm_thread *thread = vm_thread_load((unsigned)name - 1);
	return thread->header.status == THREAD_UNUSED ? vm_this.max_threads : thread->slot;
}

unsigned vm_thread_slot(void)
{
	struct vm *vm = &vm_this;
	unsigned slot = 0;
	while (slot < vm->slots && vm_thread_load(slot)->header.status != THREAD_UNUSED)
		slot++;
	if (slot == vm->max_threads)
		vm_inconclusive("threads", "thread limit %u reached: the program has more threads alive than the model has processes",
				vm->max_threads);
	return slot;
}

uint64_t *vm_thread_start(unsigned slot, uint32_t function)
{
	struct vm *vm = &vm_this;
	struct vm_thread *thread = &vm->threads[slot];
	thread->loaded = thread->dirty = true;
	memset(&thread->header, 0, sizeof thread->header);
	thread->header.status = THREAD_RUNNING;
	vm->started |= UINT64_C(1) << (slot < 63 ? slot : 63);
	if (slot >= vm->slots && slot < vm->max_threads)
		vm->slots = slot + 1;
	if (vm->slots > vm->most_slots)
		vm->most_slots = vm->slots;
	for (unsigned i = 0; i < vm->tls_count; i++) {
		const struct image_global *global = &vm->image.globals[vm->tls_global[i]];
		struct vm_object_header header = { .size = (uint32_t)global->size };
		struct vm_object *object = vm_map_add(&thread->locals, i, &header);
		memcpy(object->bytes, vm->image.data + global->data, global->size);
	}
	return vm_thread_push(thread, function);
}

void vm_thread_forget(struct vm_thread *thread)
{
	memset(&thread->header, 0, sizeof thread->header);
	thread->dirty = true;
}

void vm_thread_finish(struct vm_thread *thread, uint64_t result)
{
	struct vm_map *locals = &thread->locals;
	for (uint32_t i = 0; i < locals->count; i++)
		if (vm_map_find(locals, i))
			vm_map_remove(locals, i);
	vm_share(result);
	vm_footprint_add_thread(thread->slot);
	vm_footprint_add_control();
	if (thread->header.detached) {
		vm_footprint_add(FOOTPRINT_SLOTS, 0, 1, true);
		vm_thread_forget(thread);
		return;
	}
	memset(&thread->header, 0, sizeof thread->header);
	thread->header.status = THREAD_FINISHED;
	thread->header.result = result;
	thread->dirty = true;
}

bool vm_wait_is_lock(enum vm_wait wait)
{
	return wait == WAIT_MUTEX;
}

unsigned vm_waiters(uint64_t condition)
{
	unsigned waiters = 0;
	for (unsigned i = 0; i < vm_this.slots; i++) {
		const struct vm_thread *thread = vm_thread_load(i);
		waiters += thread->header.wait == WAIT_CONDITION && thread->header.address == condition;
	}
	return waiters;
}

unsigned vm_thread_outcomes(struct vm_thread *thread)
{
	const struct vm_thread_header *header = &thread->header;
	if (header->status != THREAD_RUNNING)
		return 0;
	switch ((enum vm_wait)header->wait) {
	case WAIT_NONE: case WAIT_EXIT: return 1;
	case WAIT_CHOICE: return header->count;
	case WAIT_MUTEX: return vm_mutex_free(header->address, thread);
	case WAIT_CONDITION: return 0;
	case WAIT_INJECTION: return vm_injection_budget((enum image_injection)header->count) ? 2 : 1;
	case WAIT_SIGNAL: {
		unsigned waiters = header->count ? header->count : vm_waiters(header->address);
		return waiters ? waiters : 1;
	}
	case WAIT_JOIN: {
		unsigned joined = vm_thread_of(header->address);
		return joined == vm_this.max_threads || joined == thread->slot || vm_thread_load(joined)->header.status == THREAD_FINISHED;
	}
	}
	VM_BUG("unknown wait %u", header->wait);
}

uint32_t vm_thread_location(const struct vm_thread *thread)
{
	if (thread->header.frames == 0)
		return 0;
	const struct image *image = &vm_this.image;
	const struct vm_frame *frame = &thread->frames[thread->header.frames - 1];
	while (frame > thread->frames && (image->functions[frame->function].flags & FUNCTION_LIBRARY))
		frame--; /* to the caller, whose program it is */
	return image->code[image->functions[frame->function].code + frame->pc].location;
}

/* "waits for m, held by thread 1 (locked at queue.c:12)" */
static void describe_holder(char *text, size_t size, const struct vm_thread *thread)
{
	const struct image *image = &vm_this.image;
	uint64_t mutex = thread->header.address;
	unsigned holder = vm_mutex_holder(mutex);
	uint32_t location = vm_locked_at(mutex);
	const char *file = image_file(image, location), *slash = strrchr(file, '/');
	char where[200] = "";
	if (location)
		snprintf(where, sizeof where, " (locked at %s:%u)", slash ? slash + 1 : file, (unsigned)image_line(image, location));
	bool alive = holder < vm_this.slots && vm_thread_load(holder)->header.status == THREAD_RUNNING;
	if (holder == thread->slot)
		snprintf(text, size, "waits for %s, which it holds itself%s", vm_describe(mutex), where);
	else
		snprintf(text, size, "waits for %s, held by thread %u%s%s", vm_describe(mutex), holder, where,
			 alive ? "" : ", which has ended");
}

const char *vm_thread_waits_for(const struct vm_thread *thread)
{
	static char text[512];
	const struct vm_thread_header *header = &thread->header;
	switch ((enum vm_wait)header->wait) {
	case WAIT_MUTEX: describe_holder(text, sizeof text, thread); return text;
	case WAIT_CONDITION:
		snprintf(text, sizeof text, "waits for a signal on %s", vm_describe(header->address));
		return text;
	case WAIT_JOIN:
		snprintf(text, sizeof text, "waits for thread %u to end", vm_thread_of(header->address));
		return text;
	default:
		return "can go on";
	}
}
