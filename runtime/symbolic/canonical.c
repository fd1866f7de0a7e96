/* SPDX-License-Identifier: MIT
 *
 * Symbols in a stored state, and their canonical form.  They lie in an object behind the global variables, which has no
 * address.
 *
 * What the form keeps is the set of tuples that the values of the terms in registers and memory can make; all rules are
 * exact: - A symbol that no term in use has goes.  Terms that are one function are one. - A term with one value is that
 * value. - A symbol with few values gets rows.  Of rows that are equal in all terms in use one stays, and they are sorted:
 * the form is the   set itself. - Of a symbol with pieces that has one term in use, what that makes of it is the new symbol,
 * if that set is known. - Terms and slots are numbered in the order in which registers and memory have them.
 */
#include "relations.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the object ------------------------------------------------------------------------------------------------------ */

uint32_t vm_symbolic_place(void)
{
	uint32_t count = 0;
	for (uint64_t g = 0; g < vm_this.image.counts[IMAGE_GLOBALS]; g++)
		count += vm_this.global_index[g] != IMAGE_NONE;
	return count;
}

/* The words of the object: each takes 8 bytes, so that none looks like an address. */
static VM_OWN struct {
	uint32_t *items;
	uint32_t count, capacity, at;
} words;

static void write_word(uint32_t word)
{
	words.items = vm_grow(words.items, &words.capacity, (uint64_t)words.count + 1, sizeof *words.items);
	words.items[words.count++] = word;
}

static void write_all(const void *bytes, size_t size)
{
	assert(size % sizeof(uint32_t) == 0);
	for (size_t i = 0; i < size; i += sizeof(uint32_t)) {
		uint32_t word;
		memcpy(&word, (const char *)bytes + i, sizeof word);
		write_word(word);
	}
}

static void read_all(void *bytes, size_t size)
{
	assert(words.at + size / sizeof(uint32_t) <= words.count);
	memcpy(bytes, words.items + words.at, size);
	words.at += (uint32_t)(size / sizeof(uint32_t));
}

static uint32_t read_word(void)
{
	uint32_t word;
	read_all(&word, sizeof word);
	return word;
}

static void *read_new(size_t size)
{
	void *bytes = vm_scratch(size);
	read_all(bytes, size);
	return bytes;
}

static void begin(void)
{
	struct vm_symbols *s = &vm_symbols;
	s->symbol_count = s->slot_count = 0;
	s->term_count = 1;
	s->split = (struct vm_split){ 0 };
	if (vm_relational())
		vm_relation_begin();
}

struct head {
	uint32_t symbols, terms, slots;
	struct vm_split split;
};

void vm_symbolic_load(void)
{
	const struct vm_object *object = vm_map_find(&vm_this.globals, vm_symbolic_place());
	struct head head;
	begin();
	if (!object) {
		vm_history_load();
		return;
	}
	words.count = words.at = 0;
	for (uint32_t i = 0; i < object->header.size; i += 8) {
		uint32_t word;
		memcpy(&word, object->bytes + i, sizeof word);
		write_word(word);
	}
	read_all(&head, sizeof head);
	for (uint32_t i = 0; i < head.symbols; i++) {
		struct vm_symbol symbol = { 0 };
		if (vm_relational()) {
			vm_symbol_add(symbol);
			continue;
		}
		read_all(&symbol.rows, sizeof symbol.rows);
		if (symbol.rows == 0) {
			read_all(&symbol.bits, sizeof symbol.bits);
			read_all(&symbol.count, sizeof symbol.count);
			symbol.pieces = read_new(symbol.count * sizeof *symbol.pieces);
		}
		vm_symbol_add(symbol);
	}
	if (vm_relational())
		vm_relation_read(read_word, head.terms);
	for (uint32_t i = 1; i < head.terms && !vm_relational(); i++) {
		struct vm_term term = { 0 };
		read_all(&term.symbol, sizeof term.symbol);
		read_all(&term.bits, sizeof term.bits);
		uint32_t rows = vm_symbols.symbols[term.symbol].rows;
		if (rows) {
			term.column = read_new(rows * sizeof *term.column);
		} else {
			read_all(&term.count, sizeof term.count);
			term.operations = read_new(term.count * sizeof *term.operations);
		}
		vm_term_add(term);
	}
	vm_symbols.slot_count = head.slots;
	read_all(vm_symbols.slots + 1, head.slots * sizeof *vm_symbols.slots);
	vm_symbols.split = head.split;
	assert(words.at == words.count);
	vm_history_load();
}

static void store(void)
{
	const struct vm_symbols *s = &vm_symbols;
	struct vm_object *object = vm_map_find(&vm_this.globals, vm_symbolic_place());
	struct head head = { s->symbol_count, s->term_count, s->slot_count, s->split };
	if (s->symbol_count == 0) {
		if (object)
			vm_map_remove(&vm_this.globals, vm_symbolic_place());
		return;
	}
	words.count = 0;
	write_all(&head, sizeof head);
	if (vm_relational())
		vm_relation_write(write_word);
	for (uint32_t i = 0; i < s->symbol_count && !vm_relational(); i++) {
		const struct vm_symbol *symbol = &s->symbols[i];
		write_word(symbol->rows);
		if (symbol->rows)
			continue;
		write_word(symbol->bits);
		write_word(symbol->count);
		write_all(symbol->pieces, symbol->count * sizeof *symbol->pieces);
	}
	for (uint32_t i = 1; i < s->term_count && !vm_relational(); i++) {
		const struct vm_term *term = &s->terms[i];
		write_word(term->symbol);
		write_word(term->bits);
		if (term->column) {
			write_all(term->column, s->symbols[term->symbol].rows * sizeof *term->column);
		} else {
			write_word(term->count);
			write_all(term->operations, term->count * sizeof *term->operations);
		}
	}
	write_all(s->slots + 1, s->slot_count * sizeof *s->slots);
	uint32_t size = words.count * 8;
	if (object && object->header.size == size) {
		bool same = true;
		for (uint32_t i = 0; i < words.count && same; i++)
			same = memcmp(object->bytes + 8 * i, &words.items[i], sizeof(uint32_t)) == 0;
		if (same)
			return;
	}
	if (object)
		vm_map_remove(&vm_this.globals, vm_symbolic_place());
	object = vm_map_add(&vm_this.globals, vm_symbolic_place(), &(struct vm_object_header){ .size = size });
	for (uint32_t i = 0; i < words.count; i++)
		memcpy(object->bytes + 8 * i, &words.items[i], sizeof(uint32_t));
}

/* ---- all places of terms ----------------------------------------------------------------------------------------------- */

/* instead of a term in the header of a thread that awaits an input: that has one value, which is beside it */
static const uint64_t KNOWN = UINT64_MAX;

struct vm_bits64 vm_symbolic_awaited(struct vm_thread_header *header)
{
	struct vm_bits64 input = { header->address, UINT64_MAX };
	assert(header->wait == WAIT_CHOICE && header->address);
	if (header->address == KNOWN)
		input = (struct vm_bits64){ header->other, 0 };
	header->other = 0;
	return input;
}

bool vm_symbolic_awaits(const struct vm_thread_header *header)
{
	return header->wait == WAIT_CHOICE && header->address && header->address != KNOWN;
}

static void visit_thread(struct vm_thread *thread, const struct vm_term_visitor *visitor)
{
	static const uint64_t all = UINT64_MAX;
	for (uint32_t i = 0; thread->shadowed && i < thread->header.frames; i++) {
		const uint32_t *live = vm_frame_live(&thread->frames[i]);
		for (uint32_t k = 1; k <= live[0]; k++) {
			uint32_t at = thread->frames[i].base + live[k];
			if (vm_is_term(thread->registers[at], thread->shadows[at]))
				visitor->word(thread, &thread->registers[at], &thread->shadows[at]);
		}
	}
	if (vm_is_term(thread->header.result, thread->header.result_shadow))
		visitor->word(thread, &thread->header.result, &thread->header.result_shadow);
	uint64_t shadow = all;
	if (thread->header.status == THREAD_RUNNING && vm_symbolic_awaits(&thread->header))
		visitor->word(thread, &thread->header.address, &shadow);
}

static void visit_map(struct vm_map *map, const struct vm_term_visitor *visitor)
{
	for (uint32_t i = 0; i < map->count; i++) {
		struct vm_object *object = vm_map_find(map, i);
		if (object && object->shadow && vm_symbolic_bytes(object->bytes, object->shadow, object->header.size))
			visitor->object(map, object);
	}
}

static void visit(const struct vm_term_visitor *visitor)
{
	struct vm *vm = &vm_this;
	for (unsigned i = 0; i < vm->slots; i++)
		if (vm_thread_look(i)->header.status != THREAD_UNUSED)
			visit_thread(&vm->threads[i], visitor);
	visit_map(&vm->globals, visitor);
	for (unsigned i = 0; i < vm->slots; i++) {
		visit_map(&vm->threads[i].locals, visitor);
		visit_map(&vm->threads[i].heap, visitor);
	}
}

void vm_symbolic_visit(unsigned slot, const struct vm_term_visitor *visitor)
{
	struct vm_thread *thread = &vm_this.threads[slot];
	if (vm_thread_look(slot)->header.status != THREAD_UNUSED)
		visit_thread(thread, visitor);
	if (slot == 0)
		visit_map(&vm_this.globals, visitor);
	visit_map(&thread->locals, visitor);
	visit_map(&thread->heap, visitor);
}

/* ---- the canonical form ------------------------------------------------------------------------------------------------ */

/* The first symbols, terms and slots, which keep their numbers; see vm_symbolic_keep(). */
static VM_OWN struct {
	uint32_t symbols, terms, slots;
} kept;

void vm_symbolic_keep(vm_ref state)
{
	const struct vm_symbols *s = &vm_symbols;
	kept.symbols = kept.terms = kept.slots = 0;
	if (!state)
		return;
	vm_state_load(state);
	vm_symbolic_load();
	assert(s->split.term == 0); /* its answers would change what is kept */
	kept.symbols = s->symbol_count;
	kept.terms = s->term_count;
	kept.slots = s->slot_count;
}

/* what becomes of each term */
struct fate {
	bool used, constant;
	uint64_t value;
	uint32_t as; /* its number among those in use, from 1 on */
};

static VM_OWN struct {
	struct fate *fates;
	uint32_t fate_capacity;
	uint32_t *order; /* old numbers of the terms in use, from 1 on */
	uint32_t order_capacity, count;
	struct vm_slot_byte slots[SLOTS + 1];
	uint32_t slot_count;
} form;

static bool is_equal(const struct vm_term *a, const struct vm_term *b)
{
	if (vm_relational())
		return a->node == b->node;
	if (a->symbol != b->symbol || a->bits != b->bits)
		return false;
	if (a->column)
		return memcmp(a->column, b->column, vm_symbols.symbols[a->symbol].rows * sizeof *a->column) == 0;
	return a->count == b->count &&
		(a->count == 0 || memcmp(a->operations, b->operations, a->count * sizeof *a->operations) == 0);
}

static void use(uint32_t term)
{
	struct fate *fate = &form.fates[term];
	assert(term && term < vm_symbols.term_count);
	if (fate->used)
		return;
	fate->used = true;
	fate->constant = vm_term_is_constant(term, &fate->value);
	if (fate->constant)
		return;
	for (uint32_t i = 1; i <= form.count && fate->as == 0; i++)
		if (is_equal(&vm_symbols.terms[term], &vm_symbols.terms[form.order[i]]))
			fate->as = i;
	if (fate->as)
		return;
	form.order = vm_grow(form.order, &form.order_capacity, (uint64_t)form.count + 2, sizeof *form.order);
	form.order[++form.count] = term;
	fate->as = form.count;
}

static void use_word(struct vm_thread *thread, uint64_t *value, uint64_t *shadow)
{
	(void)thread;
	(void)shadow;
	use((uint32_t)*value);
}

static void use_object(struct vm_map *map, struct vm_object *object)
{
	(void)map;
	for (uint32_t i = 0; i < object->header.size; i++)
		if (object->bytes[i] & object->shadow[i])
			use(vm_symbols.slots[object->bytes[i]].term);
}

static void change_word(struct vm_thread *thread, uint64_t *value, uint64_t *shadow)
{
	const struct fate *fate = &form.fates[*value];
	bool awaited = value == &thread->header.address; /* that the thread gets an input is kept, though it is known */
	uint64_t word = awaited && fate->constant ? KNOWN : fate->constant ? fate->value : fate->as;
	if (awaited && fate->constant)
		thread->header.other = fate->value;
	if (*value == word && !fate->constant)
		return;
	thread->dirty = true;
	*value = word;
	*shadow = fate->constant ? 0 : UINT64_MAX;
}

static uint8_t new_slot(struct vm_slot_byte slot)
{
	for (uint32_t i = 1; i <= form.slot_count; i++)
		if (form.slots[i].term == slot.term && form.slots[i].byte == slot.byte)
			return (uint8_t)i;
	assert(form.slot_count < SLOTS);
	form.slots[++form.slot_count] = slot;
	return (uint8_t)form.slot_count;
}

static void change_object(struct vm_map *map, struct vm_object *object)
{
	for (uint32_t i = 0; i < object->header.size; i++) {
		if (!(object->bytes[i] & object->shadow[i]))
			continue;
		struct vm_slot_byte slot = vm_symbols.slots[object->bytes[i]];
		const struct fate *fate = &form.fates[slot.term];
		uint8_t byte = fate->constant ? (uint8_t)(fate->value >> 8 * slot.byte) :
						new_slot((struct vm_slot_byte){ fate->as, slot.byte });
		if (byte == object->bytes[i] && !fate->constant)
			continue;
		vm_object_change(map, object, i, i + 1);
		object->bytes[i] = byte;
		if (fate->constant)
			object->shadow[i] = 0;
	}
}

/* Let the symbol have rows if it has few values; `terms` are the ones in use that have it. */
static void make_rows(struct vm_symbol *symbol, struct vm_term *const *terms, uint32_t count)
{
	uint64_t size = symbol->rows ? 0 : vm_pieces_size(symbol->pieces, symbol->count, vm_symbolic_most());
	if (symbol->rows || size > vm_symbolic_most())
		return;
	uint64_t *values = vm_scratch(size * sizeof *values), n = 0;
	for (uint32_t i = 0; i < symbol->count; i++)
		for (uint64_t value = symbol->pieces[i].low;; value += symbol->pieces[i].step) {
			values[n++] = value;
			if (value == symbol->pieces[i].high)
				break;
		}
	assert(n == size);
	for (uint32_t t = 0; t < count; t++) {
		uint64_t *column = vm_scratch(size * sizeof *column);
		for (uint64_t row = 0; row < size; row++)
			column[row] = vm_term_value(terms[t], values[row]);
		terms[t]->column = column;
	}
	symbol->rows = (uint32_t)size;
	vm_history_rows(symbol, values, true);
}

/* of the rows that are sorted */
static VM_OWN const uint64_t *const *sorted;
static VM_OWN uint32_t sorted_columns;

static int compare_rows(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	for (uint32_t i = 0; i < sorted_columns; i++)
		if (sorted[i][x] != sorted[i][y])
			return sorted[i][x] < sorted[i][y] ? -1 : 1;
	return 0;
}

/* Sort the rows of a symbol by its terms in use, which are `count`, and drop those that are there twice. */
static void sort_rows(struct vm_symbol *symbol, struct vm_term *const *terms, uint32_t count)
{
	const uint64_t **columns = vm_scratch(count * sizeof *columns);
	uint32_t *rows = vm_scratch(symbol->rows * sizeof *rows), n = 0;
	for (uint32_t i = 0; i < count; i++)
		columns[i] = terms[i]->column;
	for (uint32_t i = 0; i < symbol->rows; i++)
		rows[i] = i;
	sorted = columns;
	sorted_columns = count;
	qsort(rows, symbol->rows, sizeof *rows, compare_rows);
	for (uint32_t i = 0; i < symbol->rows; i++)
		if (i == 0 || compare_rows(&rows[n - 1], &rows[i]) != 0)
			rows[n++] = rows[i];
	for (uint32_t i = 0; i < count; i++) {
		uint64_t *column = vm_scratch(n * sizeof *column);
		for (uint32_t row = 0; row < n; row++)
			column[row] = columns[i][rows[row]];
		terms[i]->column = column;
	}
	uint64_t *map = vm_scratch(n * sizeof *map);
	for (uint32_t row = 0; row < n; row++)
		map[row] = rows[row];
	symbol->rows = n;
	vm_history_rows(symbol, map, false);
}

/* Bring one symbol into its form; `terms` are the ones in use that have it. */
static void settle_symbol(uint32_t number, struct vm_term *const *terms, uint32_t count)
{
	struct vm_symbol *symbol = &vm_symbols.symbols[number];
	if (number < kept.symbols)
		return;
	make_rows(symbol, terms, count);
	uint32_t pieces = 0;
	struct vm_piece *image = !symbol->rows && count == 1 && terms[0]->count ? vm_term_image(terms[0], &pieces) : NULL;
	if (image) {
		uint32_t before = symbol->node;
		*symbol = (struct vm_symbol){ .count = pieces, .bits = terms[0]->bits, .pieces = image };
		vm_history_image(symbol, before, terms[0]);
		terms[0]->count = 0;
		make_rows(symbol, terms, count);
	}
	if (symbol->rows)
		sort_rows(symbol, terms, count);
}

/* Make the terms in use the only ones, in their order.  Return whether there is more to do. */
static bool renumber_relations(void)
{
	struct vm_symbols *s = &vm_symbols;
	struct vm_term *terms = vm_scratch((form.count + 1) * sizeof *terms);
	s->symbol_count = kept.symbols;
	bool again = vm_relation_settle(form.order, form.count, kept.symbols);
	for (uint32_t i = 1; i <= form.count; i++)
		terms[i] = s->terms[form.order[i]];
	s->term_count = 1;
	for (uint32_t i = 1; i <= form.count; i++)
		vm_term_add(terms[i]);
	return again;
}

/* Make the terms in use, and their symbols, the only ones, in their order. */
static void renumber(void)
{
	struct vm_symbols *s = &vm_symbols;
	struct vm_term *terms = vm_scratch((form.count + 1) * sizeof *terms);
	struct vm_symbol *symbols = vm_scratch((form.count + 1) * sizeof *symbols);
	uint32_t *as = vm_scratch((s->symbol_count + 1) * sizeof *as), count = 0;
	struct vm_term **of = vm_scratch((form.count + 1) * sizeof *of);
	memset(as, 0, (s->symbol_count + 1) * sizeof *as); /* from 1 on */
	for (uint32_t i = 1; i <= form.count; i++) {
		uint32_t number = s->terms[form.order[i]].symbol, n = 0;
		if (as[number])
			continue;
		for (uint32_t k = i; k <= form.count; k++)
			if (s->terms[form.order[k]].symbol == number)
				of[n++] = &s->terms[form.order[k]];
		settle_symbol(number, of, n);
		symbols[count] = s->symbols[number];
		as[number] = ++count;
	}
	for (uint32_t i = 1; i <= form.count; i++) {
		terms[i] = s->terms[form.order[i]];
		terms[i].symbol = as[terms[i].symbol] - 1;
	}
	s->symbol_count = 0;
	for (uint32_t i = 0; i < count; i++)
		vm_symbol_add(symbols[i]);
	s->term_count = 1;
	for (uint32_t i = 1; i <= form.count; i++)
		vm_term_add(terms[i]);
}

/* Has a term one value, as is seen only now? */
static bool any_constant(void)
{
	uint64_t value;
	for (uint32_t t = 1; t < vm_symbols.term_count; t++)
		if (vm_term_is_constant(t, &value))
			return true;
	return false;
}

/* Let the terms and slots that keep their numbers come first, with these. */
static void use_kept(void)
{
	for (uint32_t t = 1; t < kept.terms; t++) {
		use(t);
		if (form.fates[t].as != t)
			VM_BUG("a term that keeps its number has another one");
	}
	form.slot_count = kept.slots;
	memcpy(form.slots, vm_symbols.slots, sizeof form.slots);
}

static bool settle_once(void)
{
	struct vm_symbols *s = &vm_symbols;
	static const struct vm_term_visitor uses = { use_word, use_object }, changes = { change_word, change_object };
	form.fates = vm_grow(form.fates, &form.fate_capacity, s->term_count, sizeof *form.fates);
	memset(form.fates, 0, s->term_count * sizeof *form.fates);
	form.count = form.slot_count = 0;
	use_kept();
	visit(&uses);
	if (s->split.term)
		use(s->split.term);
	visit(&changes);
	if (s->split.term)
		s->split.term = form.fates[s->split.term].as;
	memcpy(s->slots, form.slots, sizeof s->slots);
	s->slot_count = form.slot_count;
	if (vm_relational())
		return renumber_relations();
	renumber();
	return any_constant();
}

void vm_symbolic_settle(void)
{
	while (vm_symbols.symbol_count && settle_once())
		;
	store();
}

void vm_symbolic_await(struct vm_thread_header *header, unsigned bits, uint64_t low, uint64_t most)
{
	assert(header->wait == WAIT_NONE && most);
	if (!vm_symbolic_on()) { /* a replay in which inputs are given */
		header->wait = WAIT_CHOICE;
		header->count = 1;
		header->address = KNOWN;
		header->other = (vm_given_next() + low) & vm_mask(bits);
		return;
	}
	struct vm_bits64 input = { vm_symbolic_new(bits, 0, most), UINT64_MAX };
	if (low)
		input = vm_symbolic_binary(IMAGE_ADD, bits, 0, input, (struct vm_bits64){ low, 0 });
	header->wait = WAIT_CHOICE;
	header->low = 0;
	header->count = 1;
	header->address = input.value;
}
