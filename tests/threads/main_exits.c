/* SPDX-License-Identifier: MIT
 *
 * pthread_exit in main: the others go on, and what they do still counts.
 *
 * RUN: check
 * EXPECT: violated assertion
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>

static pthread_t first;
static int ran;

static void *work(void *unused)
{
	ran = 1;
	assert(ran == 0); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_create(&first, NULL, work, NULL);
	pthread_exit(NULL);
}
