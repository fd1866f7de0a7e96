/* SPDX-License-Identifier: MIT
 *
 * What searches note of stored states, beside the table.
 */
#ifndef BITSPIN_NOTES_H
#define BITSPIN_NOTES_H

#include "table.h"

/* For refs below a number; false when memory is refused.  What nobody notes takes no memory. */
bool vm_notes_open(uint64_t refs);
void vm_notes_close(void);

/* A small number of a state: 0 at first, it can be set once, by one of several processes.  What it is, which need not be what this
 * caller gave. */
uint16_t vm_note(vm_ref ref);
uint16_t vm_note_set(vm_ref ref, uint16_t note);

/* A mark on a state, false at first, of this process. */
bool vm_mark(vm_ref ref);
void vm_mark_set(vm_ref ref, bool mark);

/* Note that a state has been visited; has it been before?  And only ask.  Several processes may share this. */
bool vm_visited_set(vm_ref ref);
bool vm_visited(vm_ref ref);

/* See vm_table_renew().  The marks are gone; vm_note_old: a note of then. */
bool vm_notes_renew(void);
uint16_t vm_note_old(vm_ref ref);
void vm_notes_drop_old(void);

#endif
