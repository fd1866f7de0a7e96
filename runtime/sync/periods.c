/* SPDX-License-Identifier: MIT
 *
 * The monitor of conditions that are weaker than linearizability (see operations.c): results are explained only when a *period* is
 * over, as an operation may be explained by one that is called later.
 *
 *     sequential   There is one period: all operations.  Each thread keeps its own order.
 *     quiescent    A period ends when no operation is under way.  What comes in one period comes before the next; within a period,
 *                  operations may take effect in any order, also those of one thread.  So phase 1 gives each operation a thread of
 *                  its own, and to the table it is one.
 *
 * The words, uint16_t each: how many operations are under way, how many have returned; how many nodes of the table explain all
 * periods that are over, and these nodes in ascending order; and of each thread of the table, the results of this period in their
 * order, one more than their numbers, with 0 behind them.  No node at all: there is node 0, where histories begin.
 */
#include "operation_table.h"

#include <assert.h>
#include <string.h>

enum { UNDER_WAY, RETURNED, COUNT, NODES };

struct period {
	uint64_t table;
	uint16_t *words, *lists, *new; /* new: nodes that explain this period, too, with their count before them */
	uint32_t threads, length;      /* length: of a list */
	uint32_t stuck;                /* the thread whose next operation is to be stuck; `threads`: none */
	uint16_t at[OPERATION_LANES];  /* how much of each list has taken effect */
	bool found;
};

static struct period period_of(uint64_t table, uint16_t *words)
{
	struct period p = { .table = table, .words = words };
	p.threads = operation_word(table, OPERATION_THREADS);
	p.length = operation_word(table, OPERATION_LENGTH);
	p.stuck = p.threads;
	p.lists = words + NODES + operation_word(table, OPERATION_POSITIONS);
	assert(p.threads <= OPERATION_LANES && p.length > 0);
	return p;
}

static uint16_t result_in(const struct period *p, uint32_t thread, uint32_t number)
{
	return number < p->length ? p->lists[thread * p->length + number] : 0;
}

static void add_node(struct period *p, uint16_t node)
{
	uint16_t *nodes = p->new + 1, at = 0;
	while (at < p->new[0] && nodes[at] < node)
		at++;
	if (at < p->new[0] && nodes[at] == node)
		return;
	memmove(nodes + at + 1, nodes + at, (size_t)(p->new[0] - at) * sizeof *nodes);
	nodes[at] = node;
	p->new[0]++;
}

/* Let what has returned in this period take effect from a node on, in all orders. */
static void explain(struct period *p, uint32_t node)
{
	bool all = true;
	for (uint32_t t = 0; t < p->threads; t++)
		all = all && result_in(p, t, p->at[t]) == 0;
	if (all && p->new)
		add_node(p, (uint16_t)node);
	p->found = p->found || (all && p->stuck == p->threads);
	uint32_t end = operation_edges_begin(p->table, node + 1);
	for (uint32_t e = operation_edges_begin(p->table, node); e < end; e++) {
		struct operation_edge edge = operation_edge_at(p->table, e);
		assert(edge.thread < p->threads);
		if (edge.result == OPERATION_STUCK) {
			p->found = p->found || (all && edge.thread == p->stuck);
			continue;
		}
		if (result_in(p, edge.thread, p->at[edge.thread]) != edge.result + 1)
			continue;
		p->at[edge.thread]++;
		explain(p, edge.to);
		p->at[edge.thread]--;
	}
}

static void explain_all(struct period *p)
{
	if (p->words[COUNT] == 0)
		explain(p, 0);
	for (uint32_t i = 0; i < p->words[COUNT]; i++)
		explain(p, p->words[NODES + i]);
}

void vm_period_call(uint64_t table, uint16_t *words)
{
	if (operation_word(table, OPERATION_MODE) == OPERATION_QUIESCENT)
		words[UNDER_WAY]++;
}

bool vm_period_return(uint64_t table, uint16_t *words, uint32_t thread, uint32_t result)
{
	struct period p = period_of(table, words);
	bool quiescent = operation_word(table, OPERATION_MODE) == OPERATION_QUIESCENT;
	uint32_t number = 0, room = operation_word(table, OPERATION_POSITIONS);
	if (result == OPERATION_STUCK) /* which it never has in one piece */
		return false;
	while (result_in(&p, thread, number))
		number++;
	assert(number < p.length);
	p.lists[thread * p.length + number] = (uint16_t)(result + 1);
	words[RETURNED]++;
	words[UNDER_WAY] -= quiescent;
	if (words[RETURNED] < operation_word(table, OPERATION_TOTAL) && !(quiescent && words[UNDER_WAY] == 0))
		return true;
	p.new = vm_scratch((operation_word(table, OPERATION_NODES) + 1) * sizeof *p.new);
	p.new[0] = 0;
	explain_all(&p);
	memset(p.lists, 0, (size_t)p.threads * p.length * sizeof *p.lists);
	if (quiescent) {
		assert(p.new[0] <= room);
		memset(words + NODES, 0, room * sizeof *words);
		memcpy(words + COUNT, p.new, (p.new[0] + 1u) * sizeof *words);
	}
	return p.new[0] > 0;
}

bool vm_period_is_stuck(uint64_t table, const uint16_t *words, uint32_t thread)
{
	struct period p = period_of(table, (uint16_t *)words);
	p.stuck = thread;
	explain_all(&p);
	return p.found;
}
