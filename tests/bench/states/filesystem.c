/* SPDX-License-Identifier: MIT
 *
 * Threads that allocate blocks for inodes (Flanagan and Godefroid, POPL 2005).  From 14 threads on, two of them want the same
 * block.  ATOMIC: the integers are atomic.
 */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 14
#endif
#include "../pairs/threads.h"
#ifdef ATOMIC
typedef atomic_int integer;
#else
typedef int integer;
#endif
enum { BLOCKS = 26, INODES = 32 };
static pthread_mutex_t lock_inode[INODES], lock_block[BLOCKS];
static integer inode[INODES], busy[BLOCKS];
static void *allocate(void *number)
{
	int i = NUMBER(number) % INODES;
	pthread_mutex_lock(&lock_inode[i]);
	if (inode[i] == 0) {
		int b = i * 2 % BLOCKS;
		for (;;) {
			pthread_mutex_lock(&lock_block[b]);
			if (!busy[b]) {
				busy[b] = 1;
				inode[i] = b + 1;
				pthread_mutex_unlock(&lock_block[b]);
				break;
			}
			pthread_mutex_unlock(&lock_block[b]);
			b = (b + 1) % BLOCKS;
		}
	}
	pthread_mutex_unlock(&lock_inode[i]);
	return NULL;
}
int main(void)
{
	for (int i = 0; i < INODES; i++)
		pthread_mutex_init(&lock_inode[i], NULL);
	for (int i = 0; i < BLOCKS; i++)
		pthread_mutex_init(&lock_block[i], NULL);
	return run(allocate);
}
