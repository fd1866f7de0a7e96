/* SPDX-License-Identifier: MIT
 *
 * Unit tests of the parts that a verdict rests on: the table, footprints, happens-before, the cycle proviso, and the canonical
 * form of states; how long waits are; a VM after another.  The VM is opened here, on the image of program.c; there is no pan.
 *
 *     usage: unit IMAGE OTHER_IMAGE
 */
#include "../../runtime/interpreter/proposition.h"
#include "../../runtime/search/step/start.h"
#include "../../runtime/memory/footprint.h"
#include "../../runtime/memory/records.h"
#include "../../runtime/search/base/path.h"
#include "../../runtime/search/step/rounds.h"
#include "../../runtime/search/base/search.h"
#include "../../runtime/search/step/single.h"
#include "../../runtime/state/driver.h"
#include "../../runtime/state/key.h"
#include "../../runtime/state/nodes.h"
#include "../../runtime/state/notes.h"
#include "../../runtime/state/renew.h"
#include "../../runtime/symbolic/terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the table ----------------------------------------------------------------------------------------------------- */

static void equal_bytes_have_one_ref(void **unused)
{
	(void)unused;
	uint64_t a[4] = { 1, 2, 3, 4 }, b[4] = { 1, 2, 3, 4 };
	vm_ref ref = vm_table_put(a, sizeof a);
	assert_int_not_equal(ref, 0);
	assert_int_equal(vm_table_put(b, sizeof b), ref);
	assert_int_equal(vm_table_size(ref), sizeof a);
	assert_memory_equal(vm_table_get(ref), a, sizeof a);
	assert_int_not_equal(vm_table_put(a, sizeof a - 1), ref); /* a prefix is another blob */
	b[3] = 5;
	assert_int_not_equal(vm_table_put(b, sizeof b), ref);
}

static void many_blobs_stay_apart(void **unused)
{
	(void)unused;
	enum { BLOBS = 50000 };
	static vm_ref refs[BLOBS];
	for (uint32_t i = 0; i < BLOBS; i++)
		refs[i] = vm_table_put(&i, sizeof i);
	for (uint32_t i = 0; i < BLOBS; i++) {
		assert_memory_equal(vm_table_get(refs[i]), &i, sizeof i);
		assert_int_equal(vm_table_put(&i, sizeof i), refs[i]);
	}
}

static void transient_blobs_find_stored_ones(void **unused)
{
	(void)unused;
	const char stored[] = "stored before", passing[] = "passed through only";
	vm_ref ref = vm_table_put(stored, sizeof stored);
	vm_transient_begin();
	assert_int_equal(vm_table_put(stored, sizeof stored), ref);
	vm_ref transient = vm_table_put(passing, sizeof passing);
	assert_true(vm_is_transient(transient));
	assert_int_equal(vm_table_put(passing, sizeof passing), transient);
	assert_string_equal(vm_table_get(transient), passing);
	vm_transient_end();
	vm_transient_clear();
	vm_ref kept = vm_table_put(passing, sizeof passing);
	assert_false(vm_is_transient(kept));
}

static void marks_and_notes(void **unused)
{
	(void)unused;
	vm_ref ref = vm_table_put("a mark", 6);
	assert_false(vm_mark(ref));
	vm_mark_set(ref, true);
	assert_true(vm_mark(ref));
	vm_mark_set(ref, false);
	assert_false(vm_mark(ref));
	assert_int_equal(vm_note(ref), 0);
	assert_int_equal(vm_note_set(ref, 7), 7);
	assert_int_equal(vm_note_set(ref, 8), 7); /* set once */
}

static struct vm_node node_of(uint32_t i)
{
	return (struct vm_node){ { i / 7, i * 2654435761u | 1, 0, i } };
}

static void equal_nodes_have_one_ref(void **unused)
{
	(void)unused;
	enum { NODES = 200000 };
	static vm_ref refs[NODES];
	for (uint32_t i = 0; i < NODES; i++) {
		struct vm_node node = node_of(i);
		refs[i] = vm_node_put(&node);
		assert_true(refs[i] && !vm_is_transient(refs[i]) && (i == 0 || refs[i] > refs[i - 1]));
	}
	uint64_t bytes = vm_nodes_bytes();
	for (uint32_t i = 0; i < NODES; i++) {
		struct vm_node node = node_of(i);
		assert_memory_equal(vm_node_get(refs[i]), &node, sizeof node);
		assert_int_equal(vm_node_put(&node), refs[i]);
	}
	assert_int_equal(vm_nodes_bytes(), bytes);
}

/* ---- footprints ---------------------------------------------------------------------------------------------------- */

struct access {
	uint32_t object, low, high;
	bool write;
};

static struct footprint of(struct access access)
{
	struct footprint footprint = { 0 };
	vm_footprint_record(&footprint);
	vm_footprint_add(access.object, access.low, access.high, access.write);
	vm_footprint_record(NULL);
	return footprint;
}

static bool independent(struct access a, struct access b)
{
	struct footprint x = of(a), y = of(b);
	bool result = vm_footprint_independent(&x, &y);
	assert_int_equal(vm_footprint_independent(&y, &x), result);
	free(x.ranges);
	free(y.ranges);
	return result;
}

static void who_shares_no_byte_is_independent(void **unused)
{
	(void)unused;
	assert_true(independent((struct access){ 1, 0, 4, true }, (struct access){ 2, 0, 4, true }));
	assert_true(independent((struct access){ 1, 0, 4, true }, (struct access){ 1, 4, 8, true })); /* they touch */
	assert_false(independent((struct access){ 1, 0, 5, true }, (struct access){ 1, 4, 8, true }));
	assert_false(independent((struct access){ 1, 0, 4, false }, (struct access){ 1, 3, 4, true }));
	assert_true(independent((struct access){ 1, 0, 4, false }, (struct access){ 1, 0, 4, false }));
	assert_false(independent((struct access){ 1, 0, 100000, true }, (struct access){ 1, 99999, 100000, false }));
}

/* The filter of blocks must never say "independent" of ranges that meet. */
static void the_filter_is_only_a_filter(void **unused)
{
	(void)unused;
	srand(1);
	for (int i = 0; i < 20000; i++) {
		struct access a = { 1 + (uint32_t)rand() % 3, (uint32_t)rand() % 300, 0, rand() % 2 }, b = a;
		a.high = a.low + 1 + (uint32_t)rand() % 300;
		b.object = 1 + (uint32_t)rand() % 3;
		b.low = (uint32_t)rand() % 300;
		b.high = b.low + 1 + (uint32_t)rand() % 300;
		b.write = rand() % 2;
		bool meet = a.object == b.object && a.low < b.high && b.low < a.high && (a.write || b.write);
		assert_int_equal(independent(a, b), !meet);
	}
}

static void a_merged_footprint_has_both(void **unused)
{
	(void)unused;
	struct footprint a = of((struct access){ 1, 0, 4, true }), b = of((struct access){ 2, 8, 12, false }),
			 reads_first = of((struct access){ 1, 2, 3, false }), writes_second = of((struct access){ 2, 9, 10, true });
	vm_footprint_merge(&a, &b);
	assert_false(vm_footprint_independent(&a, &reads_first));
	assert_false(vm_footprint_independent(&a, &writes_second));
	struct footprint everything = { .everything = true }, nothing = { 0 };
	assert_false(vm_footprint_independent(&everything, &nothing));
	assert_true(vm_footprint_independent(&a, &nothing));
}

/* ---- happens-before ------------------------------------------------------------------------------------------------ */

static uint64_t variable(const char *name)
{
	const struct image *image = &vm_this.image;
	for (uint32_t g = 0; g < image->counts[IMAGE_GLOBALS]; g++)
		if (strcmp(image_string(image, image->globals[g].name), name) == 0)
			return image_global_address(g, 0);
	fail_msg("program.c has no variable %s", name);
	return 0;
}

static uint32_t function(const char *name)
{
	const struct image *image = &vm_this.image;
	for (uint32_t f = 0; f < image->counts[IMAGE_FUNCTIONS]; f++)
		if (strcmp(image_string(image, image->functions[f].name), name) == 0)
			return f;
	fail_msg("program.c has no function %s", name);
	return 0;
}

static void as(unsigned slot)
{
	vm_this.current = vm_thread_change(slot);
}

static void start(unsigned slot)
{
	vm_thread_start(slot, function("work"));
	vm_order_start(slot);
}

static void store_data(void)
{
	vm_store64(variable("data"), 4, 1, ACCESS_WRITE);
}
static void load_data(void)
{
	vm_load64(variable("data"), 4, ACCESS_READ);
}
static void store_flag(bool releases, bool modifies)
{
	vm_order_write(variable("flag"), releases, modifies, "store");
}
static void load_flag(bool acquires)
{
	vm_order_read(variable("flag"), acquires, "load");
}

/* Is there a data race in what `body` does, from the initial state with a second and a third thread? */
static bool races(void (*body)(void))
{
	struct vm *vm = &vm_this;
	volatile bool race = false;
	vm_state_forget();
	vm_state_load(vm->initial);
	as(0);
	vm->stepping = true;
	if (setjmp(vm->escape) == 0) {
		start(1);
		start(2);
		body();
	} else {
		race = vm->ending.kind == VIOLATION_DATA_RACE;
		assert_true(race);
	}
	vm->stepping = false;
	return race;
}

/* Thread 0 writes data and the flag; thread 1 reads the flag and data. */
static void pass(bool releases, bool acquires)
{
	store_data();
	store_flag(releases, false);
	as(1);
	load_flag(acquires);
	load_data();
}

static void strong(void)
{
	pass(true, true);
}
static void relaxed_store(void)
{
	pass(false, true);
}
static void relaxed_load(void)
{
	pass(true, false);
}

static void release_fence(void)
{
	store_data();
	vm_order_fence(false, true);
	pass(false, true);
}

static void fence_too_early(void)
{
	vm_order_fence(false, true);
	pass(false, true);
}

static void acquire_fence(void)
{
	store_data();
	store_flag(true, false);
	as(1);
	load_flag(false);
	vm_order_fence(true, false);
	load_data();
}

static void sequence_goes_on(void) /* a relaxed read-modify-write of a third thread continues the release sequence */
{
	store_data();
	store_flag(true, false);
	as(2);
	load_flag(false);
	store_flag(false, true);
	as(1);
	load_flag(true);
	load_data();
}

static void sequence_is_broken(void) /* a store of another thread does not (C++20, C23) */
{
	store_data();
	store_flag(true, false);
	as(2);
	store_flag(false, false);
	as(1);
	load_flag(true);
	load_data();
}

static void creation(void)
{
	vm_state_forget();
	vm_state_load(vm_this.initial);
	as(0);
	store_data();
	vm_race_synchronise(vm_this.current);
	start(1);
	as(1);
	load_data();
}

static void no_creation(void)
{
	store_data(); /* the threads exist already */
	as(1);
	load_data();
}

static void happens_before(void **unused)
{
	(void)unused;
	assert_true(vm_has_records());
	assert_false(races(strong));
	assert_true(races(relaxed_store));
	assert_true(races(relaxed_load));
	assert_false(races(acquire_fence));
	assert_true(races(fence_too_early));
	assert_false(races(sequence_goes_on));
	assert_true(races(sequence_is_broken));
	assert_false(races(creation));
	assert_true(races(no_creation));
}

static void release_fence_orders_what_came_before(void **unused)
{
	(void)unused;
	assert_true(races(release_fence)); /* data is written again after the fence */
}

/* ---- the cycle proviso --------------------------------------------------------------------------------------------- */

static void a_step_to_the_path_closes_a_cycle(void **unused)
{
	(void)unused;
	vm_ref a = vm_table_put("path a", 6), b = vm_table_put("path b", 6), c = vm_table_put("path c", 6);
	vm_path_at(a);
	vm_path_step(b);
	vm_path_at(b);
	assert_true(vm_path_is_known());
	assert_true(vm_path_has(a));
	assert_true(vm_path_has(b));
	assert_false(vm_path_has(c));
	vm_path_at(a); /* the search goes back */
	assert_true(vm_path_has(a));
	assert_false(vm_path_has(b));
}

static void other_searches_have_no_path(void **unused)
{
	(void)unused;
	vm_driver.depth_first = false;
	assert_false(vm_path_is_known());
	vm_driver.depth_first = true;
}

/* ---- the canonical form -------------------------------------------------------------------------------------------- */

/* The state after `change` in the initial one. */
static vm_ref after(void (*change)(void))
{
	vm_ref ref = 0;
	vm_state_forget();
	vm_state_load(vm_this.initial);
	as(0);
	vm_this.stepping = true;
	if (setjmp(vm_this.escape) == 0) {
		change();
		vm_race_synchronise(vm_this.current);
		ref = vm_rest();
	}
	vm_this.stepping = false;
	return ref;
}

static void nothing(void)
{
}
static void set_data(void)
{
	vm_store64(variable("data"), 4, 7, ACCESS_SYNC_WRITE);
}
static void set_and_reset(void)
{
	set_data();
	vm_store64(variable("data"), 4, 0, ACCESS_SYNC_WRITE);
}
static void set_page(void)
{
	vm_store64(variable("array") + 1200, 4, 7, ACCESS_SYNC_WRITE);
}
static void reset_page(void)
{
	set_page();
	vm_store64(variable("array") + 1200, 4, 0, ACCESS_SYNC_WRITE);
}
static void allocate(void)
{
	vm_allocate_heap(16, true);
}
static void allocate_and_free(void)
{
	vm_free(vm_allocate_heap(16, true));
}
static void allocate_again(void)
{
	allocate_and_free();
	allocate();
}
static void more_threads(void)
{
	start(1);
}

static void equal_states_have_one_ref(void **unused)
{
	(void)unused;
	vm_ref initial = vm_this.initial;
	assert_int_equal(after(nothing), initial);
	assert_int_equal(after(set_and_reset), initial);
	assert_int_equal(after(reset_page), initial);
	assert_int_equal(after(allocate_and_free), initial);
	assert_int_equal(after(allocate_again), after(allocate));
	assert_int_not_equal(after(set_data), initial);
	assert_int_not_equal(after(set_page), initial);
	assert_int_not_equal(after(allocate), initial);
}

static void a_state_survives_being_forgotten(void **unused)
{
	(void)unused;
	void (*const changes[])(void) = { nothing, set_data, set_page, allocate, more_threads };
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		vm_ref ref = after(changes[i]);
		assert_int_not_equal(ref, 0);
		vm_state_check();
		vm_state_check_stored(ref);
		vm_state_reload(ref);
		assert_int_equal(vm_rest(), ref);
	}
}

/* Some states, by their keys and with notes, before and after the table has been renewed with them alone. */
static void a_new_table_has_the_same_states(void **unused)
{
	(void)unused;
	void (*const changes[])(void) = { nothing, set_data, set_page, allocate, more_threads };
	enum { STATES = sizeof changes / sizeof *changes };
	struct vm_key keys[STATES];
	vm_ref refs[STATES];
	for (unsigned i = 0; i < STATES; i++) {
		refs[i] = after(changes[i]);
		keys[i] = vm_key_of(refs[i]);
		vm_note_set(refs[i], (uint16_t)(i + 1));
		for (unsigned k = 0; k < i; k++)
			assert_memory_not_equal(&keys[i], &keys[k], sizeof *keys);
	}
	uint64_t bytes = vm_table_bytes();
	assert_true(vm_renew_begin());
	for (unsigned i = STATES; i-- > 0;)
		refs[i] = vm_renew_state(refs[i]);
	vm_renew_end();
	assert_true(vm_table_bytes() < bytes && vm_table_peak() >= bytes);
	assert_int_equal(refs[0], vm_this.initial);
	for (unsigned i = 0; i < STATES; i++) {
		struct vm_key key = vm_key_of(refs[i]);
		assert_memory_equal(&key, &keys[i], sizeof key);
		assert_int_equal(vm_note(refs[i]), i + 1);
		assert_int_equal(after(changes[i]), refs[i]);
		vm_state_check_stored(refs[i]);
	}
}

/* ---- a VM after another -------------------------------------------------------------------------------------------- */

static const char *images[2]; /* of program.c and of another program */

static void open_image(const char *path)
{
	char error[4400];
	if (vm_open(path, error, sizeof error) < 0)
		fail_msg("%s", error);
}

/* A walk through the states of a program, breadth first, with every outcome of every thread's step; it stops at `MOST` states. */
enum { MOST = 200 };
struct walk {
	vm_ref seen[MOST];
	unsigned count, next; /* those from `next` on have not been looked at */
	uint64_t sums[MOST];  /* what was found in each state that has been: its words, and how its steps ended */
};

static void begin_walk(struct walk *walk)
{
	*walk = (struct walk){ .seen = { vm_this.initial }, .count = 1 };
}

static bool is_new(const struct walk *walk, vm_ref ref)
{
	for (unsigned i = 0; i < walk->count; i++)
		if (walk->seen[i] == ref)
			return false;
	return ref && walk->count < MOST;
}

/* Look at the next state; false if there is none. */
static bool go_on(struct walk *walk)
{
	if (walk->next == walk->count)
		return false;
	vm_ref from = walk->seen[walk->next];
	const uint32_t *words = vm_state_words(from);
	uint64_t sum = 1;
	for (uint32_t i = 0; i < words[1]; i++)
		for (uint32_t choice = 0; choice < vm_offered(vm_state_outcomes(words)[i]); choice++) {
			vm_ref to = vm_single(from, i, choice);
			sum = sum * 31 + to + (to ? 0 : 1000 * vm_this.ending.end + vm_this.ending.kind);
			if (is_new(walk, to))
				walk->seen[walk->count++] = to;
		}
	for (uint32_t i = 0; i < vm_table_size(from) / sizeof *words; i++)
		sum = sum * 31 + words[i];
	walk->sums[walk->next++] = sum;
	return true;
}

/* Walk through a program with a VM that is opened when the one before is closed. */
static void walk_anew(const char *image, struct walk *walk)
{
	vm_close();
	open_image(image);
	begin_walk(walk);
	while (go_on(walk))
		;
}

static void a_closed_vm_leaves_nothing_behind(void **unused)
{
	(void)unused;
	static struct walk first, other, again;
	walk_anew(images[0], &first);
	walk_anew(images[1], &other);
	walk_anew(images[0], &again);
	assert_true(first.count > 10 && other.count > 10 && first.count != other.count);
	assert_int_equal(again.count, first.count);
	assert_memory_equal(again.seen, first.seen, sizeof first.seen);
	assert_memory_equal(again.sums, first.sums, sizeof first.sums);
}

/* ---- rounds of waits --------------------------------------------------------------------------------------------------- */

static uint64_t low_bits(uint64_t value, unsigned bits)
{
	return value & ((UINT64_C(1) << bits) - 1);
}

static int64_t signed_of(uint64_t value, unsigned bits)
{
	return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* As the program computes it. */
static bool compares(const struct image_bound *bound, uint64_t variable, uint64_t limit)
{
	uint64_t value = low_bits(bound->negated ? bound->add[0] - variable : bound->add[0] + variable, bound->bits);
	if (bound->extension) {
		if (bound->extension == EXTENSION_SIGN)
			value = (uint64_t)signed_of(value, bound->bits);
		value = bound->wide_negated ? bound->wide_add[0] - value : bound->wide_add[0] + value;
	}
	unsigned bits = bound->wide_bits;
	uint64_t a = low_bits(value, bits);
	int64_t s = signed_of(a, bits), t = signed_of(limit, bits);
	const bool outcomes[ICMP_PREDICATES] = {
		[ICMP_EQ] = a == limit,
		[ICMP_NE] = a != limit,
		[ICMP_UGT] = a > limit,
		[ICMP_UGE] = a >= limit,
		[ICMP_ULT] = a<limit, [ICMP_ULE] = a <= limit, [ICMP_SGT] = s> t,
		[ICMP_SGE] = s >= t,
		[ICMP_SLT] = s < t,
		[ICMP_SLE] = s <= t,
	};
	return outcomes[bound->predicate];
}

static void rounds_are_counted_without_taking_them(void **unused)
{
	(void)unused;
	srand(1);
	for (unsigned i = 0; i < 200000; i++) {
		struct image_bound bound = { .bits = 1 + (unsigned)rand() % 6, .predicate = (uint32_t)rand() % ICMP_PREDICATES };
		bound.extension = (uint32_t)rand() % EXTENSIONS;
		bound.wide_bits = bound.bits + (bound.extension ? (unsigned)rand() % 3 : 0);
		bound.negated = rand() & 1;
		bound.add[0] = (uint32_t)low_bits((uint64_t)rand(), bound.bits);
		if (bound.extension) {
			bound.wide_negated = rand() & 1;
			bound.wide_add[0] = (uint32_t)low_bits((uint64_t)rand(), bound.wide_bits);
		}
		uint64_t limit = low_bits((uint64_t)rand(), bound.wide_bits), from = low_bits((uint64_t)rand(), bound.bits),
			 step = low_bits((uint64_t)rand(), bound.bits), k = 1, rounds = 0;
		while (k <= 64 && compares(&bound, low_bits(from + k * step, bound.bits), limit) == compares(&bound, from, limit))
			k++;
		assert_int_equal(vm_rounds_to_change(&bound, limit, from, step, &rounds), k <= 64);
		assert_true(k > 64 || rounds == k);
	}
	const struct image_bound wide = { .bits = 64, .wide_bits = 64, .predicate = ICMP_NE };
	uint64_t rounds;
	assert_true(vm_rounds_to_change(&wide, 0, 1, 1, &rounds) && rounds == UINT64_MAX);
	assert_true(vm_rounds_to_change(&wide, 1, 0, 3, &rounds) && rounds == UINT64_C(0xaaaaaaaaaaaaaaab));
	assert_false(vm_rounds_to_change(&wide, 1, 0, 2, &rounds));
}

/* ---- sets of floating-point numbers --------------------------------------------------------------------------------- */

static uint64_t random_bits(void)
{
	return (uint64_t)rand() << 62 ^ (uint64_t)rand() << 31 ^ (uint64_t)rand();
}

/* Return the bits of a number of `bits` bits that is near what matters: zero, infinity, 1, a limit of integers, or anything. */
static uint64_t random_real(unsigned bits)
{
	static const uint64_t near32[] = { 0, 0x7f800000, 0x3f800000, 0x42280000, 0x3f000000, 0x4b800000, 0x4f000000, 0x5f800000 },
			      near64[] = { 0,
					   UINT64_C(0x7ff0000000000000),
					   UINT64_C(0x3ff0000000000000),
					   UINT64_C(0x4045000000000000),
					   UINT64_C(0x3fe0000000000000),
					   UINT64_C(0x4340000000000000),
					   UINT64_C(0x41e0000000000000),
					   UINT64_C(0x43f0000000000000) };
	uint64_t sign = (uint64_t)(rand() & 1) << (bits - 1), value = bits == 32 ? near32[rand() & 7] : near64[rand() & 7];
	if (rand() % 3 == 0)
		value = random_bits() >> rand() % 64;
	else
		value += (uint64_t)(rand() % 7) - 3;
	return (value ^ sign) & vm_mask(bits);
}

static struct vm_operation random_operation(void)
{
	static const uint8_t codes[] = { IMAGE_FCMP,   IMAGE_FADD,    IMAGE_FSUB,    IMAGE_FMUL,     IMAGE_FDIV,   IMAGE_FNEG,
					 IMAGE_FABS,   IMAGE_FPCAST,  IMAGE_SITOFP,  IMAGE_UITOFP,   IMAGE_FPTOSI, IMAGE_FPTOUI,
					 IMAGE_FCLASS, IMAGE_FSQRT,   IMAGE_FFLOOR,  IMAGE_FCEIL,    IMAGE_FTRUNC, IMAGE_FRINT,
					 IMAGE_FROUND, IMAGE_FMINNUM, IMAGE_FMAXNUM, IMAGE_FCOPYSIGN };
	struct vm_operation o = { .op = codes[(unsigned)rand() % sizeof codes], .bits = rand() & 1 ? 32 : 64, .which = 1 };
	const char *roles = image_opcodes[o.op].roles;
	o.width = roles[0] == '1' ? 1 : o.bits;
	if (o.op == IMAGE_FCMP)
		o.aux = (uint8_t)(rand() % 16);
	else if (o.op == IMAGE_FCLASS)
		o.immediates[1] = (uint32_t)rand() % 1024;
	else if (o.op == IMAGE_FPTOSI || o.op == IMAGE_FPTOUI)
		o.width = o.aux = (uint8_t)(8u << rand() % 4);
	else if (roles[0] == 'D')
		o.width = o.aux = rand() & 1 ? 32 : 64;
	if (roles[2] == 'x' && rand() % 2)
		o.which = rand() % 8 ? 2 : 3;
	if (roles[2] == 'i' && o.op != IMAGE_FCLASS && rand() % 4 == 0) {
		o.asked = TERM_FAULTS;
		o.width = 1;
	}
	o.constants[0] = o.constants[1] = random_real(o.bits);
	return o;
}

/* If a piece of numbers makes exactly the integers of a range, any of these in the middle is one of the numbers. */
static void is_made(const struct vm_operation *o, struct vm_piece piece, struct vm_piece range)
{
	uint64_t n = range.low + random_bits() % (range.high - range.low + 1 ?: 1), bits = 0;
	if (n == vm_operation_value(o, piece.low) || n == vm_operation_value(o, piece.high))
		return;
	double d = o->op == IMAGE_FPTOSI ? (double)vm_signed(n, o->width) : (double)n;
	float f = (float)d;
	memcpy(&bits, o->bits == 32 ? (void *)&f : (void *)&d, o->bits / 8);
	assert_true(bits >= piece.low && bits <= piece.high && vm_operation_value(o, bits) == n);
}

static void results_of_reals_are_in_their_range(void **unused)
{
	(void)unused;
	unsigned known = 0;
	struct vm_operation itself = { .op = IMAGE_FDIV, .bits = 32, .width = 32, .which = 3 };
	struct vm_piece numbers = { 0, 0x7f800000, 1 };
	assert_false(vm_real_range(&numbers, &itself, &(bool){ true })); /* of both ends, x / x is a NaN, and of all others 1 */
	srand(3);
	for (unsigned i = 0; i < 600000; i++) {
		struct vm_operation o = random_operation();
		uint64_t a = random_real(o.bits),
			 b = rand() & 1 ? random_real(o.bits) : (a + (uint64_t)(rand() % 9)) & vm_mask(o.bits);
		struct vm_piece piece = { a < b ? a : b, a < b ? b : a, 1 }, range = piece;
		bool exact = true, seen[2] = { false, false };
		if (!vm_real_range(&range, &o, &exact))
			continue;
		known++;
		assert_true(range.low <= range.high && range.high <= vm_mask(o.width));
		for (unsigned k = 0; k < 20; k++) {
			uint64_t near = k < 10 ? k / 2 : random_bits() >> rand() % 64,
				 value = piece.low + near % (piece.high - piece.low + 1 ?: 1);
			if (k & 1)
				value = piece.high - (value - piece.low);
			uint64_t result = vm_operation_value(&o, value);
			assert_true(result >= range.low && result <= range.high);
			seen[result & 1] = true;
		}
		if (exact && o.width == 1) /* the ends show both answers */
			assert_true(range.low == range.high || (seen[0] && seen[1]));
		else if (exact && range.low != range.high)
			is_made(&o, piece, range);
	}
	assert_true(known > 200000);
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: unit IMAGE OTHER_IMAGE\n", stderr);
		return 2;
	}
	images[0] = argv[1];
	images[1] = argv[2];
	vm_driver.depth_first = true;
	vm_start();
	vm_close(); /* the VM that vm_start() has opened */
	open_image(images[0]);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_bytes_have_one_ref),
		cmocka_unit_test(many_blobs_stay_apart),
		cmocka_unit_test(transient_blobs_find_stored_ones),
		cmocka_unit_test(marks_and_notes),
		cmocka_unit_test(equal_nodes_have_one_ref),
		cmocka_unit_test(who_shares_no_byte_is_independent),
		cmocka_unit_test(the_filter_is_only_a_filter),
		cmocka_unit_test(a_merged_footprint_has_both),
		cmocka_unit_test(happens_before),
		cmocka_unit_test(release_fence_orders_what_came_before),
		cmocka_unit_test(a_step_to_the_path_closes_a_cycle),
		cmocka_unit_test(other_searches_have_no_path),
		cmocka_unit_test(equal_states_have_one_ref),
		cmocka_unit_test(a_state_survives_being_forgotten),
		cmocka_unit_test(a_new_table_has_the_same_states),
		cmocka_unit_test(a_closed_vm_leaves_nothing_behind),
		cmocka_unit_test(rounds_are_counted_without_taking_them),
		cmocka_unit_test(results_of_reals_are_in_their_range),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
