/* SPDX-License-Identifier: MIT
 *
 * The file system of Flanagan and Godefroid (POPL 2005, figure 9), written anew with the parameters that are published: 26 blocks,
 * 32 inodes, THREADS threads, each of which allocates a block for an inode.  From 14 threads on two of them want the same block.
 *
 *     THREADS=26      SCTBench's fsbench_ok; 19: GenMC's lapor/filesystem; 14 to 18: most papers
 *     PLAIN           (the default) plain integers under locks, as in SCTBench
 *     ATOMIC          atomic integers, as in Nidhugg's and SWSC's versions
 *     NO_JOIN, DETACHED, POINTER: changes that people make: main does not wait; threads are detached; the number is passed by
 *                     pointer
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { BLOCKS = 26, INODES = 32 };
#ifndef THREADS
#define THREADS 26
#endif
#ifdef ATOMIC
typedef atomic_int number;
#else
typedef int number;
#endif

static pthread_mutex_t inode_locks[INODES], block_locks[BLOCKS];
static number inodes[INODES], busy[BLOCKS];

static void allocate(int thread)
{
	int inode = thread % INODES;
	pthread_mutex_lock(&inode_locks[inode]);
	if (inodes[inode] == 0) {
		int block = inode * 2 % BLOCKS;
		for (;;) {
			pthread_mutex_lock(&block_locks[block]);
			if (!busy[block]) {
				busy[block] = 1;
				inodes[inode] = block + 1;
				pthread_mutex_unlock(&block_locks[block]);
				break;
			}
			pthread_mutex_unlock(&block_locks[block]);
			block = (block + 1) % BLOCKS;
		}
	}
	assert(inodes[inode]);
	pthread_mutex_unlock(&inode_locks[inode]);
}

static void *work(void *argument)
{
#ifdef POINTER
	allocate(*(int *)argument);
#else
	allocate((int)(intptr_t)argument);
#endif
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < INODES; i++)
		pthread_mutex_init(&inode_locks[i], NULL);
	for (int i = 0; i < BLOCKS; i++)
		pthread_mutex_init(&block_locks[i], NULL);
#ifdef POINTER
	static int numbers[THREADS];
#endif
	for (int i = 0; i < THREADS; i++) {
#ifdef POINTER
		numbers[i] = i;
		pthread_create(&threads[i], NULL, work, &numbers[i]);
#else
		pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
#endif
#ifdef DETACHED
		pthread_detach(threads[i]);
#endif
	}
#if !defined NO_JOIN && !defined DETACHED
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
#endif
	return 0;
}
