/* SPDX-License-Identifier: MIT
 *
 * Accounts with a lock each, a journal, and what both share.
 */
#ifndef BANK_H
#define BANK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define ACCOUNTS 3

struct account {
	pthread_mutex_t mutex;
	const char *owner;
	int32_t balance;
	uint32_t credit; /* how far the balance may be below zero */
};

enum outcome { DONE, NO_MONEY, SAME_ACCOUNT, OUTCOMES };

struct record {
	unsigned from : 4, to : 4, outcome : 2;
	int amount;
};

extern struct account accounts[ACCOUNTS];

/* Moves money; the journal has a record of it, whatever the outcome. */
enum outcome bank_transfer(unsigned from, unsigned to, int amount);

/* What all accounts have in a moment. */
long bank_total(void);

/* Appends to the journal, which keeps the last records only. */
void journal_add(const struct record *record);
unsigned journal_count(enum outcome outcome);

static inline bool account_covers(const struct account *account, int amount)
{
#ifdef BUG_SIGNED
	return account->balance - amount >= -account->credit; /* unsigned: a negative number is never that large */
#else
	return account->balance - amount >= -(int64_t)account->credit;
#endif
}

#endif
