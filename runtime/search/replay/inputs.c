/* SPDX-License-Identifier: MIT
 *
 * See inputs.h.
 */
#include "inputs.h"
#include "../base/schedule.h"
#include "../step/bounded_waits.h"
#include "../../bitspin_vm.h"
#include "../../symbolic/symbolic.h"

#include <stdlib.h>

static VM_OWN struct {
	bool begun;
	vm_ref own; /* the program's state; 0 at its end */
} path;

static const char *sought(void)
{
	const char *name = getenv("BITSPIN_INPUTS_TO");
	return name && *name ? name : NULL;
}

bool vm_inputs_sought(void)
{
	return sought();
}

static void finish(void)
{
	vm_history_pause(false);
	if (path.begun)
		vm_history_finish(sought());
}

static void begin(void)
{
	static VM_SHARED bool finishes;
	const char *given = getenv("BITSPIN_INPUTS");
	path.begun = true;
	path.own = vm_this.initial;
	vm_history_begin(sought());
	if (sought() && !finishes)
		finishes = atexit(finish) == 0; /* nobody knows which step is the last one */
	if (!sought() && given && *given)
		vm_given_read(given);
}

vm_ref vm_inputs_told(void)
{
	return sought() ? 0 : path.own;
}

/* Has the state a split?  The outcome that it is about goes to *choice. */
static bool is_split(vm_ref state, uint32_t *choice)
{
	vm_state_load(state);
	return vm_symbolic_is_split(choice);
}

vm_ref vm_inputs_step(vm_ref state, unsigned slot, uint32_t choice, vm_ref *own, vm_ref *after)
{
	uint32_t outcome = choice, other;
	if (!path.begun)
		begin();
	*own = *after = 0;
	vm_schedule_note(slot, choice);
	vm_tracing = false;
	is_split(state, &outcome);
	vm_ref next = vm_joined(state, slot, choice);
	vm_history_keep();
	if (sought())
		vm_history_write(sought());
	vm_tracing = true;
	if (sought() || path.own == 0 || (next && is_split(next, &other)))
		return next;
	*own = path.own;
	vm_this.symbolic = false;
	*after = path.own = vm_joined(path.own, slot, outcome);
	vm_this.symbolic = true;
	if ((*after == 0) != (next == 0))
		VM_BUG("a step with the inputs of the path ends otherwise than with their sets");
	return next;
}
