/* SPDX-License-Identifier: MIT
 *
 * See summary.h.
 *
 * Why a summary tells what the step would do: a step is a function of the state, and the VM is deterministic.  So two runs of
 * the interpreter from the same point that find the same values wherever they look do the same.  What a step can look at:
 * - its own thread and that one's locals: a summary goes by the whole of them, byte by byte;
 * - objects elsewhere: state/reads.h has a log, of the bytes that are read and of the headers.  vm_place_of() logs whole objects;
 *   those who call vm_place_look() instead log by themselves;
 * - other threads: to look at one refuses the summary (vm_thread_load()), but for data races, where the answer can be had from
 *   the footprint: an access is compared with the open segments of the others, and is recorded only if there are others
 *   (`alone`);
 * - how many slots there are: part of the summary;
 * - numbers that nothing names, to allocate: refused.  Only the thread's own locals may come and go. Programs are left to the
 * interpreter that have records of accesses in states, properties, hidden pointers, or signals that interrupt, as each thread
 * that can be interrupted has one more outcome; and so are threads while one is in an atomic section, which decides about all
 * others.
 *
 * What a step changes: its own thread, its locals, and bytes in other objects that it has logged as changed.  To be sure, a
 * summary is tried at once on the state it comes from, and thrown away if that does not give the same state.  Then come the
 * outcomes: those of the other threads are what they were, unless they wait for what the footprint writes.  Last, a step
 * that closes a circle of waiting threads is a violation, which the interpreter reports.
 */
#include "summary.h"
#include "layers.h"
#include "../base/gain.h"
#include "../base/plan.h"
#include "../base/report.h"
#include "bounded_waits.h"
#include "summary_parts.h"
#include "../../memory/race.h"
#include "../../memory/records.h"
#include "../../state/limit.h"
#include "../../state/reads.h"
#include "../../state/stored.h"
#include "../../state/symmetry.h"
#include "../../sync/mutex.h"
#include "../../sync/sync.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OBJECTS 1024u /* in a map that is changed */
#define MOST_CHAIN   16u   /* summaries that are tried for a thread's part */

/* Bytes of an object that the step looks at, or changes. */
struct known {
	uint32_t word, index; /* the map, as a word of the state, and the place in it */
	struct vm_object_header header;
	uint32_t low, high;
	const uint8_t *old, *new; /* new: NULL if they are not changed */
};

enum { CHANGES = 4 }; /* that a summary remembers */

struct summary {
	struct summary *next;
	uint32_t slot, choice, slots;
	bool alone; /* no other thread runs */
	const struct part *locals;
	struct part *new_thread, *new_locals;
	uint32_t count;
	struct known *known; /* in order of words and indices */
	struct {             /* maps in the table that it has fitted, and what they became, if it looks at one map only */
		vm_ref before, after;
	} changes[CHANGES];
	uint32_t newest;
	uint64_t age; /* of the table then, see vm_parts_age() */
	struct footprint footprint;
	uint64_t rounds;         /* of bounded waits, see bounded_waits.c */
	struct vm_order_op *ops; /* what the step does to records; NULL: that is not known */
	uint32_t op_count;
};

/* ---- does a summary fit? ------------------------------------------------------------------------------------------- */

/* A stored state, as far as it is looked at for every step. */
struct view {
	const uint32_t *words;
	uint32_t slots;
	const vm_stored_header *threads[VM_MAX_SLOTS]; /* NULL: none */
	bool alone;                                    /* no thread but the one that steps is running */
	bool atomic;                                   /* some thread is in an atomic section */
	bool segments;                                 /* some other thread has an open segment */
};

static void look_around(struct view *view, const uint32_t *words, unsigned slot)
{
	view->words = words;
	view->slots = words[1];
	view->alone = true;
	assert(view->slots <= VM_MAX_SLOTS && slot < view->slots);
	view->atomic = view->segments = false;
	for (unsigned i = 0; i < view->slots; i++) {
		vm_ref ref = words[STATE_WORDS + i * STATE_SLOT_WORDS];
		const vm_stored_header *header = view->threads[i] = ref ? vm_table_get(ref) : NULL;
		if (header == NULL)
			continue;
		view->atomic = view->atomic || header->atomic;
		view->alone = view->alone && (i == slot || header->status != THREAD_RUNNING);
		view->segments = view->segments || (i != slot && header->ranges);
	}
}

/* Does an open segment of another thread have what the step touches?  If both only read, that is no race. */
static bool meets_segment(const vm_stored_header *other, const struct footprint *footprint)
{
	const struct vm_range *ranges = (const struct vm_range *)(other + 1);
	for (uint32_t i = 0; i < other->ranges; i++)
		for (uint32_t k = 0; k < footprint->count; k++) {
			const struct vm_range *range = &footprint->ranges[k];
			enum vm_access access = vm_kind_access(ranges[i].write);
			bool reads = range->write == 0 && (access == ACCESS_READ || access == ACCESS_SYNC_READ);
			if (range->object == ranges[i].object && range->low < ranges[i].high && ranges[i].low < range->high &&
			    !reads)
				return true;
		}
	return false;
}

static bool may_race(const struct view *view, unsigned slot, const struct footprint *footprint)
{
	for (unsigned i = 0; view->segments && i < view->slots; i++)
		if (i != slot && view->threads[i] && meets_segment(view->threads[i], footprint))
			return true;
	return false;
}

static bool has_one_map(const struct summary *summary)
{
	return summary->count && summary->known[0].word == summary->known[summary->count - 1].word;
}

/* Return what becomes of the only map at which `summary` looks, if that is known; else 0. */
static vm_ref known_change(const struct summary *summary, const uint32_t *words)
{
	if (!has_one_map(summary) || summary->age != vm_parts_age())
		return 0;
	vm_ref map = words[summary->known[0].word];
	for (unsigned i = 0; i < CHANGES; i++)
		if (summary->changes[i].before == map)
			return summary->changes[i].after;
	return 0;
}

static void remember_change(struct summary *summary, vm_ref before, vm_ref after)
{
	assert(before && after && has_one_map(summary));
	if (vm_is_transient(before) || vm_is_transient(after))
		return;
	if (summary->age != vm_parts_age())
		memset(summary->changes, 0, sizeof summary->changes);
	summary->age = vm_parts_age();
	summary->newest = (summary->newest + 1) % CHANGES;
	summary->changes[summary->newest].before = before;
	summary->changes[summary->newest].after = after;
}

/* Do they stand in the order that change_map() and has_one_map() rely on? */
static bool are_sorted(const struct known *known, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (known[i - 1].word > known[i].word ||
		    (known[i - 1].word == known[i].word && known[i - 1].index > known[i].index))
			return false;
	return true;
}

static bool finds_known(const struct summary *summary, const uint32_t *words)
{
	if (known_change(summary, words))
		return true;
	for (uint32_t i = 0; i < summary->count; i++) {
		const struct known *known = &summary->known[i];
		vm_ref ref = vm_object_stored(words, known->word, known->index);
		if (!ref || memcmp(vm_table_get(ref), &known->header, sizeof known->header) != 0 ||
		    !vm_object_has(ref, known->low, known->high, known->old))
			return false;
	}
	return true;
}

/* ---- the state after it -------------------------------------------------------------------------------------------- */

/* Return the object `ref` with its bytes changed; 0 if there is no room. */
static vm_ref change_object(vm_ref ref, const struct known *change)
{
	uint8_t blob[sizeof(struct vm_object_header) + 2 * OBJECT_WHOLE + 4 * MOST_OBJECTS];
	static VM_OWN uint8_t page[OBJECT_MOST];
	uint32_t size = vm_table_size(ref);
	if (size > sizeof blob)
		return 0;
	assert(change->new && change->low <= change->high && change->high <= change->header.size);
	memcpy(blob, vm_table_get(ref), size);
	uint8_t *bytes = blob + sizeof change->header;
	if (change->header.size <= OBJECT_WHOLE) {
		memcpy(bytes + change->low, change->new, change->high - change->low);
		return vm_table_put(blob, size);
	}
	vm_ref *pages = (vm_ref *)bytes;
	uint32_t bytes_of_page = vm_object_page(change->header.size);
	for (uint32_t at = change->low; at < change->high;) {
		uint32_t i = at / bytes_of_page,
			 end = (i + 1) * bytes_of_page < change->high ? (i + 1) * bytes_of_page : change->high;
		uint32_t length = vm_table_size(pages[i]);
		assert(at < end && at % bytes_of_page + (end - at) <= length);
		memcpy(page, vm_table_get(pages[i]), length);
		memcpy(page + at % bytes_of_page, change->new + (at - change->low), end - at);
		if (memcmp(page, vm_table_get(pages[i]), length) != 0)
			pages[i] = vm_table_put(page, length);
		if (!pages[i])
			return 0;
		at = end;
	}
	return vm_table_put(blob, size);
}

/* Make the changes to the objects of a map, which begin at *i; behind them afterwards.  False: there is no room. */
static bool change_map(const struct summary *summary, uint32_t *i, uint32_t *words)
{
	vm_ref refs[MOST_OBJECTS];
	uint32_t word = summary->known[*i].word, size = vm_table_size(words[word]);
	if (size > sizeof refs)
		return false;
	memcpy(refs, vm_table_get(words[word]), size);
	for (; *i < summary->count && summary->known[*i].word == word; ++*i) {
		const struct known *known = &summary->known[*i];
		assert(known->index < size / sizeof *refs); /* finds_known() has looked there */
		if (known->new)
			refs[known->index] = change_object(refs[known->index], known);
		if (!refs[known->index])
			return false;
	}
	words[word] = vm_table_put(refs, size);
	return words[word];
}

static bool writes_to(const struct footprint *footprint, uint32_t object, uint32_t low, uint32_t high)
{
	for (uint32_t i = 0; i < footprint->count; i++) {
		const struct vm_range *range = &footprint->ranges[i];
		if (range->object == object && range->write && range->low < high && low < range->high)
			return true;
	}
	return false;
}

/* May the step change whether another thread can go on? */
static bool concerns(const struct footprint *footprint, unsigned slot, const vm_stored_header *other, const vm_stored_header *old,
		     const vm_stored_header *new)
{
	bool ends = new->status != THREAD_RUNNING;
	if (other->status != THREAD_RUNNING)
		return false;
	if (other->timed)
		return true;
	switch ((enum vm_wait)other->wait) {
	case WAIT_NONE:
	case WAIT_CHOICE:
	case WAIT_EXIT:
	case WAIT_DEATH:
	case WAIT_END:
	case WAIT_BARRIER: return false;
	case WAIT_JOIN: return ends && (vm_is_symmetric() || vm_slot_named(other->address) == slot);
	case WAIT_CONDITION: return vm_wakes_spuriously();
	case WAIT_SIGNAL: return ends || old->wait == WAIT_CONDITION || new->wait == WAIT_CONDITION;
	case WAIT_MUTEX: {
		uint64_t number = image_number(other->address);
		uint32_t low = (uint32_t)(other->address - (number << IMAGE_OFFSET_BITS));
		return ends || writes_to(footprint, (uint32_t)number, low, low + (uint32_t)sizeof(pthread_mutex_t));
	}
	case WAIT_READ:
	case WAIT_WRITE:
	case WAIT_SPIN:
	case WAIT_SEMAPHORE:
	case WAIT_ONCE: return ends || writes_to(footprint, (uint32_t)image_number(other->address), 0, UINT32_MAX);
	default: return true;
	}
}

/* Is a thread kept from going on by a mutex that it waits for, and whose?  False: that is not known without loading the state. */
static bool mutex_decides(const uint32_t *words, const vm_stored_header *header, unsigned slot, bool *blocked, unsigned *holder)
{
	uint8_t bytes[sizeof(pthread_mutex_t)];
	struct vm_range mutex;
	bool robust;
	if (!vm_mutex_awaited(header, &mutex) || !vm_object_copy(words, &mutex, bytes))
		return false;
	*blocked = vm_mutex_keeps_out(bytes, slot, holder, &robust);
	return !robust;
}

/* the state after a step, in the making */
struct draft {
	uint32_t *words;
	uint8_t *outcomes;
	const struct view *before;
	const vm_stored_header *new; /* of the thread that steps */
	unsigned slot;
	bool loaded; /* it is the working state */
};

static const vm_stored_header *thread_in(const struct draft *draft, unsigned slot)
{
	return slot == draft->slot ? draft->new : draft->before->threads[slot];
}

static void load(struct draft *draft)
{
	if (!draft->loaded)
		vm_state_load_words(draft->words);
	draft->loaded = true;
}

static uint8_t outcomes_of(struct draft *draft, unsigned slot)
{
	assert(slot < draft->before->slots && thread_in(draft, slot));
	bool blocked;
	unsigned holder;
	if (mutex_decides(draft->words, thread_in(draft, slot), slot, &blocked, &holder))
		return !blocked;
	load(draft);
	unsigned n = vm_thread_outcomes(vm_thread_load(slot));
	return (uint8_t)(n > 255 ? 255 : n);
}

/* Does the thread that steps wait in a circle?  Who can go on, or waits for a signal, is in none. */
static bool closes_circle(struct draft *draft)
{
	unsigned at = draft->slot;
	for (unsigned length = 0; length < draft->before->slots; length++) {
		const vm_stored_header *header = at < draft->before->slots ? thread_in(draft, at) : NULL;
		bool blocked;
		if (!header || header->status != THREAD_RUNNING || draft->outcomes[at] || header->wait == WAIT_CONDITION ||
		    header->wait == WAIT_BARRIER)
			return false;
		if (!mutex_decides(draft->words, header, at, &blocked, &at))
			break;
		if (at == draft->slot)
			return true;
	}
	load(draft);
	return vm_thread_closes_circle(draft->slot);
}

/* Fill in the outcomes of the threads in `draft`.  Return false if the step closes a circle. */
static bool find_outcomes(const struct summary *summary, struct draft *draft)
{
	const struct view *before = draft->before;
	const vm_stored_header *old = before->threads[draft->slot], *new = draft->new;
	assert(old && new && old->status == THREAD_RUNNING); /* it has just taken a step */
	for (unsigned i = 0; i < before->slots; i++)
		if (i != draft->slot && before->threads[i] &&
		    concerns(&summary->footprint, draft->slot, before->threads[i], old, new))
			draft->outcomes[i] = outcomes_of(draft, i);
	if (new->status != THREAD_RUNNING)
		draft->outcomes[draft->slot] = 0;
	else if (!new->timed && (new->wait == WAIT_NONE || new->wait == WAIT_EXIT || new->wait == WAIT_END))
		draft->outcomes[draft->slot] = 1;
	else
		draft->outcomes[draft->slot] = outcomes_of(draft, draft->slot);
	bool blocked = draft->outcomes[draft->slot] == 0 && new->status == THREAD_RUNNING;
	return !blocked || vm_this.image.options->deadlock != DEADLOCK_CIRCULAR || !closes_circle(draft);
}

/* Make all changes to objects.  False: there is no room. */
static bool change_maps(struct summary *summary, uint32_t *words)
{
	vm_ref known = known_change(summary, words), before = summary->count ? words[summary->known[0].word] : 0;
	if (known) {
		words[summary->known[0].word] = known;
		return true;
	}
	for (uint32_t i = 0; i < summary->count;)
		if (!summary->known[i].new)
			i++;
		else if (!change_map(summary, &i, words))
			return false;
	if (has_one_map(summary))
		remember_change(summary, before, words[summary->known[0].word]);
	return true;
}

/* Return the state after the step that `summary` tells of; 0 if there is no room, or if the step has to be interpreted. */
static vm_ref apply(struct summary *summary, const struct view *before)
{
	assert(summary->slots == before->slots && summary->slot < summary->slots);
	uint32_t slot = STATE_WORDS + summary->slot * STATE_SLOT_WORDS;
	uint32_t words[STATE_WORDS + VM_MAX_SLOTS * STATE_SLOT_WORDS + VM_MAX_SLOTS / sizeof(uint32_t) + 1];
	memcpy(words, before->words, vm_words_size(before->words));
	if (!change_maps(summary, words))
		return 0;
	words[slot] = vm_part_store(summary->new_thread);
	if (summary->new_locals != summary->locals)
		words[slot + 1] = vm_part_store(summary->new_locals);
	if (!words[slot] || (!words[slot + 1] && !vm_part_is_empty_map(summary->new_locals)))
		return 0;
	struct draft draft = {
		.words = words,
		.outcomes = (uint8_t *)vm_state_outcomes(words),
		.before = before,
		.new = vm_table_get(words[slot]),
		.slot = summary->slot,
	};
	if ((before->alone && draft.new->status != THREAD_RUNNING) || !find_outcomes(summary, &draft))
		return 0;
	vm_ref next = vm_words_put(words);
	if (next && draft.loaded)
		vm_this.ref = next;
	return next;
}

/* ---- the interface ------------------------------------------------------------------------------------------------- */

enum mode { UNKNOWN, OFF, ON, CHECKED };

#ifdef VM_DEBUG
#define USUAL CHECKED
#else
#define USUAL ON
#endif

enum { WINDOW = 4096, LEAST = WINDOW / 4, REST = 16 * WINDOW }; /* steps */

/* How often summaries were looked for and found of late.  Where they do not help they rest for a while. */
static VM_OWN struct vm_gain tally; /* useful: found */

static enum mode mode(void)
{
	static VM_OWN enum mode known;
	if (known != UNKNOWN)
		return known;
	const char *wanted = getenv("BITSPIN_SUMMARIES");
	known = wanted && strcmp(wanted, "check") == 0 ? CHECKED : wanted && strcmp(wanted, "off") == 0 ? OFF : USUAL;
	return known;
}

bool vm_summaries_rest(void)
{
	return tally.rest;
}

bool vm_summary_is_checked(void)
{
	return mode() == CHECKED;
}

/* Is it worth while to look, just now? */
static bool is_worth_it(void)
{
	if (vm_limit_stopping)
		return false;
	if (tally.rest)
		return --tally.rest == 0;
	if (mode() != CHECKED)
		vm_gain_settle(&tally, WINDOW, LEAST, REST);
	return true;
}

static struct summary *find(const struct view *view, struct part *thread, const struct part *locals, unsigned slot, uint32_t choice)
{
	struct summary **link = &thread->summaries;
	for (unsigned i = 0; *link && i < MOST_CHAIN; i++, link = &(*link)->next) {
		struct summary *summary = *link;
		if (summary->slot != slot || summary->choice != choice || summary->slots != view->slots ||
		    summary->alone != view->alone || summary->locals != locals || !finds_known(summary, view->words))
			continue;
		*link = summary->next;
		summary->next = thread->summaries;
		return thread->summaries = summary;
	}
	return NULL;
}

/* Return the summary that fits a step, and what it looks at of the state; NULL if none does. */
static struct summary *fitting(struct view *view, vm_ref state, unsigned slot, uint32_t choice)
{
	const uint32_t *words = vm_state_words(state);
	struct part *thread = vm_part_of(words[STATE_WORDS + slot * STATE_SLOT_WORDS], false, false);
	struct part *locals = thread ? vm_part_of(words[STATE_WORDS + slot * STATE_SLOT_WORDS + 1], true, false) : NULL;
	if (!locals || !thread->summaries)
		return NULL;
	look_around(view, words, slot);
	return view->atomic ? NULL : find(view, thread, locals, slot, choice);
}

/* Return the same, but NULL if the step may race with an open segment. */
static struct summary *usable(struct view *view, vm_ref state, unsigned slot, uint32_t choice)
{
	struct summary *summary = fitting(view, state, slot, choice);
	return summary && !may_race(view, slot, &summary->footprint) ? summary : NULL;
}

static vm_ref use(vm_ref state, unsigned slot, uint32_t choice, struct footprint *footprint)
{
	struct view view;
	struct summary *summary = usable(&view, state, slot, choice);
	vm_ref next = summary ? apply(summary, &view) : 0;
	if (next) {
		vm_footprint_copy(footprint, &summary->footprint);
		vm_saved[REDUCTION_SPINS_NUMBER] += vm_summary_is_checked() ? 0 : summary->rounds;
	}
	return next;
}

const struct footprint *vm_summary_reach(vm_ref state, unsigned slot, uint32_t choice, uint32_t *word)
{
	uint32_t own = STATE_WORDS + slot * STATE_SLOT_WORDS;
	struct view view;
	struct summary *summary = fitting(&view, state, slot, choice);
	*word = 0;
	for (uint32_t i = 0; summary && i < summary->count; i++) {
		uint32_t at = summary->known[i].word;
		if (at == STATE_GLOBALS || (at >= own && at < own + STATE_SLOT_WORDS))
			continue;
		if (*word && *word != at)
			return NULL;
		*word = at;
	}
	return summary ? &summary->footprint : NULL;
}

bool vm_step_concerns(const struct footprint *footprint, unsigned slot, const vm_stored_header *old, const vm_stored_header *new,
		      const vm_stored_header *other)
{
	return concerns(footprint, slot, other, old, new);
}

bool vm_step_may_race(const struct footprint *footprint, const vm_stored_header *other)
{
	return meets_segment(other, footprint);
}

static void keep_ops(struct summary *summary, const struct vm_order_op *ops, uint32_t count)
{
	summary->ops = vm_part_allocate((count + 1) * sizeof *ops);
	summary->op_count = count;
	if (summary->ops && count)
		memcpy(summary->ops, ops, count * sizeof *ops);
}

/* Check that what a summary has noted is what the step does that has just been taken. */
static void check_ops(const struct summary *summary, const struct vm_order_op *ops, uint32_t count)
{
	if (count != summary->op_count || (count && memcmp(ops, summary->ops, count * sizeof *ops) != 0))
		VM_BUG("a summary of a step is wrong: it does %u things to records, not %u", (unsigned)count,
		       (unsigned)summary->op_count);
}

vm_ref vm_summary_tell(vm_ref state, unsigned slot, uint32_t choice)
{
	struct view view;
	uint32_t from = vm_records_ask_next(), count;
	struct summary *summary = tally.rest || vm_parts_are_full() ? NULL : usable(&view, state, slot, choice);
	bool known = summary && summary->ops;
	vm_ref next = known && !vm_summary_is_checked() ? apply(summary, &view) : 0;
	if (next) {
		vm_records_tell(summary->ops, summary->op_count);
		return next;
	}
	next = vm_joined(state, slot, choice);
	const struct vm_order_op *ops = vm_records_told_from(from, &count);
	if (known)
		check_ops(summary, ops, count);
	else if (summary && next && summary->rounds == 0)
		keep_ops(summary, ops, count);
	return next;
}

void vm_summaries_found(unsigned count)
{
	tally.tried += count;
	tally.useful += count;
}

static vm_ref find_and_use(vm_ref state, unsigned slot, uint32_t choice, struct footprint *footprint)
{
	if (vm_parts_are_full()) {
		vm_parts_forget();
		tally.rest = WINDOW; /* perhaps memory is short */
		return 0;
	}
	vm_ref next = use(state, slot, choice, footprint);
	tally.tried++;
	tally.useful += next != 0;
	if (next) {
		vm_this.ending.end = END_NONE;
		vm_this.exclusive = false;
		vm_this.current = &vm_this.threads[slot];
	}
	return next;
}

/* Sort `known` in the order of places. */
static void sort(struct known *known, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		for (uint32_t k = i; k &&
		     (known[k - 1].word > known[k].word ||
		      (known[k - 1].word == known[k].word && known[k - 1].index > known[k].index));
		     k--) {
			struct known swapped = known[k];
			known[k] = known[k - 1];
			known[k - 1] = swapped;
		}
}

/* Put into `known` what the log says of one range, with its bytes in the states before and after the step.  Return false if that
 * cannot be known. */
static bool learn(struct known *known, const struct vm_range *range, const uint32_t *before, const uint32_t *after)
{
	assert(range->low <= range->high);
	if (!vm_object_locate(range->object, before, &known->word, &known->index))
		return false;
	vm_ref old = vm_object_stored(before, known->word, known->index), new = vm_object_stored(after, known->word, known->index);
	if (!old || !new)
		return false;
	uint32_t size = range->high - range->low;
	uint8_t *bytes = vm_part_allocate(2 * (uint64_t)size + 1);
	known->header = *(const struct vm_object_header *)vm_table_get(old);
	if (!bytes || known->header.flags & OBJECT_SHADOWED || range->high > known->header.size ||
	    memcmp(vm_table_get(new), &known->header, sizeof known->header) != 0)
		return false;
	known->low = range->low;
	known->high = range->high;
	vm_object_read(old, range->low, range->high, bytes);
	vm_object_read(new, range->low, range->high, bytes + size);
	known->old = bytes;
	known->new = range->write ? bytes + size : NULL;
	return true;
}

bool vm_footprint_keep(struct footprint *to, const struct footprint *from)
{
	*to = *from;
	to->ranges = vm_part_allocate(from->count * sizeof *from->ranges);
	if (to->ranges && from->count)
		memcpy(to->ranges, from->ranges, from->count * sizeof *from->ranges);
	return to->ranges;
}

static struct summary *summarize(const uint32_t *before, const uint32_t *after, const struct footprint *footprint)
{
	struct summary *summary = vm_part_allocate(sizeof *summary);
	struct known *known = vm_part_allocate(vm_reads.count * sizeof *known);
	if (!summary || !known)
		return NULL;
	*summary = (struct summary){ .count = vm_reads.count, .known = known };
	for (uint32_t i = 0; i < vm_reads.count; i++)
		if (!learn(&known[i], &vm_reads.items[i], before, after))
			return NULL;
	sort(known, summary->count);
	assert(are_sorted(known, summary->count));
	return vm_footprint_keep(&summary->footprint, footprint) ? summary : NULL;
}

/* Make a summary of a step that has just been taken from `state`, and led to `next` (0: to none), if its log allows that. */
static void learn_step(vm_ref state, unsigned slot, uint32_t choice, vm_ref next, const struct footprint *footprint)
{
	bool wanted = vm_reads.wanted && !vm_reads.refused && next && !footprint->everything && tally.rest == 0;
	vm_reads.wanted = false;
	if (!wanted)
		return;
	const uint32_t *before = vm_state_words(state), *after = vm_state_words(next);
	uint32_t at = STATE_WORDS + slot * STATE_SLOT_WORDS;
	struct view view;
	look_around(&view, before, slot);
	if (before[1] != after[1] || view.atomic || !after[at] || may_race(&view, slot, footprint))
		return;
	struct part *thread = vm_part_of(before[at], false, true), *locals = vm_part_of(before[at + 1], true, true);
	struct part *new_thread = vm_part_of(after[at], false, true), *new_locals = vm_part_of(after[at + 1], true, true);
	if (!thread || !locals || !new_thread || !new_locals)
		return;
	struct summary *summary = summarize(before, after, footprint);
	if (!summary)
		return;
	summary->slot = slot;
	summary->choice = choice;
	summary->slots = before[1];
	summary->alone = view.alone;
	summary->locals = locals;
	summary->new_thread = new_thread;
	summary->new_locals = new_locals;
	summary->rounds = vm_spin_rounds;
	if (apply(summary, &view) == next) {
		summary->next = thread->summaries;
		thread->summaries = summary;
	}
	vm_state_load(next);
}

/* Check that a summary tells what the step does that has just been taken: the same footprint, and the same state.  This is for
 * BITSPIN_SUMMARIES=check. */
static void check(const struct footprint *expected, vm_ref expected_next, const struct footprint *footprint, vm_ref next)
{
	vm_reads.wanted = false;
	if (expected_next != next || !vm_footprint_equal(expected, footprint))
		VM_BUG("a summary of a step is wrong: state %u, not %u", (unsigned)expected_next, (unsigned)next);
}

/* ---- the layer --------------------------------------------------------------------------------------------------------- */

static vm_ref step(vm_ref state, unsigned slot, uint32_t choice, struct footprint *footprint)
{
	assert(!vm_reads.wanted && !vm_reads.on); /* whoever asks for a log takes it */
	static VM_OWN struct footprint own, expected;
	bool worth = is_worth_it();
	if (!worth && !footprint)
		return vm_below[LAYER_summaries].step(state, slot, choice, NULL);
	footprint = footprint ? footprint : &own;
	vm_ref known = worth ? find_and_use(state, slot, choice, footprint) : 0;
	if (known && !vm_summary_is_checked())
		return known;
	if (known)
		vm_footprint_copy(&expected, footprint);
	vm_reads.wanted = tally.rest == 0;
	vm_ref next = vm_below[LAYER_summaries].step(state, slot, choice, footprint);
	if (known)
		check(&expected, known, footprint, next);
	else
		learn_step(state, slot, choice, next, footprint);
	return next;
}

static bool suits(void)
{
	return vm_plan_has(CACHE_SUMMARIES) && mode() != OFF;
}

const struct vm_layer vm_layer_summaries = { .suits = suits, .step = step, .forget = vm_parts_displace };
