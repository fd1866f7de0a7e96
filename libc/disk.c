/* SPDX-License-Identifier: MIT
 *
 * See disk.h.
 */
#include "disk.h"
#include "ducts.h"

#include <string.h>

/* Done by the VM: memory of the disk, 0 for the nodes, 1 and so on for what is in the files. */
void *__bitspin_disk(size_t part);

_Static_assert(NODES * sizeof(struct node) <= 2048, "translator/symbols/provided.c has so many bytes for them");

struct node *__bitspin_node(size_t number)
{
	return (struct node *)__bitspin_disk(0) + number;
}

size_t __bitspin_node_number(const struct node *node)
{
	return (size_t)(node - __bitspin_node(0));
}

unsigned char *__bitspin_node_bytes(const struct node *node)
{
	return __bitspin_disk(1 + __bitspin_node_number(node));
}

struct node *__bitspin_node_of(const char *name)
{
	struct node *nodes = __bitspin_node(0);
	for (size_t i = 0; i < NODES; i++)
		if (nodes[i].kind != NODE_FREE && nodes[i].kind != NODE_UNLINKED && strcmp(nodes[i].name, name) == 0)
			return &nodes[i];
	return NULL;
}

struct node *__bitspin_new_node(const char *name, enum node_kind kind)
{
	struct node *nodes = __bitspin_node(0), *node = nodes;
	while (node < nodes + NODES && node->kind != NODE_FREE)
		node++;
	if (node == nodes + NODES)
		__bitspin_refuse("the program writes or removes more than 16 files, which is all that --fs-write has room for");
	if (strlen(name) >= NODE_NAME)
		__bitspin_refuse("a file that is written has a name of more than 99 bytes, which is all that --fs-write has room for");
	strcpy(node->name, name);
	node->kind = kind;
	return node;
}

void __bitspin_node_resize(struct node *node, size_t size)
{
	if (size > NODE_BYTES)
		__bitspin_refuse("a file that is written has more than 16384 bytes, which is all that --fs-write has room for");
	if (size < node->size)
		memset(__bitspin_node_bytes(node) + size, 0, node->size - size);
	node->size = (unsigned)size;
}

static void release(struct node *node)
{
	__bitspin_node_resize(node, 0);
	memset(node, 0, sizeof *node);
}

void __bitspin_node_unlink(struct node *node, int hides)
{
	char name[NODE_NAME];
	memcpy(name, node->name, sizeof name);
	memset(node->name, 0, sizeof node->name);
	node->kind = NODE_UNLINKED;
	if (!node->refs)
		release(node);
	if (hides)
		__bitspin_new_node(name, NODE_GONE);
}

void __bitspin_node_close(struct node *node)
{
	if (--node->refs == 0 && node->kind == NODE_UNLINKED)
		release(node);
}

int __bitspin_node_below(const char *name)
{
	struct node *nodes = __bitspin_node(0);
	size_t length = strlen(name);
	for (size_t i = 0; i < NODES; i++)
		if ((nodes[i].kind == NODE_FILE || nodes[i].kind == NODE_DIRECTORY) && strncmp(nodes[i].name, name, length) == 0 &&
		    nodes[i].name[length] == '/')
			return 1;
	return 0;
}
