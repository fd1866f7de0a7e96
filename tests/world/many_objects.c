/* SPDX-License-Identifier: MIT
 *
 * Far more objects at once than a thread once had numbers for; each new one was paid for by a look at all the others.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -O0 -DLOST
 * EXPECT: violated use-after-free
 */
#include <assert.h>
#include <stdlib.h>

enum { N = 40000 };

struct node { struct node *next; int value; };

int main(void)
{
	struct node *list = NULL, *dangling = malloc(sizeof *dangling);
	free(dangling);
	for (int i = 0; i < N; i++) {
		struct node *node = malloc(sizeof *node);
		if (!node)
			return 0;
		node->next = list;
		node->value = i;
		list = node;
	}
	long sum = 0;
	for (struct node *node = list; node; node = node->next)
		sum += node->value;
	assert(sum == (long)N * (N - 1) / 2);
#ifdef LOST
	dangling->value = 1; /* ERROR */
#endif
	while (list) {
		struct node *next = list->next;
		free(list);
		list = next;
	}
	return 0;
}
