/* SPDX-License-Identifier: MIT
 *
 * Operations of `bitspin linearize`, after Line-Up (Burckhardt, Dern, Musuvathi and Tan, PLDI 2010): what the code does when each
 * operation runs in one piece is the specification of what it may do concurrently.
 *
 * Phase 1 notes what operations do in one piece: a thread begins an operation only while no other is in one.  What is noted is a
 * graph.  Its nodes are the states of the program in which an operation begins, by their keys (state/key.h), without the bytes of
 * the object of the harness in which phase 1 keeps the following: which thread is in an operation; the node in which that began;
 * when it has returned, its result.  The next operation overwrites that.  So different orders that lead to one state go on as one.
 *
 * The words along the paths of the graph are the histories, neither more nor less:
 *   - Each is one.  An edge was taken from the one state to the other, and what comes after a node depends on its state alone.
 *   - Each is there.  All begins and ends write to the object, so they depend on each other, and no reduction changes their order.
 *     A search with reductions takes, for each execution that cannot go on, one with the same order of begins and ends.  That such
 *     a step also looks at the rest of the state only keeps more states apart.  Caches of steps would not know what it looks at,
 *     so they are off (search/base/plan.def).
 *
 * Phase 2 has a monitor in the bytes of the same object: for each thread, whether it is in an operation; and the set
 * of *positions* that explain the history so far.  A position is a node of the table that phase 1 has left (the results of whole
 * operations in some order lead there from node 0), and of each thread whose operation is under way the result with which it has
 * taken effect, if it has.  The set is closed under letting operations that are under way take effect.  A call adds the positions
 * in which it has taken effect; a return removes those in which it has not, or with another result.  No position left: no order of
 * whole operations that keeps the real-time order gives these results.
 *
 * The set is sorted, so it is a function of the history.  Calls commute: after both, the set is closed under letting both take
 * effect.  Returns commute: each keeps the positions with its own result, and what is left of a closed set is closed.  A call and a
 * return do not.  So a call is written as operation number 1 on the object, a return as number 2 (vm_footprint_commutes()).
 *
 * When an operation begins and ends: a call is only *announced*, in a word of its thread, and takes place at the beginning of the
 * thread's next step; a return takes place in the step before it.  So an operation lasts from its first step to its last one, and
 * has no steps of its own (but for one that makes no step: its call and return are one).  No violation is lost: take an execution
 * in which operations last longer, because calls come earlier or returns later.  Its steps, with each call put off to the first
 * step of the operation and each return put forward to the last one, are an execution, too.  There, every operation that had
 * returned before another was called has done so, so no more orders explain the results.
 *
 * Neither a call nor a return orders memory accesses: to race detection the monitor is not there.
 *
 * Blocked for ever (Line-Up's definition 3): each operation that is under way must be stuck in a position in which those that have
 * returned have taken effect, and nothing else.
 */
#include "../memory/footprint.h"
#include "../memory/race.h"
#include "../memory/records.h"
#include "../state/key.h"
#include "../trace/record.h"
#include "operation_table.h"
#include "sync.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { CALLS = 1, RETURNS = 2 }; /* operations on the object, see above */

static bool notes(uint64_t table)
{
	return operation_word(table, OPERATION_MODE) == OPERATION_NOTES;
}

/* Is there no monitor of results, but only the question how operations go on?  (--progress) */
static bool asks_for_progress(uint64_t table)
{
	return operation_word(table, OPERATION_MODE) >= OPERATION_UNWATCHED;
}

static bool is_linear(uint64_t table)
{
	return operation_word(table, OPERATION_MODE) == OPERATION_LINEAR;
}

/* ---- where they are ------------------------------------------------------------------------------------------------------ */

/* The object and the table, by their names in the harness.  Not by the first call: another process may have made that. */
static VM_OWN struct {
	bool known;
	uint64_t state, table; /* 0: the program has none */
	uint32_t number;       /* of the object among all globals */
} where;

/* Return the number of a global; IMAGE_NONE if there is none. */
static uint32_t global_named(const char *name)
{
	const struct image *image = &vm_this.image;
	for (uint32_t i = 0; i < image->counts[IMAGE_GLOBALS]; i++)
		if (strcmp(image_string(image, image->globals[i].name), name) == 0)
			return i;
	return IMAGE_NONE;
}

/* Does the program have operations? */
static bool find(void)
{
	if (!where.known) {
		uint32_t state = global_named("__bitspin_operations"), table = global_named("__bitspin_table");
		where.known = true;
		if (state != IMAGE_NONE && table != IMAGE_NONE) {
			where.state = image_global_address(state, 0);
			where.table = image_global_address(table, 0);
			where.number = state;
		}
	}
	return where.table != 0;
}

/* ---- arguments ---------------------------------------------------------------------------------------------------------- */

/* The arguments of both calls: the object, the table, the thread of the harness, and the text of the call; of a return, also the
 * kinds of what is returned, and the values. */
enum { ARG_STATE, ARG_TABLE, ARG_THREAD, ARG_NAME, ARG_KINDS, ARG_VALUES };

/* Return the thread of the table: the one that the harness names, or in a program of the user's, the slot. */
static uint32_t thread_of(const struct vm_call *call)
{
	uint64_t given = call->arguments[ARG_THREAD];
	return given == UINT64_MAX ? call->thread->slot : (uint32_t)given & ((1u << OPERATION_LIMIT_SHIFT) - 1);
}

static const char *name_of(const struct vm_call *call)
{
	return vm_string(call->arguments[ARG_NAME], UINT64_MAX, NULL);
}

/* Check that a pointer that an operation returns is one to what was there before the operations: such an object has the same number
 * in all orders.  One that an operation has made has not. */
static void check_pointer(uint64_t table, uint64_t value)
{
	static const char advice[] = "let the call return what the pointer leads to, as in pop()->value";
	struct vm_place place = vm_place_of(value);
	if (value && operation_word(table, OPERATION_SPEC))
		vm_inconclusive(LIMIT_OPERATION, "an operation returns a pointer, which cannot be compared with one of --spec; %s",
				advice);
	if (place.map && place.map != &vm_this.globals && (place.number - IMAGE_FIRST_DYNAMIC) / vm_this.span != 0)
		vm_inconclusive(LIMIT_OPERATION, "an operation returns a pointer to what an operation has made; %s", advice);
}

static struct operation_result result_of(const struct vm_call *call)
{
	struct operation_result result = { .kinds = call->arguments[ARG_KINDS] };
	for (unsigned i = 0; i < OPERATION_VALUES; i++) {
		unsigned kind = result.kinds >> i * OPERATION_KIND_BITS & ((1 << OPERATION_KIND_BITS) - 1);
		result.values[i] = kind ? call->arguments[ARG_VALUES + i] : 0;
		if (kind == OPERATION_POINTER)
			check_pointer(call->arguments[ARG_TABLE], result.values[i]);
	}
	return result;
}

/* In a replay: of each thread, where the text of its last call is. */
static VM_OWN uint64_t announced_names[OPERATION_LANES];

static void tell_call(uint64_t thread)
{
	if (!vm_tracing)
		return;
	const char *name = vm_string(announced_names[thread], UINT64_MAX, NULL);
	vm_event_about(ACTION_BEGINS, VM_ABOUT(.name = name), "%s", name);
}

/* Tell of the return: "returns 1, 2", or "returns". */
static void tell_return(const struct operation_result *result)
{
	char text[200];
	operation_print(result, text, sizeof text);
	vm_event_about(ACTION_RETURNS, VM_ABOUT(.value = text), "%s", text);
}

/* ---- phase 1 ------------------------------------------------------------------------------------------------------------- */

/* The words of the object, uint64_t each: one more than the thread that is in an operation, or 0; the node in which the last
 * operation began, 0 before the first one; one more than its thread when it has returned, and its result; else 0. */
enum { ACTIVE, NODE, NODE_LOW, RETURNED, RESULT, NOTE_WORDS = RESULT + sizeof(struct operation_result) / sizeof(uint64_t) };
_Static_assert(NOTE_WORDS * sizeof(uint64_t) == OPERATION_NOTE_ROOM, "the harness has room for them");

/* The node of the step under way, if that begins an operation. */
static VM_OWN uint64_t begun_at[2];

static uint64_t active_at(uint64_t state)
{
	uint64_t active = 0;
	const uint8_t *bytes = vm_peek(state, sizeof active);
	if (bytes)
		memcpy(&active, bytes, sizeof active);
	return active;
}

bool vm_operation_may_begin(uint64_t state, const struct vm_thread *thread)
{
	(void)thread;
	return active_at(state) == 0;
}

void vm_operation_explain(char *text, size_t size, const struct vm_thread *thread)
{
	snprintf(text, size, "waits until the operation of thread %u is over", (unsigned)active_at(thread->header.address));
}

/* Write a line to the file of histories, unless this process has just written it.  Lines are short, so several processes may
 * write. */
static void note_line(const char *line, size_t length)
{
	enum { KNOWN = 1 << 16 };
	static VM_OWN uint64_t *known;
	static VM_OWN FILE *file;
	const char *path = getenv("BITSPIN_HISTORIES");
	if (!file && path)
		file = fopen(path, "ae");
	if (!known)
		known = calloc(KNOWN, sizeof *known);
	uint64_t hash = XXH3_64bits(line, length) | 1;
	if (!file || (known && known[hash % KNOWN] == hash))
		return;
	if (known)
		known[hash % KNOWN] = hash;
	fwrite(line, 1, length, file);
	fflush(file);
}

bool vm_operations_are_noted(void) /* also before there is a state */
{
	uint32_t table = global_named("__bitspin_table"), mode;
	const struct image *image = &vm_this.image;
	if (table == IMAGE_NONE || image->globals[table].size < sizeof mode)
		return false;
	memcpy(&mode, image->data + image->globals[table].data + OPERATION_MODE * sizeof mode, sizeof mode);
	return mode == OPERATION_NOTES;
}

void vm_operation_look(const struct vm_thread *thread, vm_ref state)
{
	if (thread->header.wait != WAIT_OPERATION || !find() || !notes(where.table))
		return;
	struct vm_key key = vm_key_without(state, vm_this.global_index[where.number]);
	memcpy(begun_at, &key, sizeof begun_at);
}

/* Note an edge: from the node in the words, the operation of `thread`, which has the result in the words, or is `stuck`; where it
 * leads, in hexadecimal digits, or "-" if that is not known. */
static void note_edge(const uint64_t *words, uint64_t thread, bool stuck, const char *to)
{
	char line[40 + 17 * NOTE_WORDS + 40];
	int length = snprintf(line, sizeof line, "%016" PRIx64 "%016" PRIx64 " %" PRIx64, words[NODE], words[NODE_LOW], thread);
	if (stuck)
		length += snprintf(line + length, sizeof line - (size_t)length, ":stuck");
	for (unsigned i = RESULT; i < NOTE_WORDS && !stuck; i++)
		length += snprintf(line + length, sizeof line - (size_t)length, ":%" PRIx64, words[i]);
	length += snprintf(line + length, sizeof line - (size_t)length, " %s\n", to);
	note_line(line, (size_t)length);
}

static uint64_t *words_for_change(void)
{
	uint64_t *words = (uint64_t *)vm_access(where.state, OPERATION_NOTE_ROOM, ACCESS_SYNC_WRITE);
	assert((uintptr_t)words % sizeof *words == 0);
	return words;
}

static void begin_alone(const struct vm_call *call)
{
	uint64_t *words = words_for_change();
	char to[33], line[40];
	snprintf(to, sizeof to, "%016" PRIx64 "%016" PRIx64, begun_at[0], begun_at[1]);
	if (words[RETURNED])
		note_edge(words, words[RETURNED] - 1, false, to);
	else
		note_line(line, (size_t)snprintf(line, sizeof line, "begin %s\n", to));
	memset(words + RETURNED, 0, (NOTE_WORDS - RETURNED) * sizeof *words);
	words[ACTIVE] = thread_of(call) + 1;
	memcpy(words + NODE, begun_at, sizeof begun_at);
}

static void end_alone(const struct vm_call *call, const struct operation_result *result)
{
	uint64_t *words = words_for_change();
	words[ACTIVE] = 0;
	words[RETURNED] = thread_of(call) + 1;
	memcpy(words + RESULT, result, sizeof *result);
	note_edge(words, thread_of(call), false, "-");
}

/* ---- phase 2 ------------------------------------------------------------------------------------------------------------- */

/* Where no monitor of ours says so, this mark in the word of a thread says that its operation has begun. */
enum { STARTED = 0x8000 };

/* The words of the object, uint16_t each: of each thread, 0, or one more than its slot if it has announced a call; then the
 * monitor.  That has of each thread, whether it is in an operation; how many positions there are; the positions, in ascending
 * order: a node, and of each thread 0, or one more than the result with which the operation under way has taken effect.  All 0: the
 * history is empty, and explained by node 0. */
struct monitor {
	uint64_t table;
	uint16_t *words;
	uint32_t threads, stride, most; /* of a position, how many words; how many positions there is room for */
};

static struct monitor monitor_of(uint64_t table, uint8_t *bytes)
{
	uint32_t threads = operation_word(table, OPERATION_THREADS), stride = 1 + threads;
	uint32_t words = operation_word(table, OPERATION_ROOM) / (uint32_t)sizeof(uint16_t) - threads;
	assert((uintptr_t)bytes % sizeof(uint16_t) == 0 && words >= threads + 1 + stride);
	return (struct monitor){ table, (uint16_t *)(void *)bytes, threads, stride, (words - threads - 1) / stride };
}

static uint16_t *count_of(const struct monitor *m)
{
	return m->words + m->threads;
}

static uint16_t *position(const struct monitor *m, uint32_t number)
{
	return m->words + m->threads + 1 + (size_t)number * m->stride;
}

static bool under_way(const struct monitor *m, uint32_t thread)
{
	return m->words[thread];
}

/* Let the empty history be explained. */
static void start(const struct monitor *m)
{
	bool fresh = *count_of(m) == 0;
	for (uint32_t i = 0; i < m->threads; i++)
		fresh = fresh && m->words[i] == 0;
	if (fresh)
		*count_of(m) = 1;
}

static int compare(const uint16_t *a, const uint16_t *b, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* Add a position, unless it is there.  Return its number if it was added, and the count if it was there. */
static uint32_t add(const struct monitor *m, const uint16_t *new)
{
	uint32_t count = *count_of(m), at = 0;
	size_t bytes = m->stride * sizeof *new;
	while (at < count && compare(position(m, at), new, m->stride) < 0)
		at++;
	if (at < count && compare(position(m, at), new, m->stride) == 0)
		return count;
	if (count == m->most)
		VM_BUG("there are more positions than there is room for");
	memmove(position(m, at + 1), position(m, at), (count - at) * bytes);
	memcpy(position(m, at), new, bytes);
	++*count_of(m);
	return at;
}

/* Close the set under letting operations that are under way take effect.  What is added before the position that is looked at has
 * not been looked at: go back to it. */
static void close_set(const struct monitor *m)
{
	uint16_t *new = vm_scratch(m->stride * sizeof *new);
	for (uint32_t i = 0; i < *count_of(m);) {
		uint16_t node = *position(m, i);
		uint32_t back = UINT32_MAX, end = operation_edges_begin(m->table, node + 1u);
		for (uint32_t e = operation_edges_begin(m->table, node); e < end && back > i; e++) {
			struct operation_edge edge = operation_edge_at(m->table, e);
			assert(edge.thread < m->threads);
			if (edge.result == OPERATION_STUCK || !under_way(m, edge.thread) || position(m, i)[1 + edge.thread])
				continue;
			memcpy(new, position(m, i), m->stride * sizeof *new);
			new[0] = (uint16_t)edge.to;
			new[1 + edge.thread] = (uint16_t)(edge.result + 1);
			uint32_t count = *count_of(m), at = add(m, new);
			if (at != count && at <= i)
				back = at; /* also the position itself has moved: it is looked at again later */
		}
		i = back <= i ? back : i + 1;
	}
}

/* Keep the positions in which the operation of `thread` has taken effect with this result, and forget there that it has. */
static void keep_result(const struct monitor *m, uint32_t thread, uint32_t result)
{
	uint32_t count = *count_of(m);
	size_t bytes = m->stride * sizeof(uint16_t);
	uint16_t *old = vm_scratch(count * bytes + 1);
	memcpy(old, position(m, 0), count * bytes);
	memset(position(m, 0), 0, count * bytes);
	*count_of(m) = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint16_t *at = old + (size_t)i * m->stride;
		if (at[1 + thread] != result + 1)
			continue;
		at[1 + thread] = 0;
		add(m, at);
	}
}

/* Append the results that the operation of `thread` has in the positions, or would have, in which `only_own` has no other operation
 * under way taken effect. */
static void list_results(const struct monitor *m, uint32_t thread, char *text, size_t size)
{
	uint32_t results = operation_word(m->table, OPERATION_RESULTS);
	const char *between = "";
	for (uint32_t r = 0; r < results; r++) {
		bool found = false;
		for (uint32_t i = 0; i < *count_of(m) && !found; i++)
			found = position(m, i)[1 + thread] == r + 1;
		if (!found)
			continue;
		struct operation_result result = operation_result_at(m->table, r);
		size_t used = strlen(text);
		snprintf(text + used, size - used, "%s", between);
		used = strlen(text);
		operation_print(&result, text + used, size - used);
		if (strlen(text) == used)
			snprintf(text + used, size - used, "return");
		between = " or ";
	}
}

/* Return the words behind those that announce calls, to be changed.  `operation`: what commutes with its like; 0: nothing. */
static uint8_t *behind_announced(unsigned operation)
{
	uint32_t room = operation_word(where.table, OPERATION_ROOM);
	uint32_t announced = operation_word(where.table, OPERATION_THREADS) * (uint32_t)sizeof(uint16_t);
	vm_footprint_commutes(operation);
	uint8_t *bytes = vm_access(where.state + announced, room - announced, ACCESS_SYNC_WRITE);
	vm_footprint_commutes(0);
	return bytes;
}

static struct monitor monitor_for_change(unsigned operation)
{
	struct monitor m = monitor_of(where.table, behind_announced(operation));
	start(&m);
	return m;
}

/* Write the word of a thread: 0, or one more than the slot that has announced a call. */
static void announce(uint32_t thread, uint32_t word)
{
	vm_store64(where.state + thread * sizeof(uint16_t), sizeof(uint16_t), word, ACCESS_SYNC_WRITE);
}

/* Return the thread of the harness that has announced a call in this slot; the number of threads if none has.  Only the thread
 * itself changes its word, so that is no part of a footprint. */
static uint32_t announced_in(unsigned slot)
{
	uint32_t threads = operation_word(where.table, OPERATION_THREADS), thread = 0;
	const uint8_t *words = vm_peek(where.state, threads * sizeof(uint16_t));
	for (uint16_t word; words && thread < threads; thread++) {
		memcpy(&word, words + thread * sizeof word, sizeof word);
		if (word == slot + 1)
			break;
	}
	return thread;
}

static void end_watched(const struct vm_call *call, const struct operation_result *result)
{
	struct monitor m = monitor_for_change(RETURNS);
	uint32_t thread = thread_of(call);
	char could[300] = "", is[200];
	list_results(&m, thread, could, sizeof could);
	m.words[thread] = 0;
	keep_result(&m, thread, operation_find_result(m.table, result));
	if (*count_of(&m))
		return;
	operation_print(result, is, sizeof is);
	if (*could)
		vm_violation(VIOLATION_NOT_LINEARIZABLE,
			     "%s returns%s%s, which no order of whole operations explains; in one piece it could %s%s",
			     name_of(call), *is ? " " : "", is, strcmp(could, "return") ? "return " : "", could);
	vm_violation(VIOLATION_NOT_LINEARIZABLE,
		     "%s returns%s%s, which no order of whole operations explains; in one piece it would wait for ever",
		     name_of(call), *is ? " " : "", is);
}

static void end_in_period(const struct vm_call *call, const struct operation_result *result)
{
	char is[200];
	bool quiescent = operation_word(where.table, OPERATION_MODE) == OPERATION_QUIESCENT;
	uint32_t number = operation_find_result(where.table, result);
	announce(thread_of(call), 0);
	if (vm_period_return(where.table, (uint16_t *)(void *)behind_announced(0), thread_of(call), number))
		return;
	operation_print(result, is, sizeof is);
	vm_violation(VIOLATION_NOT_LINEARIZABLE,
		     "%s returns%s%s at last, and no order of whole operations explains all results; %s", name_of(call),
		     *is ? " " : "", is,
		     quiescent ? "not even one that keeps only what no operation overlaps (quiescent consistency)" :
				 "not even one that keeps only the order in each thread (sequential consistency)");
}

/* ---- steps of operations ----------------------------------------------------------------------------------------------------- */

/* How many steps of its own does an operation take?  A step is one visible operation of the thread with what comes after it.  The
 * words of the object, uint16_t each: of each thread, 0, or one more than its slot while it is in an operation; then of each, how
 * many steps the operation has taken; then, how many it may take.  Only the thread itself accesses its words.  Executions that
 * differ in the order of independent steps have the same steps per thread, so what reductions leave out has no other numbers. */
enum { COUNTED_STEPS = 1, COUNTED_LIMIT, COUNTED_WORDS };

static uint64_t counted_at(uint32_t thread, unsigned word)
{
	return where.state + (word * operation_word(where.table, OPERATION_THREADS) + thread) * sizeof(uint16_t);
}

static uint16_t counted(uint32_t thread, unsigned word)
{
	uint16_t value = 0;
	const uint8_t *bytes = vm_peek(counted_at(thread, word), sizeof value);
	if (!bytes)
		VM_BUG("the object of operations is not there");
	memcpy(&value, bytes, sizeof value);
	return value;
}

static void begin_counted(const struct vm_call *call)
{
	uint32_t thread = thread_of(call);
	assert(operation_word(where.table, OPERATION_ROOM) >=
	       COUNTED_WORDS * operation_word(where.table, OPERATION_THREADS) * sizeof(uint16_t));
	announce(thread, call->thread->slot + 1);
	vm_store64(counted_at(thread, COUNTED_LIMIT), sizeof(uint16_t),
		   (uint16_t)(call->arguments[ARG_THREAD] >> OPERATION_LIMIT_SHIFT), ACCESS_SYNC_WRITE);
}

static void count_step(uint32_t thread)
{
	uint16_t steps = counted(thread, COUNTED_STEPS), limit = counted(thread, COUNTED_LIMIT);
	if (steps == UINT16_MAX)
		vm_inconclusive(LIMIT_OPERATION, "an operation takes more than %u steps", UINT16_MAX);
	if (limit && steps == limit)
		vm_violation(VIOLATION_NOT_WAIT_FREE, "an operation has taken %u steps of its own, and is not done", steps);
	vm_store64(counted_at(thread, COUNTED_STEPS), sizeof steps, steps + 1u, ACCESS_SYNC_WRITE);
}

static void end_counted(const struct vm_call *call)
{
	uint32_t thread = thread_of(call);
	char line[300];
	int length = snprintf(line, sizeof line, "steps %u %s\n", counted(thread, COUNTED_STEPS), name_of(call));
	if (length < (int)sizeof line)
		note_line(line, (size_t)length);
	for (unsigned word = 0; word < COUNTED_WORDS; word++)
		vm_store64(counted_at(thread, word), sizeof(uint16_t), 0, ACCESS_SYNC_WRITE);
}

/* ---- the calls ----------------------------------------------------------------------------------------------------------- */

/* Are calls put off to the first step of their operations?  Not where that step may only flush a buffer of stores, and the thread
 * rests again, or may read what is not there any more: then a call is a step of its own, which may come at any time. */
static bool is_narrow(void)
{
	return vm_this.image.options->memory == MEMORY_SC;
}

/* Let the operation of a thread begin, in the step of the thread in `slot`. */
static void begin_now(uint32_t thread, unsigned slot)
{
	tell_call(thread);
	announce(thread, is_linear(where.table) ? 0 : STARTED | (slot + 1));
	if (!is_linear(where.table)) {
		if (operation_word(where.table, OPERATION_MODE) == OPERATION_QUIESCENT)
			vm_period_call(where.table, (uint16_t *)(void *)behind_announced(0));
		return;
	}
	struct monitor m = monitor_for_change(CALLS);
	m.words[thread] = 1;
	close_set(&m);
}

bool vm_operation_is_visible(const struct vm_call *call)
{
	if (asks_for_progress(call->arguments[ARG_TABLE]))
		return false;
	bool alone = notes(call->arguments[ARG_TABLE]) || !is_narrow(), begins = call->builtin->run == run_operation_begin;
	return alone ? begins :
		       find() && !begins && announced_in(call->thread->slot) < operation_word(where.table, OPERATION_THREADS);
}

void prepare_operation_begin(struct vm_call *call)
{
	if (notes(call->arguments[ARG_TABLE]))
		vm_wait_for(call, WAIT_OPERATION);
}

enum vm_outcome run_operation_begin(struct vm_call *call)
{
	uint32_t thread = thread_of(call);
	if (!find() || where.state != call->arguments[ARG_STATE] || where.table != call->arguments[ARG_TABLE])
		VM_BUG("an operation with another table");
	if (thread >= operation_word(where.table, OPERATION_THREADS) || thread >= OPERATION_LANES)
		VM_BUG("an operation of a thread that the table does not know");
	announced_names[thread] = call->arguments[ARG_NAME];
	if (asks_for_progress(where.table)) {
		tell_call(thread);
		if (operation_word(where.table, OPERATION_MODE) == OPERATION_STEPS)
			begin_counted(call);
		return CALL_DONE;
	}
	if (!notes(where.table)) {
		if (is_narrow())
			announce(thread, call->thread->slot + 1);
		else
			begin_now(thread, call->thread->slot);
		return CALL_DONE;
	}
	tell_call(thread);
	if (operation_word(where.table, OPERATION_SPEC)) /* a specification is sequential code: in one piece it has no races */
		vm_order_read(where.state, true, "operation");
	begin_alone(call);
	return CALL_DONE;
}

void vm_operation_begins(const struct vm_thread *thread)
{
	if (!find() || notes(where.table) || operation_word(where.table, OPERATION_MODE) == OPERATION_UNWATCHED)
		return;
	uint32_t announced = announced_in(thread->slot);
	if (announced == operation_word(where.table, OPERATION_THREADS))
		return;
	if (operation_word(where.table, OPERATION_MODE) == OPERATION_STEPS)
		count_step(announced);
	else
		begin_now(announced, thread->slot);
}

enum vm_outcome run_operation_end(struct vm_call *call)
{
	struct operation_result result = result_of(call);
	tell_return(&result);
	if (asks_for_progress(where.table)) {
		if (operation_word(where.table, OPERATION_MODE) == OPERATION_STEPS)
			end_counted(call);
		return CALL_DONE;
	}
	if (notes(where.table))
		end_alone(call, &result);
	else if (is_linear(where.table))
		end_watched(call, &result);
	else
		end_in_period(call, &result);
	if (notes(where.table) && operation_word(where.table, OPERATION_SPEC)) {
		vm_order_write(where.state, true, true, "operation");
		vm_race_synchronise(call->thread);
	}
	return CALL_DONE;
}

/* ---- operations that are blocked for ever ------------------------------------------------------------------------------------ */

/* Is the operation of `thread` stuck where those that have returned have taken effect, and nothing else? */
static bool is_stuck(const struct monitor *m, uint32_t thread)
{
	for (uint32_t i = 0; i < *count_of(m); i++) {
		const uint16_t *at = position(m, i);
		bool plain = true;
		for (uint32_t t = 0; t < m->threads; t++)
			plain = plain && at[1 + t] == 0;
		for (uint32_t e = operation_edges_begin(m->table, at[0]); plain && e < operation_edges_begin(m->table, at[0] + 1u);
		     e++) {
			struct operation_edge edge = operation_edge_at(m->table, e);
			if (edge.thread == thread && edge.result == OPERATION_STUCK)
				return true;
		}
	}
	return false;
}

/* Return the same under a weaker condition: a word that is not 0 says that an operation is under way. */
static enum vm_operations_blocked blocked_in_period(uint8_t *bytes, uint32_t threads, char *message, size_t size)
{
	const uint16_t *words = (const uint16_t *)(void *)bytes;
	bool any = false;
	for (uint32_t t = 0; t < threads; t++) {
		if (words[t] == 0)
			continue;
		any = true;
		if (vm_period_is_stuck(where.table, words + threads, t))
			continue;
		snprintf(message, size,
			 "an operation waits for ever, which it does not do in one piece after those that have returned");
		return OPERATIONS_UNEXPLAINED;
	}
	return any ? OPERATIONS_STUCK : OPERATIONS_NONE;
}

enum vm_operations_blocked vm_operations_blocked(char *message, size_t size)
{
	if (!find() || asks_for_progress(where.table))
		return OPERATIONS_NONE;
	uint64_t room = operation_word(where.table, OPERATION_ROOM);
	uint8_t *bytes = vm_scratch(room);
	const uint8_t *now = vm_peek(where.state, room);
	if (!now)
		return OPERATIONS_NONE;
	memcpy(bytes, now, room);
	if (notes(where.table)) {
		const uint64_t *words = (const uint64_t *)(void *)bytes;
		if (words[ACTIVE])
			note_edge(words, words[ACTIVE] - 1, true, "-");
		return words[ACTIVE] ? OPERATIONS_STUCK : OPERATIONS_NONE;
	}
	uint32_t threads = operation_word(where.table, OPERATION_THREADS);
	if (!is_linear(where.table))
		return blocked_in_period(bytes, threads, message, size);
	struct monitor m = monitor_of(where.table, bytes + threads * sizeof(uint16_t));
	bool any = false;
	start(&m);
	for (uint32_t t = 0; t < threads; t++) { /* what waits for its first step is under way, too */
		uint16_t word;
		memcpy(&word, bytes + t * sizeof word, sizeof word);
		m.words[t] = m.words[t] || word;
	}
	close_set(&m);
	for (uint32_t t = 0; t < m.threads; t++) {
		char could[300] = "";
		any = any || under_way(&m, t);
		if (!under_way(&m, t) || is_stuck(&m, t))
			continue;
		list_results(&m, t, could, sizeof could);
		snprintf(message, size,
			 "an operation waits for ever, which it does not do in one piece after those that have returned%s%s",
			 *could ? "; it could return " : "", could);
		return OPERATIONS_UNEXPLAINED;
	}
	return any ? OPERATIONS_STUCK : OPERATIONS_NONE;
}
