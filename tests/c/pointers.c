/* SPDX-License-Identifier: MIT
 *
 * Pointer arithmetic, differences, comparison, walking arrays of structs, one past the end, pointers to pointers.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct node { struct node *next; int value; };
struct outer { char tag; struct node inner; };

static int grid[3][4];

static struct node *push(struct node *list, int value)
{
	struct node *n = malloc(sizeof *n);
	*n = (struct node){list, value};
	return n;
}

static struct node *reverse(struct node *list)
{
	struct node *result = NULL;
	while (list) {
		struct node *next = list->next;
		list->next = result;
		result = list;
		list = next;
	}
	return result;
}

static void insert_at(struct node **where, struct node *node)
{
	while (*where && (*where)->value < node->value)
		where = &(*where)->next;
	node->next = *where;
	*where = node;
}

int main(void)
{
	int v[10], *end = v + 10, *p = v;
	for (int i = 0; p < end; i++)
		*p++ = i;
	assert(p == end && end - v == 10 && p[-1] == 9 && *(end - 10) == 0 && &v[7] > &v[3] && &v[3] <= &v[3]);
	assert((char *)&v[3] - (char *)&v[1] == 8 && 3 [v] == 3);
	for (int *q = &grid[0][0]; q < &grid[0][0] + 4; q++)
		*q = (int)(q - &grid[0][0]);
	assert(grid[0][3] == 3 && &grid[1][0] == &grid[0][4] && sizeof grid[0] == 16);
	int (*row)[4] = grid;
	row++;
	(*row)[2] = 7;
	assert(grid[1][2] == 7 && row - grid == 1);
	struct node *list = NULL;
	for (int i = 0; i < 5; i++)
		list = push(list, 10 * i);
	list = reverse(list);
	insert_at(&list, push(NULL, 25));
	int sum = 0, k = 1;
	for (struct node *n = list; n; n = n->next)
		sum += k++ * n->value;
	assert(sum == 0 + 2 * 10 + 3 * 20 + 4 * 25 + 5 * 30 + 6 * 40);
	while (list) {
		struct node *next = list->next;
		free(list);
		list = next;
	}
	struct outer o = {'x', {NULL, 3}};
	struct node *inner = &o.inner;
	struct outer *back = (struct outer *)((char *)inner - offsetof(struct outer, inner));
	assert(back == &o && back->tag == 'x');
	int *nothing = NULL;
	assert(!nothing && nothing != v && (void *)0 == nothing);
	return 0;
}
