/* SPDX-License-Identifier: MIT
 *
 * Inputs as terms (--inputs symbolic): a term in a state is a node (../terms/node.h) of any number of symbols, and the state has
 * conditions that these meet (../terms/condition.h).  Slots, splits, and where terms are, are those of sets (symbolic.h).
 */
#ifndef BITSPIN_RELATIONS_H
#define BITSPIN_RELATIONS_H

#include "terms.h"
#include "../terms/node.h"

/* Are inputs terms? */
static inline bool vm_relational(void)
{
	return vm_this.image.options->inputs == INPUTS_SYMBOLIC;
}

/* Make a symbol with the values [0, most], and return its term. */
uint32_t vm_relation_new(unsigned bits, uint64_t most);

/* Return the term that an operation makes of others: of terms[i] where bit i of `which` is set. */
struct vm_term vm_relation_apply(const struct vm_operation *operation, const uint32_t *terms);

/* Do what vm_symbolic_need() and vm_symbolic_some() do.  Return the answer if there is one; else put the number of answers into
 * split->answers. */
uint64_t vm_relation_need(const struct vm_term *term, struct vm_split *split, const char *what);
uint64_t vm_relation_some(uint32_t node);

/* Add the condition that a term has the answer with this number. */
void vm_relation_restrict(const struct vm_term *term, const struct vm_split *split, uint32_t answer);

/* Bring terms, which are those of vm_symbols with the numbers order[1..count], and the conditions into their form; the first `kept`
 * symbols stay as they are.  Return whether there is more to do, as terms have become constant or equal. */
bool vm_relation_settle(const uint32_t *order, uint32_t count, uint32_t kept);

/* Forget all conditions; write and read what a state has beside the number of its symbols and terms. */
void vm_relation_begin(void);
void vm_relation_write(void (*write)(uint32_t word));
void vm_relation_read(uint32_t (*read)(void), uint32_t terms);

/* Return the conditions, from the first one on. */
const uint32_t *vm_relation_conditions(uint32_t *count);

/* What history.c does for sets, of a path with terms: vm_history_begin() and its like. */
void vm_relation_history_begin(bool on);
void vm_relation_history_keep(void);
void vm_relation_history_load(void);
bool vm_relation_history_write(const char *path);
bool vm_relation_history_finish(const char *path);

#endif
