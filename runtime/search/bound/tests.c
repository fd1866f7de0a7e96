/* SPDX-License-Identifier: MIT
 *
 * See tests.h.  An end is a step to the end of the program or to a violation, from a state that has not been there before, or a
 * state in which no thread can go on.  Where inputs are sets, each path is followed twice: once to find inputs that lead along it
 * (replay/inputs.h), and once with these.
 */
#include "tests.h"
#include "../base/path.h"
#include "../base/plan.h"
#include "../reduce/search_step.h"
#include "../reduce/successors.h"
#include "../replay/replay.h"
#include "../step/layers.h"
#include "../step/start.h"
#include "../../bitspin_vm.h"
#include "../../trace/record.h"
#include "allowed.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/* A state that was found by a run of `length` steps of a thread from another one, the first with this outcome. */
struct node {
	int state;
	uint32_t from; /* NONE: the first state */
	uint32_t length;
	unsigned char thread, choice;
};

struct nodes {
	struct node *items;
	uint32_t count, capacity;
};

static VM_SHARED struct {
	struct nodes states, ends; /* an end in which threads are blocked has the length 0 */
	uint32_t *places;          /* of states: open addressing; 0: free, else 1 + the number */
	uint32_t size, most;
	uint64_t ends_left_out, states_left_out, cut;
} tests;

static uint32_t add(struct nodes *nodes, struct node node)
{
	nodes->items = vm_grow(nodes->items, &nodes->capacity, (uint64_t)nodes->count + 1, sizeof *nodes->items);
	nodes->items[nodes->count] = node;
	return nodes->count++;
}

static void add_state(struct node node)
{
	uint32_t at = (uint32_t)node.state * 2654435761u & (tests.size - 1);
	while (tests.places[at] && tests.states.items[tests.places[at] - 1].state != node.state)
		at = (at + 1) & (tests.size - 1);
	if (tests.places[at])
		return;
	if (tests.states.count == tests.size / 2)
		tests.states_left_out++;
	else
		tests.places[at] = 1 + add(&tests.states, node);
}

static void add_end(struct node node)
{
	if (tests.ends.count == tests.most)
		tests.ends_left_out++;
	else
		add(&tests.ends, node);
}

static void take(uint32_t from, unsigned thread, unsigned choice)
{
	struct vm_found found;
	int state = tests.states.items[from].state;
	uint32_t length = vm_top()->take(vm_ref_of(state), thread, choice).length;
	int next = vm_step_quietly(state, (int)thread, (int)choice, &found);
	unsigned char outcome = vm_way_of(choice) == VM_AS_RUN ? (unsigned char)choice : 0;
	struct node node = { next, from, length, (unsigned char)thread, outcome };
	bool ended = vm_terminated(next) && (vm_state_words(vm_ref_of(next))[0] & STATE_ENDED);
	if (found.violates || ended)
		add_end(node);
	else if (vm_terminated(next))
		tests.cut++;
	else
		add_state(node);
}

static void explore(void)
{
	vm_path_leave();
	add_state((struct node){ .from = NONE });
	for (uint32_t i = 0; i < tests.states.count; i++) {
		int state = tests.states.items[i].state;
		unsigned slots = vm_state_words(vm_ref_of(state))[1];
		bool goes_on = false;
		for (unsigned thread = 0; thread < slots; thread++)
			for (unsigned choice = 0; choice < VM_OPTIONS; choice++)
				if (vm_bound_offers(state, (int)thread, (int)choice)) {
					goes_on = true;
					take(i, thread, choice);
				}
		if (!goes_on)
			add_end((struct node){ .state = state, .from = i });
	}
}

static int follow(const struct node *node)
{
	int state = node->from == NONE ? 0 : follow(&tests.states.items[node->from]);
	for (uint32_t i = 0; i < node->length && !vm_terminated(state); i++)
		state = vm_step(state, node->thread, i ? 0 : node->choice);
	return state;
}

/* Replay the path to an end, with the inputs in `from`, or if that is NULL, to find these and write them into `to`. */
static void replay(const struct node *end, const char *from, const char *to)
{
	setenv("BITSPIN_INPUTS", from ? from : "", 1);
	setenv("BITSPIN_INPUTS_TO", to ? to : "", 1);
	vm_open_again();
	vm_plan_single_steps();
	follow(end);
	vm_story_flush();
}

void vm_tests_write(uint32_t states, uint32_t most, const char *scratch)
{
	for (tests.size = 2; tests.size / 2 < states;)
		tests.size *= 2;
	tests.places = calloc(tests.size, sizeof *tests.places);
	if (!tests.places)
		VM_BUG("out of memory");
	tests.most = most;
	explore();
	vm_plan_replay();
	for (uint32_t i = 0; i < tests.ends.count; i++) {
		const struct node *end = &tests.ends.items[i];
		vm_record_write(json_pack("{s:s, s:b}", "type", "test", "blocked", end->length == 0));
		if (vm_this.symbolic) {
			vm_record_mute(true);
			replay(end, NULL, scratch);
			vm_record_mute(false);
		}
		replay(end, vm_this.symbolic ? scratch : NULL, NULL);
	}
	vm_record_write(json_pack("{s:s, s:I, s:I, s:I, s:I}", "type", "tests", "states", (json_int_t)tests.states.count,
				  "states_left_out", (json_int_t)tests.states_left_out, "ends_left_out",
				  (json_int_t)tests.ends_left_out, "cut", (json_int_t)tests.cut));
	free(tests.places);
	free(tests.states.items);
	free(tests.ends.items);
}
