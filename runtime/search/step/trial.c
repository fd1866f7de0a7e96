/* SPDX-License-Identifier: MIT
 *
 * See trial.h, and sync/names.c.
 *
 * The trial is one schedule: thread after thread runs until it waits, or for a while.  So creators run before the threads that they
 * create, and most of those are alive together.  A new thread gets a slot that nobody had before, if its creator has none free.
 * At the end the slots are renumbered: first those of main, then those of the first thread that main created, and so on.
 *
 * The trial looks at the program alone, not at how it will be searched, so numbers are the same with all reductions and in a
 * replay.  Threads that it does not see get the slots that are kept for nobody.
 *
 * Where slots may be used once (names.c), they are in the trial, also if only main creates threads.  They are in the search, too,
 * if the program has ended in the trial, and needs few slots by the rule below.  Else there is another trial, in which they are
 * not.
 *
 * Not every program is better off.  In a chain of threads, each of which creates the next and ends, each would have a slot of its
 * own, where two are enough.  So slots are kept only if there are at most twice as many names as threads alive at once, or a few
 * more in a program that ends.
 */
#include "trial.h"
#include "../base/search.h"
#include "bounded_waits.h"
#include "single.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 64, TURN = 64, MOST_STEPS = 4096, MOST_ROUNDS = 1000000 }; /* rounds: of loops */

/* ---- what can threads other than main call? --------------------------------------------------------------------------- */

typedef bool wanted_call(const struct builtin *builtin);

static bool calls_directly(uint32_t function, wanted_call *is_wanted)
{
	const struct builtin *builtin = vm_this.image.functions[function].flags & FUNCTION_EXTERN ? builtin_of(function) : NULL;
	return builtin && is_wanted(builtin);
}

static bool calls_one_of(const struct image *image, const struct image_function *function, const bool *set)
{
	for (uint32_t i = 0; i < function->ncode; i++) {
		const struct image_insn *insn = &image->code[function->code + i];
		if (insn->op == IMAGE_CALL && insn->a < image->counts[IMAGE_FUNCTIONS] && set[insn->a])
			return true;
	}
	return false;
}

/* Mark the functions that make such a call, themselves or by functions that they call.  Return whether there are any. */
static bool find_calling(const struct image *image, wanted_call *is_wanted, bool *calling)
{
	bool more = false, any = false;
	for (uint32_t f = 0; f < image->counts[IMAGE_FUNCTIONS]; f++)
		any |= calling[f] = calls_directly(f, is_wanted);
	for (more = any; more;) {
		more = false;
		for (uint32_t f = 0; f < image->counts[IMAGE_FUNCTIONS]; f++)
			if (!calling[f] && calls_one_of(image, &image->functions[f], calling))
				more = calling[f] = true;
	}
	return any;
}

/* Is this the address of one of them? */
static bool is_address_of(const struct image *image, uint64_t word, const bool *set)
{
	uint64_t function = (word >> IMAGE_OFFSET_BITS) - IMAGE_FIRST_FUNCTION;
	return function < image->counts[IMAGE_FUNCTIONS] && set[function] && word == image_function_address((uint32_t)function);
}

bool vm_others_call(bool (*is_wanted)(const struct builtin *builtin))
{
	const struct image *image = &vm_this.image;
	bool *calling = calloc(image->counts[IMAGE_FUNCTIONS] + 1, sizeof *calling);
	bool found = !calling;
	if (calling && find_calling(image, is_wanted, calling)) {
		for (uint64_t i = 0; i < image->counts[IMAGE_CONSTANTS] && !found; i++)
			found = is_address_of(image, image->constants[i], calling);
		for (uint64_t i = 0; i + 8 <= image->counts[IMAGE_DATA] && !found; i += 8) {
			uint64_t word;
			memcpy(&word, image->data + i, sizeof word);
			found = is_address_of(image, word, calling);
		}
	}
	free(calling);
	return found;
}

static bool creates(const struct builtin *builtin)
{
	return builtin->run == run_thread_create || builtin->run == run_thrd_create;
}

static bool tells_numbers(const struct builtin *builtin)
{
	return builtin->run == run_gettid;
}

/* May slots be used once, and are there threads that leave slots spent? */
static bool may_use_once(void)
{
	return vm_this.image.options->handles && builtin_is_used(vm_detaches) && !builtin_is_used(tells_numbers);
}

unsigned vm_trial_slots(void)
{
	if (vm_this.image.options->identity == IDENTITY_SCALE) /* it takes threads in the order of their creation */
		return 0;
	return may_use_once() || vm_others_call(creates) ? SLOTS : 0;
}

/* ---- the trial ----------------------------------------------------------------------------------------------------- */

struct trial {
	vm_ref state;
	unsigned steps, alive; /* alive: threads at once, at most */
	uint64_t rounds;
	bool ended; /* until nobody could go on */
};

/* Return the state after a step of the thread in `slot`, with the first outcome that does not end the path; 0 if there is none. */
static vm_ref advance(vm_ref state, unsigned slot)
{
	const uint32_t *words = vm_state_words(state);
	uint32_t offered = slot < words[1] ? vm_offered(vm_state_outcomes(words)[slot]) : 0;
	vm_ref next = 0;
	for (uint32_t choice = 0; choice < offered && next == 0; choice++)
		next = vm_joined(state, slot, choice);
	return next;
}

static unsigned count_alive(vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	unsigned alive = 0;
	for (unsigned slot = 0; slot < words[1]; slot++)
		alive += vm_state_thread(words, slot) != 0;
	return alive;
}

static bool is_long(const struct trial *trial)
{
	return trial->steps >= MOST_STEPS || trial->rounds >= MOST_ROUNDS || vm_transient_is_crowded();
}

/* Let a thread run for a while.  Has it moved? */
static bool take_turn(struct trial *trial, unsigned slot)
{
	unsigned before = trial->steps;
	while (trial->steps < before + TURN && !is_long(trial)) {
		vm_ref next = advance(trial->state, slot);
		if (next == 0)
			break;
		unsigned alive = count_alive(next);
		trial->state = next;
		trial->alive = alive > trial->alive ? alive : trial->alive;
		assert(vm_this.budget <= LOOP_BUDGET);
		trial->rounds += LOOP_BUDGET - vm_this.budget;
		trial->steps++;
	}
	return trial->steps > before;
}

static struct trial run_program(void)
{
	struct trial trial = { .state = vm_this.initial, .alive = 1 };
	while (!trial.ended && !is_long(&trial)) {
		trial.ended = true;
		for (unsigned slot = 0; slot < vm_state_words(trial.state)[1]; slot++)
			trial.ended &= !take_turn(&trial, slot);
	}
	return trial;
}

/* ---- what comes of it ---------------------------------------------------------------------------------------------- */

/* Number the slots that creators keep anew, breadth first.  Return how many there are. */
static unsigned renumber(void)
{
	uint8_t *kept = vm_this.names.kept, sorted[VM_MAX_SLOTS] = { 0 };
	unsigned order[SLOTS] = { 0 }, count = 1;
	for (unsigned i = 0; i < count; i++)
		for (unsigned slot = 1; slot < SLOTS; slot++)
			if (kept[slot] == order[i] + 1) {
				assert(count < SLOTS); /* each slot has one creator */
				sorted[count] = (uint8_t)(i + 1);
				order[count++] = slot;
			}
	memcpy(kept, sorted, sizeof sorted);
	return count - 1;
}

static bool only_main_creates(void)
{
	for (unsigned slot = 0; slot < SLOTS; slot++)
		if (vm_this.names.kept[slot] > 1)
			return false;
	return true;
}

static bool is_useful(const struct trial *trial, unsigned names)
{
	enum { FEW = 16, FAIR = 30 }; /* FAIR: formulas can be fair to so many threads, and no more (LTL_MAX_FAIR) */
	if (vm_this.names.once ? !trial->ended : only_main_creates())
		return false;
	if (names == SLOTS - 1 || (names >= FAIR && trial->alive <= FAIR))
		return false;
	return names <= 2 * trial->alive + (trial->ended ? FEW : 0);
}

/* Run the program, and find out how many slots all names need: 0 if it is not useful to keep them.  Are slots used `once`? */
static void try_names(bool once)
{
	assert(!vm_this.names.trial);
	struct vm_names *names = &vm_this.names;
	memset(names, 0, sizeof *names);
	names->trial = true;
	names->once = once;
	names->kept[0] = UINT8_MAX; /* no creator's: it is main's alone */
	struct trial trial = run_program();
	names->trial = false;
	unsigned count = renumber();
	names->wanted = is_useful(&trial, count) ? count + 1 : 0;
}

void vm_trial(void)
{
	struct vm *vm = &vm_this;
	struct vm_met met;
	unsigned most = vm->most_slots, slots = vm->image.options->max_threads;
	vm_met_hold(&met);
	try_names(may_use_once());
	if (vm->names.once && !vm->names.wanted)
		try_names(false);
	if (vm->names.wanted == 0 || vm->names.wanted > slots) {
		memset(vm->names.kept, 0, sizeof vm->names.kept);
		vm->names.once = false;
	}
	vm_met_release(&met);
	vm->most_slots = most > vm->names.wanted || vm->names.wanted > slots ? most : vm->names.wanted;
}
