/* SPDX-License-Identifier: MIT
 *
 * Limits of the process: memory, and the signal that ends the search.  What they do to a search, search/base/limits.h says.
 */
#ifndef BITSPIN_LIMIT_H
#define BITSPIN_LIMIT_H

#include "state.h"

#include <signal.h>

/* Set by SIGINT: the search is to end.  Code that may run for long calls vm_limit_look(), which then leaves the step. */
extern volatile sig_atomic_t vm_limit_stopping;
_Noreturn void vm_limit_interrupt(void);
static inline void vm_limit_look(void)
{
	if (vm_limit_stopping)
		vm_limit_interrupt();
}

/* The step that was under way when the search was stopped. */
extern struct vm_interrupted {
	bool happened;
	unsigned slot;
	uint32_t location;
} vm_interrupted;

/* Set the most memory that this process may take, in bytes, before the table is opened; 0: what suits the machine. */
void vm_limit_memory(uint64_t bytes);

/* Let `count` processes share the limit: each expects each of the others to take as much memory of its own as it takes itself. */
void vm_limit_processes(unsigned count);

/* May the process take this many bytes more? */
bool vm_limit_allows(uint64_t bytes);

/* Return the memory of this process and those that share its limit, in bytes; and the limit. */
uint64_t vm_limit_resident(void);
uint64_t vm_limit_most(void);

/* Return the most memory that the process has had so far, in bytes. */
uint64_t vm_limit_peak(void);

#endif
