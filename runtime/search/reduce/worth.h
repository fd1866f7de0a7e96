/* SPDX-License-Identifier: MIT
 *
 * Whether reductions are worth their time.  Where they are not, they rest: states that the search comes to offer single steps.
 */
#ifndef BITSPIN_WORTH_H
#define BITSPIN_WORTH_H

#include <stdbool.h>

/* May reductions rest in this process at all? */
bool vm_reductions_may_rest(void);

/* Do they rest just now, so that a state that has not been looked at is to offer single steps? */
bool vm_reductions_rest(void);

/* Note that the search with reductions has looked at one more state. */
void vm_worth_count(void);

#endif
