/* SPDX-License-Identifier: MIT
 *
 * What is known but not modelled makes the search inconclusive, and says so.
 *
 * RUN: check -DASYNCHRONOUS
 * EXPECT: inconclusive: a thread asks for asynchronous cancellation, which bitspin does not model
 * RUN: check
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <pthread.h>

int main(void)
{
	int old;
#ifdef ASYNCHRONOUS
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
#endif
	(void)old;
	return 0;
}
