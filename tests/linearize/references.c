/* SPDX-License-Identifier: MIT
 *
 * A registry with reference counts: open() counts, shut() forgets the entry with the last reference.
 *
 * RUN: --setup 'start()' --thread 'open_it(); shut()' --thread 'open_it()' --thread 'shut()'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'open_it()' --thread 'shut(); count()' -DBROKEN=1
 * EXPECT: violated not-linearizable
 */
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int references;

void start(void)
{
	references = 1;
}

/* Only an entry that is there can be opened. */
bool open_it(void)
{
	int n = references;
#if BROKEN == 1
	if (n == 0)
		return false;
	references = n + 1;
	return true;
#else
	while (n && !atomic_compare_exchange_strong(&references, &n, n + 1))
		;
	return n > 0;
#endif
}

/* Is the entry gone now?  Nobody shuts what is not open, but for a test. */
bool shut(void)
{
	int n = references;
	while (n && !atomic_compare_exchange_strong(&references, &n, n - 1))
		;
	return n == 1;
}

int count(void)
{
	return references;
}
