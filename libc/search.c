/* SPDX-License-Identifier: MIT
 *
 * search.h: binary trees, a hash table, queues.  (Arrays are in stdlib.c.)  Trees are not balanced: POSIX leaves it open which
 * node is whose child.
 */
#include "library.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#undef tdestroy
#undef hsearch_r

typedef int compare_function(const void *, const void *);

/* ---- trees ----------------------------------------------------------------------------------------------------------- */

struct tree {
	const void *key; /* first: the caller looks at it */
	struct tree *less, *more;
};

/* Where the node of this key is, or belongs. */
static struct tree **find_node(const void *key, struct tree **at, compare_function *compare)
{
	int order;
	while (*at && (order = compare(key, (*at)->key)) != 0)
		at = order < 0 ? &(*at)->less : &(*at)->more;
	return at;
}

void *tfind(const void *key, void *const *root, compare_function *compare)
{
	return root ? *find_node(key, (struct tree **)root, compare) : NULL;
}

void *tsearch(const void *key, void **root, compare_function *compare)
{
	struct tree **at = root ? find_node(key, (struct tree **)root, compare) : NULL;
	if (at && !*at && (*at = malloc(sizeof **at)))
		**at = (struct tree){ .key = key };
	return at ? *at : NULL;
}

/* Take the least node out of a tree that is not empty. */
static struct tree *take_least(struct tree **at)
{
	while ((*at)->less)
		at = &(*at)->less;
	struct tree *least = *at;
	*at = least->more;
	return least;
}

/* The parent of what is deleted; of the root, any address that is not null. */
void *tdelete(const void *key, void **root, compare_function *compare)
{
	struct tree *parent = (struct tree *)root, **at = (struct tree **)root;
	int order;
	while (at && *at && (order = compare(key, (*at)->key)) != 0) {
		parent = *at;
		at = order < 0 ? &(*at)->less : &(*at)->more;
	}
	struct tree *node = at ? *at : NULL;
	if (!node)
		return NULL;
	if (node->less && node->more) {
		struct tree *next = take_least(&node->more);
		next->less = node->less;
		next->more = node->more;
		*at = next;
	} else {
		*at = node->less ? node->less : node->more;
	}
	free(node);
	return parent;
}

static void walk(const struct tree *tree, void (*visit)(const void *, VISIT, int), int level)
{
	if (!tree->less && !tree->more) {
		visit(tree, leaf, level);
		return;
	}
	visit(tree, preorder, level);
	if (tree->less)
		walk(tree->less, visit, level + 1);
	visit(tree, postorder, level);
	if (tree->more)
		walk(tree->more, visit, level + 1);
	visit(tree, endorder, level);
}

void twalk(const void *root, void (*visit)(const void *, VISIT, int))
{
	if (root && visit)
		walk(root, visit, 0);
}

void tdestroy(void *root, void (*release)(void *))
{
	struct tree *tree = root;
	if (!tree)
		return;
	tdestroy(tree->less, release);
	tdestroy(tree->more, release);
	release((void *)tree->key);
	free(tree);
}

/* ---- the hash table: an array, which no program can tell apart ----------------------------------------------------------- */

int hcreate_r(size_t count, struct hsearch_data *table)
{
	if (table->table) /* glibc: it exists */
		return 0;
	table->table = calloc(count + 1, sizeof(ENTRY));
	table->size = (unsigned)count + 1;
	table->filled = 0;
	return table->table != NULL;
}

void hdestroy_r(struct hsearch_data *table)
{
	free(table->table);
	table->table = NULL;
}

int hsearch_r(ENTRY item, ACTION action, ENTRY **found, struct hsearch_data *table)
{
	ENTRY *entries = (ENTRY *)table->table;
	unsigned i = 0;
	while (i < table->filled && strcmp(entries[i].key, item.key) != 0)
		i++;
	if (i == table->filled && (action == FIND || i == table->size)) {
		errno = action == FIND ? ESRCH : ENOMEM;
		*found = NULL;
		return 0;
	}
	if (i == table->filled)
		entries[table->filled++] = item;
	*found = &entries[i];
	return 1;
}

static struct hsearch_data the_table;

int hcreate(size_t count)
{
	return hcreate_r(count, &the_table);
}

void hdestroy(void)
{
	hdestroy_r(&the_table);
}

ENTRY *hsearch(ENTRY item, ACTION action)
{
	ENTRY *found;
	hsearch_r(item, action, &found, &the_table);
	return found;
}

/* ---- queues ---------------------------------------------------------------------------------------------------------- */

void insque(void *element, void *before)
{
	struct qelem *new = element, *old = before;
	if (!old) {
		new->q_forw = new->q_back = NULL;
		return;
	}
	new->q_forw = old->q_forw;
	new->q_back = old;
	if (old->q_forw)
		old->q_forw->q_back = new;
	old->q_forw = new;
}

void remque(void *element)
{
	struct qelem *old = element;
	if (old->q_forw)
		old->q_forw->q_back = old->q_back;
	if (old->q_back)
		old->q_back->q_forw = old->q_forw;
}
