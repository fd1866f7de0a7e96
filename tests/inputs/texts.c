/* SPDX-License-Identifier: MIT
 *
 * Texts of any characters: arguments, variables of the environment, standard input.  The verdicts are derived by hand.  1: a word;
 * 2: a longer one than there may be.  3: the text has an end, and nothing behind it; 4: one byte behind it is read.  5: a number.
 * 6: all lengths are met.  7: characters above 127 are negative.  8: two arguments are equal.  9: 0 is no character.
 * 10: a variable; 11: it is set.  12: a line of standard input; 13: it may be empty; 14: a byte 0; 15: what scanf reads, 16: and
 * what it does not.  17: read().  18: a race that one letter makes.  19: a table that a character looks up.
 * 20: one that ends before a character; 21: what it has there; 22: of two tables, a character chooses one; 23: of text in one.
 *
 * RUN: check --arg 1=any:5 -DCASE=1
 * EXPECT: violated assertion
 * RUN: check --arg 1=any:4 -DCASE=1
 * EXPECT: verified
 * RUN: check --arg 1=any -DCASE=2
 * EXPECT: verified
 * RUN: check --arg 1=any:3 -DCASE=3
 * EXPECT: verified
 * RUN: check --arg 1=any:3 -DCASE=4
 * EXPECT: violated out-of-bounds
 * RUN: check --arg 1=any:2 -DCASE=5
 * EXPECT: violated assertion
 * RUN: check --arg 1=any:1 -DCASE=5
 * EXPECT: verified
 * RUN: check --arg 1=any:6 -DCASE=6
 * EXPECT: violated assertion
 * RUN: check --arg 1=any:1 -DCASE=7
 * EXPECT: violated assertion
 * RUN: check --arg 1=any:1 --arg 2=any:1 -DCASE=8
 * EXPECT: violated assertion
 * RUN: check --arg 1=any:4 -DCASE=9
 * EXPECT: verified
 * RUN: check --env MODE=any:4 -DCASE=10
 * EXPECT: violated assertion
 * RUN: check --env MODE=any:3 -DCASE=10
 * EXPECT: verified
 * RUN: check --env OTHER=x --env MODE=any:2 -DCASE=11
 * EXPECT: verified
 * RUN: check --stdin-bytes any:4 -DCASE=12
 * EXPECT: violated assertion
 * RUN: check --stdin-bytes any:3 -DCASE=12
 * EXPECT: verified
 * RUN: check --stdin-bytes any:1 -DCASE=13
 * EXPECT: violated assertion
 * RUN: check --stdin-bytes any:2 -DCASE=14
 * EXPECT: violated assertion
 * RUN: check --stdin-bytes any:2 -DCASE=15
 * EXPECT: violated assertion
 * RUN: check --stdin-bytes any:2 -DCASE=16
 * EXPECT: verified
 * RUN: check --stdin-bytes any:2 -DCASE=17
 * EXPECT: violated assertion
 * RUN: check --arg 1=any:1 -DCASE=18
 * EXPECT: violated data-race
 * RUN: check --arg 1=any:1 -DCASE=19
 * EXPECT: violated assertion
 * RUN: check --arg 1=any:1 -DCASE=20
 * EXPECT: violated out-of-bounds
 * RUN: check --arg 1=any:1 -DCASE=21
 * EXPECT: violated assertion
 * RUN: check --arg 1=any:1 -DCASE=22
 * EXPECT: verified
 * RUN: check --arg 1=any:1 -DCASE=23
 * EXPECT: violated assertion
 */
#include "bitspin.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int shared;
static const short squares[] = { 0, 1, 4, 9, -16, 25 }, others[] = { 1, 2, 5, 10, 17, 26 };
static const char *const words[] = { "zero", "one", "two" };

static void fail_if(int condition)
{
	if (condition)
		bitspin_error("found"); /* ERROR */
}

static void *add(void *argument)
{
	if (*(char *)argument == 'r')
		shared++; /* ERROR */
	return argument;
}

static int number_read(void)
{
	int n = -1;
	return scanf("%d", &n) == 1 ? n : -1;
}

int main(int argc, char **argv)
{
	char line[8], *text = argc > 1 ? argv[1] : NULL;
	pthread_t thread;
	switch (CASE) {
	case 1: fail_if(strcmp(text, "fail!") == 0); break;
	case 2: fail_if(strlen(text) > 8 || strncmp(text, "too long.", 9) == 0); break;
	case 3: fail_if(text[strlen(text)] != 0 || strnlen(text, 2) > 2); break;
	case 4: fail_if(text[strlen(text) + 1] == 7); break; /* ERROR */
	case 5: fail_if(atoi(text) == 42); break;
	case 6: fail_if(strlen(text) == 6 && strchr(text, '=') == text + 5); break;
	case 7: fail_if(*text < -100); break;
	case 8: fail_if(*text && strcmp(text, argv[2]) == 0); break;
	case 9: fail_if(memchr(text, 0, strlen(text)) != NULL); break;
	case 10: fail_if(strcmp(getenv("MODE"), "slow") == 0); break;
	case 11: fail_if(!getenv("MODE") || strcmp(getenv("OTHER"), "x") != 0); break;
	case 12: fail_if(fgets(line, sizeof line, stdin) && strcmp(line, "go!\n") == 0); break;
	case 13: fail_if(getchar() == EOF); break;
	case 14: fail_if(getchar() == 0 && getchar() == 255); break;
	case 15: fail_if(number_read() == 57); break;
	case 16: fail_if(number_read() > 99 || number_read() < -9); break;
	case 17: fail_if(read(0, line, 4) == 2 && line[0] == '\\' && line[1] == (char)0x80); break;
	case 18:
		pthread_create(&thread, NULL, add, text);
		if (*text > 'a')
			shared = 1; /* ERROR */
		pthread_join(thread, NULL);
		break;
	case 20:
		bitspin_assume(*text > 0 && *text <= 6);
		fail_if(squares[(int)*text] == 2); /* ERROR */
		break;
	case 21:
		bitspin_assume(*text > 0 && *text < 6);
		fail_if(squares[(int)*text] + *text == -12);
		break;
	case 22:
		bitspin_assume(*text > 0 && *text < 6);
		fail_if((*text % 2 ? squares : others)[(int)*text] % 2 == 0);
		break;
	case 23:
		bitspin_assume(*text >= 0 && *text < 3);
		fail_if(words[(int)*text][2] == 'o');
		break;
	default: fail_if(isxdigit((unsigned char)*text) && !isdigit((unsigned char)*text) && *text > 'e');
	}
	return 0;
}
