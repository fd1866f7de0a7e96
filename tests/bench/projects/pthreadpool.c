/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include "pthreadpool.h"
static int squares[3];
static void square(void *context, size_t i)
{
	squares[i] = (int)(i * i) + *(int *)context;
}
int main(void)
{
	int one = 1;
	pthreadpool_t pool = pthreadpool_create(2);
	pthreadpool_parallelize_1d(pool, square, &one, 3, 0);
	assert(squares[0] == 1 && squares[1] == 2 && squares[2] == 5);
	pthreadpool_destroy(pool);
}
