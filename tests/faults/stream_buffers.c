/* SPDX-License-Identifier: MIT
 *
 * A buffer that is given to a stream has to live as long as that is open: what ends is noticed by the next call, or at exit.
 *
 * RUN: check -DCASE=0
 * EXPECT: verified
 * RUN: check -DCASE=1
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=2
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=3
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=4
 * EXPECT: violated out-of-bounds
 */
#include <stdio.h>
#include <stdlib.h>

static void begin(void)
{
	char here[100];
	setvbuf(stdout, here, _IOFBF, sizeof here);
}

int main(void) /* ERROR */
{
	char own[BUFSIZ], *given = malloc(BUFSIZ);
	switch (CASE) {
	case 0:
		setbuf(stdout, given);
		puts("a");
		setvbuf(stdout, own, _IOLBF, sizeof own);
		free(given);
		puts("b");
		exit(0);
	case 1:
		begin();
		puts("a"); /* ERROR */
		break;
	case 2:
		setbuf(stdout, given);
		free(given);
		fflush(NULL); /* ERROR */
		break;
	case 3:
		setbuf(stdout, own);
		break; /* it is written when main's variables are no more */
	case 4:
		setvbuf(stdout, own, _IOFBF, sizeof own + 1);
		puts("a"); /* ERROR */
		break;
	}
	return 0;
}
