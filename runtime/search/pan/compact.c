/* SPDX-License-Identifier: MIT
 *
 * See compact.h.
 */
#include "compact.h"
#include "options.h"
#include "../../state/driver.h"
#include "../../bitspin_vm.h"
#include "../base/ends.h"
#include "../step/layers.h"
#include "../base/path.h"
#include "../base/plan.h"
#include "../../state/key.h"
#include "../../state/limit.h"
#include "../../state/renew.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifdef VM_DEBUG
#define LEAST UINT64_C(4096)
#define TIMES 1
#else
#define LEAST (UINT64_C(8) << 20) /* bytes: a table is renewed when so much has come to it */
#define TIMES 3                   /* ... and it is so many times as large as when it was new */
#endif
#define SHARE 8 /* at LEAST, but no more than this part of the memory */

static VM_OWN struct {
	struct vm_key *keys; /* of the states of the path */
	uint32_t capacity;
	struct vm_key next_key; /* of the state that the last step has led to */
	vm_ref next;            /* 0: none */
	uint64_t full;          /* when to renew the table, in bytes; 0: not decided yet */
	uint64_t renewed;       /* how often it has been */
} compact;

bool vm_compact(void)
{
	return vm_plan_has(COMPACT_STATES);
}

/* ---- keys ------------------------------------------------------------------------------------------------------------ */

/* Return the key of `state`.  The state before the program starts has the key 0, as pan begins with that. */
static struct vm_key key_of(vm_ref state)
{
	return state == vm_this.initial ? (struct vm_key){ 0 } : vm_key_of(state);
}

static struct vm_key joined(int vm, const unsigned *rest)
{
	struct vm_key key;
	key.words[0] = (uint32_t)vm;
	memcpy(key.words + 1, rest, sizeof key - sizeof *key.words);
	return key;
}

static bool same(const struct vm_key *a, const struct vm_key *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

/* Add `state`, whose key is `key`, to the end of the path. */
static void push(vm_ref state, const struct vm_key *key)
{
	assert(state);
	uint32_t depth = vm_path_depth();
	compact.keys = vm_grow(compact.keys, &compact.capacity, (uint64_t)depth + 1, sizeof *compact.keys);
	compact.keys[depth] = *key;
	vm_path_at(state);
	assert(vm_path_depth() == depth + 1);
	vm_count_entered(vm_handle_of(state));
}

/* Return the state with this key, and make it the last one of the path. */
static vm_ref find(const struct vm_key *key)
{
	uint32_t depth = vm_path_depth();
	if (depth && same(&compact.keys[depth - 1], key))
		return vm_path_state(depth - 1);
	if (depth == 0 && vm_this.initial)
		push(vm_this.initial, &(struct vm_key){ 0 });
	else if (compact.next && same(&compact.next_key, key) && !vm_path_has(compact.next))
		push(compact.next, key);
	depth = vm_path_depth();
	while (depth && !same(&compact.keys[depth - 1], key))
		depth--;
	if (depth == 0)
		VM_BUG("pan asks for a state that is not on its path; compile it with -DVM_WHOLE");
	vm_path_at(vm_path_state(depth - 1));
	return vm_path_state(depth - 1);
}

int vm_state_of(int vm, const unsigned *rest)
{
	struct vm_key key = joined(vm, rest);
	return vm_compact() ? vm_handle_of(find(&key)) : vm;
}

/* Return `state`, for which a claim may ask by the name `vm`.  Where pan knows only a hash, it must be the last state of the
 * path. */
static int looked(int state)
{
	uint32_t depth = vm_path_depth();
	if (vm_compact() && (depth == 0 || vm_handle_of(vm_path_state(depth - 1)) != state))
		VM_BUG("this pan knows only a hash of the state that a claim asks for; compile it with -DVM_WHOLE");
	return state;
}

int vm_enabled_kept(int state, int thread, int choice)
{
	return vm_enabled(looked(state), thread, choice);
}

int vm_terminated_kept(int state)
{
	return vm_terminated(looked(state));
}

/* ---- a new table ----------------------------------------------------------------------------------------------------- */

/* Return the size at which a table is renewed that has `bytes` bytes now.  BITSPIN_RENEW says for tests how many KB must be
 * added. */
static uint64_t full_after(uint64_t bytes)
{
	const char *wanted = getenv("BITSPIN_RENEW");
	uint64_t most = vm_limit_most() / SHARE, least = bytes + (most < LEAST ? most : LEAST);
	if (wanted && *wanted)
		return bytes + (strtoul(wanted, NULL, 10) << 10);
	return TIMES * bytes > least ? TIMES * bytes : least;
}

static bool is_full(void)
{
	if (compact.full == 0)
		compact.full = full_after(vm_table_bytes());
	return vm_table_bytes() >= compact.full && !vm_driver.replays;
}

#ifdef VM_DEBUG
/* Check that what was copied has the keys that it had. */
static void check(void)
{
	for (uint32_t i = 0; i < vm_path_depth(); i++) {
		struct vm_key key = key_of(vm_path_state(i));
		if (!same(&key, &compact.keys[i]))
			VM_BUG("state %u of the path is another one after it has been copied", (unsigned)i);
	}
}
#else
static void check(void)
{
}
#endif

static void renew(void)
{
	assert(!vm_driver.replays);
	compact.next = 0;
	if (!vm_renew_begin() || !vm_path_renew(vm_renew_state))
		vm_inconclusive(LIMIT_MEMORY, "the memory limit is reached");
	vm_renew_end();
	vm_layers_forget();
	vm_options_forget();
	check();
	compact.renewed++;
	compact.full = full_after(vm_table_bytes());
}

void vm_take_kept(int *vm, unsigned *rest, int *place, int thread, int choice)
{
	if (!vm_compact()) {
		vm_take(vm, place, thread, choice);
		return;
	}
	struct vm_key key = joined(*vm, rest);
	find(&key);
	if (is_full())
		renew();
	assert(vm_path_depth() > 0);
	int state = vm_handle_of(vm_path_state(vm_path_depth() - 1));
	vm_take(&state, place, thread, choice);
	compact.next = vm_ref_of(state);
	assert(compact.next);
	compact.next_key = key_of(compact.next);
	*vm = (int)compact.next_key.words[0];
	memcpy(rest, compact.next_key.words + 1, sizeof key - sizeof *key.words);
}

uint64_t vm_compact_renewed(void)
{
	return compact.renewed;
}
