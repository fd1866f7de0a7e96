/* SPDX-License-Identifier: MIT
 *
 * Results of threads that nobody asks for.
 */
#ifndef BITSPIN_RESULTS_H
#define BITSPIN_RESULTS_H

#include "../base/translation.h"

/* Return whether the function does nothing but run as a thread, and no join asks what a thread returns.  Then what it returns is
 * lost, unless leaks are looked for: the result may be all that keeps memory. */
bool result_is_unused(const struct translation *t, LLVMValueRef function);

#endif
