/* SPDX-License-Identifier: MIT
 *
 * The indexer of Flanagan and Godefroid (POPL 2005) by compare-exchange: N threads insert four words each into a hash table of 128.
 */
#include "threads.h"
enum { SIZE = 128, MOST = 4 };
static atomic_int table[SIZE];
static void *work(void *number)
{
	for (int m = 0; m < MOST; m++) {
		int word = (m + 1) * 11 + (int)(long)number, h = word * 7 % SIZE, none = 0;
		while (!CAS(&table[h], &none, word, ACQ_REL, RELAXED)) {
			none = 0;
			h = (h + 1) % SIZE;
		}
	}
	return NULL;
}
int main(void)
{
	run(work);
}
