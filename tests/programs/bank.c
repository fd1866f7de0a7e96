/* SPDX-License-Identifier: MIT
 *
 * A program of three files and a header: clerks move money between accounts, and an auditor counts it.
 *
 * RUN: check tests/programs/bank/bank.c tests/programs/bank/journal.c
 * EXPECT: verified
 * RUN: check -DBUG_LOCK_ORDER tests/programs/bank/bank.c tests/programs/bank/journal.c
 * EXPECT: violated deadlock
 * RUN: check -DBUG_ERROR_PATH tests/programs/bank/bank.c tests/programs/bank/journal.c
 * EXPECT: violated deadlock
 * RUN: check -DBUG_SIGNED tests/programs/bank/bank.c tests/programs/bank/journal.c
 * EXPECT: violated assertion
 */
#include "bank/bank.h"

#include <assert.h>
#include <stdio.h>

struct order {
	unsigned from, to;
	int amount;
};

struct clerk {
	pthread_t thread;
	const struct order *orders;
	unsigned count;
	unsigned outcome[OUTCOMES];
};

static const struct order first[] = { { 0, 1, 60 }, { 1, 2, 120 } }, second[] = { { 2, 0, 10 }, { 1, 0, 70 } };

static struct clerk clerks[] = { { .orders = first, .count = 2 }, { .orders = second, .count = 2 } };

static void *work(void *argument)
{
	struct clerk *clerk = argument;
	for (unsigned i = 0; i < clerk->count; i++) {
		const struct order *order = &clerk->orders[i];
		clerk->outcome[bank_transfer(order->from, order->to, order->amount)]++;
	}
	return NULL;
}

int main(void)
{
	unsigned outcomes[OUTCOMES] = { 0 };
	for (unsigned i = 0; i < 2; i++)
		if (pthread_create(&clerks[i].thread, NULL, work, &clerks[i]) != 0)
			return 1;
	assert(bank_total() == 150);
	for (unsigned i = 0; i < 2; i++) {
		pthread_join(clerks[i].thread, NULL);
		for (int outcome = 0; outcome < OUTCOMES; outcome++)
			outcomes[outcome] += clerks[i].outcome[outcome];
	}
	for (int outcome = 0; outcome < OUTCOMES; outcome++)
		assert(journal_count(outcome) == outcomes[outcome]);
	for (unsigned i = 0; i < ACCOUNTS; i++)
		assert(accounts[i].balance >= -(long)accounts[i].credit); /* ERROR */
	assert(outcomes[DONE] >= 1);
	assert(bank_total() == 150);
	printf("%u done\n", outcomes[DONE]);
	return 0;
}
