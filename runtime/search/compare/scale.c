/* SPDX-License-Identifier: MIT
 *
 * See scale.h.  A run is what SCALE does between two restarts of the program: it goes on from a node of the tree to the first
 * successor, and ends where the filters leave none.  So runs are the tree's leaves.  The filters see the successors before
 * any is run, in this order: not seen before (algorithm 3), depth (4), local cycles (5), super-steps (6).  What they leave
 * depends on the path and on the order of the search, which is depth-first, threads in the order of their creation.  That is
 * why this search is not pan's: in pan, a node is known when it has been run, and super-steps are a function of the state.
 * It is done before pan's first step.  pan is then left to walk the paths to the violations, if there are any, and to write
 * their trails.
 *
 * The filters do not go together: a node in the middle of a super-step counts as seen, though only one thread is tried from
 * there, so a path that comes to it from elsewhere may be cut too early (tests/bench/scale/missed.c).  It is SCALE, so it stays.
 *
 * Where the thesis leaves open what to do: a signal has an outcome for each waiter.  If a super-step goes on with several
 * outcomes, each is a super-step of its own from there, since each can end elsewhere; the thesis extends it by one of them.
 */
#include "scale.h"
#include "../../state/driver.h"
#include "../base/limits.h"
#include "../base/report.h"
#include "scale_graph.h"
#include "../bound/found_paths.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct superstep {
	struct superstep *next; /* another of the same super-node */
	struct supernode *node;
	uint32_t thread;
	struct scale_action last, *intermediate;
	uint32_t count, capacity;
};

struct supernode {
	struct superstep *first;
};

struct offer { /* an action that the filters have left */
	struct scale_action action;
	struct superstep *step; /* it belongs to */
};

struct local { /* the state of a thread; 0s: it has ended */
	vm_ref parts[STATE_SLOT_WORDS];
};

struct node {                       /* of the path */
	vm_ref state;               /* 0: over */
	struct scale_action action; /* that led here */
	struct superstep *step;
	struct supernode *made;     /* here; NULL: none */
	struct local local;         /* of the thread that moved last */
	uint32_t offers, end, next; /* indices of its offers, and of the next one to take */
};

static VM_OWN struct {
	struct node *nodes;
	struct offer *offers;
	uint32_t depth, nodes_capacity, offers_capacity;
	uint64_t runs, actions;
	bool supersteps, done;
} search;

static struct node *last_node(void)
{
	return &search.nodes[search.depth];
}

/* ---- super-steps --------------------------------------------------------------------------------------------------- */

static struct superstep *add_superstep(struct supernode *node, const struct scale_action *action)
{
	struct superstep *step = calloc(1, sizeof *step);
	if (!step)
		vm_limit_end(LIMIT_MEMORY, "the memory limit is reached", 0);
	*step = (struct superstep){ .next = node->first, .node = node, .thread = action->thread, .last = *action };
	node->first = step;
	return step;
}

static void release(struct supernode *node)
{
	while (node && node->first) {
		struct superstep *step = node->first;
		node->first = step->next;
		free(step->intermediate);
		free(step);
	}
	free(node);
}

static void append(struct superstep *step, const struct scale_action *action)
{
	step->intermediate = vm_grow(step->intermediate, &step->capacity, (uint64_t)step->count + 1, sizeof *step->intermediate);
	step->intermediate[step->count++] = *action;
}

/* Is the last action of a super-step independent of the last ones of the other threads' super-steps from there? */
static bool last_is_independent(const struct superstep *step)
{
	for (const struct superstep *other = step->node->first; other; other = other->next)
		if (other->thread != step->thread && vm_scale_dependent(&step->last, &other->last))
			return false;
	return true;
}

/* Is the action `next` independent of the intermediate actions of the other threads' super-steps from the node of `step`? */
static bool next_is_independent(const struct superstep *step, const struct scale_action *next)
{
	for (const struct superstep *other = step->node->first; other; other = other->next)
		for (uint32_t i = 0; other->thread != step->thread && i < other->count; i++)
			if (vm_scale_dependent(next, &other->intermediate[i]))
				return false;
	return true;
}

/* Could the thread of `action` go on before the last action, too? */
static bool was_enabled(const struct scale_action *action)
{
	assert(search.depth > 0);
	const uint32_t *before = vm_state_words(search.nodes[search.depth - 1].state);
	return action->move->slot < before[1] && vm_state_outcomes(before)[action->move->slot] > 0;
}

/* Does the super-step go on with the offers of its thread, and with these alone? */
static bool goes_on(const struct node *node)
{
	bool any = false;
	if (!node->step || !last_is_independent(node->step))
		return false;
	for (uint32_t i = node->offers; i < node->end; i++) {
		const struct scale_action *next = &search.offers[i].action;
		bool own = next->thread == node->action.thread;
		if (own ? !next_is_independent(node->step, next) : !was_enabled(next))
			return false;
		any |= own;
	}
	return any;
}

/* Extend the super-step of `node`: keep the offers of its thread.  The first one is the next action of the super-step.  Each of
 * the others is that of a twin of the super-step, which has the same past. */
static void extend(struct node *node)
{
	struct superstep *step = node->step;
	uint32_t kept = node->offers;
	append(step, &step->last);
	for (uint32_t i = node->offers; i < node->end; i++) {
		struct offer offer = search.offers[i];
		if (offer.action.thread != node->action.thread)
			continue;
		offer.step = kept == node->offers ? step : add_superstep(step->node, &offer.action);
		offer.step->last = offer.action;
		search.offers[kept++] = offer;
	}
	assert(kept > node->offers && kept <= node->end);
	vm_saved[REDUCTION_SUPERSTEPS_NUMBER] += kept < node->end;
	node->end = kept;
}

/* Filter the offers of `node` by super-steps, which is algorithm 6. */
static void filter_supersteps(struct node *node)
{
	if (goes_on(node)) {
		extend(node);
		return;
	}
	node->made = calloc(1, sizeof *node->made);
	if (!node->made)
		vm_limit_end(LIMIT_MEMORY, "the memory limit is reached", 0);
	for (uint32_t i = node->offers; i < node->end; i++)
		search.offers[i].step = add_superstep(node->made, &search.offers[i].action);
}

/* ---- local cycles -------------------------------------------------------------------------------------------------- */

static struct local local_of(vm_ref state, unsigned slot)
{
	struct local local = { 0 };
	const uint32_t *words = state ? vm_state_words(state) : NULL;
	if (!words || words[0] || !vm_state_thread(words, slot))
		return local;
	struct vm_thread_header header;
	memcpy(&header, vm_table_get(vm_state_thread(words, slot)), sizeof header);
	if (header.status == THREAD_RUNNING)
		memcpy(&local, words + STATE_WORDS + slot * STATE_SLOT_WORDS, sizeof local);
	return local;
}

/* Does the action that led to a node depend on a later one, and is just one of the two the thread's? */
static bool conflicts(uint32_t at, uint32_t thread)
{
	assert(at <= search.depth);
	const struct scale_action *action = &search.nodes[at].action;
	for (uint32_t i = at + 1; i <= search.depth; i++) {
		const struct scale_action *later = &search.nodes[i].action;
		if ((later->thread == thread) != (action->thread == thread) && vm_scale_dependent(action, later))
			return true;
	}
	return false;
}

/* Has the thread that moved last done nothing since it was in the local state in which it is now?  This is algorithm 5.  The node
 * before the first action does not count: no thread has moved. */
static bool repeats(void)
{
	const struct node *last = last_node();
	uint32_t thread = last->action.thread;
	if (!last->local.parts[0])
		return false;
	for (uint32_t i = search.depth; i > 1; i--) {
		const struct scale_action *action = &search.nodes[i].action;
		if ((action->thread == thread && vm_scale_writes(action)) || conflicts(i, thread))
			return false;
		const struct node *before = &search.nodes[i - 1];
		if (before->action.thread == thread && memcmp(&before->local, &last->local, sizeof last->local) == 0)
			return true;
	}
	return false;
}

/* ---- a node -------------------------------------------------------------------------------------------------------- */

/* Sort the threads of `offers` in the order of their creation.  The outcomes of each thread stay in their order. */
static void sort(struct offer *offers, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct offer offer = offers[i];
		uint32_t k = i;
		for (; k > 0 && offers[k - 1].action.thread > offer.action.thread; k--)
			offers[k] = offers[k - 1];
		offers[k] = offer;
	}
}

static void offer_unseen(struct node *node)
{
	assert(node->state && node->offers == node->end);
	const struct scale_moves *moves = vm_scale_moves(node->state);
	for (uint32_t i = 0; i < moves->count; i++) {
		struct offer offer = { .action = vm_scale_action(&moves->items[i]) };
		if (vm_scale_was_visited(vm_scale_graph_with(&offer.action)))
			continue;
		search.offers = vm_grow(search.offers, &search.offers_capacity, (uint64_t)node->end + 1, sizeof *search.offers);
		search.offers[node->end++] = offer;
	}
	sort(search.offers + node->offers, node->end - node->offers);
}

/* Does the path have as many steps as are allowed?  This is algorithm 4.  Report it once. */
static bool is_too_deep(void)
{
	static VM_OWN bool told;
	if (!vm_driver.most_steps || search.depth < vm_driver.most_steps)
		return false;
	if (!told)
		vm_report_inconclusive(LIMIT_DEPTH, "longer paths were cut", 0);
	told = true;
	return true;
}

static void visit(struct node *node)
{
	vm_limit_at_rest();
	vm_scale_visited(vm_scale_graph());
	if (!node->state)
		return;
	offer_unseen(node);
	if (node->offers == node->end)
		return;
	if (is_too_deep() || (vm_this.image.options->local_cycles && repeats()))
		node->end = node->offers;
	else if (search.supersteps)
		filter_supersteps(node);
}

/* ---- the search ---------------------------------------------------------------------------------------------------- */

static void note_violation(void)
{
	uint32_t place = 0;
	const struct scale_move *last = last_node()->action.move;
	if (!vm_walk_is_news(last->kind, last->location))
		return;
	for (uint32_t i = 1; i <= search.depth; i++) {
		const struct scale_move *move = search.nodes[i].action.move;
		place = vm_walk_add(place, move->slot, move->choice, 0);
	}
}

static struct node *push(const struct offer *offer, uint32_t offers)
{
	search.nodes = vm_grow(search.nodes, &search.nodes_capacity, (uint64_t)search.depth + 2, sizeof *search.nodes);
	struct node *node = &search.nodes[++search.depth];
	*node = (struct node){
		.state = offer->action.move->next,
		.action = offer->action,
		.step = offer->step,
		.offers = offers,
		.end = offers,
		.next = offers,
	};
	vm_scale_graph_take(&node->action);
	if (vm_this.image.options->local_cycles)
		node->local = local_of(node->state, offer->action.move->slot);
	search.actions++;
	return node;
}

static void pop(void)
{
	assert(search.depth > 0);
	struct node *node = last_node();
	release(node->made);
	vm_scale_graph_undo(&node->action);
	search.depth--;
}

/* Enter a node of the search.  Return false if the search ends there. */
static bool enter(const struct offer *offer, uint32_t offers)
{
	struct node *node = push(offer, offers);
	if (offer->action.move->violates) {
		note_violation();
		if (!vm_this.image.options->all)
			return false;
		node->state = 0;
	}
	visit(node);
	search.runs += node->offers == node->end;
	return true;
}

static struct vm_figures figures(void)
{
	return (struct vm_figures){ .states = vm_scale_graphs(), .runs = search.runs, .transitions = search.actions };
}

static void walk(void)
{
	vm_own_figures = figures;
	search.done = true;
	search.supersteps = vm_this.image.options->reductions & REDUCTION_SUPERSTEPS;
	search.nodes = vm_grow(NULL, &search.nodes_capacity, 1, sizeof *search.nodes);
	search.nodes[0] = (struct node){ .state = vm_scale_root() };
	visit(&search.nodes[0]);
	if (!search.nodes[0].state && vm_this.ending.end != END_INCONCLUSIVE)
		vm_walk_add(0, 0, 0, 0); /* the program does not start: let pan see why */
	for (;;) {
		struct node *node = last_node();
		if (node->next < node->end) {
			struct offer offer = search.offers[node->next++];
			if (!enter(&offer, node->end))
				return;
		} else if (search.depth > 0) {
			pop();
		} else {
			return;
		}
	}
}

bool vm_scale_offers(int place, int thread, int choice)
{
	if (!search.done)
		walk();
	return vm_walk_after((uint32_t)place, thread, choice) != 0;
}

int vm_scale_follow(int place, int thread, int choice)
{
	return (int)vm_walk_after((uint32_t)place, thread, choice);
}
