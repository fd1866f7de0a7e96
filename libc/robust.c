/* SPDX-License-Identifier: MIT
 *
 * Robust lists: a thread names a list of the futexes that it holds (set_robust_list(2), by syscall()).  When it ends, the system
 * marks those that have its number, and wakes one that waits for each.
 *
 * Here that is the work of the destructor of a key, which asks for another round until the last: other destructors may still
 * release what is in the list.
 */
#include "library.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <unistd.h>

enum { MOST_ENTRIES = 2048 }; /* as in Linux */

/* translator/read/syscalls.def */
long __bitspin_futex(void *word, int operation, int value, long deadline, void *other, int mask) __asm__("syscall(SYS_futex)");

static _Thread_local struct robust_list_head *list;
static _Thread_local int rounds;
static pthread_key_t key;
static bool has_key;

/* Let go of one futex.  `pending`: the thread was about to take or release it, and may have released it without waking anybody. */
static void let_go(struct robust_list *entry, long offset, bool pending)
{
	_Atomic unsigned *word = (_Atomic unsigned *)((char *)entry + offset);
	unsigned value = *word;
	do {
		if ((value & FUTEX_TID_MASK) != (unsigned)gettid()) {
			if (pending && (value & FUTEX_TID_MASK) == 0)
				__bitspin_futex(word, FUTEX_WAKE, 1, 0, NULL, 0);
			return;
		}
	} while (!__atomic_compare_exchange_n((unsigned *)word, &value, (value & FUTEX_WAITERS) | FUTEX_OWNER_DIED, false,
					      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
	if (value & FUTEX_WAITERS)
		__bitspin_futex(word, FUTEX_WAKE, 1, 0, NULL, 0);
}

static void walk(void *head)
{
	if (++rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
		pthread_setspecific(key, head);
		return;
	}
	int count = 0;
	struct robust_list *pending = list->list_op_pending;
	for (struct robust_list *entry = list->list.next, *next; entry != &list->list && count++ < MOST_ENTRIES; entry = next) {
		next = entry->next; /* whoever takes the futex may change the entry */
		if (entry != pending)
			let_go(entry, list->futex_offset, false);
	}
	if (pending)
		let_go(pending, list->futex_offset, true);
}

int __bitspin_set_robust_list(struct robust_list_head *head, size_t size)
{
	if (size != sizeof *head) {
		errno = EINVAL;
		return -1;
	}
	LOCKED;
	if (!has_key && pthread_key_create(&key, walk) == 0)
		has_key = true;
	UNLOCKED;
	list = head;
	return pthread_setspecific(key, head);
}
