/* SPDX-License-Identifier: MIT
 *
 * Memory that nothing refers to at the end; and memory that is still there but can be reached: from a global, a static
 * list, an array, the middle of an object, a tagged or packed pointer.
 *
 * RUN: check -O0 --leaks -DCASE=1
 * EXPECT: violated memory-leak
 * RUN: check -DCASE=1
 * EXPECT: verified
 * RUN: check --leaks -DCASE=2
 * EXPECT: violated memory-leak
 * RUN: check --leaks -DCASE=3
 * EXPECT: violated memory-leak
 * RUN: check --leaks -DCASE=4 -O0
 * EXPECT: violated memory-leak
 * RUN: check --leaks -DCASE=5
 * EXPECT: verified
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; int value; };
struct __attribute__((packed)) tight { char tag; void *pointer; };

static struct node *volatile list; /* lest the optimiser remove the allocations */
static void *volatile kept[3];
static uintptr_t tagged;
static struct tight *tight;

static void push(int value)
{
	struct node *node = malloc(sizeof *node); /* ERROR */
	*node = (struct node){ .next = list, .value = value };
	list = node;
}

static void lose(void)
{
	push(1);
	push(2);
	push(3);
	list = NULL;
}

static void keep(void)
{
	for (int i = 0; i < 50; i++)
		push(i);
	char *bytes = calloc(4, 25);
	kept[0] = bytes + 50;
	kept[1] = strdup("text");
	kept[2] = realloc(kept[1], 300);
	tagged = (uintptr_t)malloc(8) | 1 | UINT64_C(0x1234) << 48;
	tight = malloc(sizeof *tight);
	tight->pointer = malloc(1);
	free(malloc(10));
}

int main(void)
{
	if (CASE == 1)
		lose();
	if (CASE == 2) {
		kept[0] = malloc(10); /* ERROR */
		kept[0] = malloc(10);
	}
	if (CASE == 3) { /* a cycle that nothing outside refers to */
		struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); /* ERROR */
		a->next = b;
		b->next = a;
	}
	if (CASE == 4) {
		lose();
		exit(3);
	}
	keep();
	return 0;
}
