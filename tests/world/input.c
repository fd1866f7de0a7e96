/* SPDX-License-Identifier: MIT
 *
 * Standard input, files, environment and arguments are what the options say, and empty or absent otherwise.
 *
 * RUN: check -DNOTHING
 * EXPECT: verified for empty standard input, without the environment variable MODE, without the file /text.txt
 * RUN: check --stdin tests/libc/input --fs tests/libc/files --env MODE=fast --env EMPTY= -- one two
 * EXPECT: verified without the environment variable HOME
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	char line[40];
	FILE *file = fopen("/text.txt", "r");
#ifdef NOTHING
	assert(argc == 1 && getchar() == EOF && !file && !getenv("MODE"));
#else
	assert(argc == 3 && !strcmp(argv[2], "two"));
	assert(fgets(line, sizeof line, stdin) && !strcmp(line, "first input\n"));
	assert(file && fgets(line, sizeof line, file) && !strcmp(line, "one line\n"));
	assert(!strcmp(getenv("MODE"), "fast") && !strcmp(getenv("EMPTY"), "") && !getenv("HOME"));
#endif
	return argv[0] == NULL;
}
