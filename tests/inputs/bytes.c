/* SPDX-License-Identifier: MIT
 *
 * Bytes that are inputs of any value, and functions of string.h: they compare a byte at a time, so few states stand for all texts.
 *
 * RUN: check -DMEMCMP
 * EXPECT: violated assertion
 * RUN: check -DMEMCMP --inputs symbolic
 * EXPECT: violated assertion
 * RUN: check -DMEMCMP -DOTHER
 * EXPECT: verified
 * RUN: check -DSTRCMP
 * EXPECT: violated assertion
 * RUN: check -DSTRCMP -DOTHER
 * EXPECT: verified
 * RUN: check -DSTRLEN
 * EXPECT: violated assertion
 * RUN: check -DSTRCHR
 * EXPECT: violated assertion
 * RUN: check -DTWO
 * EXPECT: violated assertion
 * RUN: check -DTWO -DOTHER --inputs symbolic
 * EXPECT: verified
 */
#include <assert.h>
#include <bitspin.h>
#include <pthread.h>
#include <string.h>

static char word[8];
static int hit;

static void *compare(void *unused)
{
#if defined MEMCMP
	hit = memcmp(word, "secret", 6) == 0;
#elif defined STRCMP
	hit = strcmp(word, "open") == 0;
#elif defined STRLEN
	hit = strlen(word) == 5;
#elif defined STRCHR
	hit = strchr(word, ':') == word + 3;
#else
	char other[2] = { bitspin_any_char(), bitspin_any_char() };
#ifdef OTHER
	bitspin_assume(other[0] != word[0]);
#endif
	hit = memcmp(word, other, 2) == 0;
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	for (int i = 0; i < 7; i++)
		word[i] = bitspin_any_char();
#ifdef OTHER
	bitspin_assume(word[2] != 'c' && word[2] != 'e');
#endif
	pthread_create(&thread, NULL, compare, NULL);
	pthread_join(thread, NULL);
	assert(!hit); /* ERROR */
	return 0;
}
