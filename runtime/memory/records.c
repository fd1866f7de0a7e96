/* SPDX-License-Identifier: MIT
 *
 * See records.h.  Stored, the records are one blob:
 *
 *     how many records, how many sets; how many holders each set has; struct vm_record; the holders of one set after the other
 *
 * Loaded, they are vm_this.records, unpacked when first needed.
 */
#include "records.h"
#include "buffers.h"
#include "causes.h"
#include "holders.h"
#include "messages.h"
#include "race.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- from and to the table ----------------------------------------------------------------------------------------- */

struct vm_holders *vm_records_new_set(struct vm_records *records, uint32_t count)
{
	records->sets = vm_grow(records->sets, &records->set_capacity, (uint64_t)records->set_count + 1, sizeof *records->sets);
	struct vm_holders *set = &records->sets[records->set_count++];
	set->items = vm_grow(set->items, &set->capacity, count, sizeof *set->items);
	set->count = count;
	return set;
}

/* Add stored records to the loaded ones. */
static void unpack_more(struct vm_records *records, vm_ref ref)
{
	uint32_t head[3], first = records->set_count;
	const uint8_t *p = vm_table_get(ref);
	memcpy(head, p, sizeof head);
	const uint8_t *sizes = p + sizeof head, *items = sizes + head[1] * sizeof(uint32_t);
	const uint8_t *holders = items + head[0] * sizeof *records->items;
	records->items = vm_grow(records->items, &records->capacity, (uint64_t)records->count + head[0], sizeof *records->items);
	memcpy(records->items + records->count, items, head[0] * sizeof *records->items);
	for (uint32_t i = 0; i < head[0]; i++)
		records->items[records->count++].set += first;
	for (uint32_t i = 0; i < head[1]; i++) {
		uint32_t size;
		memcpy(&size, sizes + i * sizeof size, sizeof size);
		memcpy(vm_records_new_set(records, size)->items, holders, size * sizeof(uint64_t));
		holders += size * sizeof(uint64_t);
	}
	vm_messages_unpack(records, holders, head[2], first);
	assert(holders + head[2] * sizeof *records->messages == p + vm_table_size(ref));
}

static void unpack(struct vm_records *records)
{
	records->loaded = true;
	records->set_count = records->count = records->message_count = 0;
	if (records->ref)
		unpack_more(records, records->ref);
}

struct vm_records *vm_records_loaded(void)
{
	if (!vm_this.records.loaded)
		unpack(&vm_this.records);
	return &vm_this.records;
}

static vm_ref pack(const struct vm_records *records)
{
	assert(records->count + records->message_count > 0 && (records->set_count > 0 || vm_has_buffers()));
	uint64_t holders = 0;
	for (uint32_t i = 0; i < records->set_count; i++)
		holders += records->sets[i].count;
	uint64_t size = (3 + records->set_count) * sizeof(uint32_t) + records->count * sizeof *records->items;
	size += holders * sizeof(uint64_t) + records->message_count * sizeof *records->messages;
	uint8_t *blob = vm_scratch(size), *p = blob;
	const uint32_t head[] = { records->count, records->set_count, records->message_count };
	p = (uint8_t *)memcpy(p, head, sizeof head) + sizeof head;
	for (uint32_t i = 0; i < records->set_count; i++, p += sizeof(uint32_t))
		memcpy(p, &records->sets[i].count, sizeof(uint32_t));
	if (records->count)
		memcpy(p, records->items, records->count * sizeof *records->items);
	p += records->count * sizeof *records->items;
	for (uint32_t i = 0; i < records->set_count; i++) {
		memcpy(p, records->sets[i].items, records->sets[i].count * sizeof(uint64_t));
		p += records->sets[i].count * sizeof(uint64_t);
	}
	if (records->message_count)
		memcpy(p, records->messages, records->message_count * sizeof *records->messages);
	assert(p + records->message_count * sizeof *records->messages == blob + size);
	return vm_state_put(blob, size);
}

/* ---- what a step does, where records are beside the states ------------------------------------------------------------- */

/* While a search keeps records beside the states: the operations of the step under way, if somebody asks for them. */
static VM_OWN struct {
	struct vm_order_op *ops;
	uint32_t count, capacity, from; /* from: those of the last step */
	bool on;
	bool follows; /* the steps that are told are followed as they are taken */
	vm_ref after; /* ... and what is recorded after the last one */
	bool open;    /* ... and is loaded */
} script;

/* Keep the records of a path that is followed here, and not in the states. */
static vm_ref set_aside(struct vm_records *records)
{
	if (script.open)
		script.after = records->ref;
	script.open = false;
	records->ref = 0;
	records->loaded = records->dirty = false;
	return 0;
}

void vm_records_settle(void)
{
	struct vm_records *records = &vm_this.records;
	uint64_t running[RECORDS_RUNNING];
	if (!records->dirty && !vm_has_older_values()) /* these change with what a thread may still do, too (later.h) */
		return;
	vm_records_running(running);
	vm_records_canonical(vm_records_loaded(), running);
	records->ref = records->count + records->message_count ? pack(records) : 0;
	records->dirty = false;
	records->loaded = !records->message_count; /* messages have sets of their own (vm_messages_unpack()) */
}

vm_ref vm_records_store(void)
{
	struct vm_records *records = &vm_this.records;
	if (vm_has_records() || vm_has_buffers())
		vm_records_settle();
	return vm_this.apart ? set_aside(records) : records->ref;
}

/* ---- subsumption --------------------------------------------------------------------------------------------------- */

struct vm_records_view vm_records_view(vm_ref ref)
{
	if (!ref)
		return (struct vm_records_view){ 0 };
	const uint32_t *head = vm_table_get(ref), *sizes = head + 3;
	struct vm_records_view view = { .count = head[0], .sets = head[1], .items = (const struct vm_record *)(sizes + head[1]) };
	const uint8_t *p = (const uint8_t *)(view.items + view.count);
	view.holders = vm_scratch((view.sets + 1) * sizeof *view.holders);
	for (uint32_t i = 0; i < view.sets; i++) {
		uint64_t *items = vm_scratch(sizes[i] * sizeof *items + 1);
		memcpy(items, p, sizes[i] * sizeof *items);
		view.holders[i] = (struct vm_holders){ .items = items, .count = sizes[i] };
		p += sizes[i] * sizeof *items;
	}
	view.messages = p;
	view.message_count = head[2];
	return view;
}

/* Does some record of `view` race with all that `record` of another state races with, whose set is `set`? */
static bool is_matched(const struct vm_records_view *view, const struct vm_record *record, const struct vm_holders *set)
{
	for (uint32_t i = 0; i < view->count; i++) {
		const struct vm_record *own = &view->items[i];
		if (own->object == record->object && own->low <= record->low && record->high <= own->high &&
		    vm_access_covers(own->kind, record->kind) && vm_holders_subset(&view->holders[own->set], set))
			return true;
	}
	return false;
}

/* Are the messages the same, and does each holder in `b` know at least as much as in `a`? */
static bool are_matched(const struct vm_records_view *a, const struct vm_records_view *b)
{
	if (a->message_count != b->message_count)
		return false;
	for (uint32_t i = 0; i < a->message_count; i++) {
		struct vm_message one, other;
		memcpy(&one, a->messages + i * sizeof one, sizeof one);
		memcpy(&other, b->messages + i * sizeof other, sizeof other);
		for (unsigned k = 0; k < MESSAGE_SETS; k++) {
			if (one.set[k] != IMAGE_NONE && !vm_holders_subset(&a->holders[one.set[k]], &b->holders[other.set[k]]))
				return false;
			one.set[k] = other.set[k];
		}
		if (memcmp(&one, &other, sizeof one) != 0)
			return false;
	}
	return true;
}

bool vm_records_cover(vm_ref a, vm_ref b)
{
	struct vm_records_view one = vm_records_view(a), other = vm_records_view(b);
	if (!are_matched(&one, &other))
		return false;
	for (uint32_t i = 0; i < other.count; i++)
		if (!is_matched(&one, &other.items[i], &other.holders[other.items[i].set]))
			return false;
	return true;
}

bool vm_records_subsume(vm_ref first, vm_ref second)
{
	const uint32_t *a = vm_state_words(first), *b = vm_state_words(second);
	uint32_t size = vm_words_size(a), before = STATE_RECORDS * sizeof *a, after = before + sizeof *a;
	if (size != vm_words_size(b) || memcmp(a, b, before) != 0 ||
	    memcmp((const char *)a + after, (const char *)b + after, size - after) != 0)
		return false;
	return vm_records_cover(a[STATE_RECORDS], b[STATE_RECORDS]);
}

/* ---- what happens, as data ------------------------------------------------------------------------------------------- */

static bool follows(void)
{
	return vm_tracing || script.follows;
}

/* Does nobody ask for what the step under way does to records? */
static bool is_silent(void)
{
	return vm_this.apart && !script.on && !follows();
}

bool vm_records_are_told(void)
{
	return vm_has_records() && !vm_this.evaluating && !is_silent();
}

static uint32_t own_set(struct vm_records *records, unsigned slot)
{
	uint64_t own = vm_holder(HOLDER_THREAD, slot);
	for (uint32_t i = 0; i < records->set_count; i++)
		if (records->sets[i].count == 1 && records->sets[i].items[0] == own)
			return i;
	vm_records_new_set(records, 0);
	vm_holders_add(&records->sets[records->set_count - 1], own);
	return records->set_count - 1;
}

static void forget(struct vm_records *records, uint32_t object)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < records->count; i++)
		if (records->items[i].object != object)
			records->items[kept++] = records->items[i];
	records->dirty = records->dirty || kept < records->count;
	records->count = kept;
	vm_messages_forget(records, object, 0, UINT32_MAX);
}

static void overwrite(struct vm_records *records, uint32_t object, uint32_t low, uint32_t high)
{
	vm_messages_forget(records, object, low, high);
	uint64_t first = vm_place_holder(object, low), end = vm_place_holder(object, high);
	for (uint32_t i = 0; i < records->set_count; i++) {
		struct vm_holders *set = &records->sets[i];
		for (uint32_t at = vm_holders_find(set, first); at < set->count && set->items[at] < end;)
			vm_holders_take_out(set, set->items[at]);
	}
}

/* Return a record that an access races with; NULL if there is none. */
static const struct vm_record *race_of(const struct vm_records *records, const struct vm_order_op *op)
{
	uint64_t thread = vm_holder(HOLDER_THREAD, op->slot);
	for (uint32_t i = 0; i < records->count; i++) {
		const struct vm_record *record = &records->items[i];
		if (record->object == op->object && record->high > op->low && op->high > record->low &&
		    vm_accesses_conflict(op->kind, record->kind) && !vm_holders_has(&records->sets[record->set], thread))
			return record;
	}
	return NULL;
}

/* Apply an operation that is no access to loaded records. */
static void apply(struct vm_records *records, const struct vm_order_op *op)
{
	switch (op->what) {
	case ORDER_BORN: {
		uint32_t set = own_set(records, op->slot);
		records->items = vm_grow(records->items, &records->capacity, (uint64_t)records->count + 1, sizeof *records->items);
		records->items[records->count++] = (struct vm_record){ op->object, op->low, op->high, op->kind, set };
		records->dirty = true;
		break;
	}
	case ORDER_FORGET:
		forget(records, op->object);
		overwrite(records, op->object, 0, UINT32_MAX);
		break;
	case ORDER_OVERWRITE: overwrite(records, op->object, op->low, op->high); break;
	case ORDER_RUNNING: records->dirty = true; break;
	default:
		for (uint32_t i = 0; i < records->set_count; i++)
			vm_holders_change(&records->sets[i], op);
	}
}

/* Is an access like this one known to be in the script, with nothing behind it but accesses? */
static bool is_noted(const struct vm_order_op *op)
{
	enum { FEW = 32 };
	for (uint32_t i = script.count, looked = 0; i-- > script.from && looked < FEW; looked++) {
		const struct vm_order_op *old = &script.ops[i];
		if (old->what != ORDER_CHECK && old->what != ORDER_BORN)
			return false;
		if (old->what == op->what && old->slot == op->slot && old->object == op->object && old->low <= op->low &&
		    op->high <= old->high && old->kind == op->kind)
			return true;
	}
	return false;
}

static void note(const struct vm_order_op *op)
{
	bool access = op->what == ORDER_CHECK || op->what == ORDER_BORN;
	if (access && is_noted(op))
		return;
	script.ops = vm_grow(script.ops, &script.capacity, (uint64_t)script.count + 1, sizeof *script.ops);
	script.ops[script.count++] = *op;
}

/* Does the operation let others know more, so that to do it once more may make a difference (bounded_waits.c)? */
static bool orders_others(const struct vm_order_op *op)
{
	return op->what == ORDER_WRITE || op->what == ORDER_FOLLOW || op->what == ORDER_LEAVE || op->what == ORDER_RUNNING ||
		(op->what == ORDER_FENCE && (op->kind & ORDER_RELEASES));
}

/* Let an operation happen: what is recorded changes, or may change if somebody has records and asks. */
static void happen(struct vm_order_op op)
{
	struct vm_records *records = &vm_this.records;
	vm_this.orders = vm_this.orders || orders_others(&op);
	if (is_silent())
		return;
	if (vm_this.apart && !follows()) {
		note(&op);
		return;
	}
	if (vm_this.apart && !script.open) {
		records->ref = script.after;
		records->loaded = records->dirty = false;
		script.open = true;
	}
	const struct vm_record *record = op.what == ORDER_CHECK ? race_of(vm_records_loaded(), &op) : NULL;
	if (record) {
		const struct vm_range meeting = {
			op.object,
			record->low > op.low ? record->low : op.low,
			record->high < op.high ? record->high : op.high,
			record->kind,
		};
		vm_race_report(op.kind, &meeting, vm_this.max_threads);
	}
	if (op.what != ORDER_CHECK)
		apply(vm_records_loaded(), &op);
}

/* ---- accesses ------------------------------------------------------------------------------------------------------ */

void vm_records_check(uint32_t object, uint32_t low, uint32_t high, uint32_t kind)
{
	if (vm_records_are_told())
		happen((struct vm_order_op){ ORDER_CHECK, vm_this.current->slot, object, low, high, kind });
}

void vm_records_born(uint32_t object, uint32_t low, uint32_t high, uint32_t kind)
{
	assert(low < high);
	if (vm_records_are_told())
		happen((struct vm_order_op){ ORDER_BORN, vm_this.current->slot, object, low, high, kind });
}

void vm_records_close(struct vm_thread *thread)
{
	if (!vm_has_records() || thread->header.ranges == 0)
		return;
	for (uint32_t i = 0; i < thread->header.ranges && !is_silent(); i++) {
		const struct vm_range *range = &thread->ranges[i];
		assert(range->low < range->high);
		if (!vm_place_of(image_address(range->object, 0)).object)
			continue; /* it has been freed since */
		happen((struct vm_order_op){ ORDER_BORN, thread->slot, range->object, range->low, range->high, range->write });
	}
	thread->header.ranges = 0;
	thread->dirty = true;
}

void vm_records_forget(uint32_t object)
{
	if (vm_has_buffers())
		vm_buffers_forget(vm_records_loaded(), object);
	if (vm_has_records())
		happen((struct vm_order_op){ .what = ORDER_FORGET, .object = object });
	vm_cause_forget(object, 0, UINT32_MAX);
}

void vm_order_overwrite(uint32_t object, uint32_t low, uint32_t high)
{
	assert(low < high);
	if (vm_records_are_told())
		happen((struct vm_order_op){ .what = ORDER_OVERWRITE, .object = object, .low = low, .high = high });
}

/* ---- synchronisation ----------------------------------------------------------------------------------------------- */

/* Put where the atomic location or the lock at `address` is into the operation.  Return false if no other thread can ever look at
 * it, or nobody asks.  Address 0 stands for atomic sections. */
static bool is_location(uint64_t address, struct vm_order_op *op)
{
	if (!vm_records_are_told())
		return false;
	struct vm_place place = vm_place_of(address);
	if (address && (!place.object || place.offset < 0))
		return false;
	op->slot = vm_this.current->slot;
	op->object = address ? place.number : 0;
	op->low = address ? (uint32_t)place.offset : 0;
	return true;
}

void vm_order_read(uint64_t address, bool acquires, const char *what)
{
	struct vm_order_op op = { .what = ORDER_READ, .kind = acquires ? ORDER_SYNCHRONIZES : 0 };
	if (!is_location(address, &op))
		return;
	vm_cause_read(address, 0, acquires, what);
	if (acquires || (vm_this.image.options->order & ORDER_ACQUIRE_FENCES))
		happen(op);
}

void vm_order_write(uint64_t address, bool releases, bool modifies, const char *what)
{
	struct vm_order_op op = { .what = ORDER_WRITE };
	op.kind = (releases ? ORDER_SYNCHRONIZES : 0) | (modifies ? ORDER_MODIFIES : 0);
	if (!vm_has_records() || vm_this.evaluating)
		return;
	vm_this.orders = true;
	vm_records_close(vm_this.current);
	if (!is_location(address, &op))
		return;
	vm_cause_write(address, 0, releases, modifies, what);
	happen(op);
}

void vm_order_reset(uint64_t address)
{
	if (!vm_has_records())
		return;
	struct vm_place place = vm_place_of(address);
	if (place.object && place.offset >= 0)
		vm_order_overwrite(place.number, (uint32_t)place.offset, (uint32_t)place.offset + 1);
}

void vm_order_taken(uint64_t address, const char *what)
{
	struct vm_order_op op;
	if (is_location(address, &op))
		vm_cause_write(address, 0, false, true, what);
}

void vm_order_refused(uint64_t address, const char *what)
{
	struct vm_order_op op;
	if (is_location(address, &op))
		vm_cause_read(address, 0, false, what);
}

void vm_order_attempt(uint64_t address, bool succeeds, const char *what, const char *refused)
{
	if (succeeds)
		vm_order_read(address, true, what);
	else
		vm_order_refused(address, refused);
}

void vm_order_section(bool enters)
{
	if (enters)
		vm_order_read(0, true, "atomic section");
	else
		vm_order_write(0, true, true, "atomic section");
}

void vm_order_fence(bool acquires, bool releases)
{
	if (!vm_has_records() || vm_this.evaluating)
		return;
	vm_records_close(vm_this.current);
	vm_cause_fence(acquires, releases);
	uint32_t kind = (acquires ? ORDER_ACQUIRES : 0) | (releases ? ORDER_RELEASES : 0);
	happen((struct vm_order_op){ .what = ORDER_FENCE, .slot = vm_this.current->slot, .kind = kind });
}

void vm_order_follow(unsigned from, unsigned to, const char *what)
{
	assert(from != to);
	if (!vm_has_records())
		return;
	vm_records_close(vm_thread_load(from));
	vm_cause_follow(from, to, what);
	happen((struct vm_order_op){ .what = ORDER_FOLLOW, .slot = from, .low = to });
}

void vm_order_start(unsigned slot)
{
	if (!vm_has_records())
		return;
	vm_order_follow(vm_this.current->slot, slot, "creation");
	happen((struct vm_order_op){ .what = ORDER_RUNNING }); /* there is one more who may not know a record */
}

void vm_order_end(unsigned slot)
{
	if (!vm_has_records())
		return;
	vm_records_close(vm_thread_load(slot));
	happen((struct vm_order_op){ .what = ORDER_RUNNING }); /* there is one less who may not know a record */
}

void vm_order_leave(unsigned slot)
{
	assert(slot < vm_this.max_threads);
	if (vm_has_records())
		happen((struct vm_order_op){ .what = ORDER_LEAVE, .slot = slot });
}

/* ---- records apart from states --------------------------------------------------------------------------------------------- */

void vm_records_follow(bool on)
{
	script.follows = on;
	script.after = 0;
	script.open = false;
}

void vm_records_ask(void)
{
	script.on = true;
	script.count = script.from = 0;
}

uint32_t vm_records_ask_next(void)
{
	return script.from = script.count;
}

void vm_records_tell(const struct vm_order_op *ops, uint32_t count)
{
	script.ops = vm_grow(script.ops, &script.capacity, (uint64_t)script.count + count + 1, sizeof *script.ops);
	if (count)
		memcpy(script.ops + script.count, ops, count * sizeof *ops);
	script.count += count;
}

const struct vm_order_op *vm_records_told_from(uint32_t from, uint32_t *count)
{
	assert(from <= script.count);
	*count = script.count - from;
	return script.ops + from;
}

const struct vm_order_op *vm_records_told(uint32_t *count)
{
	script.on = false;
	*count = script.count;
	return script.ops;
}

uint32_t vm_records_tell_only(uint32_t count)
{
	script.count = count < script.count ? count : script.count;
	script.from = script.from < script.count ? script.from : script.count;
	return script.count;
}

void vm_records_follow_on(bool on)
{
	script.follows = on;
}

/* Make the records canonical and store them, where no state is about. */
static vm_ref put_apart(struct vm_records *records, const uint64_t *running)
{
	vm_records_canonical(records, running);
	vm_ref ref = records->count + records->message_count ? pack(records) : 0;
	records->ref = 0;
	records->loaded = records->dirty = false;
	return ref;
}

/* Move the threads to other slots, all at once. */
static void move(struct vm_records *records, const uint8_t *to)
{
	const uint32_t *numbers = records->message_count ? vm_messages_move(records, to) : NULL;
	for (uint32_t i = 0; i < records->count; i++)
		records->items[i].object = vm_object_moved(records->items[i].object, to);
	for (uint32_t i = 0; i < records->set_count; i++)
		vm_holders_move(&records->sets[i], to, numbers);
	records->dirty = true;
}

static struct vm_records *load_apart(vm_ref ref)
{
	struct vm_records *records = &vm_this.records;
	records->ref = ref;
	unpack(records);
	return records;
}

/* Store a loaded record by itself, of one byte, and forget the others. */
static vm_ref leave_one(struct vm_records *records, uint32_t number, uint32_t byte)
{
	struct vm_record record = records->items[number];
	assert(record.low <= byte && byte < record.high);
	record.low = byte;
	record.high = byte + 1;
	records->items[0] = record;
	records->count = 1;
	return put_apart(records, NULL);
}

vm_ref vm_records_of_byte(vm_ref all, vm_ref byte, const uint8_t *to, uint32_t *next)
{
	struct vm_record like = vm_records_view(byte).items[0];
	struct vm_records *records = load_apart(all);
	for (uint32_t i = *next; i < records->count; i++) {
		uint32_t object = to ? vm_object_moved(records->items[i].object, to) : records->items[i].object;
		if (object == like.object && records->items[i].low <= like.low && like.low < records->items[i].high) {
			*next = i + 1;
			return leave_one(records, i, like.low);
		}
	}
	put_apart(records, NULL);
	return 0;
}

vm_ref vm_records_change(vm_ref ref, const struct vm_script *script_of, struct vm_record_race *race)
{
	struct vm_records *records = load_apart(ref);
	for (uint32_t i = 0; i < script_of->count; i++) {
		const struct vm_order_op *op = &script_of->ops[i];
		const struct vm_record *record = op->what == ORDER_CHECK ? race_of(records, op) : NULL;
		if (record) {
			uint32_t byte = record->low > op->low ? record->low : op->low;
			*race = (struct vm_record_race){ true, leave_one(records, (uint32_t)(record - records->items), byte) };
			return 0;
		}
		if (op->what != ORDER_CHECK)
			apply(records, op);
	}
	if (script_of->to)
		move(records, script_of->to);
	return put_apart(records, script_of->running);
}

vm_ref vm_records_unite(vm_ref a, vm_ref b)
{
	if (a == b || !b)
		return a;
	if (!a)
		return b;
	struct vm_records *records = load_apart(a);
	unpack_more(records, b);
	return put_apart(records, NULL);
}

void vm_records_follow_moves(const uint8_t *to)
{
	struct vm_records *records = load_apart(script.after);
	move(records, to);
	script.after = put_apart(records, NULL);
}

vm_ref vm_records_exchange(vm_ref ref, const uint8_t *to, uint64_t (*renamed)(uint64_t word, const void *context),
			   const void *context)
{
	const vm_ref working = vm_this.records.ref;
	struct vm_records *records = load_apart(ref);
	for (uint32_t i = 0; i < records->message_count; i++)
		for (unsigned k = 0; k < vm_message_names(&records->messages[i]); k++)
			records->messages[i].value[k] = renamed(records->messages[i].value[k], context);
	move(records, to);
	ref = put_apart(records, NULL);
	records->ref = working;
	return ref;
}
