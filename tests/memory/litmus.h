/* SPDX-License-Identifier: MIT
 *
 * Litmus tests: a few threads, and an outcome that is asked for.  The assertion fails if the model allows the outcome.  A file
 * has several shapes, one of which is chosen by a macro; ST and LD are the orders of the stores and the loads that vary.
 */
#include "orders.h"

#include "../thread.h"

static atomic_int x, y, z;
static int a, b, c, d;
