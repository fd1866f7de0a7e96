/* SPDX-License-Identifier: MIT
 *
 * The cycle proviso of partial-order reduction (Holzmann and Peled, "An improvement in formal verification", FORTE 1994):
 * every cycle must have a state in which all threads are offered.
 *
 * In a depth-first search, a cycle closes where a step leads to a state on the search's path.  pan's path is known from its
 * guards: pan evaluates those of the state at the end of the path, so a guard in a state that the last step has led
 * to is a step forward, and a guard in any other state a way back.
 *
 * What other searches do is in successors.c.
 */
#include "path.h"
#include "../../bitspin_vm.h"
#include "../../state/driver.h"
#include "search.h"
#include "../../state/notes.h"

#include <assert.h>
#include <string.h>

static VM_OWN struct {
	vm_ref *states;
	uint32_t depth, capacity;
	vm_ref next;                                          /* where the last step has led */
	bool lost;                                            /* this is no depth-first search after all */
	void (*entered)(vm_ref state), (*left)(vm_ref state); /* who is told; NULL: nobody */
} path;

VM_OWN vm_ref vm_path_last;

static void push(vm_ref state)
{
	assert(state && !vm_mark(state)); /* no state is on the path twice */
	path.states = vm_grow(path.states, &path.capacity, (uint64_t)path.depth + 1, sizeof *path.states);
	path.states[path.depth++] = vm_path_last = state;
	vm_mark_set(state, true);
	if (path.entered)
		path.entered(state);
}

static void pop(void)
{
	assert(path.depth && vm_mark(path.states[path.depth - 1]));
	vm_ref state = path.states[--path.depth];
	vm_path_last = path.depth ? path.states[path.depth - 1] : 0;
	vm_mark_set(state, false);
	if (path.left)
		path.left(state);
}

void vm_path_tell(void (*entered)(vm_ref state), void (*left)(vm_ref state))
{
	path.entered = entered;
	path.left = left;
}

void vm_path_come_to(vm_ref state)
{
	assert(state && state != vm_path_last);
	if (!vm_driver.depth_first)
		return;
	if (path.depth && path.next == state && !vm_mark(state)) {
		push(state);
		return;
	}
	bool first = path.depth == 0;
	while (path.depth && path.states[path.depth - 1] != state)
		pop();
	if (path.depth)
		return;
	assert(!vm_mark(state));
	path.lost = path.lost || !first;
	push(state);
}

void vm_path_leave(void)
{
	path.lost = true;
}

void vm_path_step(vm_ref state)
{
	path.next = state;
}

bool vm_path_is_known(void)
{
	return vm_driver.depth_first && !path.lost;
}

bool vm_path_has(vm_ref state)
{
	return vm_mark(state);
}

uint32_t vm_path_depth(void)
{
	return path.depth;
}

vm_ref vm_path_state(uint32_t number)
{
	assert(number < path.depth);
	return path.states[number];
}

bool vm_path_renew(vm_ref (*renew)(vm_ref old))
{
	path.next = 0;
	for (uint32_t i = 0; i < path.depth; i++) {
		path.states[i] = vm_path_last = renew(path.states[i]);
		if (!path.states[i])
			return false;
		vm_mark_set(path.states[i], true);
	}
	return true;
}
