/* SPDX-License-Identifier: MIT
 *
 * After pthread_exit in main another thread may join main.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;
static int left;

static void *work(void *unused)
{
	assert(pthread_join(main_thread, NULL) == 0);
	assert(left == 1);
	return unused;
}

int main(void)
{
	pthread_t thread;
	main_thread = pthread_self();
	pthread_create(&thread, NULL, work, NULL);
	left = 1;
	pthread_exit(NULL);
}
