/* SPDX-License-Identifier: MIT
 *
 * See random_walks.h.  Schedulers take turns, as each is good at what others miss:
 *
 *   - uniform: any thread that can move, each time;
 *   - sticky: the thread that moved last goes on, but for an interruption now and then;
 *   - priorities: the thread with the highest goes on; they are drawn for each walk, and at a few steps, drawn too, the thread that
 *     moves gets a low one.  (Burckhardt, Kothari, Musuvathi and Nagarakatte, "A randomized scheduler with probabilistic guarantees
 *     of finding bugs", ASPLOS 2010.)  A thread that yields, or goes on for very long, gets the lowest, as others may wait for it
 *     to let them go on.
 *
 * The states of a walk are transient (table.h).
 */
#include "random_walks.h"
#include "../reduce/search_step.h"
#include "../replay/replay.h"
#include "../step/start.h"
#include "../base/random.h"
#include "../../bitspin_vm.h"
#include "../../trace/record.h"
#include "preemption.h"
#include "../base/limits.h"
#include "../step/single.h"

#include <assert.h>
#include <string.h>
#include <time.h>

enum { NOBODY = -1 };
enum { SHORT = 2000, LONG = 1000000 }; /* most steps of a walk, in the beginning and ever */
enum { MOST_CHANGES = 8, PATIENCE = 500, TABLE_GROWS = 64 << 20, OFTEN = 256 };

enum scheduler { UNIFORM, PRIORITIES, STICKY, MORE_PRIORITIES, SCHEDULERS };

/* Nothing here is the VM's own: it is opened anew when its table has grown. */
static VM_SHARED struct {
	uint64_t random;
	enum scheduler scheduler;
	uint64_t priorities[VM_MAX_SLOTS]; /* 0: not drawn yet; drawn ones are above LOW */
	uint64_t lowest;
	uint64_t changes[MOST_CHANGES]; /* steps before which the thread that moves gets a low priority */
	unsigned nchanges, interrupts;  /* interrupts: of 256 steps of a sticky walk, so many */
	uint32_t alone;                 /* steps that the same thread has taken in a row */
	uint32_t most, usual;           /* steps of a walk: at most; of the last ones */
	uint64_t too_long;
} walk;

#define LOW (UINT64_C(1) << 32)

static uint64_t draw(void)
{
	return vm_draw(&walk.random);
}

static uint32_t draw_below(uint32_t end)
{
	assert(end > 0);
	return (uint32_t)((draw() >> 32) * end >> 32);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void begin(const struct walks_plan *plan, uint64_t number)
{
	walk.random = plan->seed * UINT64_C(0xd1342543de82ef95) + number;
	draw();
	walk.scheduler = (enum scheduler)(number % SCHEDULERS);
	memset(walk.priorities, 0, sizeof walk.priorities);
	walk.lowest = LOW / 2;
	walk.alone = 0;
	walk.interrupts = 64u >> draw_below(6);
	walk.nchanges = walk.scheduler == MORE_PRIORITIES ? 1 + draw_below(MOST_CHANGES) : draw_below(3);
	for (unsigned i = 0; i < walk.nchanges; i++)
		walk.changes[i] = draw_below(walk.usual + 1);
}

/* ---- who moves ----------------------------------------------------------------------------------------------------- */

static int any_of(const unsigned char *enabled, unsigned count)
{
	assert(count > 0);
	return enabled[draw_below(count)];
}

static void demote(unsigned slot)
{
	assert(walk.lowest > MOST_CHANGES + 1); /* those are the priorities after changes */
	walk.priorities[slot] = --walk.lowest;
}

static int highest_of(const unsigned char *enabled, unsigned count)
{
	assert(count > 0);
	int best = enabled[0];
	for (unsigned i = 0; i < count; i++) {
		uint64_t *priority = &walk.priorities[enabled[i]];
		if (*priority == 0)
			*priority = LOW + (draw() >> 1);
		if (*priority > walk.priorities[best])
			best = enabled[i];
	}
	return best;
}

static int by_priority(const unsigned char *enabled, unsigned count, uint32_t step)
{
	int slot = highest_of(enabled, count);
	for (unsigned i = 0; i < walk.nchanges; i++)
		if (walk.changes[i] == step) {
			walk.priorities[slot] = 1 + i;
			slot = highest_of(enabled, count);
		}
	return slot;
}

/* Return the slot of the thread that takes step `step` of the walk, after the one in slot `last`; NOBODY if none can. */
static int who_moves(int state, int last, uint32_t step)
{
	unsigned char enabled[VM_MAX_SLOTS];
	const uint32_t *words = vm_state_words(vm_ref_of(state));
	const uint8_t *outcomes = vm_state_outcomes(words);
	unsigned count = 0;
	for (uint32_t slot = 0; slot < words[1]; slot++)
		if (outcomes[slot])
			enabled[count++] = (unsigned char)slot;
	if (vm_terminated(state) || count == 0)
		return NOBODY;
	bool stays = last >= 0 && outcomes[last] && !vm_bound_leaves(state, (unsigned)last);
	switch (walk.scheduler) {
	case PRIORITIES:
	case MORE_PRIORITIES: return by_priority(enabled, count, step);
	case STICKY: return stays && draw_below(256) >= walk.interrupts ? last : any_of(enabled, count);
	default: return any_of(enabled, count);
	}
}

/* Note that the thread in `slot` has moved, and let another one have its turn if the thread has moved often enough, yields, or
 * has changed nothing. */
static void note_move(int before, int after, int slot, int last, bool yields)
{
	walk.alone = slot == last ? walk.alone + 1 : 0;
	if (walk.alone < PATIENCE && !yields && before != after)
		return;
	demote((unsigned)slot);
	walk.alone = 0;
}

/* ---- a walk -------------------------------------------------------------------------------------------------------- */

/* Let the walk go on from a copy of its state in the first table, as the second one is almost full. */
static int settle(int state)
{
	vm_transient_end();
	vm_ref ref = vm_state_keep(vm_ref_of(state));
	vm_transient_clear();
	vm_state_forget();
	vm_transient_begin();
	return (int)(ref ^ vm_this.initial);
}

/* Walk from the beginning, for walk.most steps at most and not beyond the time `end` (0: none).  Return whether there is a
 * violation at the end. */
static bool take_walk(struct schedule *schedule, double end, struct vm_found *found)
{
	int state = 0, last = NOBODY, slot;
	bool late = false;
	*found = (struct vm_found){ 0 };
	schedule->count = 0;
	while (!found->violates && !late && schedule->count < walk.most &&
	       (slot = who_moves(state, last, schedule->count)) != NOBODY) {
		uint32_t offered = vm_offered(vm_state_outcomes(vm_state_words(vm_ref_of(state)))[slot]);
		uint32_t choice = offered > 1 ? draw_below(offered) : 0;
		assert(choice < offered);
		bool yields = vm_bound_leaves(state, (unsigned)slot);
		schedule_add(schedule, (unsigned)slot, choice);
		int next = vm_step_quietly(state, slot, (int)choice, found);
		note_move(state, next, slot, last, yields);
		state = next;
		last = slot;
		if (vm_transient_is_crowded() && !found->violates && !vm_terminated(state))
			state = settle(state);
		late = schedule->count % OFTEN == 0 && end > 0 && now() > end;
	}
	return found->violates;
}

/* Learn from the length of a walk how long others are to be. */
static void learn(uint32_t steps, uint64_t walks)
{
	walk.usual = steps > walk.usual ? steps : walk.usual - (walk.usual - steps) / 8;
	if (steps >= walk.most && ++walk.too_long > walks / 2 + OFTEN && walk.most < LONG) {
		walk.most *= 2;
		walk.too_long = 0;
	}
}

static void tell(const struct walks_plan *plan, const struct walks_figures *figures, bool violates)
{
	vm_record_write(json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:b}", "type", "walks", "seed", (json_int_t)plan->seed, "walks",
				  (json_int_t)figures->walks, "steps", (json_int_t)figures->steps, "unfinished",
				  (json_int_t)figures->unfinished, "seconds", figures->seconds, "violates", (int)violates));
}

static void start_afresh(void)
{
	unsigned reductions = vm_this.reductions;
	vm_open_again();
	vm_this.reductions = reductions;
}

/* Take one more walk, and add it to the figures. */
static bool add_walk(const struct walks_plan *plan, double end, struct schedule *schedule, struct vm_found *found,
		     struct walks_figures *figures)
{
	uint64_t cut = vm_limit_paths();
	begin(plan, figures->walks);
	vm_transient_begin();
	bool violates = take_walk(schedule, end, found);
	vm_transient_end();
	vm_state_forget();
	vm_transient_clear();
	figures->walks++;
	figures->steps += schedule->count;
	figures->unfinished += !violates && (schedule->count >= walk.most || vm_limit_paths() > cut);
	learn(schedule->count, figures->walks);
	if (!violates && vm_table_bytes() > TABLE_GROWS)
		start_afresh();
	return violates;
}

bool vm_walks(const struct walks_plan *plan, struct schedule *schedule, struct vm_found *found, struct walks_figures *figures)
{
	double start = now(), told = start, end = plan->seconds > 0 ? start + plan->seconds : 0;
	bool violates = false, late = false;
	*figures = (struct walks_figures){ 0 };
	walk.most = walk.usual = SHORT;
	while (!violates && !late && (plan->walks == 0 || figures->walks < plan->walks)) {
		violates = add_walk(plan, end, schedule, found, figures);
		double time = now();
		figures->seconds = time - start;
		late = end > 0 && time > end;
		if (time - told > 0.5 && !violates && !late) {
			told = time;
			tell(plan, figures, false);
		}
	}
	tell(plan, figures, violates);
	return violates;
}
