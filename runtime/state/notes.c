/* SPDX-License-Identifier: MIT
 *
 * See notes.h.  Two arrays that the kernel fills with zeros where they are first written.
 */
#include "notes.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

static VM_OWN struct {
	_Atomic uint16_t *notes; /* shared */
	uint8_t *marks;          /* a bit each */
	uint64_t refs;
} of;

static uint64_t mark_bytes(void)
{
	return of.refs / 8 + 1;
}

bool vm_notes_open(uint64_t refs)
{
	const int writable = PROT_READ | PROT_WRITE, lazy = MAP_ANONYMOUS | MAP_NORESERVE;
	of.refs = refs;
	void *notes = mmap(NULL, refs * sizeof *of.notes, writable, lazy | MAP_SHARED, -1, 0);
	void *marks = mmap(NULL, mark_bytes(), writable, lazy | MAP_PRIVATE, -1, 0);
	of.notes = notes;
	of.marks = marks;
	return notes != MAP_FAILED && marks != MAP_FAILED;
}

void vm_notes_close(void)
{
	munmap(of.notes, of.refs * sizeof *of.notes);
	munmap(of.marks, mark_bytes());
}

uint16_t vm_note(vm_ref ref)
{
	return atomic_load(&of.notes[ref]);
}

uint16_t vm_note_set(vm_ref ref, uint16_t note)
{
	uint16_t old = 0;
	return atomic_compare_exchange_strong(&of.notes[ref], &old, note) ? note : old;
}

bool vm_mark(vm_ref ref)
{
	return of.marks[ref / 8] >> ref % 8 & 1;
}

void vm_mark_set(vm_ref ref, bool mark)
{
	uint8_t bit = (uint8_t)(1u << ref % 8);
	of.marks[ref / 8] = (uint8_t)(mark ? of.marks[ref / 8] | bit : of.marks[ref / 8] & ~bit);
}
