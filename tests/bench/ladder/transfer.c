/* SPDX-License-Identifier: MIT
 *
 * An audit adds up two accounts, each under its lock, while money is on its way.
 *
 * EXPECT: violated assertion
 */
#include "padding.h"

#include <assert.h>

static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int balance[2] = { 10, 10 };

static void add(int account, int amount)
{
	pthread_mutex_lock(&locks[account]);
	balance[account] += amount;
	pthread_mutex_unlock(&locks[account]);
}

static int look(int account)
{
	pthread_mutex_lock(&locks[account]);
	int amount = balance[account];
	pthread_mutex_unlock(&locks[account]);
	return amount;
}

static void *transfer(void *unused)
{
	add(0, -5);
	add(1, 5);
	return unused;
}

static void *audit(void *unused)
{
	int sum = look(0);
	sum += look(1);
	assert(sum == 20); /* ERROR: five are on their way */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, transfer, 0);
	pthread_create(&threads[1], 0, audit, 0);
	pad();
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	pad_end();
}
