/* SPDX-License-Identifier: MIT
 *
 * What is not supported is refused where it stands, so only a path that comes there is inconclusive.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DREACHED
 * EXPECT: inconclusive: unsupported inline assembly "sidt ($0)"; a path comes there, in table
 * RUN: check -DREACHED --extern table=nop
 * EXPECT: verified
 * RUN: check -DREACHED --extern table=choose:1..2
 * EXPECT: violated assertion
 * RUN: check -DWORD=0
 * EXPECT: verified
 * RUN: check -DWORD=0 -O2
 * EXPECT: verified
 * RUN: check -DWORD=1
 * EXPECT: inconclusive: unsupported inline assembly: of %fs, only the word at 0 is known
 * RUN: check -DWORD=1 -O2
 * EXPECT: inconclusive: unsupported inline assembly: of %fs, only the word at 0 is known
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef WORD
#define WORD 0
#endif

static volatile int asked;

__attribute__((noinline)) static long table(void)
{
	char where[10] = { 0 };
	__asm__ volatile("sidt (%0)" : : "r"(where) : "memory");
	return where[2];
}

/* Return a word of the thread's control block, of which the first points to the block. */
static void *word_of_thread(uintptr_t number)
{
	void *word;
	uintptr_t at = number * sizeof word;
	__asm__("movq %%fs:%1, %0" : "=r"(word) : "m"(*(void **)at));
	return word;
}

static void *other_block;

static void *work(void *unused)
{
	void *block = word_of_thread(WORD);
	assert(block && block != other_block && block == word_of_thread(WORD));
	if (asked)
		assert(table() == 0); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
#ifdef REACHED
	asked = 1;
#endif
	other_block = word_of_thread(0);
	pthread_create(&thread, 0, work, 0);
	pthread_join(thread, 0);
	return 0;
}
