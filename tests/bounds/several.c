/* SPDX-License-Identifier: MIT
 *
 * One violation needs no preemption; another one, of main in the first window; the third needs three: the worker has looked once in
 * the first window, main goes on to the second, and is preempted there.  (tests/cli.sh has --all.)
 *
 * RUN: check -DMOST --preemptions 2
 * EXPECT: inconclusive: no violation with up to 2 preemptions
 * RUN: check -DMOST --preemptions 3
 * EXPECT: violated assertion
 * RUN: check --preemptions 5
 * EXPECT: violated assertion
 * ALSO: --reduction none
 */
#include <pthread.h>
#include <stdatomic.h>

#include "bitspin.h"

static atomic_int window, after;

static void *look(void *unused)
{
	if (atomic_load(&window) == 1) {
#ifndef MOST
		if (atomic_load(&after) == 0)
			bitspin_error("in the first window");
#endif
		if (atomic_load(&window) == 2)
			bitspin_error("in both windows"); /* ERROR */
	}
#ifndef MOST
	if (atomic_load(&after))
		bitspin_error("after"); /* ERROR */
#endif
	return unused;
}

int main(void)
{
	pthread_t worker;
	pthread_create(&worker, NULL, look, NULL);
	atomic_store(&window, 1);
	atomic_store(&after, 1);
	atomic_store(&window, 2);
	atomic_store(&window, 0);
	pthread_join(worker, NULL);
	return 0;
}
