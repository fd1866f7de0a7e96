/* SPDX-License-Identifier: MIT
 *
 * A second opinion on hard questions: Z3, which simplifies terms where a SAT solver only sees bits.  (x + y) * (x - y) is
 * x * x - y * y for it at once.
 *
 * Z3 is no part of bitspin.  It is looked for where a program runs (BITSPIN_Z3: another path, or "" for none), is loaded at the
 * first hard question, and reads it as text (SMT-LIB 2.6, logic QF_BV).
 */
#ifndef BITSPIN_SECOND_H
#define BITSPIN_SECOND_H

#include "solve.h"

/* Can these conditions hold together?  If so, put values of their symbols into `values`, by number.  Z3 gives up after `effort`
 * units of its own (rlimit), which are the same on each machine.  Unknown: it has, or it is not there. */
enum vm_answer vm_second_opinion(const uint32_t *conditions, uint32_t count, uint32_t effort, uint64_t *values);

#endif
