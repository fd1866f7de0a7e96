/* SPDX-License-Identifier: MIT
 *
 * See state.h.  Loading is lazy: vm_state_load() looks only at the words of the state blob.
 */
#include "parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

VM_OWN struct vm vm_this;

/* ---- states -------------------------------------------------------------------------------------------------------- */

static void watch_load(vm_ref ref)
{
	struct vm_watch *watch = &vm_this.watch;
	uint32_t size = ref ? vm_table_size(ref) : 0;
	assert(size % sizeof *watch->ranges == 0);
	watch->count = size / sizeof *watch->ranges;
	watch->ranges = vm_grow(watch->ranges, &watch->capacity, watch->count, sizeof *watch->ranges);
	if (size)
		memcpy(watch->ranges, vm_table_get(ref), size);
}

static void records_load(vm_ref ref)
{
	struct vm_records *records = &vm_this.records;
	if (records->ref == ref && !records->dirty)
		return;
	records->ref = ref;
	records->dirty = records->loaded = false;
}

static size_t valuation_size(void)
{
	return vm_is_temporal() ? sizeof vm_this.valuation : 0;
}

void vm_state_load(vm_ref ref)
{
	struct vm *vm = &vm_this;
	assert(ref);
	if (vm->ref == ref)
		return;
	vm_state_load_words(vm_state_words(ref));
	vm->ref = ref;
}

void vm_state_load_words(const uint32_t *words)
{
	struct vm *vm = &vm_this;
	unsigned slots = words[1];
	assert(slots <= vm->max_threads);
	for (unsigned i = 0; i < slots || i < vm->slots; i++)
		vm_thread_load_slot(&vm->threads[i], i < slots ? words + STATE_WORDS + i * STATE_SLOT_WORDS : NULL);
	vm_map_load(&vm->globals, words[2]);
	watch_load(words[3]);
	records_load(words[STATE_RECORDS]);
	if (vm->ends)
		memcpy(vm->started, vm_state_extra(words) + valuation_size(), sizeof vm->started);
	vm->slots = slots;
	vm->ref = 0;
	vm_scratch_reset();
}

/* Put what is behind the `nwords` words of a state there, store the state, and return its ref. */
static vm_ref store_words(uint32_t *words, uint32_t nwords, const uint8_t *outcomes)
{
	struct vm *vm = &vm_this;
	unsigned slots = words[1];
	uint8_t *extra = (uint8_t *)(words + nwords);
	if (slots)
		memcpy(extra, outcomes, slots);
	memcpy(extra + slots, &vm->valuation, valuation_size());
	if (vm->ends)
		memcpy(extra + slots + valuation_size(), vm->started, sizeof vm->started);
	return vm_state_put_words(words);
}

static uint32_t *new_words(uint32_t nwords, unsigned slots)
{
	return vm_scratch(nwords * sizeof(uint32_t) + slots + valuation_size() + (vm_this.ends ? sizeof vm_this.started : 0));
}

vm_ref vm_state_store(const uint8_t *outcomes, vm_ref records)
{
	struct vm *vm = &vm_this;
	assert(vm->slots <= vm->max_threads && !vm->evaluating);
	unsigned slots = vm->slots;
	while (slots) {
		struct vm_thread *last = &vm->threads[slots - 1];
		if (vm_thread_store(last) || vm_map_store(&last->locals) || vm_map_store(&last->heap))
			break;
		slots--;
	}
	uint32_t nwords = STATE_WORDS + slots * STATE_SLOT_WORDS, *words = new_words(nwords, slots);
	words[0] = 0;
	words[1] = vm->slots = slots;
	words[2] = vm_map_store(&vm->globals);
	words[3] = vm->watch.count ? vm_state_put(vm->watch.ranges, vm->watch.count * sizeof *vm->watch.ranges) : 0;
	words[STATE_RECORDS] = records;
	for (unsigned i = 0; i < slots; i++) {
		uint32_t *slot = words + STATE_WORDS + i * STATE_SLOT_WORDS;
		slot[0] = vm_thread_store(&vm->threads[i]);
		slot[1] = vm_map_store(&vm->threads[i].locals);
		slot[2] = vm_map_store(&vm->threads[i].heap);
	}
	return vm->ref = store_words(words, nwords, outcomes);
}

vm_ref vm_state_store_final(enum vm_state_flag flag)
{
	assert(flag);
	uint32_t *words = new_words(STATE_WORDS, 0);
	memset(words, 0, STATE_WORDS * sizeof *words);
	words[0] = flag;
	words[2] = vm_map_store(&vm_this.globals);
	vm_this.ref = 0; /* what was loaded is forgotten */
	return store_words(words, STATE_WORDS, NULL);
}

/* ---- transient states ---------------------------------------------------------------------------------------------- */

vm_ref vm_state_store_globals(void)
{
	return vm_map_store(&vm_this.globals);
}

vm_ref vm_state_keep(vm_ref ref)
{
	assert(!vm_transient_is_on()); /* else the copy would be transient, too */
	if (!vm_is_transient(ref))
		return ref;
	const uint32_t *passed = vm_state_words(ref);
	uint32_t size = vm_words_size(passed);
	uint32_t *words = vm_scratch(size);
	memcpy(words, passed, size);
	words[2] = vm_map_keep(words[2]);
	words[3] = words[3] ? vm_blob_keep(words[3]) : 0;
	words[STATE_RECORDS] = words[STATE_RECORDS] ? vm_blob_keep(words[STATE_RECORDS]) : 0;
	for (uint32_t i = 0; i < words[1]; i++) {
		uint32_t *slot = words + STATE_WORDS + i * STATE_SLOT_WORDS;
		slot[0] = vm_blob_keep(slot[0]);
		slot[1] = vm_map_keep(slot[1]);
		slot[2] = vm_map_keep(slot[2]);
	}
	return vm_state_put_words(words);
}

void vm_state_forget(void)
{
	struct vm *vm = &vm_this;
	vm->ref = 0;
	vm->globals.dirty = vm->records.dirty = true;
	for (unsigned i = 0; i < vm->slots; i++) {
		struct vm_thread *thread = &vm->threads[i];
		thread->dirty = thread->locals.dirty = thread->heap.dirty = true;
	}
}

/* ---- the initial state --------------------------------------------------------------------------------------------- */

static void init_globals(void)
{
	struct vm *vm = &vm_this;
	uint32_t count = 0, nglobals = (uint32_t)vm->image.counts[IMAGE_GLOBALS];
	vm->global_index = calloc(nglobals + 1, sizeof *vm->global_index);
	vm->global_number = calloc(nglobals + 1, sizeof *vm->global_number);
	vm->tls_global = calloc(nglobals + 1, sizeof *vm->tls_global);
	vm->constants = calloc(nglobals + 1, sizeof *vm->constants);
	vm_ref *refs = calloc(nglobals + 1, sizeof *refs);
	if (!vm->global_index || !vm->global_number || !vm->tls_global || !vm->constants || !refs)
		vm_inconclusive(LIMIT_MEMORY, "out of memory");
	for (uint32_t g = 0; g < nglobals; g++) {
		const struct image_global *global = &vm->image.globals[g];
		vm->global_index[g] = IMAGE_NONE;
		if (global->flags & GLOBAL_THREAD_LOCAL) {
			vm->tls_global[global->tls] = g;
			vm->tls_count++;
		} else if (global->flags & GLOBAL_CONSTANT) {
			vm->constants[g] = (struct vm_object){
				.header = { .size = (uint32_t)global->size, .flags = OBJECT_SHARED | OBJECT_CONSTANT },
				.bytes = (uint8_t *)vm->image.data + global->data,
				.number = 1 + g,
				.present = true,
			};
		} else {
			vm->global_index[g] = count;
			vm->global_number[count] = 1 + g;
			refs[count++] = vm_global_store(global);
		}
	}
	vm->globals.dirty = true; /* so that vm_map_load() takes it */
	vm_map_load(&vm->globals, count ? vm_state_put(refs, count * sizeof *refs) : 0);
	free(refs);
}

void vm_state_arrange(unsigned slots)
{
	struct vm *vm = &vm_this;
	assert(slots <= vm->thread_capacity && vm->slots == 0);
	vm->max_threads = slots;
	vm->span = (IMAGE_END_DYNAMIC - IMAGE_FIRST_DYNAMIC) / (slots + 1) & ~1u;
	vm->locals = vm->image.options->many ? vm->span / 16 & ~1u : vm->span / 2;
	assert(vm->locals > 0 && vm->locals < vm->span);
	for (unsigned i = 0; i <= slots; i++) {
		uint32_t first = IMAGE_FIRST_DYNAMIC + i * vm->span;
		vm_map_begin(&vm->threads[i].locals, first, vm->locals);
		vm_map_begin(&vm->threads[i].heap, first + vm->locals, vm->span - vm->locals);
	}
}

void vm_state_close(void)
{
	vm_met_close();
	vm_words_close();
}

void vm_state_init(unsigned slots)
{
	assert(slots > 0 && slots <= VM_MAX_SLOTS);
	struct vm *vm = &vm_this;
	vm_scratch_reset(); /* its age is never 0 */
	vm->thread_capacity = slots;
	vm->threads = calloc(slots + 1, sizeof *vm->threads);
	if (vm->threads == NULL)
		vm_inconclusive(LIMIT_MEMORY, "out of memory");
	for (unsigned i = 0; i <= slots; i++) {
		vm->threads[i].slot = i;
		vm->threads[i].loaded = true;
	}
	vm->slots = 0;
	vm_met_open();
	vm_words_open();
	vm_state_arrange(slots);
	init_globals();
}
