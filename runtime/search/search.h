/* SPDX-License-Identifier: MIT
 *
 * What the files of the search share beside their own headers.
 */
#ifndef BITSPIN_SEARCH_H
#define BITSPIN_SEARCH_H

#include "../interpreter/interpreter.h"

/* Open the current VM on the image in a file: load the image, open the table, begin.  Return 0, or -1 if the image cannot be
 * loaded; then `error`, of `size` bytes, says why. */
int vm_open(const char *image, char *error, size_t size);

/* Open the VM that the process begins with, as its environment says (bitspin_vm.h), and have it report at exit.  Exit with 2 if
 * there is no image.  vm_open_again: close it and open it as it was in the beginning. */
void vm_start(void);
void vm_open_again(void);

/* Begin the program, after the image has been loaded and the table has been opened: resolve its functions, and store the state
 * before its first step (vm_this.initial) and the one that stands for paths that are cut. */
void vm_begin(void);

/* Close the current VM, so that another may be opened.  Free the table, the scratch memory and the image, but not what the rooms
 * have allocated for themselves, some kilobytes. */
void vm_close(void);

/* Store the working state, whose running thread has come to a scheduling point, and return its ref. */
vm_ref vm_rest(void);

/* step.c: convert a handle to a state, and back.  vm_nothing_enabled: can no thread go on in a state, except by a spurious
 * wake-up? */
vm_ref vm_ref_of(int handle);
int vm_handle_of(vm_ref state);
bool vm_nothing_enabled(vm_ref state);

/* step.c: fill in how many outcomes each thread is offered in a state at which pan looks.  Return how many slots there are. */
unsigned vm_look(int state, uint8_t *outcomes);

/* step.c: return the handle of the state after a step of the thread in `slot`, which has just been taken and has led to `next`, 0:
 * it has not come to rest.  `hangs`: `next` hangs, and vm_hang_tell() has found the words for it.  Report a violation. */
int vm_step_ends(unsigned slot, vm_ref next, bool hangs);

/* A violation that a step ends in. */
struct vm_found {
	bool violates;
	uint32_t kind, location;
	const char *message; /* until the next violation; NULL: there is none */
};

/* A function that takes one step of a thread, as vm_single() does. */
typedef vm_ref vm_single_step(vm_ref state, unsigned slot, uint32_t choice);

/* step.c: do what vm_step() does; take each step by `single`, if that is not NULL. */
int vm_step_by(int state, int thread, int choice, vm_single_step *single);

/* step.c: do what vm_step() does, in a search of the VM's own.  `found` tells of a violation, which is not reported. */
int vm_step_quietly(int state, int thread, int choice, struct vm_found *found);

#endif
