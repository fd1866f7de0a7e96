/* SPDX-License-Identifier: MIT
 *
 * Printing: puts, putchar, fputs, fprintf to stdout and stderr, from several functions.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <stdio.h>

static void show(int n)
{
	printf("%d%s", n, n ? ", " : "\n");
	if (n)
		show(n - 1);
}

int main(void)
{
	puts("numbers");
	show(3);
	putchar('x');
	putchar('\n');
	fputs("text\n", stdout);
	fprintf(stderr, "%s\n", "error");
	fprintf(stdout, "%5.2f|\n", 3.14159);
	fflush(stdout);
	return 0;
}
