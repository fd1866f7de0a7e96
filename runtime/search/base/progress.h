/* SPDX-License-Identifier: MIT
 *
 * How far a search is: figures in a file that the VM and whoever started it have mapped, so that to look at them costs the search
 * nothing.  The environment variable BITSPIN_PROGRESS names the file.
 */
#ifndef BITSPIN_PROGRESS_H
#define BITSPIN_PROGRESS_H

#include "../../state/table.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct vm_progress {
	_Atomic uint64_t states; /* visited */
	_Atomic uint64_t steps;  /* of the search, by all of its processes */
	_Atomic uint64_t depth;
	_Atomic uint64_t resident, limit; /* bytes: of memory that all processes have, and may have */
};

/* Map the file, before pan forks. */
void vm_progress_open(void);

/* Return how many states the search has visited; 0, not known, if pan itself has started several processes. */
uint64_t vm_progress_states(void);
/* Is this the process in which vm_progress_open() was called? */
bool vm_progress_is_first(void);

/* Write into the file how far the search is. */
void vm_progress_note(void);

/* Measure the state that pan asks about, or not: a sample is measured.  vm_progress_size: return how many bytes a state of the
 * sample would take on average if it shared nothing; 0 if that is not known. */
void vm_progress_sample(vm_ref state);
uint64_t vm_progress_size(void);

#endif
