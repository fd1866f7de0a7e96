/* SPDX-License-Identifier: MIT
 *
 * A layer (layers.h): each step of each thread that can go on is a move.  Whoever makes longer moves, or fewer, is above it.
 */
#include "../step/layers.h"
#include "../hang/hangs.h"
#include "../step/single.h"

static unsigned look(vm_ref state, uint8_t *outcomes)
{
	const uint32_t *words = vm_state_words(state);
	for (unsigned i = 0; i < words[1]; i++)
		outcomes[i] = (uint8_t)vm_offered(vm_state_outcomes(words)[i]);
	return words[1];
}

static unsigned short offers(vm_ref state, unsigned slot, uint32_t outcomes)
{
	(void)state, (void)slot;
	return (unsigned short)((1u << outcomes) - 1);
}

static struct vm_run run(vm_ref state, unsigned slot, uint32_t option)
{
	vm_ref end = vm_below[LAYER_moves].step(state, slot, option, NULL);
	return (struct vm_run){ .end = end, .length = 1, .taken = true, .quiet = end && vm_may_hang(state, end, slot) };
}

struct vm_run vm_run_not_known(vm_ref state, unsigned slot, uint32_t option)
{
	(void)state, (void)slot, (void)option;
	return (struct vm_run){ 0 };
}

/* Return the run of one step that a replay takes.  Who tells the path takes the step itself. */
static struct vm_run replay(vm_ref state, unsigned slot, uint32_t option)
{
	(void)state, (void)slot, (void)option;
	return (struct vm_run){ .length = 1, .quiet = true };
}

static bool suits(void)
{
	return true;
}

const struct vm_layer vm_layer_moves = {
	.suits = suits,
	.look = look,
	.offers = offers,
	.run = run,
	.take = run,
	.replay = replay,
	.forget = vm_hangs_forget,
};
