/* SPDX-License-Identifier: MIT
 *
 * Found by waits.sh, seed 71108:
 * '--reduction none' says timeout: failed to run command ‘/tmp/w/gaps/build/llvm14/bitspin’: Permission deni
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_int a0, a1, a2, lock;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static pthread_spinlock_t spin;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int p;
static int equals(atomic_int *a, int k) { return atomic_load(a) == k; }
static void *t0(void *unused)
{
	unsigned char count = 0;
	while (!(atomic_load(&a1) == 1)) { count++; sched_yield(); }

	for (int seen = 0; !seen;) { pthread_mutex_lock(&m); seen = p == 1; pthread_mutex_unlock(&m); }

	(void)count;
	return unused;
}
static void *t1(void *unused)
{
	unsigned char count = 0;
	atomic_fetch_add(&a2, 1);

	atomic_store(&a2, 1);

	while (!(atomic_load(&a2) != 2)) { count++; sched_yield(); }

	(void)count;
	return unused;
}
int main(void)
{
	pthread_t id[3];
	pthread_spin_init(&spin, 0);
	pthread_create(&id[0], 0, t0, 0);
	pthread_create(&id[1], 0, t1, 0);
	pthread_join(id[0], 0);
	pthread_join(id[1], 0);
	return 0;
}
