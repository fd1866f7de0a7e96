/* SPDX-License-Identifier: MIT
 *
 * See notes.h.  Arrays that the kernel fills with zeros where they are first written.
 */
#include "notes.h"
#include "pages.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

struct notes {
	_Atomic uint16_t *notes;   /* shared */
	_Atomic uint64_t *visited; /* shared; a bit each */
	uint8_t *marks;            /* a bit each */
	uint64_t refs;
};

static VM_OWN struct notes of, former;

static uint64_t mark_bytes(const struct notes *it)
{
	return it->refs / 8 + 1;
}

static uint64_t visited_bytes(const struct notes *it)
{
	return (it->refs / 64 + 1) * sizeof *it->visited;
}

bool vm_notes_open(uint64_t refs)
{
	const int writable = PROT_READ | PROT_WRITE, lazy = MAP_ANONYMOUS | MAP_NORESERVE;
	of.refs = refs;
	void *notes = vm_pages_reserve(refs * sizeof *of.notes);
	void *marks = mmap(NULL, mark_bytes(&of), writable, lazy | MAP_PRIVATE, -1, 0);
	of.notes = notes;
	of.visited = vm_pages_reserve(visited_bytes(&of));
	of.marks = marks;
	return notes && of.visited && marks != MAP_FAILED;
}

static void close_notes(const struct notes *it)
{
	munmap(it->notes, it->refs * sizeof *it->notes);
	munmap(it->visited, visited_bytes(it));
	munmap(it->marks, mark_bytes(it));
}

void vm_notes_close(void)
{
	close_notes(&of);
}

bool vm_notes_renew(void)
{
	assert(!former.notes);
	former = of;
	return vm_notes_open(former.refs);
}

uint16_t vm_note_old(vm_ref ref)
{
	assert(ref && ref < former.refs);
	return atomic_load(&former.notes[ref]);
}

void vm_notes_drop_old(void)
{
	assert(former.notes);
	close_notes(&former);
	former = (struct notes){ 0 };
}

uint16_t vm_note(vm_ref ref)
{
	assert(ref && ref < of.refs); /* no transient state has a note */
	return atomic_load(&of.notes[ref]);
}

uint16_t vm_note_set(vm_ref ref, uint16_t note)
{
	assert(note && ref && ref < of.refs);
	uint16_t old = 0;
	return atomic_compare_exchange_strong(&of.notes[ref], &old, note) ? note : old;
}

bool vm_mark(vm_ref ref)
{
	assert(ref < of.refs);
	return of.marks[ref / 8] >> ref % 8 & 1;
}

void vm_mark_set(vm_ref ref, bool mark)
{
	assert(ref && ref < of.refs);
	uint8_t bit = (uint8_t)(1u << ref % 8);
	of.marks[ref / 8] = (uint8_t)(mark ? of.marks[ref / 8] | bit : of.marks[ref / 8] & ~bit);
}

static uint64_t bit_of(vm_ref ref)
{
	return UINT64_C(1) << ref % 64;
}

bool vm_visited(vm_ref ref)
{
	assert(ref && ref < of.refs);
	return atomic_load_explicit(&of.visited[ref / 64], memory_order_relaxed) & bit_of(ref);
}

bool vm_visited_set(vm_ref ref)
{
	return vm_visited(ref) || (atomic_fetch_or(&of.visited[ref / 64], bit_of(ref)) & bit_of(ref));
}
