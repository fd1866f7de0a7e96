/* SPDX-License-Identifier: MIT
 *
 * Limits.  One that a step meets cuts the path that the step is on; the search goes on elsewhere, and the verdict tells what
 * cut it.  One that the whole search meets (memory, and time, which others tell by a signal) ends it, with pan's statistics.
 */
#ifndef BITSPIN_LIMIT_H
#define BITSPIN_LIMIT_H

#include "../vm.h"

#include <signal.h>

/* Set by SIGINT: the search is to end.  Who may run for long looks at it, and leaves the step by vm_limit_interrupt(). */
extern volatile sig_atomic_t vm_limit_stopping;
_Noreturn void vm_limit_interrupt(void);
static inline void vm_limit_look(void)
{
	if (vm_limit_stopping)
		vm_limit_interrupt();
}

/* Before the table is opened: the most memory that this process may take, bytes; 0: what suits the machine. */
void vm_limit_memory(uint64_t bytes);

/* May the process take so many bytes more? */
bool vm_limit_allows(uint64_t bytes);

/* Before and after a run of steps, where pan can be ended: does so if the search is to end, or has taken all memory. */
void vm_limit_at_rest(void);

/* The step just taken has met a limit (vm_this.ending): note that its path is cut. */
void vm_limit_cut(void);

/* The whole search has met one: ends it. */
_Noreturn void vm_limit_end(const char *limit, const char *reason, uint32_t location);

/* Paths that were cut so far, and what cut them, different reasons and places. */
uint64_t vm_limit_paths(void);
unsigned vm_limit_reasons(void);

/* Most memory that the process has had, bytes. */
uint64_t vm_limit_peak(void);

#endif
