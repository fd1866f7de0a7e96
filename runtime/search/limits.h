/* SPDX-License-Identifier: MIT
 *
 * Limits.  One that a step meets cuts the path that the step is on; the search goes on elsewhere, and the verdict says what cut it.
 * One that the whole search meets ends it, with pan's statistics: memory, and time, which a signal announces.
 */
#ifndef BITSPIN_LIMITS_H
#define BITSPIN_LIMITS_H

#include "../state/limit.h"
#include "search.h"

/* Before and after a run of steps, where pan can be ended: does so if the search is to end, or has taken all memory. */
void vm_limit_at_rest(void);

/* The step just taken has met a limit (vm_this.ending): note that its path is cut. */
void vm_limit_cut(void);

/* The whole search has met one, at this place of the program (0: at none): ends it. */
_Noreturn void vm_limit_end(enum vm_limit limit, const char *reason, uint32_t location);

/* Paths that were cut so far, and what cut them, different reasons and places. */
uint64_t vm_limit_paths(void);
unsigned vm_limit_reasons(void);

#endif
