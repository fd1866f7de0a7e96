/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

struct node {
	int value;
	struct node *next;
};

struct node *head, *tail;

static struct node *make(int value)
{
	struct node *fresh = malloc(sizeof *fresh);
	fresh->value = value;
	fresh->next = NULL;
	return fresh;
}

static void append(int value)
{
	struct node *made = make(value);
	if (tail)
		tail->next = made;
	else
		head = made;
	tail = made;
}

int main(void)
{
	for (int i = 1; i <= 4; i++)
		append(i * i);
	head->next->value = 40;
	assert(!head); /* HERE */
}
