/* SPDX-License-Identifier: MIT
 *
 * The journal: a ring of records and a count of each outcome.
 */
#include "bank.h"

#include <assert.h>
#include <string.h>

static struct {
	pthread_mutex_t mutex;
	struct record ring[4];
	unsigned next;
	unsigned count[OUTCOMES];
} journal = { .mutex = PTHREAD_MUTEX_INITIALIZER };

void journal_add(const struct record *record)
{
	assert(record->outcome < OUTCOMES);
	pthread_mutex_lock(&journal.mutex);
	memcpy(&journal.ring[journal.next++ % 4], record, sizeof *record);
	journal.count[record->outcome]++;
	pthread_mutex_unlock(&journal.mutex);
}

unsigned journal_count(enum outcome outcome)
{
	pthread_mutex_lock(&journal.mutex);
	const unsigned count = journal.count[outcome];
	pthread_mutex_unlock(&journal.mutex);
	return count;
}
