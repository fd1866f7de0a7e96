/* SPDX-License-Identifier: MIT
 *
 * What `bitspin linearize` and the VM agree on: results of operations, and the table of what these can be when each operation runs
 * in one piece.  The table is a constant array of the harness (spin-glue/linearize/), which the VM reads (sync/operations.c).
 */
#ifndef BITSPIN_OPERATIONS_H
#define BITSPIN_OPERATIONS_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A result is up to OPERATION_VALUES values: what the operation returns, and what it writes through out(TYPE).  Each has a kind,
 * four bits of a word of kinds; the first value has the lowest bits. */
enum operation_kind { OPERATION_NOTHING, OPERATION_SIGNED, OPERATION_UNSIGNED, OPERATION_POINTER, OPERATION_DOUBLE };
enum { OPERATION_VALUES = 5, OPERATION_KIND_BITS = 4 };

struct operation_result {
	uint64_t kinds, values[OPERATION_VALUES];
};

/* The words of the table, uint32_t each. */
enum {
	OPERATION_MODE,
	OPERATION_SPEC,      /* it is that of another program, whose pointers are not those of this one */
	OPERATION_THREADS,   /* of the table; of a quiescent one, each operation is one */
	OPERATION_TOTAL,     /* operations of all threads */
	OPERATION_LENGTH,    /* most operations of one thread */
	OPERATION_POSITIONS, /* room in the state for so many positions, or nodes */
	OPERATION_ROOM,      /* bytes of the object with the state */
	OPERATION_NODES,     /* how many nodes the table has, from 0 on, where every history begins */
	OPERATION_RESULTS,   /* how many results, from 0 on */
	OPERATION_FIRST, /* then of each node, and of one more, where its edges begin, counted in edges; the edges; the results */
};

enum operation_mode {
	OPERATION_NOTES, /* phase 1: each operation runs in one piece, and histories are noted */
	OPERATION_LINEAR,
	OPERATION_SEQUENTIAL,
	OPERATION_QUIESCENT,
	OPERATION_UNWATCHED, /* operations are told, and nothing else */
	OPERATION_STEPS,     /* the steps of a thread in an operation are counted */
};
enum { OPERATION_LIMIT_SHIFT = 16 }; /* in what begins an operation: above its thread, how many steps it may take; 0: any number */
enum { OPERATION_LANES = 64 };       /* most threads of the table */
enum { OPERATION_NOTE_ROOM = (5 + OPERATION_VALUES) * 8 }; /* bytes of the object in phase 1 */

/* An edge: in this node, the next operation of `thread` can have this result, and leads to another node; or it is stuck. */
struct operation_edge {
	uint32_t thread, result, to;
};
enum { OPERATION_STUCK = 0xffff, OPERATION_MOST = 0xfffe }; /* MOST: of nodes, and of results */

/* Print a result as people read it, into `text`. */
static inline void operation_print(const struct operation_result *result, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (unsigned i = 0; i < OPERATION_VALUES && used < size; i++) {
		uint64_t value = result->values[i];
		double number;
		const char *comma = used ? ", " : "";
		memcpy(&number, &value, sizeof number);
		switch ((enum operation_kind)(result->kinds >> i * OPERATION_KIND_BITS & ((1 << OPERATION_KIND_BITS) - 1))) {
		case OPERATION_NOTHING: continue;
		case OPERATION_SIGNED:
			used += (size_t)snprintf(text + used, size - used, "%s%" PRId64, comma, (int64_t)value);
			break;
		case OPERATION_UNSIGNED: used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64, comma, value); break;
		case OPERATION_DOUBLE: used += (size_t)snprintf(text + used, size - used, "%s%g", comma, number); break;
		case OPERATION_POINTER:
			used += (size_t)snprintf(text + used, size - used, value ? "%sobject %" PRIx64 : "%sNULL", comma, value);
		}
	}
}

#endif
