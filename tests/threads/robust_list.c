/* SPDX-License-Identifier: MIT
 *
 * set_robust_list(): a thread that ends while it holds futexes of its list marks them, and wakes who waits.
 *
 * RUN: check
 * EXPECT: verified for one process id
 * RUN: check --reduction none
 * EXPECT: verified for one process id
 * RUN: check -DLATE
 * EXPECT: verified for one process id
 * RUN: check -DNOT_IN_THE_LIST
 * EXPECT: violated deadlock
 * RUN: check -DSURE
 * EXPECT: violated assertion
 * RUN: check -DRELEASED
 * EXPECT: verified for one process id
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

struct lock {
	struct robust_list entry;
	_Atomic unsigned word;
};
static struct lock locks[2];

/* Take a lock; return 1 if its owner has died. */
static int take(struct lock *l)
{
	unsigned me = (unsigned)gettid(), seen = 0;
	while (!atomic_compare_exchange_strong(&l->word, &seen, me)) {
		if (seen & FUTEX_OWNER_DIED) {
			if (atomic_compare_exchange_strong(&l->word, &seen, me | (seen & FUTEX_WAITERS)))
				return 1;
		} else if ((seen & FUTEX_WAITERS) || atomic_compare_exchange_strong(&l->word, &seen, seen | FUTEX_WAITERS)) {
			syscall(SYS_futex, &l->word, FUTEX_WAIT, seen | FUTEX_WAITERS, NULL, NULL, 0); /* ERROR */
		}
		seen = 0;
	}
	return 0;
}

static void release(struct lock *l)
{
	if (atomic_exchange(&l->word, 0) & FUTEX_WAITERS)
		syscall(SYS_futex, &l->word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static pthread_key_t key;
static void late(void *head)
{
	release(&locks[0]);
	((struct robust_list_head *)head)->list.next = &locks[1].entry;
}

static _Thread_local struct robust_list_head head;

static void *dies(void *unused)
{
	head.list.next = &head.list;
	head.futex_offset = offsetof(struct lock, word);
	assert(syscall(SYS_set_robust_list, &head, 3) == -1 && errno == EINVAL);
	assert(syscall(SYS_set_robust_list, &head, sizeof head) == 0);
	take(&locks[0]);
	take(&locks[1]);
#ifndef NOT_IN_THE_LIST
	locks[0].entry.next = &locks[1].entry;
	locks[1].entry.next = &head.list;
	head.list.next = &locks[0].entry;
#endif
#ifdef LATE /* a destructor that still releases one */
	pthread_setspecific(key, &head);
#endif
#ifdef RELEASED /* all but the wake */
	release(&locks[0]);
	head.list_op_pending = &locks[1].entry;
	head.list.next = &head.list;
	atomic_store(&locks[1].word, 0);
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_key_create(&key, late);
	pthread_create(&thread, NULL, dies, NULL);
	int died = take(&locks[0]) + 2 * take(&locks[1]);
#ifdef RELEASED
	assert(died == 0);
#elif defined LATE
	assert(died == 2 || died == 0);
#elif defined SURE
	assert(died == 3); /* ERROR */
#else
	assert(died == 3 || died == 0 || died == 2);
#endif
	release(&locks[1]);
	release(&locks[0]);
	pthread_join(thread, NULL);
	return 0;
}
