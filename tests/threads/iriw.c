/* SPDX-License-Identifier: MIT
 *
 * Independent reads of independent writes: all threads agree on the order.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b, c, d;

static void *write_x(void *unused) { x = 1; return unused; }
static void *write_y(void *unused) { y = 1; return unused; }
static void *read_xy(void *unused) { a = x; b = y; return unused; }
static void *read_yx(void *unused) { c = y; d = x; return unused; }

int main(void)
{
	void *(*const bodies[4])(void *) = {write_x, write_y, read_xy, read_yx};
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, bodies[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	assert(!(a && !b && c && !d));
	return 0;
}
