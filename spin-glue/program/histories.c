/* SPDX-License-Identifier: MIT
 *
 * From the histories that phase 1 of `bitspin linearize` has noted to the table of phase 2.
 *
 * The histories are the paths of a tree, whose edges say which thread's operation comes next and what its result is.  Nodes from
 * which the same goes on are one node of the table: what comes is all that a position says, beside the results of operations
 * that have taken effect and not yet returned (runtime/sync/operations.c).
 *
 * No history is left out, although reductions leave out schedules: they leave out no state in which nobody can go on, and the
 * history is a part of each state.  So each history that cannot go on is there, with all that lead to it.
 */
#include "operations.h"
#include "../base/base.h"
#include "../../runtime/image/operations.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct edge {
	uint32_t thread, result, to;
};

struct node {
	struct edge *edges;
	uint32_t count, parent;
	uint32_t same;  /* the number of the node of the table */
	uint8_t thread; /* of the edge that leads here, and its result */
	uint32_t result;
};

struct tree {
	struct node *nodes;
	size_t count, capacity;
	struct operation_result *results;
	size_t nresults;
};

static void *grown(void *array, size_t *capacity, size_t need, size_t element)
{
	if (need <= *capacity)
		return array;
	*capacity = 2 * need;
	array = realloc(array, *capacity * element);
	if (!array)
		BUG("out of memory");
	return array;
}

static uint32_t add_node(struct tree *tree)
{
	assert(tree->count < UINT32_MAX);
	tree->nodes = grown(tree->nodes, &tree->capacity, tree->count + 1, sizeof *tree->nodes);
	tree->nodes[tree->count] = (struct node){ 0 };
	return (uint32_t)tree->count++;
}

static uint32_t result_number(struct tree *tree, const struct operation_result *result)
{
	size_t i = 0;
	while (i < tree->nresults && memcmp(&tree->results[i], result, sizeof *result) != 0)
		i++;
	if (i == tree->nresults) {
		tree->results = realloc(tree->results, (i + 1) * sizeof *tree->results);
		if (!tree->results)
			BUG("out of memory");
		tree->results[tree->nresults++] = *result;
	}
	return (uint32_t)i;
}

/* Return the node to which this edge leads, which is made if need be.  A stuck operation leads nowhere. */
static uint32_t follow(struct tree *tree, uint32_t from, uint32_t thread, uint32_t result)
{
	assert(from < tree->count && thread < OPERATION_LANES && (result == OPERATION_STUCK || result < tree->nresults));
	for (uint32_t i = 0; i < tree->nodes[from].count; i++)
		if (tree->nodes[from].edges[i].thread == thread && tree->nodes[from].edges[i].result == result)
			return tree->nodes[from].edges[i].to;
	uint32_t to = result == OPERATION_STUCK ? from : add_node(tree);
	struct node *node = &tree->nodes[from];
	node->edges = realloc(node->edges, (node->count + 1) * sizeof *node->edges);
	if (!node->edges)
		BUG("out of memory");
	node->edges[node->count++] = (struct edge){ thread, result, to };
	if (to != from) {
		tree->nodes[to].parent = from;
		tree->nodes[to].thread = (uint8_t)thread;
		tree->nodes[to].result = result;
	}
	return to;
}

/* Add a line: the operations of a history in their order, THREAD:KINDS:VALUE:... in hexadecimal numbers, or THREAD:stuck.  A line
 * that is cut short, as by a time limit, is left out. */
static void add_history(struct tree *tree, char *line)
{
	uint32_t at = 0;
	char *next = NULL;
	for (char *word = strtok_r(line, " \n", &next); word; word = strtok_r(NULL, " \n", &next)) {
		struct operation_result result = { 0 };
		char *end = word;
		uint32_t thread = (uint32_t)strtoul(word, &end, 16);
		if (strcmp(end, ":stuck") == 0) {
			follow(tree, at, thread, OPERATION_STUCK);
			continue;
		}
		if (*end == ':')
			result.kinds = strtoull(end + 1, &end, 16);
		for (unsigned i = 0; i < OPERATION_VALUES; i++) {
			if (*end != ':')
				BUG("a history that cannot be read");
			result.values[i] = strtoull(end + 1, &end, 16);
		}
		at = follow(tree, at, thread, result_number(tree, &result));
	}
}

/* ---- determinism ------------------------------------------------------------------------------------------------------------- */

static char *words_for(const struct tree *tree, const struct edge *edge)
{
	char shown[200] = "";
	if (edge->result == OPERATION_STUCK)
		return text("waits for ever");
	assert(edge->result < tree->nresults);
	operation_print(&tree->results[edge->result], shown, sizeof shown);
	return text("returns%s%s", *shown ? " " : "", shown);
}

/* Return what happens in the history that leads to a node, as "put(1) returns 0, get() returns 1"; malloc'ed. */
static char *history_of(const struct operations *operations, const struct tree *tree, uint32_t node)
{
	assert(node < tree->count);
	unsigned done[MOST_OPERATIONS] = { 0 };
	char *all = text("%s", "");
	for (uint32_t at = node; at; at = tree->nodes[at].parent) {
		assert(tree->nodes[at].parent < at &&
		       tree->nodes[at].thread < MOST_OPERATIONS); /* a child is made after its parent */
		done[tree->nodes[at].thread]++;
	}
	for (uint32_t at = node; at; at = tree->nodes[at].parent) {
		const struct edge edge = { .result = tree->nodes[at].result };
		unsigned thread = tree->nodes[at].thread;
		char *is = words_for(tree, &edge);
		char *more = text("%s %s%s%s", operations_call(operations, thread, --done[thread]), is, *all ? ", " : "", all);
		free(is);
		free(all);
		all = more;
	}
	return all;
}

/* Return the operation of `thread` that comes next in a node. */
static const char *next_call(const struct operations *operations, const struct tree *tree, uint32_t node, uint32_t thread)
{
	unsigned done = 0;
	for (; node; node = tree->nodes[node].parent)
		done += tree->nodes[node].thread == thread;
	return operations_call(operations, thread, done);
}

/* Return how one operation can have two results after the same history; NULL if there is no such. */
static char *find_choice(const struct operations *operations, const struct tree *tree)
{
	for (uint32_t n = 0; n < tree->count; n++)
		for (uint32_t i = 0; i < tree->nodes[n].count; i++)
			for (uint32_t k = 0; k < i; k++) {
				const struct edge *a = &tree->nodes[n].edges[k], *b = &tree->nodes[n].edges[i];
				if (a->thread != b->thread)
					continue;
				char *before = history_of(operations, tree, n), *one = words_for(tree, a),
				     *other = words_for(tree, b);
				char *words = text("%s%s%s%s %s in one run, and %s in another, in one piece both times",
						   *before ? "after " : "", before, *before ? ", " : "",
						   next_call(operations, tree, n, a->thread), one, other);
				free(before);
				free(one);
				free(other);
				return words;
			}
	return NULL;
}

/* ---- the table --------------------------------------------------------------------------------------------------------------- */

/* A set of keys of bytes, numbered from 0. */
struct entry {
	UT_hash_handle hh;
	uint32_t number, count;
	uint32_t key[];
};

static struct entry *find(struct entry **set, const uint32_t *key, size_t words, bool *new)
{
	struct entry *entry;
	HASH_FIND(hh, *set, key, words * sizeof *key, entry);
	*new = !entry;
	if (entry)
		return entry;
	entry = calloc(1, sizeof *entry + words * sizeof *key);
	if (!entry)
		BUG("out of memory");
	memcpy(entry->key, key, words * sizeof *key);
	entry->number = HASH_COUNT(*set);
	HASH_ADD(hh, *set, key, words * sizeof *key, entry);
	return entry;
}

static void forget(struct entry **set)
{
	struct entry *entry, *next;
	HASH_ITER(hh, *set, entry, next)
	{
		HASH_DEL(*set, entry);
		free(entry);
	}
}

static int by_label(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	return x->thread != y->thread ? (x->thread < y->thread ? -1 : 1) : x->result < y->result ? -1 : x->result > y->result;
}

/* Number the nodes so that those from which the same goes on have one number.  Children have higher places in the tree than their
 * parents, so they come first here. */
static struct entry *join_nodes(struct tree *tree)
{
	struct entry *set = NULL;
	for (size_t n = tree->count; n-- > 0;) {
		struct node *node = &tree->nodes[n];
		qsort(node->edges, node->count, sizeof *node->edges, by_label);
		uint32_t *key = calloc(3 * (size_t)node->count + 1, sizeof *key);
		if (!key)
			BUG("out of memory");
		for (uint32_t i = 0; i < node->count; i++) {
			assert(i == 0 || by_label(&node->edges[i - 1], &node->edges[i]) < 0);
			assert(node->edges[i].result == OPERATION_STUCK || node->edges[i].to > n);
			key[3 * i] = node->edges[i].thread;
			key[3 * i + 1] = node->edges[i].result;
			key[3 * i + 2] = node->edges[i].result == OPERATION_STUCK ? 0 : tree->nodes[node->edges[i].to].same;
		}
		bool new;
		struct entry *entry = find(&set, key, 3 * (size_t)node->count, &new);
		entry->count = node->count;
		node->same = entry->number;
		free(key);
	}
	return set;
}

/* Return how many positions a monitor can have at once: those of the histories in which each thread has returned from so many
 * operations, or from so many and one more that has taken effect. */
static size_t most_positions(const struct tree *tree, unsigned threads)
{
	assert(threads > 0);
	enum { MANY = 1 << 21 };
	if (threads > 10 || tree->count << threads > MANY)
		return tree->count;
	struct entry *positions = NULL, *counts = NULL;
	uint32_t *done = calloc(threads, sizeof *done), *last = calloc(threads, sizeof *last),
		 *key = calloc(2 * threads + 1, sizeof *key);
	size_t most = 1;
	for (size_t n = 0; n < tree->count && done && last && key; n++) {
		memset(done, 0, threads * sizeof *done);
		memset(last, 0, threads * sizeof *last);
		for (size_t at = n; at; at = tree->nodes[at].parent) {
			const struct node *node = &tree->nodes[at];
			if (done[node->thread]++ == 0)
				last[node->thread] = node->result + 1;
		}
		for (unsigned under_way = 0; under_way < 1u << threads; under_way++) {
			bool fits = true, new;
			for (unsigned t = 0; t < threads; t++) {
				unsigned bit = under_way >> t & 1;
				fits = fits && done[t] >= bit;
				key[t] = done[t] - bit;
				key[threads + t] = bit ? last[t] : 0;
			}
			key[2 * threads] = tree->nodes[n].same;
			if (!fits)
				continue;
			find(&positions, key, 2 * threads + 1, &new);
			if (!new)
				continue;
			struct entry *count = find(&counts, key, threads, &new);
			most = ++count->count > most ? count->count : most;
		}
	}
	assert(most <= tree->count); /* a history and what its threads have returned from say which operations are under way */
	forget(&positions);
	forget(&counts);
	free(done);
	free(last);
	free(key);
	return most;
}

static void put(struct operations *operations, size_t *capacity, uint32_t word)
{
	operations->table = grown(operations->table, capacity, operations->words + 1, sizeof *operations->table);
	operations->table[operations->words++] = word;
}

/* Write what stands before the nodes. */
static void put_head(struct operations *operations, const struct tree *tree, uint32_t nodes, size_t *capacity)
{
	static const uint32_t modes[] = {
		[CONDITION_LINEARIZABLE] = OPERATION_LINEAR,
		[CONDITION_SEQUENTIAL] = OPERATION_SEQUENTIAL,
		[CONDITION_QUIESCENT] = OPERATION_QUIESCENT,
	};
	bool linear = operations->condition == CONDITION_LINEARIZABLE;
	uint32_t lanes = operations->lanes, counts[MOST_OPERATIONS] = { 0 }, length = 0;
	assert(lanes > 0 && lanes <= MOST_OPERATIONS);
	for (size_t i = 0; operations->items && i < operations->count; i++) {
		uint32_t count = ++counts[operations->items[i].lane];
		length = count > length ? count : length;
	}
	size_t most = linear ? most_positions(tree, lanes) : nodes;
	size_t words = linear ? 3 * lanes + 1 + most * (1 + lanes) : lanes + 3 + most + (size_t)lanes * length;
	assert(words <= UINT32_MAX / sizeof(uint16_t));
	const uint32_t head[OPERATION_FIRST] = {
		[OPERATION_MODE] = modes[operations->condition],
		[OPERATION_SPEC] = operations->spec,
		[OPERATION_THREADS] = lanes,
		[OPERATION_TOTAL] = (uint32_t)operations->count,
		[OPERATION_LENGTH] = length,
		[OPERATION_POSITIONS] = (uint32_t)most,
		[OPERATION_ROOM] = (uint32_t)(words * sizeof(uint16_t)),
		[OPERATION_NODES] = nodes,
		[OPERATION_RESULTS] = (uint32_t)tree->nresults,
	};
	for (size_t i = 0; i < OPERATION_FIRST; i++)
		put(operations, capacity, head[i]);
}

/* Write the table.  Node 0 is the beginning, which got the last number: numbers are turned round. */
static void make_table(struct operations *operations, const struct tree *tree, struct entry *nodes)
{
	assert(!operations->table && tree->count > 0);
	uint32_t count = HASH_COUNT(nodes), edges = 0;
	size_t capacity = 0;
	struct entry **by_number = calloc(count, sizeof(struct entry *)), *entry, *next;
	if (!by_number)
		BUG("out of memory");
	HASH_ITER(hh, nodes, entry, next)
	by_number[count - 1 - entry->number] = entry;
	put_head(operations, tree, count, &capacity);
	assert(by_number[0]->count == tree->nodes[0].count);
	for (uint32_t i = 0; i < count; edges += by_number[i++]->count)
		put(operations, &capacity, edges);
	put(operations, &capacity, edges);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t e = 0; e < by_number[i]->count; e++) {
			const uint32_t *edge = by_number[i]->key + 3 * e;
			put(operations, &capacity, edge[0]);
			put(operations, &capacity, edge[1]);
			put(operations, &capacity, edge[1] == OPERATION_STUCK ? 0 : count - 1 - edge[2]);
		}
	for (size_t i = 0; i < tree->nresults; i++) {
		uint32_t words[sizeof *tree->results / sizeof(uint32_t)];
		memcpy(words, &tree->results[i], sizeof words);
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			put(operations, &capacity, words[k]);
	}
	free(by_number);
}

/* Find out how many threads of a program of the user's have operations, and how many operations there are in a history at most. */
static void find_operations(struct operations *operations, const struct tree *tree)
{
	assert(operations->own && !operations->items);
	bool has[OPERATION_LANES] = { false };
	operations->lanes = 1;
	for (uint32_t n = 0; n < tree->count; n++) {
		size_t length = 0;
		for (uint32_t at = n; at; at = tree->nodes[at].parent)
			length++;
		operations->count = length > operations->count ? length : operations->count;
		for (uint32_t i = 0; i < tree->nodes[n].count; i++) {
			uint32_t thread = tree->nodes[n].edges[i].thread;
			has[thread] = true;
			operations->lanes = thread + 1 > operations->lanes ? thread + 1 : operations->lanes;
		}
	}
	for (unsigned t = 0; t < OPERATION_LANES; t++)
		operations->threads += has[t];
}

bool histories_read(struct operations *operations, const char *path, char **words)
{
	struct tree tree = { 0 };
	char *line = NULL;
	size_t size = 0;
	FILE *file = fopen(path, "re");
	*words = NULL;
	assert(!operations->table);
	add_node(&tree);
	while (file && getline(&line, &size, file) > 0)
		add_history(&tree, line);
	free(line);
	if (file)
		fclose(file);
	if (operations->own)
		find_operations(operations, &tree);
	struct entry *nodes = join_nodes(&tree);
	bool fits = HASH_COUNT(nodes) <= OPERATION_MOST && tree.nresults <= OPERATION_MOST;
	bool any = tree.nodes[0].count > 0;
	if (fits && any)
		make_table(operations, &tree, nodes);
	*words = !fits ? text("the operations have too many results in one piece for a table") :
		any    ? find_choice(operations, &tree) :
			 text("no operation was made in one piece");
	forget(&nodes);
	for (size_t i = 0; i < tree.count; i++)
		free(tree.nodes[i].edges);
	free(tree.nodes);
	free(tree.results);
	return operations->table != NULL;
}
