/* SPDX-License-Identifier: MIT
 *
 * See symmetry.h.  Ip and Dill, "Better verification through symmetry" (1996); with persistent sets: Emerson, Jha and Peled,
 * "Combining partial order and symmetry reductions" (TACAS 1997).
 *
 * Two things make threads symmetric that no program looks like it has: joins that name one thread after the other, and names in
 * variables.  So the argument has two steps.
 *
 * (1) Joins.  Let P be the program, and P' the same where a join of main takes any thread that has ended (sync/joins.c).  What
 * P can do, P' can do: the one that is named has ended, and P' takes another that has; both have nothing left but that they
 * have ended (nobody asks for results, handles.c), and are joined before main does anything else.  And a violation that P' can
 * come to, P can: in P' main may be past a join that would still have to wait in P.  Until all threads of the set have ended,
 * nobody notices: main holds no lock, its open segment has nothing but handles, which nobody else touches, and after the join
 * it comes to nothing but the next.  So leave main's joins out, until P allows them.  If main does anything else in between,
 * or joins a thread twice, P' comes there no later than P does, as it waits for less; then the search ends, and begins again
 * without the reduction.
 *
 * (2) Names.  In P', exchange all that two threads have, other than main: their slots' threads, variables and memory, and each
 * word that names one of these objects.  The rules of the VM treat slots alike, so each step of the one state is a step of the
 * other, and leads to states that differ by the same exchange, or by one that also exchanges free slots, which are all alike.
 * For that, nothing must depend on what a slot's number is:
 *   - handles: no program that is reduced does anything with one but to give it to a join (translator/analyse/handles.c).  So
 *     they need no new name when threads are exchanged: which slots can be joined stays the same, as only such slots are
 *     exchanged;
 *   - functions that tell who a thread is: programs that use them are not reduced (is_unsuitable() in plan.c), nor those with
 *     bounds, records in states (but see (6)), suppressions or hidden pointers, or formulas that name a thread;
 *   - addresses of a thread's own objects, in registers, in memory, or with other threads: they are whole, aligned words, and are
 *     renamed wherever they are (named_threads.h).  Where one gets into a computation that does not yield an address of the same
 *     object, or is accessed in part, or compared for order, the search ends (vm_symmetry_hides()).  It also ends where one
 *     gets into memory while properties look at memory.  What the translator leaves out depends on no address;
 *   - what is left of threads that have been joined: their objects, and names of these.  Main exchanges it as it does threads,
 *     while it joins.  Then free slots are no longer alike, so main may create no thread while anything names an object of one
 *     that is gone (vm_symmetry_creates());
 *   - owners of locks: a thread that holds one stays in its slot.  Slots of threads that hold nothing are in no lock;
 *   - creators: only main creates and joins, else the search ends.  While main joins, free slots are exchanged, too: nobody
 *     creates until all threads have been joined, and then all slots are free.
 * What (1) and (2) end at is a step like any other, so if any execution comes to it, the search does.
 *
 * Of the states that differ by exchanges, pan gets one: that with threads sorted, those that have ended first, then by the
 * functions that they began with, then by what they contain.  To sort less than is possible, or nothing, is always right.
 * Only states that pan gets are sorted, not those that runs pass through, so super-steps and persistent sets see no
 * difference.  What they leave out by swapping steps leads to the same state up to an exchange.  The cycle proviso is about
 * sorted states, which make pan's path.
 *
 * (3) Which thread a join takes depends on who has ended before.  Up to an exchange it does not: the state has one ended thread
 * less.  So a join is independent of the end of another thread, and of all else that others do; it is no access that shows.  Main
 * is a persistent set by itself when it can join, and need not be followed where others are (vm_groups_leave_out_joins()).  So
 * a state in which main can join has one successor; where others still run, main rests before another join there, and that
 * successor takes the place of the state at once (vm_symmetry_settle()).  For formulas it does not, as turns would be lost.
 *
 * (4) Creations come first, too.  Let main be about to create a thread, in steps that touch nothing but slots that are free and
 * handles, and let it have accessed nothing else since its last step.  In any execution from here, nobody else touches these:
 * others do not create or join, nor write over handles (all that ends the search: vm_symmetry_touches()), and a thread that is
 * not detached keeps its slot when it ends.  So main's steps commute to the beginning, and main is a persistent set by itself
 * (main_creates() in persistent.c).  A violation that others come to before the creation, they come to after it; no race is lost,
 * as main has no accesses that are still to be compared; only what is leaked when a thread ends the program could differ.
 *
 * (5) Formulas that name no thread, but perhaps main (Emerson and Sistla, "Symmetry and model checking", 1996; with fairness,
 * "Utilizing symmetry when model checking under fairness assumptions", TOPLAS 1997).  A proposition says the same of states that
 * differ by an exchange, so a path of sorted states is one of P' to the formula, with the exchanges undone, and the other way
 * round.  From P' to P: to put off main's joins changes no proposition, as main rests nowhere but before a join until it has
 * joined all; so the values are the same but for stuttering.  The loop of a counterexample comes back to the same state after as
 * many rounds as it takes until the exchanges amount to none (lasso.c).
 *
 * Fairness is about threads, not slots.  The turns that a claim gives go along when threads are put into other slots (turn.h), so a
 * loop of the sorted states and turns is one in which each thread of P' has its turns; and a fair path of P' gives all of them
 * their turns, in the order that the slots happen to have then.  Main: what P does fairly, P' does fairly, if main takes the joins
 * that P' allows and P does not, which are finitely many and show nothing; and the other way round, if they are put off: in P main
 * cannot go on in the meantime.  pan's own fairness counts slots, so where it may be asked for, nothing is sorted.
 *
 * (6) Older values (memory/messages.h). What a state has of them is messages, and sets of holders. Its rules ask who is in a set,
 * and never which slot it has, so they treat slots alike, and (2) holds when sets, stores in objects of threads, and names in
 * values are exchanged, too. (1) has one more thing to ask: what main knows. By the time main does anything but join, it has
 * joined all of the set, so it knows what any of them knew at its end, in whatever order. So it may know it from the first join
 * on (vm_joins_know()): nothing of that is asked before. Then a thread that has ended is asked for nothing any more, and is taken
 * out of the sets. So main's joins change no set, and commute with what others do, as (3) needs. In (4), the child knows what
 * main knows, and main learns nothing while it creates. P and P' have the same messages in states that correspond, so outcomes
 * have the same numbers in a replay, which lets main know the same (vm_symmetry_retraces()).
 *
 * (7) Inputs as sets or terms.  A state with symbols stands for a set of concrete states, and a step leads to exactly the states
 * that it makes of these.  To exchange threads in the state exchanges them in each of the set (symbolic/exchange.c).  So (2) holds
 * of sets as it does of their members, and what two threads have of one input stays related.  A split is a step of the program
 * with choices, of which the thread goes along.  An address is in no set: what computes with one ends the search, as above.  In a
 * replay, the program's own path has symbols of its own: the answers to a question have the same numbers, as they are numbered by
 * value, and both sets have the same.
 *
 * A trail names slots of sorted states.  What a replay does about that is in retrace.c.
 */
#include "sort_threads.h"
#include "groups.h"
#include "named_threads.h"
#include "thread_parts.h"
#include "../step/layers.h"
#include "turn.h"
#include "../../bitspin_vm.h"
#include "../base/report.h"
#include "../../symbolic/symbolic.h"
#include "../../sync/sync.h"

#include <assert.h>
#include <string.h>

/* ---- what a slot contains -------------------------------------------------------------------------------------------- */

enum rank { ENDED, RUNS, EMPTY, STAYS };

/* a thread with all that is its own */
struct content {
	unsigned slot;
	enum rank rank;
	uint8_t outcome;
	uint32_t words[STATE_SLOT_WORDS]; /* of the state */
	const uint8_t *bytes;             /* of the thread, as it would be in slot 1 */
	uint32_t size;
	uint64_t start; /* the function that it began with */
	uint64_t known; /* by what it knows of others (memory/records.h) */
	uint64_t color; /* where memory names threads: by what they are sorted */
	bool named;     /* some of its words name objects of its own */
};

enum naming { NOTHING, OWN, OTHERS };

static const uint32_t *words_of(const uint32_t *state, unsigned slot)
{
	return state + STATE_WORDS + slot * STATE_SLOT_WORDS;
}

/* Is there an object of this number in the slot?  Or, `near`, are there some not far from it? */
static bool is_there(const uint32_t *state, unsigned slot, uint64_t index, bool near)
{
	enum { NEAR = 64 };
	bool heap = index >= vm_this.locals;
	uint32_t map = words_of(state, slot)[heap ? 2 : 1], count = map ? vm_table_size(map) / sizeof(vm_ref) : 0;
	index -= heap ? vm_this.locals : 0;
	return near ? index < count + NEAR : index < count && ((const vm_ref *)vm_table_get(map))[index];
}

static enum naming number_names(const uint32_t *state, unsigned slot, uint64_t number)
{
	uint64_t index = (number - IMAGE_FIRST_DYNAMIC) % vm_this.span, of = (number - IMAGE_FIRST_DYNAMIC) / vm_this.span;
	if (number < IMAGE_FIRST_DYNAMIC || of == 0)
		return NOTHING;
	return of == slot && is_there(state, slot, index, false) ? OWN : OTHERS;
}

/* Return whether `word` of the thread in `slot` names something of that thread, something of other threads than main, or
 * neither. */
static enum naming word_names(const uint32_t *state, unsigned slot, uint64_t word)
{
	uint64_t plain = word & IMAGE_POINTER_MASK, number = image_number(plain);
	if (!image_names_dynamic(plain))
		return NOTHING;
	enum naming naming = number_names(state, slot, number);
	if (word == plain || naming == NOTHING)
		return naming;
	uint64_t of = (number - IMAGE_FIRST_DYNAMIC) / vm_this.span;
	return of < state[1] && is_there(state, (unsigned)of, (number - IMAGE_FIRST_DYNAMIC) % vm_this.span, true) ? OTHERS :
														     NOTHING;
}

static enum naming worse(enum naming a, enum naming b)
{
	return a > b ? a : b;
}

static enum naming thread_names(const uint32_t *state, unsigned slot, const uint8_t *bytes, const struct thread_parts *parts)
{
	const vm_stored_header *header = &parts->header;
	enum naming naming = word_names(state, slot, header->address);
	naming = worse(naming, word_names(state, slot, header->other));
	naming = worse(naming, word_names(state, slot, header->result) ? OTHERS : NOTHING);
	for (uint32_t i = 0; i < header->ranges; i++) {
		struct vm_range range;
		memcpy(&range, bytes + parts->ranges + i * sizeof range, sizeof range);
		naming = worse(naming, number_names(state, slot, range.object));
	}
	for (uint32_t at = parts->registers; at < parts->size; at += 8) {
		uint64_t word;
		memcpy(&word, bytes + at, sizeof word);
		naming = worse(naming, word_names(state, slot, word));
	}
	return naming;
}

/* Return a copy of the bytes `from` of the thread in `slot`, as they would be in the slot `to`. */
static uint8_t *renamed(const uint32_t *state, unsigned slot, const uint8_t *from, uint32_t size, unsigned to)
{
	assert(slot > 0 && to > 0); /* main is in no other slot */
	uint8_t *bytes = memcpy(vm_scratch(size), from, size);
	struct thread_parts parts = vm_thread_parts(bytes, size);
	uint64_t shift = (uint64_t)((int64_t)to - (int64_t)slot) * vm_this.span;
	uint64_t *const words[] = { &parts.header.address, &parts.header.other };
	for (unsigned i = 0; i < 2; i++)
		if (word_names(state, slot, *words[i]) == OWN)
			*words[i] += shift << IMAGE_OFFSET_BITS;
	memcpy(bytes, &parts.header, sizeof parts.header);
	for (uint32_t i = 0; i < parts.header.ranges; i++) {
		struct vm_range range;
		uint8_t *at = bytes + parts.ranges + i * sizeof range;
		memcpy(&range, at, sizeof range);
		if (number_names(state, slot, range.object) == OWN)
			range.object += (uint32_t)shift;
		memcpy(at, &range, sizeof range);
	}
	for (uint32_t at = parts.registers; at < size; at += 8) {
		uint64_t word;
		memcpy(&word, bytes + at, sizeof word);
		if (word_names(state, slot, word) == OWN)
			word += shift << IMAGE_OFFSET_BITS;
		memcpy(bytes + at, &word, sizeof word);
	}
	return bytes;
}

static bool is_bound(const vm_stored_header *header)
{
	return header->detached || header->held || header->atomic || header->cancel || header->cleanup;
}

/* Return the content of a slot.  `named`: words of others name objects of threads; then its color is to come. */
static struct content content_of(const uint32_t *state, unsigned slot, bool joins, bool named)
{
	assert(slot > 0 && slot < state[1]);
	struct content content = { .slot = slot, .rank = STAYS, .outcome = vm_state_outcomes(state)[slot] };
	memcpy(content.words, words_of(state, slot), sizeof content.words);
	vm_ref thread = content.words[0];
	if (thread == 0) {
		bool empty = named || (content.words[1] == 0 && content.words[2] == 0);
		content.rank = joins && empty ? EMPTY : STAYS;
		return content;
	}
	content.bytes = vm_table_get(thread);
	content.size = vm_table_size(thread);
	struct thread_parts parts = vm_thread_parts(content.bytes, content.size);
	if (is_bound(&parts.header) || parts.header.status == THREAD_DEAD)
		return content;
	if (named && word_names(state, slot, parts.header.result))
		return content;
	content.named = !named && thread_names(state, slot, content.bytes, &parts) == OWN;
	if (content.named)
		content.bytes = renamed(state, slot, content.bytes, content.size, 1);
	content.rank = parts.header.status == THREAD_FINISHED ? ENDED : RUNS;
	content.start = parts.header.peers;
	return content;
}

/* Do words that are not a thread's own, in memory or in another thread, name its objects? */
static bool are_named(const uint32_t *state)
{
	if (vm_memory_names(state))
		return true;
	for (unsigned slot = 0; slot < state[1]; slot++) {
		vm_ref thread = words_of(state, slot)[0];
		if (thread == 0)
			continue;
		const uint8_t *bytes = vm_table_get(thread);
		struct thread_parts parts = vm_thread_parts(bytes, vm_table_size(thread));
		if (thread_names(state, slot, bytes, &parts) == OTHERS)
			return true;
	}
	return false;
}

/* Fill in by what `contents` are sorted, where memory names threads; slots that are not among them stay.  Return false if they
 * cannot be sorted. */
static bool color(const uint32_t *state, struct content *contents, unsigned count)
{
	uint64_t classes[SYMMETRIC_SLOTS], colors[SYMMETRIC_SLOTS];
	for (unsigned slot = 0; slot < state[1]; slot++)
		classes[slot] = slot;
	for (unsigned i = 0; i < count; i++)
		classes[contents[i].slot] = SYMMETRIC_SLOTS + contents[i].rank + (contents[i].start + contents[i].outcome) * 8;
	if (!vm_color_slots(state, classes, colors))
		return false;
	for (unsigned i = 0; i < count; i++)
		contents[i].color = colors[contents[i].slot] | 1;
	return true;
}

/* Fill in what the threads know, where memory names none. */
static void know(const uint32_t *state, struct content *contents, unsigned count)
{
	uint64_t known[SYMMETRIC_SLOTS];
	vm_know_slots(state, known);
	for (unsigned i = 0; i < count; i++)
		contents[i].known = known[contents[i].slot];
}

/* ---- order ----------------------------------------------------------------------------------------------------------- */

static int compare_blobs(vm_ref a, vm_ref b)
{
	uint32_t x = vm_table_size(a), y = vm_table_size(b);
	return x != y ? (x < y ? -1 : 1) : memcmp(vm_table_get(a), vm_table_get(b), x);
}

static int compare_pages(const vm_ref *a, const vm_ref *b, uint32_t count)
{
	int order = 0;
	for (uint32_t i = 0; i < count && order == 0; i++)
		order = a[i] == b[i] ? 0 : compare_blobs(a[i], b[i]);
	return order;
}

static int compare_objects(vm_ref a, vm_ref b)
{
	if (a == b || a == 0 || b == 0)
		return a == b ? 0 : a == 0 ? -1 : 1;
	uint32_t x = vm_table_size(a), y = vm_table_size(b);
	const struct vm_object_header *p = vm_table_get(a), *q = vm_table_get(b);
	if (x != y || memcmp(p, q, sizeof *p) != 0)
		return x != y ? (x < y ? -1 : 1) : memcmp(p, q, sizeof *p);
	if (p->size <= OBJECT_WHOLE)
		return memcmp(p + 1, q + 1, x - sizeof *p);
	return compare_pages((const vm_ref *)(p + 1), (const vm_ref *)(q + 1), (x - (uint32_t)sizeof *p) / sizeof(vm_ref));
}

static int compare_maps(vm_ref a, vm_ref b)
{
	if (a == b || a == 0 || b == 0)
		return a == b ? 0 : a == 0 ? -1 : 1;
	uint32_t x = vm_table_size(a), y = vm_table_size(b);
	const vm_ref *p = vm_table_get(a), *q = vm_table_get(b);
	int order = x != y ? (x < y ? -1 : 1) : 0;
	for (uint32_t i = 0; i < x / sizeof(vm_ref) && order == 0; i++)
		order = compare_objects(p[i], q[i]);
	return order;
}

/* Compare two threads by the functions that they began with, then by what they contain, and not by refs, which are others in a
 * replay. */
static int compare(const struct content *a, const struct content *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->color || b->color)
		return a->color < b->color ? -1 : a->color > b->color;
	if (a->known != b->known)
		return a->known < b->known ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	int order = a->bytes == b->bytes || a->size == 0 ? 0 : memcmp(a->bytes, b->bytes, a->size);
	for (unsigned i = 1; i < STATE_SLOT_WORDS && order == 0; i++)
		order = compare_maps(a->words[i], b->words[i]);
	return order ? order : (int)a->outcome - (int)b->outcome; /* where there is a split, its thread can go on */
}

/* ---- sorting --------------------------------------------------------------------------------------------------------- */

/* Sort `contents`.  Return whether that has changed anything. */
static bool sort(struct content *contents, unsigned count)
{
	bool changed = false;
	for (unsigned i = 1; i < count; i++) {
		struct content content = contents[i];
		unsigned at = i;
		for (; at > 0 && compare(&content, &contents[at - 1]) < 0; at--)
			contents[at] = contents[at - 1];
		contents[at] = content;
		changed = changed || at != i;
	}
	return changed;
}

/* Return a copy of the words of `state`, in memory of their own. */
static uint32_t *copy_of(vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	uint32_t size = vm_words_size(words);
	return memcpy(vm_scratch(size), words, size);
}

static void put(uint32_t *state, const uint32_t *old, const struct content *content, unsigned slot)
{
	assert(slot < state[1] && content->slot < old[1]);
	uint32_t *words = state + STATE_WORDS + slot * STATE_SLOT_WORDS;
	memcpy(words, words_of(old, content->slot), sizeof content->words);
	if (content->named && content->slot != slot) {
		vm_ref thread = words[0];
		uint32_t size = vm_table_size(thread);
		words[0] = vm_state_put(renamed(old, content->slot, vm_table_get(thread), size, slot), size);
	}
	((uint8_t *)vm_state_outcomes(state))[slot] = content->outcome;
}

/* Take out the empty slots at the end, which are no part of `state`, and move up what is behind them. */
static void drop_empty(uint32_t *state)
{
	uint32_t left = state[1], size = vm_words_size(state);
	uint8_t *outcomes = (uint8_t *)vm_state_outcomes(state), *extra = (uint8_t *)vm_state_extra(state);
	size_t extras = size - (size_t)(extra - (uint8_t *)state);
	while (left && !words_of(state, left - 1)[0] && !words_of(state, left - 1)[1] && !words_of(state, left - 1)[2])
		left--;
	state[1] = left;
	memmove((uint8_t *)vm_state_outcomes(state), outcomes, left);
	memmove((uint8_t *)vm_state_extra(state), extra, extras);
}

static bool joins_threads(const uint32_t *state)
{
	const vm_stored_header *header = state[1] && words_of(state, 0)[0] ? vm_table_get(words_of(state, 0)[0]) : NULL;
	return header && header->peers;
}

static void stay(uint8_t to[SYMMETRIC_SLOTS])
{
	for (unsigned i = 0; i < SYMMETRIC_SLOTS; i++)
		to[i] = (uint8_t)i;
}

/* Put threads where those of `looked_at` belong, a state like this one, where each has the same slot. */
static vm_ref sort_as(vm_ref state, vm_ref looked_at, uint8_t to[SYMMETRIC_SLOTS])
{
	struct content contents[SYMMETRIC_SLOTS];
	unsigned slots[SYMMETRIC_SLOTS], count = 0;
	const uint32_t *old = copy_of(state), *at = looked_at == state ? old : copy_of(looked_at);
	bool joins = joins_threads(at), named = are_named(at);
	assert(at[1] == old[1] && old[1] <= SYMMETRIC_SLOTS);
	for (unsigned slot = 1; slot < at[1] && at[0] == 0; slot++) {
		contents[count] = content_of(at, slot, joins, named);
		if (contents[count].rank != STAYS)
			slots[count++] = slot;
	}
	if (named && !color(at, contents, count))
		return state;
	if (!named && at[STATE_RECORDS])
		know(at, contents, count);
	if (!sort(contents, count))
		return state;
	uint32_t *new = copy_of(state);
	for (unsigned i = 0; i < count; i++) {
		put(new, old, &contents[i], slots[i]);
		to[contents[i].slot] = (uint8_t)slots[i];
	}
	if (named)
		vm_rename_slots(new, old, to);
	vm_rename_records(new, old, to);
	drop_empty(new);
	vm_saved[REDUCTION_SYMMETRY_NUMBER]++;
	return vm_state_put_words(new);
}

/* The same where inputs are sets or terms; see (7). */
static vm_ref sort_terms(vm_ref state, uint8_t to[SYMMETRIC_SLOTS])
{
	enum { LEAST = 3 /* slots with two threads that can be exchanged */ };
	const uint32_t *words = vm_state_words(state);
	vm_ref neutral = words[0] == 0 && words[1] >= LEAST ? vm_symbolic_neutral(state) : 0;
	vm_ref sorted = neutral ? sort_as(state, neutral, to) : state;
	if (sorted == state || neutral == state)
		return sorted;
	vm_ref again = vm_symbolic_exchanged(sorted, to);
	if (again == 0)
		stay(to);
	return again ? again : state;
}

vm_ref vm_symmetry_sort(vm_ref state, uint8_t to[SYMMETRIC_SLOTS])
{
	stay(to);
	return vm_symbolic_on() ? sort_terms(state, to) : sort_as(state, state, to);
}

/* ---- joins ------------------------------------------------------------------------------------------------------------ */

static bool is_another_running(vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	for (unsigned slot = 1; slot < words[1]; slot++)
		if (vm_state_thread(words, slot) && vm_thread_stored(state, slot)->status == THREAD_RUNNING)
			return true;
	return false;
}

bool vm_symmetry_joins(vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	return words[0] == 0 && words[1] && vm_state_outcomes(words)[0] == 1 && !vm_is_temporal() &&
		vm_reduces(REDUCTION_PERSISTENT) && vm_groups_leave_out_joins(state, 0) && is_another_running(state);
}

vm_ref vm_symmetry_settle(vm_ref state, uint8_t to[SYMMETRIC_SLOTS], struct footprint *joins)
{
	static VM_OWN struct footprint step;
	while (vm_symmetry_joins(state)) {
		vm_ref next = vm_below[LAYER_symmetry].step(state, 0, 0, joins ? &step : NULL);
		if (joins)
			vm_footprint_merge(joins, &step);
		if (next == 0)
			break;
		state = next;
	}
	return vm_symmetry_sort(state, to);
}

/* ---- the layer --------------------------------------------------------------------------------------------------------- */

static struct vm_run take(vm_ref state, unsigned slot, uint32_t option)
{
	static VM_OWN uint8_t to[SYMMETRIC_SLOTS];
	struct vm_run run = vm_below[LAYER_symmetry].take(state, slot, option);
	if (run.end) {
		run.end = vm_symmetry_settle(run.end, to, NULL);
		vm_turns_move(to);
	}
	return run;
}

static bool suits(void)
{
	return vm_is_symmetric();
}

const struct vm_layer vm_layer_symmetry = { .suits = suits, .run = vm_run_not_known, .take = take, .forget = vm_names_forget };
