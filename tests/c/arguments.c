/* SPDX-License-Identifier: MIT
 *
 * main's arguments: argc, argv, the NULL at their end, and writable strings.
 *
 * RUN: check -- one two=2 ''
 * EXPECT: verified
 */
#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
	assert(argc >= 1 && argv[0] != NULL && argv[argc] == NULL);
	if (argc > 1) {
		assert(argc == 4 && !strcmp(argv[1], "one") && !strcmp(argv[2], "two=2") && argv[3][0] == 0);
		argv[1][0] = 'O';
		assert(!strcmp(argv[1], "One"));
	}
	return 0;
}
