/* SPDX-License-Identifier: MIT
 *
 * A stack whose pop compares addresses only: a node is freed and comes back while another thread still holds its old next.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <pthread.h>

struct node { struct node *next; };
static struct node *_Atomic top;

static struct node *pop(void)
{
	struct node *node = top;
	while (node && !atomic_compare_exchange_weak(&top, &node, node->next)) /* the node may be freed by now */
		;
	return node;
}

static void push(void)
{
	struct node *node = malloc(sizeof *node);
	node->next = top;
	while (!atomic_compare_exchange_weak(&top, &node->next, node))
		;
}

static void *work(void *unused)
{
	free(pop());
	return unused;
}

int main(void)
{
	pthread_t thread;
	push();
	pthread_create(&thread, NULL, work, NULL);
	free(pop());
	pthread_join(thread, NULL);
}
