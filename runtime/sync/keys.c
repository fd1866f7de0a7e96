/* SPDX-License-Identifier: MIT
 *
 * Thread-specific data.  Keys are a table that the translator provides, a word each: 0 for a free key, else 1, plus the
 * destructor's address.  The values are thread-local memory, provided likewise, so they share nothing and cost no
 * scheduling points.
 *
 * Whoever uses a key reads its word, so that a use that is not ordered with the key's creation or deletion is a race.
 */
#include "../calls/builtin.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <threads.h>

enum { KEYS = PTHREAD_KEYS_MAX, IN_USE = 1 }; /* the tables' size is in translator/symbols/provided.c */

static uint64_t key_address(uint64_t key)
{
	assert(key < KEYS);
	return vm_provided("thread-specific keys") + 8 * key;
}

static uint64_t value_address(uint64_t key)
{
	assert(key < KEYS);
	return vm_provided("thread-specific values") + 8 * key;
}

static uint64_t check_key(uint64_t key, enum vm_access access)
{
	key = (uint32_t)key;
	if (key >= KEYS || !vm_provided("thread-specific keys") || !(vm_load64(key_address(key), 8, access) & IN_USE))
		vm_violation(VIOLATION_THREAD_MISUSE, "key %u was not created, or has been deleted", (unsigned)key);
	return key;
}

enum vm_outcome run_key_create(struct vm_call *call)
{
	uint64_t key = 0;
	assert(call->builtin->flags & BUILTIN_ARRANGES);
	while (key < KEYS && vm_load64(key_address(key), 8, ACCESS_SYNC_READ))
		key++;
	if (key == KEYS) {
		call->results[0] = strcmp(call->builtin->name, "tss_create") == 0 ? (uint32_t)thrd_error : EAGAIN;
		return CALL_DONE;
	}
	vm_store64(key_address(key), 8, call->arguments[1] | IN_USE, ACCESS_SYNC_WRITE);
	vm_store64(call->arguments[0], sizeof(pthread_key_t), key, ACCESS_WRITE);
	return CALL_DONE;
}

/* Clear the values of a key in all threads: a key that is created later must not find them. */
static void forget_values(uint64_t key)
{
	struct vm_thread *current = vm_this.current;
	for (unsigned i = 0; i < vm_this.slots; i++) {
		vm_this.current = vm_thread_load(i); /* whose memory is meant */
		if (vm_this.current->header.status == THREAD_RUNNING)
			vm_store64(value_address(key), 8, 0, ACCESS_SYNC_WRITE);
	}
	vm_this.current = current;
}

enum vm_outcome run_key_delete(struct vm_call *call)
{
	uint64_t key = check_key(call->arguments[0], ACCESS_SYNC_READ);
	vm_store64(key_address(key), 8, 0, ACCESS_SYNC_WRITE);
	forget_values(key);
	return CALL_DONE;
}

enum vm_outcome run_key_set(struct vm_call *call)
{
	uint64_t key = check_key(call->arguments[0], ACCESS_READ);
	vm_store64(value_address(key), 8, call->arguments[1], ACCESS_WRITE);
	return CALL_DONE;
}

enum vm_outcome run_key_get(struct vm_call *call)
{
	uint64_t key = check_key(call->arguments[0], ACCESS_READ);
	call->results[0] = vm_load64(value_address(key), 8, ACCESS_READ);
	return CALL_DONE;
}

/*
 * A destructor without a frame: free() is called at once, in the step that ends the thread.  No race is missed, as of two unordered
 * accesses each can be the first, and the other thread's then lies in its open segment.  Where plain accesses are scheduling points
 * it would have to rest, as other functions of the C library have to: functions stand in for these.
 */
static bool destroyed_at_once(struct vm_thread *thread, uint64_t entry, uint64_t value)
{
	const struct image *image = &vm_this.image;
	uint64_t function = (entry >> IMAGE_OFFSET_BITS) - IMAGE_FIRST_FUNCTION;
	if (function >= image->counts[IMAGE_FUNCTIONS] || !(image->functions[function].flags & FUNCTION_EXTERN))
		return false;
	const struct builtin *builtin = builtin_of((uint32_t)function);
	struct vm_call call = {
		.thread = thread,
		.builtin = builtin,
		.function = (uint32_t)function,
		.arguments = &value,
		.count = 1,
	};
	const struct image_function *stand_in = &image->functions[image->functions[function].stand_in];
	uint32_t place = image->code[stand_in->code].location;
	bool visible = image->options->races != RACES_REPORT || image->locations[place].place;
	if (!builtin || !(builtin->flags & BUILTIN_DESTROYS) || visible)
		return false;
	vm_this.location = place;
	vm_event_about(ACTION_CALL, VM_ABOUT(.address = value), "free(%s) as the destructor of thread-specific data",
		       vm_describe_whole(value));
	builtin->run(&call);
	return true;
}

uint32_t vm_ending_position(const struct vm_thread *thread)
{
	return 1 + thread->header.rounds * (uint32_t)PTHREAD_KEYS_MAX + thread->header.key;
}

/* Return the first key from `key` on that the thread has a value of, KEYS if there is none.  The values are looked at in pieces. */
static uint32_t next_value(uint32_t key)
{
	enum { PIECE = 64 };
	_Static_assert(KEYS % PIECE == 0, "the last piece is whole");
	while (key < KEYS) {
		uint64_t values[PIECE];
		uint32_t first = key / PIECE * PIECE;
		memcpy(values, vm_access(value_address(first), sizeof values, ACCESS_READ), sizeof values);
		for (; key < first + PIECE; key++)
			if (values[key - first])
				return key;
	}
	return KEYS;
}

/* Call destructors key by key, in as many rounds as POSIX asks for at least, while they leave values behind. */
bool vm_push_destructor(struct vm_thread *thread)
{
	struct vm_thread_header *header = &thread->header;
	assert(thread == vm_this.current && header->frames == 0); /* whose memory is meant; what it pushes runs next */
	if (!vm_provided("thread-specific keys"))
		return false;
	for (; header->rounds < PTHREAD_DESTRUCTOR_ITERATIONS; header->rounds++, header->key = 0)
		for (; (header->key = (uint16_t)next_value(header->key)) < KEYS; header->key++) {
			uint64_t value = vm_load64(value_address(header->key), 8, ACCESS_READ);
			uint64_t word = vm_load64(key_address(header->key), 8, ACCESS_SYNC_READ);
			if (word <= IN_USE)
				continue;
			vm_store64(value_address(header->key), 8, 0, ACCESS_WRITE);
			header->cancel |= CANCEL_ENDING;
			if (destroyed_at_once(thread, word & ~(uint64_t)IN_USE, value))
				continue;
			header->key++;
			vm_enter(thread, word & ~(uint64_t)IN_USE, "a destructor", "void (pointer)")[0] = value;
			return true;
		}
	return false;
}
