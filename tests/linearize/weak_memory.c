/* SPDX-License-Identifier: MIT
 *
 * Two registers that are written and read by one access each.  Both threads read 0 only if stores may wait: with --memory tso or
 * c11, unless the accesses are sequentially consistent.
 *
 * RUN: --thread 'write_x(); read_y()' --thread 'write_y(); read_x()'
 * EXPECT: linearizable
 * RUN: --thread 'write_x(); read_y()' --thread 'write_y(); read_x()' --memory tso
 * EXPECT: violated not-linearizable
 * RUN: --thread 'write_x(); read_y()' --thread 'write_y(); read_x()' --memory c11
 * EXPECT: violated not-linearizable
 * RUN: --thread 'write_x(); read_y()' --thread 'write_y(); read_x()' --memory tso -DORDER=memory_order_seq_cst
 * EXPECT: linearizable
 * RUN: --thread 'write_x(); read_y()' --thread 'write_y(); read_x()' --memory c11 -DORDER=memory_order_seq_cst
 * EXPECT: linearizable
 * RUN: --thread 'write_x(); read_y()' --thread 'write_y(); read_x()' --memory tso --condition sequential
 * EXPECT: violated not-linearizable
 *
 * A write that has returned and is not seen yet, by another thread that has no order with it: wrong in real time only.
 *
 * RUN: --thread 'write_x()' --thread 'read_x()' --memory tso --condition sequential
 * EXPECT: sequentially consistent
 * RUN: --thread 'write_x()' --thread 'read_x()' --memory tso
 * EXPECT: violated not-linearizable
 * RUN: --thread 'write_x()' --thread 'read_x()' --memory c11
 * EXPECT: violated not-linearizable
 */
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int x, y;

void write_x(void)
{
	atomic_store_explicit(&x, 1, ORDER);
}

void write_y(void)
{
	atomic_store_explicit(&y, 1, ORDER);
}

int read_x(void)
{
	return atomic_load_explicit(&x, ORDER);
}

int read_y(void)
{
	return atomic_load_explicit(&y, ORDER);
}
