/* SPDX-License-Identifier: MIT
 *
 * See histories.h.  Records multiply states: two that are equal but for their records have the same steps, and only other races.
 * So the search is that of the program without records.  Each move of it, from a state to another, has a *script*: what the steps
 * of the move do to records, whatever these are.  Each state has the union of the records with which any path of moves comes
 * to it.  When a move is added, or when the records of a state have grown, they go on along the moves from there.
 *
 * Why the union is exact: what a script makes of a set of records is what it makes of each alone, put together, since no rule of
 * records.h looks at two records; whether an access races with a record depends on that record alone.  So (induction on the
 * moves) the records of a state are all that single paths bring there, and a race of the union is one of a path.  A record that
 * another hides may be left out, as in a state: where it races, the other one does, now and later.  Records that
 * all running threads know are dropped after each move; which threads run is the same on all paths to a state.
 *
 * Why a search with reductions misses no race: let S be the search whose states have their records.  Offer in each of its states
 * the moves that are offered in the same state without records.  The argument for what is offered (superstep.c, persistent.c)
 * is about footprints, and steps with independent footprints have scripts that commute, because whatever a step reads, writes,
 * starts or ends is in its footprint.  The proviso holds: a cycle in S is, without the records, a cycle of this search, so one of
 * its states offers all threads.  So S finds the races, and the paths of S are the paths of moves here.
 *
 * Symmetric threads (sort_threads.c): a script ends with the exchange of threads after its move, as holders are threads, or lie in
 * objects of a thread's own.  What main knows while it joins makes no difference, as it does nothing else before it has joined all,
 * and then it knows all that any of them knew, in whatever order it joined them.
 *
 * A race that is found has a path, from the first state to the access that is recorded, and from there to the one that races with
 * it.  It is looked for backwards, among the moves; then its steps are taken, with records, to see the race happen.  So what is
 * reported has happened, even if this argument were wrong.
 */
#include "histories.h"
#include "../../memory/records.h"
#include "../../state/limit.h"
#include "../base/limits.h"
#include "../base/report.h"
#include "../step/bounded_waits.h"
#include "../step/summary.h"
#include "sort_threads.h"

#include <assert.h>
#include <string.h>

enum { NONE = UINT32_MAX, MEMO = 1 << 16 };

struct node { /* a state */
	vm_ref state, records;
	uint32_t first; /* of its moves; NONE */
	bool queued;
};

struct arc { /* a move that has been taken */
	struct vm_move move;
	uint32_t from, to, next; /* nodes, to: NONE if it does not come to rest; the next move of `from` */
	vm_ref script;
};

/* what becomes of records */
struct known {
	vm_ref a, b, result;
	bool races;
};

static VM_OWN struct {
	struct node *nodes;
	uint32_t count, capacity;
	uint32_t *places; /* of nodes, by a hash of their states; NONE */
	uint32_t size;
	struct arc *arcs;
	uint32_t arc_count, arc_capacity;
	uint32_t *queue; /* nodes whose records have grown */
	uint32_t queued, queue_capacity;
	struct known changed[MEMO], united[MEMO];
	vm_ref script; /* of the move that was taken last */
	struct vm_move *path;
	uint32_t path_count, path_capacity;
} histories;

/* ---- nodes ------------------------------------------------------------------------------------------------------------- */

static uint32_t hash(uint32_t a, uint32_t b)
{
	uint64_t mixed = (((uint64_t)a << 32) | b) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(mixed >> 32);
}

static uint32_t *place_of(vm_ref state)
{
	assert(histories.count < histories.size && (histories.size & (histories.size - 1)) == 0); /* there is an empty place */
	uint32_t at = hash(state, 0) & (histories.size - 1);
	while (histories.places[at] != NONE && histories.nodes[histories.places[at]].state != state)
		at = (at + 1) & (histories.size - 1);
	return &histories.places[at];
}

static void make_places(void)
{
	if (histories.count * 2 < histories.size)
		return;
	uint32_t capacity = histories.size;
	histories.size = histories.size ? 2 * histories.size : 1024;
	histories.places = vm_grow(histories.places, &capacity, histories.size, sizeof *histories.places);
	memset(histories.places, 0xff, histories.size * sizeof *histories.places);
	for (uint32_t i = 0; i < histories.count; i++)
		*place_of(histories.nodes[i].state) = i;
}

static uint32_t node_of(vm_ref state)
{
	make_places();
	uint32_t *place = place_of(state);
	if (*place != NONE)
		return *place;
	histories.nodes = vm_grow(histories.nodes, &histories.capacity, (uint64_t)histories.count + 1, sizeof *histories.nodes);
	histories.nodes[histories.count] = (struct node){ .state = state, .first = NONE };
	return *place = histories.count++;
}

/* ---- scripts ----------------------------------------------------------------------------------------------------------- */

/* A script as it lies in the table, before its operations. */
struct head {
	uint64_t running[RECORDS_RUNNING];
	uint8_t to[SYMMETRIC_SLOTS];
	uint32_t moves, count;
};
typedef struct head stored_head __attribute__((aligned(4))); /* as blobs are */

static vm_ref put_script(const uint64_t *running, const uint8_t *to)
{
	struct head head = { 0 };
	const struct vm_order_op *ops = vm_records_told(&head.count);
	size_t size = head.count * sizeof *ops;
	uint8_t *blob = vm_scratch(sizeof head + size);
	memcpy(head.running, running, sizeof head.running);
	for (unsigned i = 0; to && i < SYMMETRIC_SLOTS; i++)
		head.moves = head.moves || to[i] != i;
	if (head.moves)
		memcpy(head.to, to, sizeof head.to);
	memcpy(blob, &head, sizeof head);
	if (size)
		memcpy(blob + sizeof head, ops, size);
	return vm_state_put(blob, sizeof head + size);
}

static struct vm_script script_at(vm_ref ref)
{
	struct vm_script script;
	const stored_head *head = vm_table_get(ref);
	assert(vm_table_size(ref) == sizeof *head + head->count * sizeof *script.ops);
	memcpy(script.running, head, sizeof script.running);
	script.to = head->moves ? head->to : NULL;
	script.count = head->count;
	script.ops = (const struct vm_order_op *)(head + 1);
	return script;
}

/* Take the steps of the move from `at`, one by one, and those that are part of it as threads are symmetric; `to` says where the
 * thread of each slot has gone.  `follows`: with records.  Return where that leads, or 0. */
static vm_ref take_steps(const struct vm_move *move, vm_ref at, bool follows, uint8_t to[SYMMETRIC_SLOTS])
{
	assert(move->length > 0);
	vm_ref (*const step)(vm_ref state, unsigned slot, uint32_t choice) = follows ? vm_joined : vm_summary_tell;
	for (uint32_t i = 0; i < move->length && at; i++)
		at = step(at, move->slot, i ? 0 : move->choice);
	if (!at || !vm_is_symmetric())
		return at;
	while (vm_symmetry_joins(at)) { /* as vm_symmetry_settle() does */
		uint32_t count = vm_records_tell_only(UINT32_MAX);
		vm_records_follow_on(false);
		vm_ref next = vm_joined(at, 0, 0);
		vm_records_follow_on(follows);
		if (!next) {
			vm_records_tell_only(count); /* it is no part of the move */
			break;
		}
		at = follows ? vm_joined(at, 0, 0) : next;
		if (!at)
			return 0;
	}
	return vm_symmetry_sort(at, to);
}

vm_ref vm_histories_take(const struct vm_move *move, vm_ref known)
{
	assert(!vm_this.stepping && move->from && move->length > 0);
	static VM_OWN uint8_t to[SYMMETRIC_SLOTS];
	const bool transient = known != 0;
	uint64_t running[RECORDS_RUNNING] = { 0 };
	vm_records_ask();
	vm_symmetry_repeats(true);
	if (transient)
		vm_transient_begin();
	vm_ref at = take_steps(move, move->from, false, to);
	vm_symmetry_repeats(false);
	if (transient)
		vm_transient_end();
	if (known && at && vm_state_keep(at) != known)
		VM_BUG("the steps of a move do not lead where the move does");
	if (at) {
		vm_state_load(at);
		vm_records_running(running);
	}
	vm_this.stepping = true;
	if (setjmp(vm_this.escape) == 0)
		histories.script = put_script(running, at && vm_is_symmetric() ? to : NULL);
	else
		histories.script = 0;
	vm_this.stepping = false;
	if (transient && !at)
		histories.script = 0; /* a limit has stopped it */
	if (transient) {
		vm_transient_clear();
		vm_state_forget();
	}
	return at;
}

/* Return what the script makes of records. */
static struct known change(vm_ref records, vm_ref ref)
{
	struct known *known = &histories.changed[hash(records, ref) % MEMO];
	if (known->a == records && known->b == ref)
		return *known;
	struct vm_script script = script_at(ref);
	struct vm_record_race race = { 0 };
	vm_ref result = vm_records_change(records, &script, &race);
	*known = (struct known){ records, ref, result, race.races };
	return *known;
}

static vm_ref unite(vm_ref a, vm_ref b)
{
	if (a == b || !b)
		return a;
	struct known *known = &histories.united[hash(a, b) % MEMO];
	if (known->a != a || known->b != b)
		*known = (struct known){ a, b, vm_records_unite(a, b), false };
	return known->result;
}

/* ---- propagation ------------------------------------------------------------------------------------------------------- */

static void enqueue(uint32_t number)
{
	assert(number < histories.count);
	struct node *node = &histories.nodes[number];
	if (node->queued || node->first == NONE)
		return;
	node->queued = true;
	histories.queue = vm_grow(histories.queue, &histories.queue_capacity, (uint64_t)histories.queued + 1,
				  sizeof *histories.queue);
	histories.queue[histories.queued++] = number;
}

/* Let the records of the state before a move go along it.  Return false if they race. */
static bool go_along(const struct arc *arc)
{
	assert(arc->from < histories.count && (arc->to == NONE || arc->to < histories.count) && arc->script);
	struct known after = change(histories.nodes[arc->from].records, arc->script);
	if (after.races || arc->to == NONE)
		return !after.races;
	struct node *to = &histories.nodes[arc->to];
	vm_ref all = unite(to->records, after.result);
	if (all != to->records) {
		to->records = all;
		enqueue(arc->to);
	}
	return true;
}

/* Let all go on that has grown.  Return the move whose access races; NULL: none. */
static const struct arc *propagate(void)
{
	while (histories.queued && !vm_limit_stopping) {
		uint32_t number = histories.queue[--histories.queued];
		assert(histories.nodes[number].queued && histories.nodes[number].first != NONE);
		histories.nodes[number].queued = false;
		for (uint32_t i = histories.nodes[number].first; i != NONE; i = histories.arcs[i].next)
			if (!go_along(&histories.arcs[i]))
				return &histories.arcs[i];
		vm_scratch_reset();
	}
	return NULL;
}

/* ---- the path to a race ------------------------------------------------------------------------------------------------ */

/* A record of one byte at a node, and how the path goes on from there. */
struct link {
	uint32_t node, arc;
	vm_ref record;
	uint32_t next; /* link; NONE: the move races with the record */
};

static VM_OWN struct {
	struct link *links;
	uint32_t count, capacity;
} backward;

static void add_link(uint32_t node, vm_ref record, uint32_t arc, uint32_t next)
{
	assert(node < histories.count && arc < histories.arc_count && record && (next == NONE || next < backward.count));
	for (uint32_t i = 0; i < backward.count; i++)
		if (backward.links[i].node == node && backward.links[i].record == record)
			return;
	backward.links = vm_grow(backward.links, &backward.capacity, (uint64_t)backward.count + 1, sizeof *backward.links);
	backward.links[backward.count++] = (struct link){ node, arc, record, next };
}

static void add_move(uint32_t arc)
{
	assert(arc < histories.arc_count);
	histories.path = vm_grow(histories.path, &histories.path_capacity, (uint64_t)histories.path_count + 1,
				 sizeof *histories.path);
	histories.path[histories.path_count++] = histories.arcs[arc].move;
}

/* Add the moves of a path from the first state to a node. */
static void add_way_to(uint32_t node)
{
	uint32_t *by = vm_scratch(histories.count * sizeof *by), *way = vm_scratch(histories.count * sizeof *way), count = 0,
		 steps = 0;
	memset(by, 0xff, histories.count * sizeof *by);
	uint32_t first = node_of(vm_this.initial);
	for (way[count++] = first; steps < count && way[steps] != node; steps++)
		for (uint32_t i = histories.nodes[way[steps]].first; i != NONE; i = histories.arcs[i].next) {
			uint32_t to = histories.arcs[i].to;
			if (to != NONE && to != first && by[to] == NONE) {
				by[to] = i;
				way[count++] = to;
			}
		}
	for (count = 0; node != first; node = histories.arcs[by[node]].from) {
		assert(by[node] != NONE);
		way[count++] = by[node];
	}
	while (count)
		add_move(way[--count]);
}

/* Is the record that a link needs made by a move to its node?  Then the path is known.  Or does the move bring it from a record
 * before?  Then the path goes on back from there. */
static bool look_back(uint32_t number, uint32_t at)
{
	const struct arc *arc = &histories.arcs[at];
	struct link link = backward.links[number];
	if (arc->to != link.node)
		return false;
	if (vm_records_cover(change(0, arc->script).result, link.record)) {
		add_way_to(arc->from);
		add_move(at);
		for (uint32_t i = number; i != NONE; i = backward.links[i].next)
			add_move(backward.links[i].arc);
		return true;
	}
	vm_ref record;
	const uint8_t *to = script_at(arc->script).to; /* exchanges threads after the move, and with them their objects */
	for (uint32_t next = 0; (record = vm_records_of_byte(histories.nodes[arc->from].records, link.record, to, &next)) != 0;) {
		struct known after = change(record, arc->script);
		if (after.races) /* the record hides the one that is looked for, and has not gone along here yet */
			add_link(arc->from, record, at, NONE);
		else if (vm_records_cover(after.result, link.record))
			add_link(arc->from, record, at, number);
	}
	return false;
}

static void find_path(const struct arc *racing)
{
	struct vm_script script = script_at(racing->script);
	struct vm_record_race race;
	backward.count = histories.path_count = 0;
	uint32_t number = (uint32_t)(racing - histories.arcs);
	vm_ref all = histories.nodes[racing->from].records, record;
	if (change(0, racing->script).races) { /* with what it has recorded itself */
		add_way_to(racing->from);
		add_move(number);
		return;
	}
	vm_records_change(all, &script, &race); /* tells which byte */
	for (uint32_t next = 0; (record = vm_records_of_byte(all, race.record, NULL, &next)) != 0;)
		if (change(record, racing->script).races)
			add_link(racing->from, record, number, NONE);
	for (uint32_t i = 0; i < backward.count; i++) /* the list grows */
		for (uint32_t arc = 0; arc < histories.arc_count; arc++)
			if (look_back(i, arc))
				return;
	VM_BUG("no path leads to a race");
}

/* Take the steps of the path, with records, up to the race.  A limit may be met there: where main races between two joins,
 * threads are not alike (joins.c), and the search begins again. */
static void follow_path(void)
{
	static VM_OWN uint8_t to[SYMMETRIC_SLOTS];
	vm_ref at = vm_this.initial;
	vm_state_forget();
	vm_records_follow(true);
	vm_symmetry_repeats(true);
	for (uint32_t i = 0; i < histories.path_count && at; i++) {
		at = take_steps(&histories.path[i], at, true, to);
		if (at && vm_is_symmetric())
			vm_records_follow_moves(to);
	}
	vm_records_follow(false);
	vm_symmetry_repeats(false);
	bool races = vm_this.ending.end == END_VIOLATION && vm_this.ending.kind == VIOLATION_DATA_RACE;
	if (at || (!races && vm_this.ending.end != END_INCONCLUSIVE))
		VM_BUG("the path to a race does not lead there, but to state %u: %s", (unsigned)at, vm_this.ending.message);
}

const struct vm_move *vm_histories_path(uint32_t *count)
{
	*count = histories.path_count;
	return histories.path_count ? histories.path : NULL;
}

/* ---- the search -------------------------------------------------------------------------------------------------------- */

static const struct arc *add_arc(const struct vm_move *move, vm_ref to)
{
	assert(move->from && histories.script);
	histories.arcs = vm_grow(histories.arcs, &histories.arc_capacity, (uint64_t)histories.arc_count + 1,
				 sizeof *histories.arcs);
	uint32_t from = node_of(move->from), target = to ? node_of(to) : NONE;
	struct arc *arc = &histories.arcs[histories.arc_count];
	vm_saved[REDUCTION_HISTORIES_NUMBER] = histories.count;
	*arc = (struct arc){ *move, from, target, histories.nodes[from].first, histories.script };
	histories.nodes[from].first = histories.arc_count++;
	return arc;
}

bool vm_histories_add(const struct vm_move *move, vm_ref to)
{
	assert(!vm_this.stepping);
	const struct arc *volatile racing = NULL;
	histories.path_count = 0;
	vm_state_forget();
	vm_scratch_reset();
	vm_this.stepping = true;
	if (histories.script && setjmp(vm_this.escape) == 0) {
		const struct arc *arc = add_arc(move, to);
		racing = go_along(arc) ? propagate() : arc;
		if (racing)
			find_path(racing);
	} else {
		vm_limit_cut();
	}
	vm_this.stepping = false;
	vm_state_forget();
	if (racing)
		follow_path();
	return racing;
}
