/* SPDX-License-Identifier: MIT
 *
 * Limits.  One that a step meets cuts the path that the step is on; the search goes on elsewhere, and the verdict says what cut it.
 * One that the whole search meets ends it, with pan's statistics: memory, and time, which a signal announces.
 */
#ifndef BITSPIN_LIMITS_H
#define BITSPIN_LIMITS_H

#include "../../state/limit.h"
#include "search.h"

/* End pan if the search is to end or has taken all memory.  Call this before and after a run of steps, where pan can be ended. */
void vm_limit_at_rest(void);

/* Note that the path is cut of the step just taken, which has met a limit (vm_this.ending). */
void vm_limit_cut(void);

/* End the whole search, which has met a limit, at this place of the program (0: at none). */
_Noreturn void vm_limit_end(enum vm_limit limit, const char *reason, uint32_t location);

/* Return how many paths were cut so far; how many different reasons and places cut them. */
uint64_t vm_limit_paths(void);
unsigned vm_limit_reasons(void);

#endif
