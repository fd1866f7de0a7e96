/* SPDX-License-Identifier: MIT
 *
 * See profile.h.
 *
 * A state is a set of parts, each at a place: a global variable, an object of a thread's stack or heap, the thread itself (where it
 * is, with its registers), what is known of accesses.  Each part is a ref, so it has a hash of its place and its ref, and a state
 * the sum of those.  For each place: how many different parts are there, and how many states would be left if it were not looked
 * at, which is the number of different sums without it.  That is exact for the states of the sample; without the place, a search
 * would also meet fewer of their successors.
 *
 * The order is random, so that the sample is not all near the beginning.
 *
 * There may be a time for it all.  Most of it is for the sample: then the step under way ends as if the search were stopped.  What
 * is left over is for counting, and for names, some of which take a replay.
 */
#include "profile.h"
#include "../reduce/search_step.h"
#include "../replay/replay.h"
#include "../step/start.h"
#include "../../bitspin_vm.h"
#include "allowed.h"
#include "../step/layers.h"
#include "../base/limits.h"
#include "../base/random.h"
#include "../base/path.h"
#include "../base/plan.h"
#include "../base/report.h"
#include "../reduce/successors.h"
#include "../../state/driver.h"
#include "../../state/notes.h"
#include "../../trace/record.h"

#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_PLACES = 4096, TOLD_PLACES = 40 };
/* parts of the time, one after the other */
#define SAMPLED 0.6
#define COUNTED 0.85
#define NAMED   0.95
#define NONE    UINT32_MAX

enum kind { GLOBAL, STACK, HEAP, THREAD, RECORDS, KINDS };
static const char *const kind_names[KINDS] = { "global", "stack", "heap", "thread", "accesses" };

struct node {
	int state;
	uint32_t from, length;        /* the node before it, NONE: the first; steps from there, one by one */
	unsigned char thread, choice; /* the outcome of the first */
	vm_ref view;                  /* what tells it from others (bitspin_vm.h) */
};

struct place {
	uint64_t key; /* of all that follows; 0: none */
	enum kind kind;
	unsigned slot;  /* of the thread, if it is one's */
	uint32_t index; /* in its map */
	uint32_t node;  /* a state that has it */
	uint64_t values, without;
};

struct line {
	uint32_t location;
	unsigned slot;
	json_t *record;
	uint64_t states; /* in which the thread can go on there */
};

static VM_SHARED struct {
	struct node *nodes;
	uint32_t nnodes, node_capacity, most;
	uint32_t *open; /* nodes that are not expanded yet */
	uint32_t nopen, open_capacity;
	uint64_t *sums; /* of nodes */
	struct place *places;
	uint32_t nplaces;
	bool crowded;    /* there are more places */
	bool cut;        /* there are more states */
	bool whole;      /* all states are in the sample */
	bool late;       /* the time was up */
	bool abstracted; /* of globals there is only what an abstraction says */
	struct line *lines;
	uint32_t nlines, line_capacity;
	uint64_t random, steps, waiting[VM_MAX_SLOTS], going[VM_MAX_SLOTS];
	double seconds, began; /* the time for it all, 0: no limit */
} profile;

/* ---- time ------------------------------------------------------------------------------------------------------------ */

static VM_SHARED jmp_buf stopped;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Is this part of the time over? */
static bool is_over(double part)
{
	return profile.seconds > 0 && now() - profile.began > part * profile.seconds;
}

static void on_alarm(int number)
{
	(void)number;
	vm_limit_stopping = 1;
}

/* The steps under way have ended: go on where limited() was called. */
static void stop_steps(enum vm_stop why)
{
	if (why != STOP_SIGNAL)
		exit(4);
	longjmp(stopped, 1);
}

/* Do `work`, which takes steps, until this part of the time is over. */
static void limited(void (*work)(void), double part)
{
	double left = profile.began + part * profile.seconds - now();
	void (*before)(enum vm_stop why) = vm_driver.stop;
	struct itimerval none = { 0 }, timer = { 0 };
	if (profile.seconds > 0) {
		left = left > 0.001 ? left : 0.001;
		timer.it_value = (struct timeval){ (time_t)left, (suseconds_t)((left - (double)(time_t)left) * 1e6) };
		signal(SIGALRM, on_alarm);
	}
	vm_driver.stop = stop_steps;
	if (setjmp(stopped) == 0) {
		setitimer(ITIMER_REAL, &timer, NULL);
		work();
	} else {
		profile.late = true;
	}
	setitimer(ITIMER_REAL, &none, NULL);
	vm_driver.stop = before;
	vm_limit_stopping = 0;
	if (vm_transient_is_on())
		vm_transient_end();
}

/* ---- a sample -------------------------------------------------------------------------------------------------------- */

static void add_node(const struct node *node)
{
	vm_ref view = vm_ref_of(vm_view(node->state));
	if (vm_mark(view))
		return;
	if (profile.nnodes == profile.most) {
		profile.cut = true;
		return;
	}
	vm_mark_set(view, true);
	profile.nodes = vm_grow(profile.nodes, &profile.node_capacity, (uint64_t)profile.nnodes + 1, sizeof *profile.nodes);
	profile.open = vm_grow(profile.open, &profile.open_capacity, (uint64_t)profile.nopen + 1, sizeof *profile.open);
	profile.open[profile.nopen++] = profile.nnodes;
	profile.nodes[profile.nnodes] = *node;
	profile.nodes[profile.nnodes++].view = view;
}

static void take(uint32_t number, unsigned thread, unsigned choice)
{
	struct vm_found found;
	int state = profile.nodes[number].state;
	struct node next = { .from = number, .thread = (unsigned char)thread };
	next.choice = vm_way_of(choice) == VM_AS_RUN ? (unsigned char)choice : 0;
	next.length = vm_top()->take(vm_ref_of(state), thread, choice).length;
	next.state = vm_step_quietly(state, (int)thread, (int)choice, &found);
	profile.steps++;
	if (!found.violates)
		add_node(&next);
}

static void explore(void)
{
	vm_path_leave();
	add_node(&(struct node){ .from = NONE });
	while (profile.nopen && !profile.cut) {
		uint32_t which = (uint32_t)(vm_draw(&profile.random) % profile.nopen), number = profile.open[which];
		profile.open[which] = profile.open[--profile.nopen];
		int state = profile.nodes[number].state;
		unsigned slots = vm_terminated(state) ? 0 : vm_state_words(vm_ref_of(state))[1];
		for (unsigned thread = 0; thread < slots && !profile.cut; thread++)
			for (unsigned choice = 0; choice < VM_OPTIONS; choice++)
				if (vm_bound_offers(state, (int)thread, (int)choice))
					take(number, thread, choice);
	}
	profile.whole = !profile.cut;
}

/* ---- parts of states ------------------------------------------------------------------------------------------------- */

static uint64_t key_of(enum kind kind, unsigned slot, uint32_t index)
{
	return 1 + ((uint64_t)kind << 56 | (uint64_t)slot << 32 | index);
}

static uint64_t hash_of(uint64_t key, vm_ref ref)
{
	uint64_t part[] = { key, ref };
	return XXH3_64bits(part, sizeof part);
}

static vm_ref ref_in(vm_ref map, uint32_t index)
{
	return map && index < vm_table_size(map) / sizeof(vm_ref) ? ((const vm_ref *)vm_table_get(map))[index] : 0;
}

typedef void use_part(enum kind kind, unsigned slot, uint32_t index, vm_ref ref, void *context);

static void each_of_map(vm_ref map, enum kind kind, unsigned slot, use_part *use, void *context)
{
	const vm_ref *refs = map ? vm_table_get(map) : NULL;
	uint32_t count = map ? vm_table_size(map) / (uint32_t)sizeof *refs : 0;
	for (uint32_t i = 0; i < count; i++)
		if (refs[i])
			use(kind, slot, i, refs[i], context);
}

static void each_part(uint32_t number, use_part *use, void *context)
{
	const uint32_t *words = vm_state_words(profile.nodes[number].view);
	if (profile.abstracted)
		use(GLOBAL, 0, 0, words[2], context);
	else
		each_of_map(words[2], GLOBAL, 0, use, context);
	if (words[STATE_RECORDS])
		use(RECORDS, 0, 0, words[STATE_RECORDS], context);
	for (uint32_t slot = 0; slot < words[1]; slot++) {
		const uint32_t *of = words + STATE_WORDS + slot * STATE_SLOT_WORDS;
		if (of[0])
			use(THREAD, slot, 0, of[0], context);
		each_of_map(of[1], STACK, slot, use, context);
		each_of_map(of[2], HEAP, slot, use, context);
	}
}

static struct place *place_of(uint64_t key)
{
	uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % (2 * MOST_PLACES);
	while (profile.places[at].key && profile.places[at].key != key)
		at = (at + 1) % (2 * MOST_PLACES);
	return &profile.places[at];
}

static void note_part(enum kind kind, unsigned slot, uint32_t index, vm_ref ref, void *context)
{
	uint32_t number = *(uint32_t *)context;
	uint64_t key = key_of(kind, slot, index);
	struct place *place = place_of(key);
	profile.sums[number] += hash_of(key, ref);
	if (place->key)
		return;
	profile.crowded = profile.crowded || profile.nplaces == MOST_PLACES;
	if (profile.nplaces == MOST_PLACES)
		return;
	profile.nplaces++;
	*place = (struct place){ .key = key, .kind = kind, .slot = slot, .index = index, .node = number };
}

/* ---- counting -------------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static uint64_t count_different(uint64_t *hashes, uint32_t count)
{
	uint64_t different = count != 0;
	qsort(hashes, count, sizeof *hashes, compare);
	for (uint32_t i = 1; i < count; i++)
		different += hashes[i] != hashes[i - 1];
	return different;
}

static vm_ref ref_at(const uint32_t *words, const struct place *place)
{
	const uint32_t *of = words + STATE_WORDS + place->slot * STATE_SLOT_WORDS;
	if (place->kind != GLOBAL && place->kind != RECORDS && place->slot >= words[1])
		return 0;
	switch (place->kind) {
	case GLOBAL: return profile.abstracted ? words[2] : ref_in(words[2], place->index);
	case STACK: return ref_in(of[1], place->index);
	case HEAP: return ref_in(of[2], place->index);
	case THREAD: return of[0];
	default: return words[STATE_RECORDS];
	}
}

static void count(struct place *place, uint64_t *values, uint64_t *sums)
{
	for (uint32_t i = 0; i < profile.nnodes; i++) {
		vm_ref ref = ref_at(vm_state_words(profile.nodes[i].view), place);
		values[i] = ref ? hash_of(place->key, ref) : 0;
		sums[i] = profile.sums[i] - values[i];
	}
	place->values = count_different(values, profile.nnodes);
	place->without = place->values > 1 ? count_different(sums, profile.nnodes) : profile.nnodes;
}

static int by_weight(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	if (!x->key || !y->key)
		return (x->key == 0) - (y->key == 0);
	if (x->without != y->without)
		return x->without < y->without ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

/* Count all places, and sort them: those first without which the fewest states would be left. */
static void count_all(void)
{
	profile.places = calloc(2 * MOST_PLACES, sizeof *profile.places);
	profile.sums = calloc(profile.nnodes, sizeof *profile.sums);
	uint64_t *values = calloc(profile.nnodes, sizeof *values), *sums = calloc(profile.nnodes, sizeof *sums);
	if (!profile.places || !profile.sums || !values || !sums)
		vm_limit_end(LIMIT_MEMORY, "the memory limit is reached", 0);
	for (uint32_t i = 0; i < profile.nnodes; i++)
		each_part(i, note_part, &i);
	for (uint32_t i = 0; i < 2 * MOST_PLACES; i++) {
		struct place *place = &profile.places[i];
		place->without = profile.nnodes;
		profile.crowded = profile.crowded || (place->key && is_over(COUNTED));
		if (place->key && !is_over(COUNTED))
			count(place, values, sums);
	}
	qsort(profile.places, 2 * MOST_PLACES, sizeof *profile.places, by_weight);
	free(values);
	free(sums);
}

/* ---- where threads are ----------------------------------------------------------------------------------------------- */

/* Widen the loop *head to *end to one that an instruction ends, at `at`, by going back to `label`, if the loop has `pc` in it. */
static void widen(uint32_t *head, uint32_t *end, uint32_t label, uint32_t at, uint32_t pc)
{
	if (label <= pc && pc <= at && (*head == NONE || at - label > *end - *head)) {
		*head = label;
		*end = at;
	}
}

/* Return where the outermost loop of a function begins that has an instruction in it; 0: there is none. */
static uint32_t loop_of(const struct vm_frame *frame)
{
	const struct image_function *function = &vm_this.image.functions[frame->function];
	const struct image_insn *code = vm_this.image.code + function->code;
	uint32_t head = NONE, end = 0;
	for (uint32_t i = frame->pc; i < function->ncode; i++) {
		if (code[i].op == IMAGE_BR)
			widen(&head, &end, code[i].a, i, frame->pc);
		if (code[i].op == IMAGE_BRCOND) {
			widen(&head, &end, code[i].b, i, frame->pc);
			widen(&head, &end, code[i].c, i, frame->pc);
		}
	}
	for (uint32_t i = head; head != NONE && i <= end; i++)
		if (image_line(&vm_this.image, code[i].location))
			return code[i].location;
	return 0;
}

/* Return where the outermost loop begins that the thread is in, which is the one that makes most of its states; 0: in none. */
static uint32_t outermost_loop(const struct vm_thread *thread)
{
	for (uint32_t i = 0; i < thread->header.frames; i++) {
		uint32_t loop = loop_of(&thread->frames[i]);
		if (loop)
			return loop;
	}
	return 0;
}

/* Return the record of a line, with the loop that it is in. */
static json_t *line_record(const struct vm_thread *thread, uint32_t location)
{
	json_t *record = vm_record_at("line", location, thread);
	uint32_t loop = outermost_loop(thread);
	if (loop)
		json_object_set_new(record, "loop",
				    json_pack("{s:s, s:i}", "file", image_file(&vm_this.image, loop), "line",
					      (int)image_line(&vm_this.image, loop)));
	return record;
}

static void note_line(const struct vm_thread *thread)
{
	uint32_t location = vm_thread_location(thread);
	unsigned slot = thread->slot;
	for (uint32_t i = 0; i < profile.nlines; i++)
		if (profile.lines[i].location == location && profile.lines[i].slot == slot) {
			profile.lines[i].states++;
			return;
		}
	profile.lines = vm_grow(profile.lines, &profile.line_capacity, (uint64_t)profile.nlines + 1, sizeof *profile.lines);
	profile.lines[profile.nlines++] = (struct line){ location, slot, line_record(thread, location), 1 };
}

static void note_lines(vm_ref state)
{
	if (vm_state_words(state)[0])
		return;
	vm_state_load(state);
	for (unsigned slot = 0; slot < vm_this.slots; slot++) {
		struct vm_thread *thread = vm_thread_load(slot);
		if (thread->header.status != THREAD_RUNNING)
			continue;
		bool going = vm_state_outcomes(vm_state_words(state))[slot] != 0;
		profile.going[slot] += going;
		profile.waiting[slot] += !going;
		if (going)
			note_line(thread);
	}
}

/* ---- telling --------------------------------------------------------------------------------------------------------- */

/* Go from the beginning of the program to node `number`. */
static int go_to(uint32_t number)
{
	const struct node *node = &profile.nodes[number];
	if (node->from == NONE)
		return 0;
	assert(node->from < number); /* so the way back comes to an end */
	int state = go_to(node->from);
	for (uint32_t i = 0; i < node->length && !vm_terminated(state); i++)
		state = vm_step(state, node->thread, i ? 0 : node->choice);
	return state;
}

static uint64_t address_of(const struct place *place)
{
	const struct vm_thread *thread = &vm_this.threads[place->slot];
	if (place->kind != GLOBAL)
		return image_address((place->kind == STACK ? thread->locals.first : thread->heap.first) + place->index, 0);
	uint32_t g = 0;
	while (vm_this.global_index[g] != place->index)
		g++;
	return image_global_address(g, 0);
}

static VM_SHARED struct {
	const struct place *place;
	const char *name;
} named;

/* Name the object at a place, which depends on how the program has come there. */
static void name_it(void)
{
	vm_open_again();
	vm_plan_single_steps(); /* which runs there are depends on what was explored before */
	vm_record_mute(true);
	int state = go_to(named.place->node);
	vm_story_flush();
	vm_state_load(vm_ref_of(state));
	named.name = vm_describe_object(address_of(named.place));
}

/* Return what the object at `place` is called; NULL if it has no name, or there is no time to find it out. */
static const char *name_of(const struct place *place)
{
	if (place->kind == THREAD || place->kind == RECORDS || (place->kind == GLOBAL && profile.abstracted))
		return NULL;
	if (place->kind == GLOBAL)
		return vm_describe_object(address_of(place));
	named.place = place;
	named.name = NULL;
	if (!is_over(NAMED))
		limited(name_it, NAMED);
	vm_record_mute(false);
	return named.name;
}

static void tell_places(void)
{
	vm_plan_replay();
	for (uint32_t i = 0; i < TOLD_PLACES && profile.places[i].key && profile.places[i].values > 1; i++) {
		const struct place *place = &profile.places[i];
		json_t *record = json_pack("{s:s, s:s, s:I, s:I}", "type", "part", "kind", kind_names[place->kind], "values",
					   (json_int_t)place->values, "without", (json_int_t)place->without);
		const char *name = name_of(place);
		if (name)
			json_object_set_new(record, "name", vm_record_string(name));
		if (place->kind != GLOBAL && place->kind != RECORDS)
			json_object_set_new(record, "thread", json_integer(place->slot));
		vm_record_write(record);
	}
}

static void tell_lines(void)
{
	for (uint32_t i = 0; i < profile.nlines; i++) {
		json_t *record = profile.lines[i].record;
		json_object_set_new(record, "states", json_integer((json_int_t)profile.lines[i].states));
		vm_record_write(record);
	}
	for (unsigned slot = 0; slot < VM_MAX_SLOTS; slot++)
		if (profile.going[slot] + profile.waiting[slot])
			vm_record_write(json_pack("{s:s, s:i, s:I, s:I}", "type", "thread", "thread", (int)slot, "going",
						  (json_int_t)profile.going[slot], "waiting", (json_int_t)profile.waiting[slot]));
}

void vm_profile_write(uint32_t most, double seconds)
{
	profile.seconds = seconds;
	profile.began = now();
	for (uint64_t i = 0; i < vm_this.image.counts[IMAGE_VIEWS]; i++)
		profile.abstracted = profile.abstracted || vm_this.image.views[i].kind == VIEW_ABSTRACTION;
	profile.most = most;
	limited(explore, SAMPLED);
	count_all();
	for (uint32_t i = 0; i < profile.nnodes; i++)
		note_lines(vm_ref_of(profile.nodes[i].state));
	vm_record_write(json_pack("{s:s, s:I, s:I, s:b, s:b, s:b}", "type", "profile", "states", (json_int_t)profile.nnodes,
				  "steps", (json_int_t)profile.steps, "complete", profile.whole, "late", profile.late, "crowded",
				  profile.crowded));
	tell_lines();
	tell_places();
}
