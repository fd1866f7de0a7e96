/* SPDX-License-Identifier: MIT
 *
 * From the graph that phase 1 of `bitspin linearize` has noted (runtime/sync/operations.c) to the table of phase 2.
 *
 * The words along the paths of the graph are the histories in which each operation runs in one piece.  In a node, the same
 * operation with the same result may lead to several nodes, as also what is between operations is a part of states.  So the graph
 * is taken for an automaton, which is made deterministic by sets of its nodes.  Then nodes from which the same goes on are made one
 * node of the table: what comes is all that a position says, beside the results of operations that have taken effect and not yet
 * returned.
 */
#include "operations.h"
#include "../base/base.h"
#include "../../runtime/image/operations.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

enum { UNKNOWN = UINT32_MAX }; /* where an edge leads: to no node that is known */

struct edge {
	uint32_t thread, result, to;
};

/* A node of the graph, or of the deterministic one. */
struct node {
	struct edge *edges;
	uint32_t count;
	uint32_t parent, thread, result; /* by which edge the node was found first */
	uint32_t same;                   /* the number of the node of the table */
};

struct graph {
	struct node *nodes; /* number 0: where all histories begin */
	size_t count, capacity;
	struct operation_result *results;
	size_t nresults;
	bool endless; /* there is a circle: histories can be of any length */
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

static uint32_t add_node(struct graph *graph)
{
	assert(graph->count < UNKNOWN);
	graph->nodes = grown(graph->nodes, &graph->capacity, graph->count + 1, sizeof *graph->nodes);
	graph->nodes[graph->count] = (struct node){ 0 };
	return (uint32_t)graph->count++;
}

static void add_edge(struct graph *graph, uint32_t from, struct edge edge)
{
	assert(from < graph->count && edge.thread < OPERATION_LANES);
	struct node *node = &graph->nodes[from];
	for (uint32_t i = 0; i < node->count; i++)
		if (memcmp(&node->edges[i], &edge, sizeof edge) == 0)
			return;
	node->edges = realloc(node->edges, (node->count + 1) * sizeof *node->edges);
	if (!node->edges)
		BUG("out of memory");
	node->edges[node->count++] = edge;
}

static uint32_t result_number(struct graph *graph, const struct operation_result *result)
{
	size_t i = 0;
	while (i < graph->nresults && memcmp(&graph->results[i], result, sizeof *result) != 0)
		i++;
	if (i == graph->nresults) {
		graph->results = realloc(graph->results, (i + 1) * sizeof *graph->results);
		if (!graph->results)
			BUG("out of memory");
		graph->results[graph->nresults++] = *result;
	}
	return (uint32_t)i;
}

static void release(struct graph *graph)
{
	for (size_t i = 0; i < graph->count; i++)
		free(graph->nodes[i].edges);
	free(graph->nodes);
	free(graph->results);
}

/* ---- sets ------------------------------------------------------------------------------------------------------------------ */

/* A set of keys of words, numbered from 0. */
struct entry {
	UT_hash_handle hh;
	uint32_t number, count, words;
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
	entry->words = (uint32_t)words;
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

/* ---- the graph --------------------------------------------------------------------------------------------------------------- */

/* Return the node with a key of 32 digits; UNKNOWN for "-".  Node 0 is the one before all. */
static uint32_t node_of(struct graph *graph, struct entry **keys, const char *digits)
{
	uint32_t key[4];
	bool new;
	if (strcmp(digits, "-") == 0)
		return UNKNOWN;
	if (sscanf(digits, "%8x%8x%8x%8x", &key[0], &key[1], &key[2], &key[3]) != 4)
		BUG("a node that cannot be read");
	struct entry *entry = find(keys, key, 4, &new);
	return new ? add_node(graph) : entry->number + 1;
}

/* Read the operation of an edge, THREAD:KINDS:VALUE:... in hexadecimal numbers, or THREAD:stuck. */
static struct edge edge_of(struct graph *graph, const char *word)
{
	struct operation_result result = { 0 };
	char *end;
	struct edge edge = { .thread = (uint32_t)strtoul(word, &end, 16), .result = OPERATION_STUCK };
	if (strcmp(end, ":stuck") == 0)
		return edge;
	if (*end == ':')
		result.kinds = strtoull(end + 1, &end, 16);
	for (unsigned i = 0; i < OPERATION_VALUES; i++) {
		if (*end != ':')
			BUG("an operation that cannot be read");
		result.values[i] = strtoull(end + 1, &end, 16);
	}
	edge.result = result_number(graph, &result);
	return edge;
}

/* Read the graph.  A line is "begin NODE", or "NODE OPERATION NODE".  The edges of node 0 lead to where histories may begin. */
static void read_graph(struct graph *graph, const char *path)
{
	struct entry *keys = NULL;
	char *line = NULL;
	size_t size = 0;
	FILE *file = fopen(path, "re");
	add_node(graph);
	while (file && getline(&line, &size, file) > 0) {
		char *next = NULL, *from = strtok_r(line, " \n", &next), *word = strtok_r(NULL, " \n", &next);
		char *to = word ? strtok_r(NULL, " \n", &next) : NULL;
		if (from && word && strcmp(from, "begin") == 0) {
			add_edge(graph, 0, (struct edge){ .to = node_of(graph, &keys, word) });
		} else if (to) {
			uint32_t node = node_of(graph, &keys, from);
			struct edge edge = edge_of(graph, word);
			edge.to = node_of(graph, &keys, to);
			add_edge(graph, node, edge);
		}
	}
	free(line);
	if (file)
		fclose(file);
	forget(&keys);
}

static int by_label(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->result != y->result)
		return x->result < y->result ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

struct sets {
	struct entry *set, **items; /* by their numbers */
	size_t capacity;
};

/* Return the node of the deterministic graph for so many nodes; it has been found from `parent` if it is new. */
static uint32_t node_for(struct graph *graph, struct sets *sets, const uint32_t *nodes, size_t count, const struct node *found)
{
	bool new;
	struct entry *entry = find(&sets->set, nodes, count, &new);
	if (!new)
		return entry->number;
	uint32_t number = add_node(graph);
	graph->nodes[number].parent = found->parent;
	graph->nodes[number].thread = found->thread;
	graph->nodes[number].result = found->result;
	sets->items = grown(sets->items, &sets->capacity, graph->count, sizeof(struct entry *));
	sets->items[number] = entry;
	return number;
}

/* Let the node `number` have its edges: for each label of an edge of its nodes, one to the set of where these lead. */
static void expand(struct graph *graph, struct sets *sets, const struct graph *from, uint32_t number)
{
	const struct entry *set = sets->items[number];
	size_t count = 0;
	for (uint32_t i = 0; i < set->words; i++)
		count += from->nodes[set->key[i]].count;
	struct edge *edges = calloc(count + 1, sizeof *edges);
	uint32_t *nodes = calloc(count + 1, sizeof *nodes);
	if (!edges || !nodes)
		BUG("out of memory");
	count = 0;
	for (uint32_t i = 0; i < set->words; i++)
		for (uint32_t e = 0; e < from->nodes[set->key[i]].count; e++)
			edges[count++] = from->nodes[set->key[i]].edges[e];
	qsort(edges, count, sizeof *edges, by_label);
	for (size_t i = 0, k = 0; i < count; i = k) {
		const struct node found = { .parent = number, .thread = edges[i].thread, .result = edges[i].result };
		size_t few = 0;
		for (; k < count && edges[k].thread == edges[i].thread && edges[k].result == edges[i].result; k++)
			if (edges[k].to != UNKNOWN && (few == 0 || nodes[few - 1] != edges[k].to))
				nodes[few++] = edges[k].to;
		bool stuck = edges[i].result == OPERATION_STUCK;
		uint32_t to = stuck ? number : node_for(graph, sets, nodes, few, &found);
		add_edge(graph, number, (struct edge){ edges[i].thread, edges[i].result, to });
	}
	free(edges);
	free(nodes);
}

/* Make the graph deterministic. */
static void determine(struct graph *graph, struct graph *from)
{
	enum { MOST = 1 << 20 };
	const struct node none = { 0 };
	struct sets sets = { 0 };
	uint32_t *first = calloc(from->nodes[0].count + 1u, sizeof *first);
	if (!first)
		BUG("out of memory");
	qsort(from->nodes[0].edges, from->nodes[0].count, sizeof(struct edge), by_label);
	for (uint32_t i = 0; i < from->nodes[0].count; i++)
		first[i] = from->nodes[0].edges[i].to;
	node_for(graph, &sets, first, from->nodes[0].count, &none);
	for (uint32_t i = 0; i < graph->count && graph->count < MOST; i++)
		expand(graph, &sets, from, i);
	graph->results = from->results;
	graph->nresults = from->nresults;
	from->results = NULL;
	forget(&sets.set);
	free(sets.items);
	free(first);
}

/* Is there a circle?  Edges are followed depth first; `state`: 0 not met, 1 on the path, 2 done. */
static bool has_circle(const struct graph *graph)
{
	uint8_t *state = calloc(graph->count, 1);
	uint32_t *path = calloc(graph->count, sizeof *path), *edge = calloc(graph->count, sizeof *edge);
	bool found = false;
	if (!state || !path || !edge)
		BUG("out of memory");
	state[0] = 1;
	for (size_t depth = 1; depth && !found;) {
		const struct node *node = &graph->nodes[path[depth - 1]];
		if (edge[depth - 1] == node->count) {
			state[path[--depth]] = 2;
			continue;
		}
		const struct edge *e = &node->edges[edge[depth - 1]++];
		if (e->result == OPERATION_STUCK || state[e->to] == 2)
			continue;
		found = state[e->to] == 1;
		if (found)
			break;
		state[e->to] = 1;
		path[depth] = e->to;
		edge[depth++] = 0;
	}
	free(state);
	free(path);
	free(edge);
	return found;
}

/* ---- determinism ------------------------------------------------------------------------------------------------------------- */

static char *words_for(const struct graph *graph, const struct edge *edge)
{
	char shown[200] = "";
	if (edge->result == OPERATION_STUCK)
		return text("waits for ever");
	operation_print(&graph->results[edge->result], shown, sizeof shown);
	return text("returns%s%s", *shown ? " " : "", shown);
}

/* Return what happens in the history that leads to a node, as "put(1) returns 0, get() returns 1"; malloc'ed. */
static char *history_of(const struct operations *operations, const struct graph *graph, uint32_t node)
{
	unsigned done[MOST_OPERATIONS] = { 0 };
	char *all = text("%s", "");
	assert(node < graph->count); /* a node is found from one that has a lower number */
	for (uint32_t at = node; at; at = graph->nodes[at].parent)
		done[graph->nodes[at].thread]++;
	for (uint32_t at = node; at; at = graph->nodes[at].parent) {
		const struct edge edge = { .result = graph->nodes[at].result };
		unsigned thread = graph->nodes[at].thread;
		char *is = words_for(graph, &edge);
		char *more = text("%s %s%s%s", operations_call(operations, thread, --done[thread]), is, *all ? ", " : "", all);
		free(is);
		free(all);
		all = more;
	}
	return all;
}

/* Return the operation of `thread` that comes next in a node. */
static const char *next_call(const struct operations *operations, const struct graph *graph, uint32_t node, uint32_t thread)
{
	unsigned done = 0;
	for (; node; node = graph->nodes[node].parent)
		done += graph->nodes[node].thread == thread;
	return operations_call(operations, thread, done);
}

/* Return how one operation can have two results after the same history; NULL if there is no such. */
static char *find_choice(const struct operations *operations, const struct graph *graph)
{
	for (uint32_t n = 0; n < graph->count; n++)
		for (uint32_t i = 0; i < graph->nodes[n].count; i++)
			for (uint32_t k = 0; k < i; k++) {
				const struct edge *a = &graph->nodes[n].edges[k], *b = &graph->nodes[n].edges[i];
				if (a->thread != b->thread)
					continue;
				char *before = history_of(operations, graph, n), *one = words_for(graph, a),
				     *other = words_for(graph, b);
				char *words = text("%s%s%s%s %s in one run, and %s in another, in one piece both times",
						   *before ? "after " : "", before, *before ? ", " : "",
						   next_call(operations, graph, n, a->thread), one, other);
				free(before);
				free(one);
				free(other);
				return words;
			}
	return NULL;
}

/* ---- the table --------------------------------------------------------------------------------------------------------------- */

/* Let nodes from which the same goes on have one number; node 0 has 0.  As long as nodes with one number have edges to nodes with
 * different numbers, they get different ones.  Return how many numbers there are. */
static uint32_t join_nodes(struct graph *graph)
{
	uint32_t before = 1, count = 1;
	size_t capacity = 0;
	uint32_t *key = NULL;
	do {
		struct entry *set = NULL;
		bool new;
		before = count;
		uint32_t *numbers = calloc(graph->count, sizeof *numbers);
		for (size_t n = 0; n < graph->count && numbers; n++) {
			const struct node *node = &graph->nodes[n];
			size_t words = 1 + 3 * (size_t)node->count;
			key = grown(key, &capacity, words, sizeof *key);
			key[0] = node->same;
			for (uint32_t i = 0; i < node->count; i++) {
				bool stuck = node->edges[i].result == OPERATION_STUCK;
				key[1 + 3 * i] = node->edges[i].thread;
				key[2 + 3 * i] = node->edges[i].result;
				key[3 + 3 * i] = stuck ? 0 : graph->nodes[node->edges[i].to].same;
			}
			numbers[n] = find(&set, key, words, &new)->number;
		}
		if (!numbers)
			BUG("out of memory");
		for (size_t n = 0; n < graph->count; n++)
			graph->nodes[n].same = numbers[n];
		count = HASH_COUNT(set);
		forget(&set);
		free(numbers);
	} while (count > before);
	free(key);
	return count;
}

/* A way to a node: how many operations each thread has made, and one more than the last result of each; 0: it has made none. */
struct way {
	uint32_t node;
	uint32_t done[OPERATION_LANES], last[OPERATION_LANES];
};

/* Count the positions of each history on this way: each thread has returned from all its operations, or from all but the last
 * one, which has taken effect.  Return the most positions of one history so far. */
static size_t count_positions(const struct graph *graph, const struct way *way, unsigned threads, struct entry **positions,
			      struct entry **histories)
{
	uint32_t key[2 * OPERATION_LANES + 1];
	size_t most = 0;
	for (unsigned under_way = 0; under_way < 1u << threads; under_way++) {
		bool fits = true, new;
		for (unsigned t = 0; t < threads; t++) {
			unsigned bit = under_way >> t & 1;
			fits = fits && (!bit || way->last[t]);
			key[t] = graph->endless ? 0 : way->done[t] - bit;
			key[threads + t] = bit ? way->last[t] : 0;
		}
		key[2 * threads] = graph->nodes[way->node].same;
		if (!fits)
			continue;
		find(positions, key, 2 * threads + 1, &new);
		if (!new)
			continue;
		struct entry *count = find(histories, key, threads, &new);
		most = ++count->count > most ? count->count : most;
	}
	return most;
}

/* Return how many positions a monitor can have at once: the most that explain one history.  All positions of a history have the
 * same numbers of operations that have returned.  In an endless graph there are no such numbers: then all positions are counted.
 * 0: too many ways. */
static size_t most_positions(const struct graph *graph, unsigned threads)
{
	enum { MANY = 1 << 21 };
	struct entry *ways = NULL, *positions = NULL, *histories = NULL;
	struct entry **todo = NULL;
	size_t most = 1, count = 1, capacity = 0, words = 1 + 2 * (size_t)threads;
	bool new, many = threads > 16;
	struct way way = { 0 };
	uint32_t key[1 + 2 * OPERATION_LANES] = { 0 };
	todo = grown(todo, &capacity, 1, sizeof(struct entry *));
	todo[0] = find(&ways, key, words, &new);
	for (size_t i = 0; i < count && !many; i++) {
		way.node = todo[i]->key[0];
		memcpy(way.done, todo[i]->key + 1, threads * sizeof *key);
		memcpy(way.last, todo[i]->key + 1 + threads, threads * sizeof *key);
		size_t found = count_positions(graph, &way, threads, &positions, &histories);
		const struct node *node = &graph->nodes[way.node];
		most = found > most ? found : most;
		for (uint32_t e = 0; e < node->count; e++) {
			const struct edge *edge = &node->edges[e];
			if (edge->result == OPERATION_STUCK)
				continue;
			memcpy(key, todo[i]->key, words * sizeof *key);
			key[0] = edge->to;
			key[1 + edge->thread] += !graph->endless;
			key[1 + threads + edge->thread] = edge->result + 1;
			struct entry *next = find(&ways, key, words, &new);
			if (!new)
				continue;
			todo = grown(todo, &capacity, count + 1, sizeof(struct entry *));
			todo[count++] = next;
		}
		many = count << threads > MANY;
	}
	forget(&ways);
	forget(&positions);
	forget(&histories);
	free(todo);
	return many ? 0 : most;
}

static void put(struct operations *operations, size_t *capacity, uint32_t word)
{
	operations->table = grown(operations->table, capacity, operations->words + 1, sizeof *operations->table);
	operations->table[operations->words++] = word;
}

/* Write what stands before the nodes.  `most`: positions, of a linear table. */
static void put_head(struct operations *operations, const struct graph *graph, uint32_t nodes, size_t most, size_t *capacity)
{
	static const uint32_t modes[] = {
		[CONDITION_LINEARIZABLE] = OPERATION_LINEAR,
		[CONDITION_SEQUENTIAL] = OPERATION_SEQUENTIAL,
		[CONDITION_QUIESCENT] = OPERATION_QUIESCENT,
	};
	bool linear = operations->condition == CONDITION_LINEARIZABLE;
	assert(operations->lanes > 0 && operations->lanes <= OPERATION_LANES);
	uint32_t lanes = operations->lanes, counts[MOST_OPERATIONS] = { 0 }, length = 0;
	for (size_t i = 0; operations->items && i < operations->count; i++) {
		uint32_t count = ++counts[operations->items[i].lane];
		length = count > length ? count : length;
	}
	size_t words = linear ? 2 * lanes + 1 + most * (1 + lanes) : lanes + 3 + most + (size_t)lanes * length;
	const uint32_t head[OPERATION_FIRST] = {
		[OPERATION_MODE] = modes[operations->condition],
		[OPERATION_SPEC] = operations->spec,
		[OPERATION_THREADS] = lanes,
		[OPERATION_TOTAL] = (uint32_t)operations->count,
		[OPERATION_LENGTH] = length,
		[OPERATION_POSITIONS] = (uint32_t)most,
		[OPERATION_ROOM] = (uint32_t)(words * sizeof(uint16_t)),
		[OPERATION_NODES] = nodes,
		[OPERATION_RESULTS] = (uint32_t)graph->nresults,
	};
	for (size_t i = 0; i < OPERATION_FIRST; i++)
		put(operations, capacity, head[i]);
}

/* Write the table, whose nodes are the numbers that nodes have. */
static void make_table(struct operations *operations, const struct graph *graph, uint32_t count, size_t most)
{
	uint32_t edges = 0;
	size_t capacity = 0;
	const struct node **by_number = calloc(count, sizeof(struct node *));
	if (!by_number)
		BUG("out of memory");
	for (size_t n = graph->count; n-- > 0;)
		by_number[graph->nodes[n].same] = &graph->nodes[n];
	assert(!operations->table && by_number[0]->count == graph->nodes[0].count);
	put_head(operations, graph, count, most, &capacity);
	for (uint32_t i = 0; i < count; edges += by_number[i++]->count)
		put(operations, &capacity, edges);
	put(operations, &capacity, edges);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t e = 0; e < by_number[i]->count; e++) {
			const struct edge *edge = &by_number[i]->edges[e];
			put(operations, &capacity, edge->thread);
			put(operations, &capacity, edge->result);
			put(operations, &capacity, edge->result == OPERATION_STUCK ? 0 : graph->nodes[edge->to].same);
		}
	for (size_t i = 0; i < graph->nresults; i++) {
		uint32_t words[sizeof *graph->results / sizeof(uint32_t)];
		memcpy(words, &graph->results[i], sizeof words);
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			put(operations, &capacity, words[k]);
	}
	free((void *)by_number);
}

/* Find out how many threads of a program of the user's have operations, and how many operations there are in a history at most: 0
 * if there is no end of them. */
static void find_operations(struct operations *operations, const struct graph *graph)
{
	bool has[OPERATION_LANES] = { false }, longer = !graph->endless;
	uint32_t *length = calloc(graph->count, sizeof *length);
	if (!length)
		BUG("out of memory");
	assert(operations->own && !operations->items);
	operations->lanes = 1;
	for (uint32_t n = 0; n < graph->count; n++)
		for (uint32_t i = 0; i < graph->nodes[n].count; i++) {
			uint32_t thread = graph->nodes[n].edges[i].thread;
			has[thread] = true;
			operations->lanes = thread + 1 > operations->lanes ? thread + 1 : operations->lanes;
		}
	while (longer) { /* once more than the longest history is long */
		longer = false;
		for (uint32_t n = 0; n < graph->count; n++)
			for (uint32_t i = 0; i < graph->nodes[n].count; i++) {
				const struct edge *edge = &graph->nodes[n].edges[i];
				bool more = edge->result != OPERATION_STUCK && length[edge->to] <= length[n];
				length[edge->to] = more ? length[n] + 1 : length[edge->to];
				longer = longer || more;
				operations->count = length[edge->to] > operations->count ? length[edge->to] : operations->count;
			}
	}
	for (unsigned t = 0; t < OPERATION_LANES; t++)
		operations->threads += has[t];
	free(length);
}

bool histories_read(struct operations *operations, const char *path, char **words)
{
	struct graph noted = { 0 }, graph = { 0 };
	*words = NULL;
	read_graph(&noted, path);
	determine(&graph, &noted);
	graph.endless = has_circle(&graph);
	if (operations->own)
		find_operations(operations, &graph);
	bool linear = operations->condition == CONDITION_LINEARIZABLE, any = graph.nodes[0].count > 0;
	uint32_t count = join_nodes(&graph);
	size_t most = linear ? most_positions(&graph, operations->lanes) : count;
	bool fits = count <= OPERATION_MOST && graph.nresults <= OPERATION_MOST && most;
	if (fits && any)
		make_table(operations, &graph, count, most);
	*words = !fits ? text("the operations have too many results in one piece for a table") :
		any    ? find_choice(operations, &graph) :
			 text("no operation was made in one piece");
	release(&noted);
	release(&graph);
	return operations->table != NULL;
}
