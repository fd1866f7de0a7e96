/* SPDX-License-Identifier: MIT
 *
 * Threads: their frames and registers, loaded and stored.  Of registers only the live ones are stored.
 */
#include "parts.h"
#include "reads.h"

#include <assert.h>
#include <string.h>

void vm_shadow_begin(struct vm_thread *thread)
{
	thread->shadows = vm_grow(thread->shadows, &thread->shadow_capacity, thread->register_capacity, sizeof *thread->shadows);
	thread->shadowed = true;
}

void vm_shadow_clear(struct vm_thread *thread)
{
	if (thread->shadowed)
		memset(thread->shadows, 0, thread->shadow_capacity * sizeof *thread->shadows);
	thread->shadowed = false;
}

uint64_t vm_stack_bytes(const struct vm_thread *thread)
{
	return thread->header.stack ? (uint64_t)thread->header.stack << 10 : VM_STACK_BYTES;
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

static const uint32_t no_live_registers[] = { 0, 0 };

const uint32_t *vm_frame_live(const struct vm_frame *frame)
{
	const struct image *image = &vm_this.image;
	uint32_t live = image->code[image->functions[frame->function].code + frame->pc].live;
	if (live == IMAGE_NONE)
		return no_live_registers + 1;
	return image->pool + (vm_this.slices ? image_seen_registers(image->pool, live) : live);
}

/* Copy the live registers of all frames of `thread`, or their shadows, from a blob at `p` to `registers`, or back.  Return where
 * they end in the blob. */
static const uint8_t *unpack_live(const struct vm_thread *thread, uint64_t *registers, const uint8_t *p)
{
	for (uint32_t i = 0; i < thread->header.frames; i++) {
		const uint32_t *live = vm_frame_live(&thread->frames[i]);
		for (uint32_t k = 1; k <= live[0]; k++, p += sizeof(uint64_t))
			memcpy(&registers[thread->frames[i].base + live[k]], p, sizeof(uint64_t));
	}
	return p;
}

static uint8_t *pack_live(const struct vm_thread *thread, const uint64_t *registers, uint8_t *p)
{
	for (uint32_t i = 0; i < thread->header.frames; i++) {
		const uint32_t *live = vm_frame_live(&thread->frames[i]);
		for (uint32_t k = 1; k <= live[0]; k++, p += sizeof(uint64_t))
			memcpy(p, &registers[thread->frames[i].base + live[k]], sizeof(uint64_t));
	}
	return p;
}

static bool is_live_unset(const struct vm_thread *thread)
{
	for (uint32_t i = 0; thread->shadowed && i < thread->header.frames; i++) {
		const uint32_t *live = vm_frame_live(&thread->frames[i]);
		for (uint32_t k = 1; k <= live[0]; k++)
			if (thread->shadows[thread->frames[i].base + live[k]])
				return true;
	}
	return false;
}

static void thread_unpack(struct vm_thread *thread)
{
	const uint8_t *p = vm_table_get(thread->ref), *end = p + vm_table_size(thread->ref);
	memcpy(&thread->header, p, sizeof thread->header);
	p += sizeof thread->header;
	uint32_t ranges = thread->header.ranges;
	thread->ranges = vm_grow(thread->ranges, &thread->range_capacity, ranges, sizeof *thread->ranges);
	if (ranges)
		memcpy(thread->ranges, p, ranges * sizeof *thread->ranges);
	p += ranges * sizeof *thread->ranges;
	thread->frames = vm_grow(thread->frames, &thread->frame_capacity, thread->header.frames, sizeof *thread->frames);
	uint32_t base = 0;
	for (uint32_t i = 0; i < thread->header.frames; i++) {
		struct vm_frame *frame = &thread->frames[i];
		memcpy(&frame->function, p, sizeof(uint32_t));
		memcpy(&frame->pc, p + sizeof(uint32_t), sizeof(uint32_t));
		p += 2 * sizeof(uint32_t);
		frame->base = base;
		base += vm_this.image.functions[frame->function].registers;
	}
	thread->registers = vm_grow(thread->registers, &thread->register_capacity, base, sizeof *thread->registers);
	if (vm_this.slices && base) /* a register that was dropped, but is looked at after all, must not look right by chance */
		memset(thread->registers, vm_this.poison, base * sizeof *thread->registers);
	p = unpack_live(thread, thread->registers, p);
	vm_shadow_clear(thread);
	if (p < end) {
		vm_shadow_begin(thread);
		p = unpack_live(thread, thread->shadows, p);
	}
	assert(p == end); /* the liveness that the blob was written by is the one that it is read by */
	thread->loaded = true;
}

struct vm_thread *vm_thread_load(unsigned slot)
{
	if (vm_reads.on && slot != vm_this.current->slot)
		vm_reads_thread(slot);
	return vm_thread_look(slot);
}

struct vm_thread *vm_thread_look(unsigned slot)
{
	assert(slot <= vm_this.max_threads);
	struct vm_thread *thread = &vm_this.threads[slot];
	if (!thread->loaded)
		thread_unpack(thread);
	return thread;
}

struct vm_thread *vm_thread_change(unsigned slot)
{
	struct vm_thread *thread = vm_thread_load(slot);
	thread->dirty = true;
	return thread;
}

uint64_t *vm_thread_push(struct vm_thread *thread, uint32_t function)
{
	assert(thread->dirty || vm_this.evaluating);
	assert(function < vm_this.image.counts[IMAGE_FUNCTIONS]);
	uint32_t base = 0, top = thread->header.frames;
	if (top) {
		const struct vm_frame *caller = &thread->frames[top - 1];
		base = caller->base + vm_this.image.functions[caller->function].registers;
	}
	uint32_t count = vm_this.image.functions[function].registers;
	if (top >= vm_stack_bytes(thread) / VM_FRAME_BYTES)
		return NULL;
	if (base + count > VM_MAX_REGISTERS && vm_stack_bytes(thread) > VM_STACK_BYTES)
		vm_inconclusive(LIMIT_STACK, "thread %u has more than %u MB of values on its stack", thread->slot,
				VM_MAX_REGISTERS >> 17);
	if (base + count > VM_MAX_REGISTERS)
		return NULL;
	thread->frames = vm_grow(thread->frames, &thread->frame_capacity, top + 1, sizeof *thread->frames);
	thread->registers = vm_grow(thread->registers, &thread->register_capacity, base + count + 1, sizeof *thread->registers);
	if (vm_this.met.functions && !vm_this.evaluating)
		vm_this.met.functions[function] = true;
	thread->frames[top] = (struct vm_frame){ .function = function, .base = base };
	thread->header.frames++;
	if (thread->shadowed) {
		vm_shadow_begin(thread); /* for so many registers */
		memset(thread->shadows + base, 0, count * sizeof *thread->shadows);
	}
	return thread->registers + base;
}

vm_ref vm_thread_store(struct vm_thread *thread)
{
	if (!thread->dirty)
		return thread->ref;
	if (thread->header.status == THREAD_UNUSED) {
		thread->dirty = false;
		return thread->ref = 0;
	}
	bool unset = is_live_unset(thread);
	uint64_t size = sizeof thread->header + thread->header.ranges * sizeof *thread->ranges, live = 0;
	for (uint32_t i = 0; i < thread->header.frames; i++)
		live += vm_frame_live(&thread->frames[i])[0];
	size += thread->header.frames * 2 * sizeof(uint32_t) + (unset ? 2 : 1) * live * sizeof(uint64_t);
	uint8_t *blob = vm_scratch(size), *p = blob;
	memcpy(p, &thread->header, sizeof thread->header);
	p += sizeof thread->header;
	if (thread->header.ranges)
		memcpy(p, thread->ranges, thread->header.ranges * sizeof *thread->ranges);
	p += thread->header.ranges * sizeof *thread->ranges;
	for (uint32_t i = 0; i < thread->header.frames; i++) {
		const struct vm_frame *frame = &thread->frames[i];
		memcpy(p, &frame->function, sizeof(uint32_t));
		memcpy(p + sizeof(uint32_t), &frame->pc, sizeof(uint32_t));
		p += 2 * sizeof(uint32_t);
	}
	p = pack_live(thread, thread->registers, p);
	if (unset)
		p = pack_live(thread, thread->shadows, p);
	else
		vm_shadow_clear(thread);
	assert(p == blob + size);
	thread->ref = vm_state_put(blob, size);
	thread->dirty = false;
	return thread->ref;
}

void vm_thread_load_slot(struct vm_thread *thread, const uint32_t *words)
{
	static const uint32_t unused[STATE_SLOT_WORDS];
	if (words == NULL)
		words = unused;
	if (thread->dirty || thread->ref != words[0] || !thread->loaded) {
		thread->ref = words[0];
		thread->dirty = false;
		thread->loaded = words[0] == 0;
		if (words[0] == 0)
			memset(&thread->header, 0, sizeof thread->header);
	}
	vm_map_load(&thread->locals, words[1]);
	vm_map_load(&thread->heap, words[2]);
}
