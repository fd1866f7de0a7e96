/* SPDX-License-Identifier: MIT
 *
 * Terms where threads are exchanged (search/reduce/sort_threads.c).
 *
 * Let a state stand for a set of concrete states.  Exchange threads in it: slots' threads, variables and memory, and the words that
 * name these; registers and bytes keep their terms, and symbols their sets and conditions.  Then it stands for the same set with
 * threads exchanged in each of its states, as a choice of values for the symbols makes of one state what the exchange makes of
 * what it makes of the other.  To say the same again in the canonical form (canonical.c) changes no set.  So whatever threads
 * are sorted by, the state is one that differs by an exchange only.
 *
 * What they are sorted by should be the same for states that do so.  Numbers of terms are not: they depend on which slot comes
 * first.  So they are sorted by a hash for each term that tells where the thread has others of the same symbol, where main
 * and memory that all share have some, which values these can have together, and under which conditions that have nothing but
 * symbols of the thread.  What relates it to other threads is left out.  Where such hashes are equal, and threads differ, one
 * state has several forms: more states, and no wrong ones.
 */
#include "relations.h"
#include "../state/symmetry.h"

#include <assert.h>
#include <string.h>

/* of one slot: its terms in the order in which it has them, and a hash for each, by the number of the term */
static VM_OWN struct list {
	uint32_t *items, count, capacity;
} own, shared;

static VM_OWN uint64_t *hashes;
static VM_OWN uint32_t hash_capacity;
static VM_OWN bool looks_like_name;

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static void add(struct list *list, uint32_t term)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (list->items[i] == term)
			return;
	list->items = vm_grow(list->items, &list->capacity, (uint64_t)list->count + 1, sizeof *list->items);
	list->items[list->count++] = term;
}

/* ---- where terms are ----------------------------------------------------------------------------------------------------- */

static void find_word(struct vm_thread *thread, uint64_t *value, uint64_t *shadow)
{
	(void)thread;
	(void)shadow;
	add(&own, (uint32_t)*value);
}

/* A word with slots must not be taken for an address and renamed. */
static void find_object(struct vm_map *map, struct vm_object *object)
{
	(void)map;
	for (uint32_t i = 0; i < object->header.size; i++) {
		if (!(object->bytes[i] & object->shadow[i]))
			continue;
		add(&own, vm_symbols.slots[object->bytes[i]].term);
		if ((i & ~7u) + 8 <= object->header.size)
			looks_like_name |= vm_symmetry_named(vm_object_word(object, i & ~7u)) != 0;
	}
}

/* What stands for a term names nothing: neither such a number in a register, nor a word with such bytes. */
static void change_word(struct vm_thread *thread, uint64_t *value, uint64_t *shadow)
{
	*value = (hashes[*value] & vm_mask(IMAGE_OFFSET_BITS - 1)) | 1;
	*shadow = UINT64_MAX;
	thread->dirty = true;
}

static void change_object(struct vm_map *map, struct vm_object *object)
{
	enum { BYTES = 15 };
	for (uint32_t i = 0; i < object->header.size; i++) {
		if (!(object->bytes[i] & object->shadow[i]))
			continue;
		struct vm_slot_byte slot = vm_symbols.slots[object->bytes[i]];
		vm_object_change(map, object, i, i + 1);
		object->bytes[i] = (uint8_t)(1 + mix(hashes[slot.term], slot.byte) % BYTES);
	}
}

/* ---- sets ---------------------------------------------------------------------------------------------------------------- */

/* Return a hash of the terms of a list that have the symbol, in row `row` if that has rows. */
static uint64_t hash_with(const struct list *list, uint32_t symbol, uint32_t row)
{
	uint64_t hash = list->count;
	for (uint32_t i = 0; i < list->count; i++) {
		const struct vm_term *term = &vm_symbols.terms[list->items[i]];
		if (term->symbol != symbol)
			continue;
		hash = mix(mix(hash, i), term->bits);
		if (term->column)
			hash = mix(hash, term->column[row]);
		for (uint32_t k = 0; !term->column && k < term->count; k++) {
			const struct vm_operation *o = &term->operations[k];
			hash = mix(hash, (uint64_t)o->op << 32 | (uint64_t)o->bits << 24 | (uint64_t)o->aux << 16 | o->which);
			for (unsigned n = 0; n < 3; n++)
				hash = mix(hash, o->constants[n]);
		}
	}
	return hash;
}

/* The order of rows depends on all terms that a symbol has, so that of a sum is none. */
static uint64_t hash_symbol(uint32_t number)
{
	const struct vm_symbol *symbol = &vm_symbols.symbols[number];
	uint64_t hash = symbol->rows;
	for (uint32_t row = 0; row < symbol->rows; row++)
		hash += mix(hash_with(&shared, number, row), hash_with(&own, number, row));
	if (symbol->rows)
		return hash;
	for (uint32_t i = 0; i < symbol->count; i++)
		hash = mix(mix(mix(hash, symbol->pieces[i].low), symbol->pieces[i].high), symbol->pieces[i].step);
	return mix(mix(hash, hash_with(&shared, number, 0)), hash_with(&own, number, 0));
}

static void hash_sets(void)
{
	for (uint32_t i = 0; i < own.count; i++)
		hashes[own.items[i]] = mix(hash_symbol(vm_symbols.terms[own.items[i]].symbol), i);
}

/* ---- terms with conditions ------------------------------------------------------------------------------------------------ */

/* the symbols of the slot, by number: from 1 on, in the order in which it has them */
static VM_OWN uint8_t names[NODE_SYMBOLS];
static VM_OWN uint8_t named;

/* Return a hash of a node in which symbols have names, or none if they are not of the slot.  `adds`: first give names to those of
 * the node that have none yet. */
static uint64_t hash_node(uint32_t number, bool adds)
{
	if (number == 0)
		return 0;
	const struct node node = *vm_node(number);
	if (node.op == NODE_SYMBOL) {
		uint8_t *name = &names[node.value % NODE_SYMBOLS];
		if (adds && *name == 0)
			*name = ++named;
		return mix(node.width, *name);
	}
	uint64_t hash = mix((uint64_t)node.op << 16 | (uint64_t)node.width << 8 | node.low, node.value);
	hash = mix(hash, hash_node(node.a, adds));
	hash = mix(hash, hash_node(node.b, adds));
	return mix(hash, hash_node(node.c, adds));
}

static bool has_name(uint32_t number)
{
	for (unsigned i = 0; i < NODE_SYMBOLS; i++)
		if (names[i] && vm_node(number)->symbols >> i & 1)
			return true;
	return false;
}

static void hash_terms(void)
{
	uint32_t count;
	const uint32_t *conditions = vm_relation_conditions(&count);
	uint64_t all = 0;
	memset(names, 0, sizeof names);
	named = 0;
	for (uint32_t i = 0; i < own.count; i++)
		hashes[own.items[i]] = hash_node(vm_symbols.terms[own.items[i]].node, true);
	for (uint32_t i = 0; i < count; i++)
		all += has_name(conditions[i]) ? mix(hash_node(conditions[i], false), 1) : 0;
	for (uint32_t i = 0; i < shared.count; i++) {
		uint32_t node = vm_symbols.terms[shared.items[i]].node;
		all += has_name(node) ? mix(hash_node(node, false), i + 2) : 0;
	}
	for (uint32_t i = 0; i < own.count; i++)
		hashes[own.items[i]] = mix(hashes[own.items[i]], all);
}

/* ---- states -------------------------------------------------------------------------------------------------------------- */

static bool has_symbols(vm_ref state)
{
	vm_ref map = vm_state_words(state)[2];
	uint32_t place = vm_symbolic_place();
	return map && vm_table_size(map) / sizeof(vm_ref) > place && ((const vm_ref *)vm_table_get(map))[place];
}

/* what a state has that is not loaded */
struct rest {
	uint8_t outcomes[VM_MAX_SLOTS];
	vm_ref records;
};

static struct rest load(vm_ref state)
{
	struct rest rest = { .records = vm_state_words(state)[STATE_RECORDS] };
	const uint32_t *words = vm_state_words(state);
	if (words[1])
		memcpy(rest.outcomes, vm_state_outcomes(words), words[1]);
	vm_state_load(state);
	vm_symbolic_load();
	vm_this.ref = 0; /* it will be another one */
	return rest;
}

static vm_ref neutral(vm_ref state)
{
	static const struct vm_term_visitor find = { find_word, find_object }, change = { change_word, change_object };
	struct rest rest = load(state);
	looks_like_name = false;
	hashes = vm_grow(hashes, &hash_capacity, vm_symbols.term_count, sizeof *hashes);
	shared.count = 0;
	for (unsigned slot = 0; slot < vm_this.slots; slot++) {
		own.count = 0;
		vm_symbolic_visit(slot, &find);
		if (own.count == 0)
			continue;
		vm_relational() ? hash_terms() : hash_sets();
		vm_symbolic_visit(slot, &change);
		for (uint32_t i = 0; slot == 0 && i < own.count; i++)
			add(&shared, own.items[i]);
	}
	if (looks_like_name)
		return 0;
	vm_map_remove(&vm_this.globals, vm_symbolic_place());
	return vm_state_store(rest.outcomes, rest.records);
}

static vm_ref exchanged(vm_ref state, const uint8_t *to)
{
	struct rest rest = load(state);
	if (vm_symbols.split.term)
		vm_symbols.split.slot = to[vm_symbols.split.slot];
	vm_symbolic_settle();
	return vm_state_store(rest.outcomes, rest.records);
}

/* Do one of them, or return 0 if it ends at a limit. */
static vm_ref within_limits(vm_ref state, const uint8_t *to)
{
	struct vm *vm = &vm_this;
	volatile vm_ref result = 0;
	assert(!vm->stepping); /* else the way out of that step would be lost */
	struct vm_ending ending = vm->ending;
	vm->stepping = true;
	if (setjmp(vm->escape) == 0)
		result = to ? exchanged(state, to) : neutral(state);
	vm->stepping = false;
	vm->ending = ending;
	vm->ref = 0; /* the working state is no program's */
	return result;
}

vm_ref vm_symbolic_neutral(vm_ref state)
{
	return has_symbols(state) ? within_limits(state, NULL) : state;
}

vm_ref vm_symbolic_exchanged(vm_ref state, const uint8_t *to)
{
	return within_limits(state, to);
}
