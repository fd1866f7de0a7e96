/* SPDX-License-Identifier: MIT
 *
 * Two threads that both are the first to use rpmalloc: each allocates, and gives back what the other has left.  With ENDS, each
 * says that it ends, too.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include "rpmalloc.h"
static _Atomic(char *) left;
static void *use(void *number)
{
	rpmalloc_thread_initialize();
	char *own = memset(rpmalloc(SIZE), *(char *)number, 16), *got = atomic_exchange(&left, own);
	if (got)
		assert(got[0] != *(char *)number && got[0] == got[15]), rpfree(got);
#ifdef ENDS
	rpmalloc_thread_finalize(1);
#endif
	return NULL;
}
int main(void)
{
	pthread_t other;
	rpmalloc_initialize();
	pthread_create(&other, NULL, use, "b");
	use("a");
	pthread_join(other, NULL);
}
