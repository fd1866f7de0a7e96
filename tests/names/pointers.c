/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stddef.h>

struct node {
	int value;
	struct {
		long pad;
		int b[4];
	} a;
	struct node *next;
} node, nodes[3];

int array[5], matrix[2][3];
int *middle, *start, *end, *field, **pp, (*row)[3];
struct node *pn;
void *pv, *nothing;
char *bytes;
int scalar;
int main(void)
{
	middle = &node.a.b[2];
	start = array;
	end = array + 5;
	field = &nodes[1].value;
	pp = &middle;
	row = &matrix[1];
	pn = &nodes[1];
	pv = &nodes[2];
	bytes = (char *)&array[1] + 1;
	middle = &scalar;
	nodes[0].next = &nodes[2];
	node.next = NULL;
	nothing = &node;
	nothing = NULL;
	**pp = 9;
	assert(!pn); /* HERE */
}
