/* SPDX-License-Identifier: MIT
 *
 * Threads that allocate blocks for inodes (Flanagan and Godefroid, POPL 2005, figure 4).  With -DLEAVES, main does not join them.
 */
#include <pthread.h>
#ifndef N
#define N 14
#endif
enum { BLOCKS = 26, INODES = 32 };
static pthread_mutex_t lock_inode[INODES], lock_block[BLOCKS];
static int inode[INODES], busy[BLOCKS];
static void *allocate(void *number)
{
	int i = (int)(long)number % INODES;
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
	pthread_t threads[N];
	for (int i = 0; i < INODES; i++)
		pthread_mutex_init(&lock_inode[i], NULL);
	for (int i = 0; i < BLOCKS; i++)
		pthread_mutex_init(&lock_block[i], NULL);
	for (long i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, allocate, (void *)i);
#ifndef LEAVES
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
#endif
}
