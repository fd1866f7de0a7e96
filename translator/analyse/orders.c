/* SPDX-License-Identifier: MIT
 *
 * The memory orders of the program's atomic accesses, one after the other: what they are, and instead of them what the request
 * says.  They are numbered in the order of the code, which is the same whatever the request says.
 */
#include "analyse.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool acquires(enum translator_order order)
{
	return order == TO_ACQUIRE || order == TO_ACQ_REL || order == TO_SEQ_CST;
}

static bool releases(enum translator_order order)
{
	return order == TO_RELEASE || order == TO_ACQ_REL || order == TO_SEQ_CST;
}

static enum translator_order order_from(bool acquires, bool releases, bool total)
{
	return total ? TO_SEQ_CST : acquires && releases ? TO_ACQ_REL : acquires ? TO_ACQUIRE : releases ? TO_RELEASE : TO_RELAXED;
}

/* Return the kind of atomic operation that `insn` is; ATOMIC_KINDS if it is none. */
static enum translator_atomic_kind kind_of(const struct image_insn *insn)
{
	bool atomic = insn->aux & IMAGE_ATOMIC;
	switch (insn->op) {
	case IMAGE_LOAD: return atomic ? ATOMIC_LOAD : ATOMIC_KINDS;
	case IMAGE_STORE: return atomic ? ATOMIC_STORE : ATOMIC_KINDS;
	case IMAGE_RMW: return ATOMIC_CHANGE;
	case IMAGE_CMPXCHG: return ATOMIC_EXCHANGE;
	case IMAGE_FENCE: return ATOMIC_FENCE;
	default: return ATOMIC_KINDS;
	}
}

static enum translator_order order_of_insn(const struct image_insn *insn, enum translator_atomic_kind kind)
{
	switch (kind) {
	case ATOMIC_FENCE: return order_from(insn->aux & IMAGE_ACQUIRES, insn->aux & IMAGE_RELEASES, insn->order & IMAGE_TOTAL);
	case ATOMIC_FAILURE: return order_from(!(insn->aux & IMAGE_RELAXED_FAILURE), false, insn->order & IMAGE_TOTAL_FAILURE);
	case ATOMIC_LOAD: return order_from(!(insn->aux & IMAGE_RELAXED_READ), false, insn->order & IMAGE_TOTAL);
	case ATOMIC_STORE: return order_from(false, !(insn->aux & IMAGE_RELAXED_WRITE), insn->order & IMAGE_TOTAL);
	default:
		return order_from(!(insn->aux & IMAGE_RELAXED_READ), !(insn->aux & IMAGE_RELAXED_WRITE), insn->order & IMAGE_TOTAL);
	}
}

static void set_flag(uint8_t *flags, unsigned flag, bool on)
{
	*flags = (uint8_t)(on ? *flags | flag : *flags & ~flag);
}

static void give_order(struct image_insn *insn, enum translator_atomic_kind kind, enum translator_order order)
{
	if (kind == ATOMIC_FENCE) {
		set_flag(&insn->aux, IMAGE_ACQUIRES, acquires(order));
		set_flag(&insn->aux, IMAGE_RELEASES, releases(order));
		set_flag(&insn->order, IMAGE_TOTAL, order == TO_SEQ_CST);
		return;
	}
	if (kind == ATOMIC_FAILURE) {
		set_flag(&insn->aux, IMAGE_RELAXED_FAILURE, !acquires(order));
		set_flag(&insn->order, IMAGE_TOTAL_FAILURE, order == TO_SEQ_CST);
	} else {
		bool reads = kind != ATOMIC_STORE, writes = kind != ATOMIC_LOAD, total = order == TO_SEQ_CST;
		set_flag(&insn->aux, IMAGE_RELAXED_READ, (reads || !total) && !acquires(order));
		set_flag(&insn->aux, IMAGE_RELAXED_WRITE, (writes || !total) && !releases(order));
		set_flag(&insn->order, IMAGE_TOTAL | (kind == ATOMIC_EXCHANGE ? 0 : IMAGE_TOTAL_FAILURE), total);
	}
	bool all = (insn->order & IMAGE_TOTAL) && (insn->op != IMAGE_CMPXCHG || (insn->order & IMAGE_TOTAL_FAILURE));
	set_flag(&insn->aux, IMAGE_WEAKER, !all);
}

/* List the order of `insn`, which is in function `f`, and give it the one that the request says. */
static void take(struct translation *t, struct image_insn *insn, const struct image_function *f, enum translator_atomic_kind kind)
{
	struct translator_result *result = t->result;
	const struct image_location *location = builder_at(&t->builder, IMAGE_LOCATIONS, insn->location);
	size_t number = result->natomics;
	result->atomics = xrealloc(result->atomics, (number + 1) * sizeof *result->atomics);
	result->atomics[result->natomics++] = (struct translator_atomic){
		.kind = kind,
		.order = order_of_insn(insn, kind),
		.file = xstrdup(builder_file_name(&t->builder, location->file)),
		.line = location->line,
		.function = xstrdup(builder_at(&t->builder, IMAGE_STRINGS, f->name)),
	};
	if (number < t->request->norders && t->request->orders[number] != TO_AS_WRITTEN)
		give_order(insn, kind, t->request->orders[number]);
}

void list_orders(struct translation *t)
{
	for (uint32_t i = 0; i < t->nfunctions; i++) {
		const struct image_function *f = builder_at(&t->builder, IMAGE_FUNCTIONS, i);
		for (uint32_t k = 0; k < f->ncode && !(f->flags & (FUNCTION_EXTERN | FUNCTION_LIBRARY)); k++) {
			struct image_insn *insn = builder_at(&t->builder, IMAGE_CODE, f->code + k);
			enum translator_atomic_kind kind = kind_of(insn);
			if (kind == ATOMIC_KINDS)
				continue;
			take(t, insn, f, kind);
			if (kind == ATOMIC_EXCHANGE)
				take(t, insn, f, ATOMIC_FAILURE);
		}
	}
}
