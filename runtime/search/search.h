/* SPDX-License-Identifier: MIT
 *
 * What the files of the search share beside their own headers.
 */
#ifndef BITSPIN_SEARCH_H
#define BITSPIN_SEARCH_H

#include "../interpreter/interpreter.h"

/* Open the current VM on the image in this file: load it, open the table, begin.  -1 if the image cannot be had: `error`, of
 * `size` bytes, says why. */
int vm_open(const char *image, char *error, size_t size);

/* The program begins, where the image is loaded and the table is open: resolves its functions, and stores the state before its
 * first step (vm_this.initial) and the one that stands for paths that are cut. */
void vm_begin(void);

/* Close the current VM; another may be opened then.  The table, the scratch memory and the image go back; not what the rooms
 * have allocated for themselves, some kilobytes. */
void vm_close(void);

/* Store the working state, whose running thread has come to a scheduling point; its ref. */
vm_ref vm_rest(void);

/* step.c: the state of a handle, and the other way; and can no thread go on in a state, but by a spurious wakeup? */
vm_ref vm_ref_of(int handle);
int vm_handle_of(vm_ref state);
bool vm_nothing_enabled(vm_ref state);

/* step.c: pan looks at a state: how many outcomes each thread is offered; how many slots there are. */
unsigned vm_look(int state, uint8_t *outcomes);

/* step.c: close the VM that the process has begun with, and open it as it was in the beginning. */
void vm_open_again(void);

/* A violation that a step ends in. */
struct vm_found {
	bool violates;
	uint32_t kind, location;
	const char *message; /* until the next violation; NULL: there is none */
};

/* step.c: vm_step() in a search of the VM's own.  A violation is not reported, but told here. */
int vm_step_quietly(int state, int thread, int choice, struct vm_found *found);

#endif
