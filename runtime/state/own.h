/* SPDX-License-Identifier: MIT
 *
 * What belongs to a VM; a process can open one after the other.  Each static variable of the VM's rooms is marked as one of two:
 *
 *     static VM_OWN ...       it belongs to the VM.  It is zero when the VM is opened.
 *     static VM_SHARED ...    it belongs to the process: a file, a signal, what is the same for all programs
 *
 * The linker collects the variables of a VM in a section, which vm_close() clears.  tests/rooms.sh fails where a variable has no
 * mark.
 */
#ifndef BITSPIN_OWN_H
#define BITSPIN_OWN_H

#define VM_OWN    __attribute__((section("vm_own")))
#define VM_SHARED __attribute__((section("vm_shared")))

/* Set all variables of the VM to zero. */
void vm_own_clear(void);

#endif
