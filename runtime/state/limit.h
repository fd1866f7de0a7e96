/* SPDX-License-Identifier: MIT
 *
 * Limits of the process: memory, and the signal that ends the search.  What they do to a search, search/limits.h says.
 */
#ifndef BITSPIN_LIMIT_H
#define BITSPIN_LIMIT_H

#include "state.h"

#include <signal.h>

/* Set by SIGINT: the search is to end.  Who may run for long looks at it, and leaves the step by vm_limit_interrupt(). */
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

/* Before the table is opened: the most memory that this process may take, bytes; 0: what suits the machine. */
void vm_limit_memory(uint64_t bytes);

/* There are so many processes, which share the limit: each expects the others to have as much memory of their own as it has. */
void vm_limit_processes(unsigned count);

/* May the process take this many bytes more? */
bool vm_limit_allows(uint64_t bytes);

/* What it has now, with the other processes that share its limit; and what it may have. */
uint64_t vm_limit_resident(void);
uint64_t vm_limit_most(void);

/* Most memory that the process has had, bytes. */
uint64_t vm_limit_peak(void);

#endif
