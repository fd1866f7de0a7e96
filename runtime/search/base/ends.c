/* SPDX-License-Identifier: MIT
 *
 * See ends.h.
 */
#include "ends.h"
#include "plan.h"

#include <assert.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct end {
	int state, graph;
	unsigned short bound; /* last and used */
	bool taken;
};

static VM_OWN struct {
	struct end *slots;
	uint64_t count, capacity; /* capacity: a power of two, or 0 */
} ends;

static bool add_end(struct end *slots, uint64_t capacity, const struct end *end)
{
	assert(end->taken);
	assert(capacity && (capacity & (capacity - 1)) == 0);
	uint32_t key[3] = { (uint32_t)end->state, (uint32_t)end->graph, end->bound };
	uint64_t i = XXH3_64bits(key, sizeof key) & (capacity - 1);
	for (; slots[i].taken; i = (i + 1) & (capacity - 1))
		if (slots[i].state == end->state && slots[i].graph == end->graph && slots[i].bound == end->bound)
			return false;
	slots[i] = *end;
	return true;
}

static void grow_ends(void)
{
	uint64_t capacity = ends.capacity ? 2 * ends.capacity : 1024;
	assert(ends.count <= ends.capacity && (ends.slots != NULL) == (ends.capacity > 0));
	struct end *bigger = calloc(capacity, sizeof *bigger);
	if (!bigger)
		return;
	for (uint64_t i = 0; i < ends.capacity; i++)
		if (ends.slots[i].taken)
			add_end(bigger, capacity, &ends.slots[i]);
	free(ends.slots);
	ends.slots = bigger;
	ends.capacity = capacity;
}

static bool offers_something(int state)
{
	assert(state >= 0);
	const uint32_t *words = vm_state_words(vm_ref_of(state));
	const uint8_t *outcomes = vm_state_outcomes(words);
	for (uint32_t i = 0; i < words[1]; i++)
		if (outcomes[i])
			return true;
	return false;
}

void vm_count_end(int state, int identity, unsigned char last, unsigned char used)
{
	if (vm_plan_has(COMPACT_STATES) || offers_something(state))
		return;
	if (vm_this.image.options->identity == IDENTITY_PATH) { /* each is new */
		ends.count++;
		return;
	}
	if (2 * (ends.count + 1) > ends.capacity)
		grow_ends();
	struct end end = { .state = state, .graph = identity, .bound = (unsigned short)(last << 8 | used), .taken = true };
	if (ends.count + 1 < ends.capacity && add_end(ends.slots, ends.capacity, &end))
		ends.count++;
}

void vm_count_entered(int state)
{
	ends.count += !offers_something(state);
}

uint64_t vm_ends(void)
{
	return ends.count;
}
