/* SPDX-License-Identifier: MIT
 *
 * Analyses of the whole program, when all of it has been lowered.
 */
#ifndef BITSPIN_TRANSLATOR_ANALYSE_H
#define BITSPIN_TRANSLATOR_ANALYSE_H

#include "../base/translation.h"

/* happens_before.c: return which memory orders the program uses, a set of enum image_order, and count into the result the accesses
 * that are weaker than sequential consistency. */
uint32_t find_order(struct translation *t);

/* orders.c: list the memory orders of the program's atomic accesses, and give these the orders that the request says. */
void list_orders(struct translation *t);

/* Mark, under a memory model other than sc, the accesses that may meet a value of their location that is not the newest, and return
 * what there is of enum image_order for that; 0: there are none. */
uint32_t find_stale(struct translation *t);

/* handles.c: are handles of threads used for nothing but joins?  Mark the global variables that hold them. */
bool note_handles(struct translation *t);

/* handles.c: is nothing done with handles of threads but to join and to detach threads? */
bool handles_are_not_told(const struct translation *t);

/* questions.c: mark calls that ask the world for something on which no outcome depends (IMAGE_SHOWN_ONLY). */
void mark_questions(struct translation *t);

/* inputs.c: choose for inputs the values that stand for all others, and mark their calls (IMAGE_REGIONS). */
void choose_values(struct translation *t);

/* owners.c: mark loads of what no thread writes but the one that loads (IMAGE_OWNED); the program begins with function `start`,
 * and the runtime may enter `exit` (executors.h).  Return false if there are none, or if it is not known. */
bool mark_owned(struct translation *t, uint32_t start, uint32_t exit);

/* slicing.c: mark stores and registers on which nothing that is checked depends.  Return false if there are none, or if it is not
 * known. */
bool slice_image(struct translation *t);

#endif
