/* SPDX-License-Identifier: MIT
 *
 * What a thread may still do to atomic locations whose older values are kept (messages.h), by the code that it can reach.
 *
 * A message can be dropped when no thread can stand at it again.  A thread that accesses the location no more need not be past it:
 * what it knows of the location matters only to those who learn it from the thread, and they are past it themselves, or access the
 * location no more.  So it makes no difference to take the thread for one that is past it, too.  The same goes for one
 * that can only make read-modify-writes there, if the next message is attached to this one: no other can be put between.
 *
 * What a thread does is what follows in its frames, what the functions called there do, and what threads do that are created there.
 * An address that is no variable's by its code may be any location's.  Where seq_cst fences join marks of messages (total.h), a
 * thread with a fence to come must be past the message.  Where the runtime enters functions by itself, or a thread can go
 * back to where it was (setjmp), nothing is known.
 */
#ifndef BITSPIN_LATER_H
#define BITSPIN_LATER_H

#include "memory.h"

/* Must the thread in `slot`, which runs, be past a message of a location in `object` before that is dropped?  `attached`: the next
 * message is attached to it. */
bool vm_later_stands(unsigned slot, uint32_t object, bool attached);

#endif
