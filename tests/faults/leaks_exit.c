/* SPDX-License-Identifier: MIT
 *
 * A program that ends in the middle of its functions still has their variables.
 *
 * RUN: check --leaks -DCASE=1
 * EXPECT: verified
 * RUN: check --leaks -DCASE=2
 * EXPECT: verified
 * RUN: check --leaks -DCASE=3 -O0
 * EXPECT: violated memory-leak
 * RUN: check --leaks -DCASE=4
 * EXPECT: verified
 */
#include <stdlib.h>

struct pair { int *left, *right; };

static _Noreturn void die(int *ours)
{
	int *mine = malloc(sizeof *mine);
	*mine = *ours;
	exit(*mine);
}

static void deep(int n, int *from_caller)
{
	struct pair pair = { malloc(4), malloc(4) };
	int *single = malloc(sizeof *single);
	if (n == 0) {
		*single = 7;
		*pair.left = 8;
		if (CASE == 1)
			exit(1);
		if (CASE == 2)
			die(single);
		_Exit(0);
	}
	deep(n - 1, single);
	free(pair.left);
	free(pair.right);
	free(single);
	free(from_caller);
}

int main(void)
{
	int *mine = malloc(sizeof *mine); /* ERROR */
	*mine = 1;
	if (CASE == 3)
		return 0;
	deep(3, mine);
	return 0;
}
