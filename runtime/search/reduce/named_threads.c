/* SPDX-License-Identifier: MIT
 *
 * See named_threads.h.
 *
 * To find the order of threads that name each other is to find a canonical form of a graph: slots are its nodes, and each word of
 * one slot that names an object of another is an arc.  Colors are refined as Weisfeiler and Leman do ("The reduction of a graph
 * to canonical form", 1968), with one slot of an undecided color made different from the others, until nothing changes.
 * Colors are hashes of contents, not of refs, which are others in a replay.  Where equal hashes, or equal colors, are of slots
 * that differ, one state has several sorted ones: more states, and no wrong ones.
 *
 * Where there are messages (memory/messages.h), a set K of holders is part of what all share.  A set is told from others by where
 * it belongs, to a record or a store, and by how many threads it has, and threads by the sets that they are in.  To exchange
 * threads is to exchange holders, the objects of records and stores, and the names in older values.
 */
#include "named_threads.h"
#include "../../memory/holders.h"
#include "../../memory/messages.h"
#include "../../memory/race.h"
#include "thread_parts.h"

#include <assert.h>
#include <string.h>

enum { KNOWN = 1 << 14, WORD = 8, OF_MAP = 1, OF_GLOBALS = 3 };

/* a word of one slot, or of memory that all share, which names an object of another */
struct arc {
	uint8_t from, to;
	uint64_t what; /* place of the word, and what it names but for the slot */
};

/* What is known of an object, or a page, by its ref: the hash of its bytes, without words that may be names, and how many such
 * words it has.  Refs of transient blobs are not known. */
static VM_OWN struct known {
	vm_ref ref;
	uint32_t names;
	uint64_t hash;
} known_pages[KNOWN], known_objects[KNOWN], known_maps[KNOWN];

static VM_OWN struct {
	struct arc *items;
	uint32_t count, capacity;
	uint64_t contents[SYMMETRIC_SLOTS]; /* hashes of what slots contain, without names */
	bool doubtful;
} graph;

void vm_names_forget(void)
{
	memset(known_pages, 0, sizeof known_pages);
	memset(known_objects, 0, sizeof known_objects);
	memset(known_maps, 0, sizeof known_maps);
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* ---- names ------------------------------------------------------------------------------------------------------------- */

static bool may_be_name(uint64_t word)
{
	uint64_t plain = word & IMAGE_POINTER_MASK;
	return image_names_dynamic(plain) && image_number(plain) - IMAGE_FIRST_DYNAMIC >= vm_this.span;
}

static uint32_t map_count(const uint32_t *state, unsigned slot, bool heap)
{
	uint32_t map = state[STATE_WORDS + slot * STATE_SLOT_WORDS + (heap ? 2 : 1)];
	return map ? vm_table_size(map) / (uint32_t)sizeof(vm_ref) : 0;
}

/* Return the slot whose object, dead or alive, an object number stands for in `state`; 0: none, or main's. */
static unsigned slot_numbered(const uint32_t *state, uint64_t number)
{
	enum { NEAR = 64 }; /* as in vm_symmetry_named() */
	if (number < IMAGE_FIRST_DYNAMIC)
		return 0;
	uint64_t slot = (number - IMAGE_FIRST_DYNAMIC) / vm_this.span, index = (number - IMAGE_FIRST_DYNAMIC) % vm_this.span;
	bool heap = index >= vm_this.locals;
	if (slot == 0 || slot >= state[1])
		return 0;
	return index - (heap ? vm_this.locals : 0) < map_count(state, (unsigned)slot, heap) + NEAR ? (unsigned)slot : 0;
}

static unsigned slot_named(const uint32_t *state, uint64_t word)
{
	return may_be_name(word) ? slot_numbered(state, image_number(word & IMAGE_POINTER_MASK)) : 0;
}

/* ---- what a slot contains ---------------------------------------------------------------------------------------------- */

static uint64_t word_at(const uint8_t *bytes, uint32_t at)
{
	uint64_t word;
	memcpy(&word, bytes + at, sizeof word);
	return word;
}

/* Hash bytes into `known`.  The aligned words of the first `words` bytes may be names. */
static void hash_bytes(struct known *known, const uint8_t *bytes, uint32_t size, uint32_t words)
{
	uint32_t at = 0;
	for (; at + WORD <= size; at += WORD) {
		uint64_t word = word_at(bytes, at);
		bool name = at + WORD <= words && may_be_name(word);
		known->names += name;
		known->hash = mix(known->hash, name ? 0 : word);
	}
	for (; at < size; at++)
		known->hash = mix(known->hash, bytes[at]);
}

static struct known *place_of(struct known *known, vm_ref ref)
{
	return &known[(ref * 2654435761u >> 16) & (KNOWN - 1)];
}

static struct known look_at_page(vm_ref ref)
{
	struct known *place = place_of(known_pages, ref), known = { .ref = ref };
	if (place->ref == ref)
		return *place;
	hash_bytes(&known, vm_table_get(ref), vm_table_size(ref), vm_table_size(ref));
	if (!vm_is_transient(ref))
		*place = known;
	return known;
}

/* Return where, in the blob of an object of pages, those with its bytes end; those behind them have the shadow. */
static uint32_t pages_end(const uint8_t *blob)
{
	const struct vm_object_header *header = (const struct vm_object_header *)blob;
	assert(header->size > OBJECT_WHOLE);
	return (uint32_t)(sizeof *header + vm_page_count(header->size) * sizeof(vm_ref));
}

static struct known look_at_object(vm_ref ref)
{
	struct known *place = place_of(known_objects, ref), known = { .ref = ref };
	if (ref == 0 || place->ref == ref)
		return ref ? *place : known;
	const uint8_t *blob = vm_table_get(ref);
	uint32_t size = vm_table_size(ref), begin = sizeof(struct vm_object_header);
	struct vm_object_header header;
	memcpy(&header, blob, sizeof header);
	known.hash = mix(mix(size, header.size), mix(header.flags, (uint64_t)header.depth << 32 | header.order));
	if (header.size <= OBJECT_WHOLE)
		hash_bytes(&known, blob + begin, size - begin, header.size);
	for (uint32_t at = begin; header.size > OBJECT_WHOLE && at < size; at += sizeof(vm_ref)) {
		struct known page = look_at_page(*(const vm_ref *)(blob + at));
		known.hash = mix(known.hash, page.hash);
		known.names += at < pages_end(blob) ? page.names : 0;
	}
	if (!vm_is_transient(ref))
		*place = known;
	return known;
}

static struct known look_at_map(vm_ref ref)
{
	struct known *place = place_of(known_maps, ref), known = { .ref = ref };
	if (ref == 0 || place->ref == ref)
		return ref ? *place : known;
	const vm_ref *objects = vm_table_get(ref);
	for (uint32_t i = 0; i < vm_table_size(ref) / sizeof(vm_ref); i++) {
		struct known object = look_at_object(objects[i]);
		known.hash = mix(known.hash, object.hash);
		known.names += object.names;
	}
	if (!vm_is_transient(ref))
		*place = known;
	return known;
}

/* ---- arcs -------------------------------------------------------------------------------------------------------------- */

/* Note a word that may be a name, at a place of what the slot `from` contains. */
static void add_word(const uint32_t *state, unsigned from, uint64_t place, uint64_t word)
{
	assert(from < SYMMETRIC_SLOTS && state[1] <= SYMMETRIC_SLOTS);
	unsigned to = slot_named(state, word);
	if (to == 0) {
		graph.contents[from] += mix(place, word);
		return;
	}
	graph.doubtful = graph.doubtful || word != (word & IMAGE_POINTER_MASK);
	graph.items = vm_grow(graph.items, &graph.capacity, (uint64_t)graph.count + 1, sizeof *graph.items);
	assert(to < state[1] && word >> IMAGE_OFFSET_BITS >= (uint64_t)to * vm_this.span);
	uint64_t rest = word - ((uint64_t)to * vm_this.span << IMAGE_OFFSET_BITS);
	graph.items[graph.count++] = (struct arc){ (uint8_t)from, (uint8_t)to, mix(place, rest) };
}

static void add_bytes(const uint32_t *state, unsigned from, uint64_t place, const uint8_t *bytes, uint32_t size)
{
	for (uint32_t at = 0; at + WORD <= size; at += WORD)
		if (may_be_name(word_at(bytes, at)))
			add_word(state, from, mix(place, at), word_at(bytes, at));
}

static void add_object(const uint32_t *state, unsigned from, uint64_t place, vm_ref ref)
{
	if (look_at_object(ref).names == 0)
		return;
	const uint8_t *blob = vm_table_get(ref);
	uint32_t size = ((const struct vm_object_header *)blob)->size, begin = sizeof(struct vm_object_header);
	if (size <= OBJECT_WHOLE) {
		add_bytes(state, from, place, blob + begin, size);
		return;
	}
	for (uint32_t at = begin; at < pages_end(blob); at += sizeof(vm_ref)) {
		vm_ref page = *(const vm_ref *)(blob + at);
		add_bytes(state, from, mix(place, at), vm_table_get(page), vm_table_size(page));
	}
}

static void add_map(const uint32_t *state, unsigned from, uint64_t place, vm_ref ref)
{
	struct known map = look_at_map(ref);
	graph.contents[from] = mix(graph.contents[from] + place, map.hash);
	const vm_ref *objects = map.names ? vm_table_get(ref) : NULL;
	for (uint32_t i = 0; objects && i < vm_table_size(ref) / sizeof(vm_ref); i++)
		add_object(state, from, mix(place, i), objects[i]);
}

static void add_thread(const uint32_t *state, unsigned slot)
{
	vm_ref ref = state[STATE_WORDS + slot * STATE_SLOT_WORDS];
	if (ref == 0)
		return;
	uint32_t size = vm_table_size(ref);
	uint8_t *bytes = memcpy(vm_scratch(size), vm_table_get(ref), size);
	struct thread_parts parts = vm_thread_parts(bytes, size);
	uint64_t *const words[] = { &parts.header.address, &parts.header.other };
	for (unsigned i = 0; i < 2; i++)
		if (may_be_name(*words[i])) {
			add_word(state, slot, mix(0, i), *words[i]);
			*words[i] = 0;
		}
	memcpy(bytes, &parts.header, sizeof parts.header);
	for (uint32_t i = 0; i < parts.header.ranges; i++) {
		struct vm_range *range = (struct vm_range *)(bytes + parts.ranges) + i;
		if (slot_numbered(state, range->object)) {
			uint64_t bytes_of = (uint64_t)range->low << 32 | range->high;
			add_word(state, slot, mix(range->write, bytes_of), image_address(range->object, 0));
			*range = (struct vm_range){ 0 };
		}
	}
	struct known rest = { .hash = parts.registers };
	for (uint32_t at = 0; at + sizeof(uint32_t) <= parts.registers; at += sizeof(uint32_t))
		rest.hash = mix(rest.hash, *(const uint32_t *)(bytes + at));
	hash_bytes(&rest, bytes + parts.registers, size - parts.registers, size - parts.registers);
	add_bytes(state, slot, 2, bytes + parts.registers, size - parts.registers);
	graph.contents[slot] += rest.hash;
}

/* ---- sets of holders ---------------------------------------------------------------------------------------------------- */

static unsigned owner_of(uint32_t object)
{
	uint32_t slot = object < IMAGE_FIRST_DYNAMIC ? 0 : (uint32_t)((object - IMAGE_FIRST_DYNAMIC) / vm_this.span);
	return slot < SYMMETRIC_SLOTS ? slot : 0;
}

/* Return a number for bytes of an object that is the same whichever thread has the object. */
static uint64_t place_number(uint32_t object, uint32_t low)
{
	return mix(object - (object < IMAGE_FIRST_DYNAMIC ? 0 : owner_of(object) * vm_this.span), low);
}

/* the stored records of a state, with the messages copied */
struct shared {
	struct vm_records_view view;
	struct vm_message *stores;
	uint32_t *numbers; /* of each store: its number among those of its location */
};

static struct shared shared_of(vm_ref ref)
{
	struct shared shared = { .view = vm_records_view(ref) };
	uint32_t count = shared.view.message_count;
	shared.stores = vm_scratch((count + 1) * sizeof *shared.stores);
	shared.numbers = vm_scratch((count + 1) * sizeof *shared.numbers);
	memcpy(shared.stores, shared.view.messages, count * sizeof *shared.stores);
	for (uint32_t i = 0; i < count; i++) {
		const struct vm_message *store = &shared.stores[i];
		bool next = i && store->object == store[-1].object && store->low == store[-1].low;
		shared.numbers[i] = next ? shared.numbers[i - 1] + 1 : 0;
	}
	return shared;
}

/* of a holder that is no thread's: whose object it is of, and what is the same whosever that is */
static uint64_t neutral(const struct shared *shared, uint64_t holder, unsigned *owner)
{
	uint64_t class = holder >> 60;
	*owner = 0;
	switch ((enum holder_class) class) {
	case HOLDER_MESSAGE:
	case HOLDER_MARK:
	case HOLDER_READ_MARK:
	case HOLDER_WRITTEN_MARK: {
		const struct vm_message *store = &shared->stores[holder & UINT32_MAX];
		*owner = owner_of(store->object);
		return mix(mix(class, place_number(store->object, store->low)), shared->numbers[holder & UINT32_MAX]);
	}
	case HOLDER_FENCES: return class;
	default: {
		uint32_t object = (uint32_t)(holder >> 32) & (UINT32_MAX >> 4);
		*owner = owner_of(object);
		return mix(class, place_number(object, (uint32_t)holder));
	}
	}
}

static bool is_thread(uint64_t holder)
{
	return holder >> 60 <= HOLDER_PENDING;
}

/* Note who is in a set that belongs to `what`, to an object of the slot `owner`. */
static void add_set(const struct shared *shared, uint32_t number, uint64_t what, unsigned owner)
{
	const struct vm_holders *set = &shared->view.holders[number];
	uint64_t all = what;
	unsigned of;
	for (uint32_t i = 0; i < set->count; i++)
		all += is_thread(set->items[i]) ? set->items[i] >> 60 : mix(4, neutral(shared, set->items[i], &of));
	for (uint32_t i = 0; i < set->count; i++) {
		bool thread = is_thread(set->items[i]);
		uint64_t how = thread ? set->items[i] >> 60 : neutral(shared, set->items[i], &of);
		graph.contents[thread ? set->items[i] & UINT32_MAX : of] += mix(all, how);
	}
	graph.contents[owner] += mix(all, 5);
}

/* Note what a state's records and messages say of slots. */
static void add_records(const uint32_t *state)
{
	struct shared shared = shared_of(state[STATE_RECORDS]);
	for (uint32_t i = 0; i < shared.view.count; i++) {
		const struct vm_record *record = &shared.view.items[i];
		add_set(&shared, record->set,
			mix(place_number(record->object, record->low), (uint64_t)record->kind << 32 | record->high),
			owner_of(record->object));
	}
	for (uint32_t i = 0; i < shared.view.message_count; i++) {
		const struct vm_message *store = &shared.stores[i];
		uint64_t place = mix(place_number(store->object, store->low), (uint64_t)shared.numbers[i] << 1 | store->attached);
		for (unsigned k = 0; k < MESSAGE_SETS; k++)
			if (store->set[k] != IMAGE_NONE)
				add_set(&shared, store->set[k], mix(place, k), owner_of(store->object));
		for (unsigned k = 0; k < 2; k++)
			if (k < vm_message_names(store) && may_be_name(store->value[k]))
				add_word(state, owner_of(store->object), mix(place, MESSAGE_SETS + k), store->value[k]);
			else
				graph.contents[owner_of(store->object)] += mix(mix(place, MESSAGE_SETS + k), store->value[k]);
	}
}

/* Do records or messages name objects of threads other than main? */
static bool records_name(vm_ref ref)
{
	struct shared shared = shared_of(ref);
	bool names = false;
	for (uint32_t i = 0; i < shared.view.count; i++)
		names = names || owner_of(shared.view.items[i].object);
	for (uint32_t i = 0; i < shared.view.message_count; i++) {
		const struct vm_message *store = &shared.stores[i];
		names = names || owner_of(store->object);
		for (unsigned k = 0; k < vm_message_names(store); k++)
			names = names || may_be_name(store->value[k]);
	}
	for (uint32_t i = 0; i < shared.view.sets; i++)
		for (uint32_t k = 0; k < shared.view.holders[i].count; k++) {
			uint64_t holder = shared.view.holders[i].items[k];
			unsigned owner = 0;
			if (!is_thread(holder))
				neutral(&shared, holder, &owner);
			names = names || owner;
		}
	return names;
}

void vm_know_slots(const uint32_t *state, uint64_t *known)
{
	memset(graph.contents, 0, sizeof graph.contents);
	add_records(state);
	memcpy(known, graph.contents, sizeof graph.contents);
}

/* ---- the graph --------------------------------------------------------------------------------------------------------- */

/* Note all that `state` names.  What all share counts as main's. */
static void make_graph(const uint32_t *state)
{
	graph.count = 0;
	graph.doubtful = false;
	memset(graph.contents, 0, sizeof graph.contents);
	add_map(state, 0, OF_GLOBALS, state[STATE_GLOBALS]);
	if (state[STATE_RECORDS])
		add_records(state);
	for (unsigned slot = 0; slot < state[1]; slot++) {
		for (unsigned i = 1; i < STATE_SLOT_WORDS; i++)
			add_map(state, slot, OF_MAP + i, state[STATE_WORDS + slot * STATE_SLOT_WORDS + i]);
		add_thread(state, slot);
	}
}

bool vm_memory_names(const uint32_t *state)
{
	uint32_t names = look_at_map(state[STATE_GLOBALS]).names;
	for (unsigned slot = 0; slot < state[1]; slot++)
		for (unsigned i = 1; i < STATE_SLOT_WORDS; i++)
			names += look_at_map(state[STATE_WORDS + slot * STATE_SLOT_WORDS + i]).names;
	return names || (state[STATE_RECORDS] && records_name(state[STATE_RECORDS]));
}

/* ---- colors ------------------------------------------------------------------------------------------------------------ */

static unsigned count_colors(const uint64_t *colors, unsigned slots)
{
	unsigned count = 0;
	for (unsigned i = 0; i < slots; i++) {
		unsigned k = 0;
		while (k < i && colors[k] != colors[i])
			k++;
		count += k == i;
	}
	return count;
}

/* Refine colors until there are no more of them.  Return how many there are. */
static unsigned refine(uint64_t *colors, unsigned slots)
{
	unsigned before = 0, count = count_colors(colors, slots);
	while (count > before && count < slots) {
		uint64_t new[SYMMETRIC_SLOTS] = { 0 }; /* a color mixed with itself would be that of all who have no arcs */
		for (uint32_t i = 0; i < graph.count; i++) {
			const struct arc *arc = &graph.items[i];
			bool own = arc->from == arc->to;
			new[arc->from] += mix(own ? 1 : colors[arc->to], arc->what);
			new[arc->to] += own ? 0 : mix(mix(colors[arc->from], 2), arc->what);
		}
		for (unsigned i = 0; i < slots; i++)
			colors[i] = mix(colors[i], new[i]);
		before = count;
		count = count_colors(colors, slots);
	}
	return count;
}

/* Return the first slot that has its color with another, and is named or names; `slots` if there is none. */
static unsigned undecided(const uint64_t *colors, unsigned slots)
{
	for (unsigned i = 0; i < slots; i++) {
		bool shared = false, named = false;
		for (unsigned k = 0; k < slots && !shared; k++)
			shared = k != i && colors[k] == colors[i];
		for (uint32_t k = 0; k < graph.count && shared && !named; k++)
			named = graph.items[k].from != graph.items[k].to && (graph.items[k].from == i || graph.items[k].to == i);
		if (named)
			return i;
	}
	return slots;
}

bool vm_color_slots(const uint32_t *state, const uint64_t *classes, uint64_t *colors)
{
	unsigned slots = state[1], which;
	make_graph(state);
	assert(slots <= SYMMETRIC_SLOTS);
	for (unsigned i = 0; i < slots; i++)
		colors[i] = mix(classes[i], graph.contents[i]);
	while (refine(colors, slots) < slots && (which = undecided(colors, slots)) < slots)
		colors[which] = mix(colors[which], 3);
	return !graph.doubtful;
}

/* ---- renaming ---------------------------------------------------------------------------------------------------------- */

struct renaming {
	const uint32_t *old;
	const uint8_t *to;
};

static uint64_t renamed(const struct renaming *how, uint64_t word)
{
	unsigned slot = slot_named(how->old, word);
	uint64_t distance = (uint64_t)((int64_t)how->to[slot] - (int64_t)slot) * vm_this.span;
	return slot ? word + (distance << IMAGE_OFFSET_BITS) : word;
}

static void rename_bytes(const struct renaming *how, uint8_t *bytes, uint32_t size)
{
	for (uint32_t at = 0; at + WORD <= size; at += WORD) {
		uint64_t word = word_at(bytes, at);
		if (may_be_name(word)) {
			word = renamed(how, word);
			memcpy(bytes + at, &word, sizeof word);
		}
	}
}

static uint8_t *copy_of(vm_ref ref)
{
	return memcpy(vm_scratch(vm_table_size(ref)), vm_table_get(ref), vm_table_size(ref));
}

static vm_ref rename_page(const struct renaming *how, vm_ref ref)
{
	if (look_at_page(ref).names == 0)
		return ref;
	uint8_t *copy = copy_of(ref);
	rename_bytes(how, copy, vm_table_size(ref));
	return vm_state_put(copy, vm_table_size(ref));
}

static vm_ref rename_object(const struct renaming *how, vm_ref ref)
{
	if (look_at_object(ref).names == 0)
		return ref;
	uint8_t *copy = copy_of(ref);
	uint32_t size = ((const struct vm_object_header *)copy)->size, begin = sizeof(struct vm_object_header);
	if (size <= OBJECT_WHOLE)
		rename_bytes(how, copy + begin, size);
	else
		for (uint32_t at = begin; at < pages_end(copy); at += sizeof(vm_ref))
			*(vm_ref *)(copy + at) = rename_page(how, *(const vm_ref *)(copy + at));
	return vm_state_put(copy, vm_table_size(ref));
}

static vm_ref rename_map(const struct renaming *how, vm_ref ref)
{
	if (look_at_map(ref).names == 0)
		return ref;
	vm_ref *copy = (vm_ref *)copy_of(ref);
	for (uint32_t i = 0; i < vm_table_size(ref) / sizeof *copy; i++)
		copy[i] = rename_object(how, copy[i]);
	return vm_state_put(copy, vm_table_size(ref));
}

static vm_ref rename_thread(const struct renaming *how, vm_ref ref)
{
	uint32_t size = vm_table_size(ref);
	uint8_t *bytes = copy_of(ref);
	struct thread_parts parts = vm_thread_parts(bytes, size);
	assert(parts.ranges <= parts.registers && parts.registers <= size);
	parts.header.address = renamed(how, parts.header.address);
	parts.header.other = renamed(how, parts.header.other);
	memcpy(bytes, &parts.header, sizeof parts.header);
	for (uint32_t i = 0; i < parts.header.ranges; i++) {
		struct vm_range *range = (struct vm_range *)(bytes + parts.ranges) + i;
		unsigned slot = slot_numbered(how->old, range->object);
		range->object += slot ? (uint32_t)(how->to[slot] - (int)slot) * vm_this.span : 0;
	}
	vm_race_sort((struct vm_range *)(bytes + parts.ranges), parts.header.ranges);
	rename_bytes(how, bytes + parts.registers, size - parts.registers);
	return vm_state_put(bytes, size);
}

/* Does each slot go to another one, and main's nowhere? */
static bool is_exchange(const uint8_t to[SYMMETRIC_SLOTS])
{
	uint64_t slots = 0;
	for (unsigned i = 0; i < SYMMETRIC_SLOTS; i++)
		slots |= UINT64_C(1) << to[i];
	return to[0] == 0 && slots == UINT64_MAX >> (64 - SYMMETRIC_SLOTS);
}

void vm_rename_slots(uint32_t *state, const uint32_t *old, const uint8_t to[SYMMETRIC_SLOTS])
{
	const struct renaming how = { old, to };
	assert(is_exchange(to) && state[1] <= old[1]);
	state[STATE_GLOBALS] = rename_map(&how, state[STATE_GLOBALS]);
	for (unsigned slot = 0; slot < state[1]; slot++) {
		uint32_t *words = state + STATE_WORDS + slot * STATE_SLOT_WORDS;
		for (unsigned i = 1; i < STATE_SLOT_WORDS; i++)
			words[i] = rename_map(&how, words[i]);
		if (words[0])
			words[0] = rename_thread(&how, words[0]);
	}
}

static uint64_t renamed_word(uint64_t word, const void *how)
{
	return may_be_name(word) ? renamed(how, word) : word;
}

void vm_rename_records(uint32_t *state, const uint32_t *old, const uint8_t to[SYMMETRIC_SLOTS])
{
	const struct renaming how = { old, to };
	assert(is_exchange(to));
	if (state[STATE_RECORDS])
		state[STATE_RECORDS] = vm_records_exchange(state[STATE_RECORDS], to, renamed_word, &how);
}
