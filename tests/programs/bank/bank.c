/* SPDX-License-Identifier: MIT
 *
 * Transfers lock both accounts, the one with the lower number first.
 */
#include "bank.h"

#define LOCK(account)   pthread_mutex_lock(&(account)->mutex)
#define UNLOCK(account) pthread_mutex_unlock(&(account)->mutex)

struct account accounts[ACCOUNTS] = {
	{ PTHREAD_MUTEX_INITIALIZER, "ann", 100, 0 },
	{ PTHREAD_MUTEX_INITIALIZER, "bob", 50, 20 },
	{ PTHREAD_MUTEX_INITIALIZER, "cem", 0, 0 },
};

static inline void swap(struct account **a, struct account **b)
{
	struct account *c = *a;
	*a = *b;
	*b = c;
}

enum outcome bank_transfer(unsigned from, unsigned to, int amount)
{
	struct record record = { .from = from & 15, .to = to & 15, .outcome = SAME_ACCOUNT, .amount = amount };
	struct account *first = &accounts[from], *second = &accounts[to];
	if (from != to) {
#ifndef BUG_LOCK_ORDER
		if (first > second)
			swap(&first, &second);
#endif
		LOCK(first); /* ERROR */
		LOCK(second); /* ERROR */
		record.outcome = NO_MONEY;
		if (account_covers(&accounts[from], amount)) {
			accounts[from].balance -= amount;
			accounts[to].balance += amount;
			record.outcome = DONE;
		}
#ifdef BUG_ERROR_PATH
		if (record.outcome == NO_MONEY)
			return NO_MONEY;
#endif
		UNLOCK(second);
		UNLOCK(first);
	}
	journal_add(&record);
	return (enum outcome)record.outcome;
}

long bank_total(void)
{
	long total = 0;
	for (int i = 0; i < ACCOUNTS; i++)
		LOCK(&accounts[i]);
	for (int i = 0; i < ACCOUNTS; i++)
		total += accounts[i].balance;
	for (int i = ACCOUNTS; i-- > 0;)
		UNLOCK(&accounts[i]);
	return total;
}
