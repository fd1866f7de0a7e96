/* SPDX-License-Identifier: MIT
 *
 * What belongs to a VM, and how a process can have several.  Each static variable of the VM's rooms is marked as one of two:
 *
 *     static VM_OWN ...       it belongs to the VM.  It is zero when the VM is opened.
 *     static VM_SHARED ...    it belongs to the process: a file, a signal, what is the same for all programs
 *
 * One VM is the current one: its variables are in their places, and all functions work on it.  vm_exchange() puts another in its
 * place.  Thus a search pays nothing for it; with vm_this behind a pointer it would take 1.2 % more instructions.  The linker
 * collects the variables of a VM in a section; tests/rooms.sh fails where a variable has no mark.
 */
#ifndef BITSPIN_OWN_H
#define BITSPIN_OWN_H

#define VM_OWN    __attribute__((section("vm_own")))
#define VM_SHARED __attribute__((section("vm_shared")))

/* A box holds a VM that is not the current one: at first, one that has not been opened. */
struct vm_box;
struct vm_box *vm_box_new(void); /* NULL: there is no memory */
void vm_box_free(struct vm_box *box);

/* Make the VM in the box the current one, and put the current one into the box.  Not while a step is under way, nor in a process
 * that has forked: chunks of the table belong to one process. */
void vm_exchange(struct vm_box *box);

/* Set all variables of the current VM to zero. */
void vm_own_clear(void);

#endif
