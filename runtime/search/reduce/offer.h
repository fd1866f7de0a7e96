/* SPDX-License-Identifier: MIT
 *
 * What is offered in a state: runs of which threads, made how.  It is decided once and noted beside the state (notes.h).
 */
#ifndef BITSPIN_OFFER_H
#define BITSPIN_OFFER_H

#include "persistent.h"
#include "successors.h"

struct offer {
	unsigned count, slots[PERSISTENT_THREADS]; /* the threads; count 0: all */
	enum vm_way way;                           /* how their runs are made */
};

/* Return how many threads a persistent set may have now. */
unsigned vm_offer_room(void);

/* Return the offer of the threads of a persistent set. */
struct offer vm_offer_set(const struct persistent_set *set);

/* Return whether `offer` has the thread in `slot`. */
bool vm_offers(struct offer offer, unsigned slot);

/* Return the note for an offer, which is not 0, and the offer that a note stands for. */
uint16_t vm_offer_note(struct offer offer);
struct offer vm_offer_of(uint16_t note);

#endif
