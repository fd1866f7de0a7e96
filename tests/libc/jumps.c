/* SPDX-License-Identifier: MIT
 *
 * setjmp and longjmp.  Compared with the same program run natively, see tests/libc.sh.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf outer, inner;
static sigjmp_buf signals;

static void dive(int depth, int value)
{
	int pad[4] = { depth, value, depth + value, 0 };
	if (depth == 0)
		longjmp(inner, value);
	dive(depth - 1, value);
	printf("not here %d\n", pad[2]);
}

static int parse(const char *text)
{
	volatile int count = 0;
	int code = setjmp(outer);
	if (code)
		return -code * 100 - count;
	for (; *text; text++) {
		count++;
		if (*text == '!')
			_longjmp(outer, count);
	}
	return count;
}

int main(void)
{
	volatile int rounds = 0;
	int value = _setjmp(inner);
	printf("%d %d\n", value, rounds);
	if (rounds < 4) {
		rounds++;
		dive(rounds, rounds == 2 ? 0 : rounds * 10);
	}
	printf("%d %d\n", parse("abc"), parse("ab!c"));
	if (sigsetjmp(signals, 1) == 0)
		siglongjmp(signals, 3);
	puts("done");
	return 0;
}
