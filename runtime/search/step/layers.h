/* SPDX-License-Identifier: MIT
 *
 * Layers: what makes the moves of the search out of the steps of the program.  Each layer has the same functions, and makes what
 * they return from what those of the layer below return.  The stack is in layers.def.  A layer is in the stack of a process if it
 * suits the plan (plan.h); who searches asks the top layer and need not know which there are.
 *
 * The idea is that of the PINS wrappers of LTSmin: Blom, van de Pol and Weber, "LTSmin: distributed and symbolic reachability",
 * CAV 2010.
 */
#ifndef BITSPIN_LAYERS_H
#define BITSPIN_LAYERS_H

#include "../../memory/footprint.h"
#include "../../state/state.h"

/* Where an option of a thread leads. */
struct vm_run {
	vm_ref end;      /* the state after all its steps; 0: not known, or there is none, as at a violation */
	unsigned length; /* steps */
	bool taken;      /* the last step has just been taken: with end 0, vm_this.ending tells how it has ended */
	bool quiet;      /* the end may be a state that hangs (hangs.h) */
	bool goes_on;    /* some thread can go on at the end; false also where that is not known */
	bool changes;    /* it writes or locks something; false also where that is not known, of single steps */
};

struct vm_layer {
	/* Is the layer in the stack? */
	bool (*suits)(void);

	/* Take one step of a thread, with outcome `choice`.  Return the state after it, or 0 if it does not come to rest; then
	 * vm_this.ending tells how it has ended.  Set *footprint to what the step touches, if `footprint` is not NULL. */
	vm_ref (*step)(vm_ref state, unsigned slot, uint32_t choice, struct footprint *footprint);

	/* Fill in how many outcomes each thread is offered in a state.  Return how many slots there are. */
	unsigned (*look)(vm_ref state, uint8_t *outcomes);

	/* Return the options that are offered to a thread which has so many outcomes, a bit each (bitspin_vm.h). */
	unsigned short (*offers)(vm_ref state, unsigned slot, uint32_t outcomes);

	/* Return where an option leads that is offered, as far as that is known without taking it. */
	struct vm_run (*run)(vm_ref state, unsigned slot, uint32_t option);

	/* The same, of the option that the search takes. */
	struct vm_run (*take)(vm_ref state, unsigned slot, uint32_t option);

	/* The same, of an option of a trail, whatever this process would offer. */
	struct vm_run (*replay)(vm_ref state, unsigned slot, uint32_t option);

	/* Forget what is known of states, because the table has been renewed and refs mean other states. */
	void (*forget)(void);
};

#define LAYER(name) LAYER_##name,
enum {
#include "layers.def"
	LAYERS
};
#undef LAYER

#define LAYER(name) extern const struct vm_layer vm_layer_##name;
#include "layers.def"
#undef LAYER

/* What is below each layer, and at LAYERS the top: functions that a layer does not have are those of the layer below it. */
extern struct vm_layer vm_below[LAYERS + 1];

/* Return that nothing is known: the `run` of layers whose moves have to be taken. */
struct vm_run vm_run_not_known(vm_ref state, unsigned slot, uint32_t option);

/* Return the top layer of the stack for the plan as it is. */
const struct vm_layer *vm_top(void);

/* Let all layers of the stack forget. */
void vm_layers_forget(void);

#endif
