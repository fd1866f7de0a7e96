/* SPDX-License-Identifier: MIT
 *
 * What searches note of stored states, beside the table.
 */
#ifndef BITSPIN_NOTES_H
#define BITSPIN_NOTES_H

#include "table.h"

/* Make room for notes on refs below `refs`, which take no memory until something is noted.  Return false when memory is refused. */
bool vm_notes_open(uint64_t refs);
void vm_notes_close(void);

/* Return the note on a state: a small number, 0 at first.  vm_note_set: set the note if it is 0, and return what it is then, which
 * another process may have set. */
uint16_t vm_note(vm_ref ref);
uint16_t vm_note_set(vm_ref ref, uint16_t note);

/* Return the mark that this process has on a state, false at first; set it. */
bool vm_mark(vm_ref ref);
void vm_mark_set(vm_ref ref, bool mark);

/* Note that a state has been visited, and return whether it had been before; only return that.  Several processes may share
 * this. */
bool vm_visited_set(vm_ref ref);
bool vm_visited(vm_ref ref);

/* See vm_table_renew().  The marks are gone.  vm_note_old: return the note on a state of the old table. */
bool vm_notes_renew(void);
uint16_t vm_note_old(vm_ref ref);
void vm_notes_drop_old(void);

#endif
