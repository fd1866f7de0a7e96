/* SPDX-License-Identifier: MIT
 *
 * Standard input as any text: a parser of parentheses sees every text of at most so many letters, and no longer one.
 *
 * RUN: check --stdin-bytes '4=()'
 * EXPECT: verified
 * RUN: check --stdin-bytes '5=()'
 * EXPECT: violated assertion
 * RUN: check --stdin-bytes '4=()x'
 * EXPECT: violated assertion
 * RUN: check -DEMPTY --stdin-bytes '4=()'
 * EXPECT: violated assertion
 * RUN: check -DLAST --stdin-bytes '4=()'
 * EXPECT: violated assertion
 * RUN: check -DESCAPES --stdin-bytes '1=\n\0\\\t'
 * EXPECT: verified
 * RUN: check -DESCAPES --stdin-bytes '2=\n\0\\\t'
 * EXPECT: violated assertion
 * RUN: check -DCONSTRUCTOR --stdin-bytes '1=a'
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef CONSTRUCTOR
__attribute__((constructor)) static void early(void)
{
	char letter = 0;
	assert(read(0, &letter, 1) == 0 || letter != 'a'); /* ERROR */
}
#endif

int main(void)
{
	char text[8];
	size_t length = fread(text, 1, sizeof text, stdin);
#ifdef ESCAPES
	assert(length <= 1); /* ERROR */
	assert(length == 0 || memchr("\n\0\\\t", text[0], 4));
#else
	int depth = 0, deepest = 0;
	for (size_t i = 0; i < length; i++) {
		assert(text[i] == '(' || text[i] == ')'); /* ERROR */
		depth += text[i] == '(' ? 1 : -1;
		deepest = depth > deepest ? depth : deepest;
	}
	assert(deepest < 5); /* ERROR */
#ifdef EMPTY
	assert(length > 0); /* ERROR */
#endif
#ifdef LAST
	assert(length != 4 || memcmp(text, "))))", 4) != 0); /* ERROR */
#endif
#endif
	return 0;
}
