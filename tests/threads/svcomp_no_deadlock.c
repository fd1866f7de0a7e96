/* SPDX-License-Identifier: MIT
 *
 * SV-COMP profile: deadlocks are not looked for.
 *
 * RUN: check --profile svcomp
 * EXPECT: verified
 */
#include <pthread.h>

pthread_mutex_t m;

int main(void)
{
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&m);
	return 0;
}
