/* SPDX-License-Identifier: MIT
 *
 * Regions: relevance.c says that something depends on a value, and this file says of some values that no more matters than the
 * region in which they lie.  Regions lie between *cuts*: x < 10 makes a cut at 10, x == 5 makes cuts at 5 and 6.
 *
 * What is looked at goes from results to operands, as levels do, until nothing changes.  Comparisons of x with a constant,
 * switches and assumptions make cuts of x.  What only moves numbers (MOV, loads and stores of whole numbers, calls, returns,
 * the sides of a SELECT) passes cuts on.  What has one operand that changes, and keeps neighbours together, passes them on
 * moved: extensions, x + c (which has one more cut, where x + c begins again at 0), and what takes the low bits of x.  All
 * else that needs a value needs it as a whole: two operands that change, an address, a size, a divisor, a number that is
 * stored in one piece and loaded in another, an atomic operation that reads and writes, and what this file does not know.
 *
 * Where no more is asked of a result than whether it is set (LEVEL_SET), what only moves bits asks the same of its operand.
 * Other arithmetic may make shadows that depend on values: then its operands count as a whole if two of them change.  If one
 * does, it has regions without a cut.
 *
 * Why one value of each region of an input is enough: call the given program P, and P' the one whose inputs return one value
 * of each region, or one value in all where nothing or only LEVEL_SET is asked.  Relate a state of P to a state of P' if these
 * are equal but for
 *
 *  - registers and numbers in memory with regions: they are equal, or they are wholly initialized and lie in the same region;
 *  - registers and bytes of LEVEL_SET, which have equal shadows;
 *  - registers and bytes of LEVEL_NOTHING.
 *
 * P' matches each step of P from related states.  At an input, P' takes the value of the same region.  At all other
 * instructions the rules above make the results related again.  A comparison has one result for all numbers of a region.  What
 * keeps neighbours together takes a region into a region, and what is wholly initialized into what is wholly initialized.
 * What has no rule has equal operands.  Who writes or reads a part of a number makes the number whole.  What decides is equal,
 * by (1) and (2) of relevance.c.  So P' has the violations, deadlocks and runs of P, with the same propositions; and all that
 * P' does, P does too.
 *
 * It is off where relevance.c is off, for the reasons that stand there.
 */
#include "regions.h"
#include "../base/translation.h"
#include "pointer_sets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_CUTS = 128, /* x + 1 in a loop would make more and more */
	FEW_BITS = 4,    /* of numbers so small, each is a region if need be */
};

/* ---- sets of cuts ---------------------------------------------------------------------------------------------------- */

static uint64_t greatest(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

/* Cuts that are made for one instruction. */
struct wanted {
	uint64_t items[MOST_CUTS];
	struct cuts cuts;
};

static void want(struct wanted *w, unsigned bits)
{
	w->cuts = (struct cuts){ .items = w->items, .bits = (uint8_t)bits };
}

/* Add the cut `at` to `cuts`, whose items have room for MOST_CUTS.  Numbers that are no cut between its numbers are left out. */
static bool add_cut(struct cuts *cuts, uint64_t at)
{
	uint32_t i = cuts->count;
	if (cuts->whole || at == 0 || at > greatest(cuts->bits))
		return false;
	while (i > 0 && cuts->items[i - 1] > at)
		i--;
	if (i > 0 && cuts->items[i - 1] == at)
		return false;
	if (cuts->count == MOST_CUTS) {
		cuts->whole = true;
		return true;
	}
	memmove(cuts->items + i + 1, cuts->items + i, (cuts->count - i) * sizeof *cuts->items);
	cuts->items[i] = at;
	cuts->count++;
	return true;
}

/* Make each number of `bits` bits a region, or all a whole if these are too many. */
static void want_each(struct wanted *w, unsigned bits)
{
	want(w, bits);
	w->cuts.whole = bits > FEW_BITS;
	for (uint64_t at = 1; bits <= FEW_BITS && at <= greatest(bits); at++)
		add_cut(&w->cuts, at);
}

/* Want the cuts of `from`, of which the numbers have `bits` bits: greater ones do not occur. */
static void want_low(struct wanted *w, const struct cuts *from, unsigned bits)
{
	want(w, from->bits < bits ? from->bits : bits);
	for (uint32_t i = 0; i < from->count; i++)
		add_cut(&w->cuts, from->items[i]);
}

/* Want the cuts of `from` as cuts of `bits` bits, of which `from` looks at the lower ones. */
static void want_widened(struct wanted *w, const struct cuts *from, unsigned bits)
{
	unsigned more = bits - from->bits;
	assert(bits >= from->bits);
	want(w, bits);
	w->cuts.whole = from->count && more > FEW_BITS;
	for (uint64_t high = 0; from->count && !w->cuts.whole && high <= greatest(more); high++) {
		uint64_t base = from->bits >= 64 ? 0 : high << from->bits;
		add_cut(&w->cuts, base);
		for (uint32_t i = 0; i < from->count; i++)
			add_cut(&w->cuts, base + from->items[i]);
	}
}

static void set_cuts(struct cuts *cuts, const struct cuts *to)
{
	if (!cuts->items)
		cuts->items = xrealloc(NULL, MOST_CUTS * sizeof *cuts->items);
	memcpy(cuts->items, to->items, to->count * sizeof *to->items);
	cuts->count = to->count;
	cuts->bits = to->bits;
	cuts->whole = to->whole;
}

/* Add the cuts of `from`; return whether that changes something. */
static bool join(struct cuts *cuts, const struct cuts *from)
{
	struct wanted w;
	bool changed = cuts->bits < from->bits;
	if (changed) {
		want_widened(&w, cuts, from->bits);
		set_cuts(cuts, &w.cuts);
	} else if (cuts->bits > from->bits) {
		want_widened(&w, from, cuts->bits);
		from = &w.cuts;
	}
	if (from->whole && !cuts->whole)
		changed = cuts->whole = true;
	for (uint32_t i = 0; i < from->count; i++)
		changed = add_cut(cuts, from->items[i]) || changed;
	return changed;
}

/* ---- values ---------------------------------------------------------------------------------------------------------- */

static void value_is_whole(struct relevance *r, uint32_t value)
{
	r->changed = r->changed || !r->cuts[value].whole;
	r->cuts[value].whole = true;
}

static void raise_cuts(struct relevance *r, uint32_t function, uint32_t operand, const struct cuts *wanted)
{
	if (operand & IMAGE_CONST)
		return;
	uint32_t value = r->p.first[function] + operand;
	struct cuts *cuts = &r->cuts[value];
	if (wanted->whole) {
		relevance_raise_operand(r, function, operand, 1, LEVEL_VALUE);
	} else if (r->levels[value] < LEVEL_VALUE) {
		r->levels[value] = LEVEL_VALUE;
		set_cuts(cuts, wanted);
		r->changed = true;
	} else if (!cuts->whole) {
		r->changed = join(cuts, wanted) || r->changed;
	}
}

static void raise_like(struct relevance *r, uint32_t function, uint32_t operand, uint32_t value)
{
	if (r->levels[value] < LEVEL_VALUE)
		relevance_raise_operand(r, function, operand, 1, r->levels[value]);
	else
		raise_cuts(r, function, operand, &r->cuts[value]);
}

/* ---- memory ---------------------------------------------------------------------------------------------------------- */

static struct spans *spans_of(struct relevance *r, const struct object *object)
{
	struct spans *spans = &r->spans[object - r->p.objects];
	if (!spans->size) {
		spans->size = calloc(object->modulus, 1);
		spans->back = calloc(object->modulus, 1);
		spans->cuts = calloc(object->modulus, sizeof *spans->cuts);
	}
	return spans;
}

/* Forget the number of which byte `at` is a part: its bytes are looked at as a whole. */
static void byte_is_whole(struct relevance *r, struct object *object, uint32_t at)
{
	struct spans *spans = &r->spans[object - r->p.objects];
	if (!spans->size || !spans->size[at])
		return;
	uint32_t first = at - spans->back[at], size = spans->size[at];
	assert(spans->size[first] == size && spans->back[first] == 0 && object->levels[at] == LEVEL_VALUE);
	memset(spans->size + first, 0, size);
	r->changed = true;
}

/* Is there a number of just these bytes? */
static struct cuts *number_at(struct relevance *r, const struct object *object, uint32_t at, uint32_t size)
{
	const struct spans *spans = spans_of(r, object);
	return spans->size[at] == size && spans->back[at] == 0 ? &spans->cuts[at] : NULL;
}

static uint8_t level_of_bytes(const struct object *object, uint32_t at, uint32_t size)
{
	uint8_t level = LEVEL_NOTHING;
	for (uint32_t i = at; i < at + size; i++)
		level = object->levels[i] > level ? object->levels[i] : level;
	return level;
}

static void make_whole(struct relevance *r, struct object *object, uint32_t at, uint32_t size)
{
	for (uint32_t i = at; i < at + size; i++) {
		byte_is_whole(r, object, i);
		r->changed = r->changed || object->levels[i] < LEVEL_VALUE;
		object->levels[i] = LEVEL_VALUE;
	}
}

/* Raise the number of `size` bytes that begins at `at`. */
static void raise_number(struct relevance *r, struct object *object, uint32_t at, uint32_t size, const struct cuts *wanted)
{
	struct cuts *cuts = number_at(r, object, at, size);
	struct spans *spans = spans_of(r, object);
	if (cuts)
		r->changed = join(cuts, wanted) || r->changed;
	if (cuts ? cuts->whole : wanted->whole || level_of_bytes(object, at, size) == LEVEL_VALUE)
		make_whole(r, object, at, size);
	else if (!cuts) {
		for (uint32_t i = 0; i < size; i++) {
			object->levels[at + i] = LEVEL_VALUE;
			spans->size[at + i] = (uint8_t)size;
			spans->back[at + i] = (uint8_t)i;
		}
		set_cuts(&spans->cuts[at], wanted);
		r->changed = true;
	}
}

/* Does the pointer point to nothing but numbers of `size` bytes, none of which overlaps another?  Then the first is at its offset,
 * and the others at the distances of its stride. */
static bool points_to_numbers(const struct relevance *r, const struct pointer *pointer, uint32_t size)
{
	uint32_t modulus = r->p.objects[pointer->object].modulus;
	return size && size <= 8 && pointer->offset + size <= (pointer->stride ? pointer->stride : modulus) && size <= modulus;
}

/* Make all memory whole of which the pointer may touch a part of a number. */
static void blur(struct object *object, uint32_t at, uint32_t size, void *data)
{
	if (level_of_bytes(object, at, size) == LEVEL_VALUE)
		make_whole(data, object, at, size);
}

static void load(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	uint32_t size = (insn->bits + 7u) / 8, result = r->p.first[function] + insn->dst;
	const struct pointers *to = relevance_pointers(r, function, insn->a);
	relevance_raise_operand(r, function, insn->a, 1, LEVEL_VALUE);
	uint8_t level = relevance_of_result(r, function, insn);
	if (level < LEVEL_VALUE || insn->bits > 64 || insn->bits % 8 || r->cuts[result].whole) {
		relevance_raise_memory(r, function, insn->a, size, level);
		return;
	}
	for (uint32_t i = 0; i < to->count; i++) {
		struct object *object = &r->p.objects[to->items[i].object];
		uint32_t stride = to->items[i].stride;
		if (!points_to_numbers(r, &to->items[i], size)) {
			relevance_raise_bytes(r, &to->items[i], size, LEVEL_VALUE);
			continue;
		}
		for (uint32_t at = to->items[i].offset; at < object->modulus; at += stride ? stride : object->modulus)
			raise_number(r, object, at, size, &r->cuts[result]);
	}
}

/* Raise what is stored to what is looked at of the memory. */
static void store(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	uint32_t size = (insn->bits + 7u) / 8;
	const struct pointers *to = relevance_pointers(r, function, insn->a);
	unsigned slots = insn->bits > 64 ? 2 : 1;
	relevance_raise_operand(r, function, insn->a, 1, LEVEL_VALUE);
	if (to->count == 0)
		relevance_raise_operand(r, function, insn->b, slots, LEVEL_VALUE);
	for (uint32_t i = 0; i < to->count; i++) {
		struct object *object = &r->p.objects[to->items[i].object];
		uint32_t stride = to->items[i].stride;
		if (!points_to_numbers(r, &to->items[i], size) || insn->bits % 8) {
			points_touch(&r->p, &to->items[i], size, blur, r);
			relevance_raise_operand(r, function, insn->b, slots, relevance_of_bytes(r, &to->items[i], size));
			continue;
		}
		for (uint32_t at = to->items[i].offset; at < object->modulus; at += stride ? stride : object->modulus) {
			struct cuts *cuts = number_at(r, object, at, size);
			if (cuts)
				raise_cuts(r, function, insn->b, cuts);
			else
				blur(object, at, size, r);
			if (!cuts)
				relevance_raise_operand(r, function, insn->b, slots, level_of_bytes(object, at, size));
		}
	}
}

/* Does the pointer point to one place, from which `size` bytes are in the object? */
static bool is_one_place(const struct relevance *r, const struct pointer *pointer, uint64_t size)
{
	return size && !pointer->stride && pointer->offset + size <= r->p.objects[pointer->object].modulus;
}

/* Make the numbers whole of which [at, at + size) has a part and not all. */
static void make_parts_whole(struct relevance *r, struct object *object, uint32_t at, uint32_t size)
{
	const struct spans *spans = spans_of(r, object);
	for (uint32_t i = at; i < at + size; i++) {
		uint32_t first = i - spans->back[i], end = first + spans->size[i];
		if (spans->size[i] && (first < at || end > at + size))
			byte_is_whole(r, object, i);
	}
}

static void copy_between(struct relevance *r, const struct pointer *to, const struct pointer *from, uint32_t size)
{
	struct object *into = &r->p.objects[to->object], *source = &r->p.objects[from->object];
	for (uint32_t i = 0; i < size; i++) {
		const struct spans *spans = spans_of(r, into);
		uint32_t at = to->offset + i, source_at = from->offset + i;
		if (!spans->size[at])
			relevance_raise_bytes(r, &(struct pointer){ from->object, source_at, 0 }, 1, into->levels[at]);
		else if (!spans->back[at])
			raise_number(r, source, source_at, spans->size[at], &spans->cuts[at]);
	}
}

/* Raise what a copy reads to what is looked at of where it writes.  Return false if it is not known what that is. */
static bool copy(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	uint64_t size = 0;
	const struct pointers *to = relevance_pointers(r, function, insn->a);
	bool known = to->count && constant_of(&r->p, insn->c, &size) && size <= MOST_BYTES;
	for (uint32_t i = 0; i < to->count; i++)
		known = known && is_one_place(r, &to->items[i], size);
	for (uint32_t i = 0; i < to->count; i++)
		if (known)
			make_parts_whole(r, &r->p.objects[to->items[i].object], to->items[i].offset, (uint32_t)size);
		else
			points_touch(&r->p, &to->items[i], 0, blur, r);
	if (insn->op == IMAGE_MEMSET || !known)
		return false;
	struct pointer space;
	struct pointers own;
	const struct pointers *from = points_operand(&r->p, function, insn->b, 64, &space, &own);
	for (uint32_t k = 0; k < from->count; k++)
		if (!is_one_place(r, &from->items[k], size)) {
			for (uint32_t i = 0; i < to->count; i++)
				points_touch(&r->p, &to->items[i], (uint32_t)size, blur, r);
			return false;
		}
	to = relevance_pointers(r, function, insn->a);
	for (uint32_t i = 0; i < to->count; i++)
		for (uint32_t k = 0; k < from->count; k++)
			copy_between(r, &to->items[i], &from->items[k], (uint32_t)size);
	relevance_raise_operand(r, function, insn->a, 1, LEVEL_VALUE);
	relevance_raise_operand(r, function, insn->b, 1, LEVEL_VALUE);
	return true;
}

/* ---- arithmetic ------------------------------------------------------------------------------------------------------ */

static const struct cuts *result_cuts(const struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	return &r->cuts[r->p.first[function] + insn->dst];
}

/* Does the operand get what is looked at of the result, as far as this is no region?  Then give it that. */
static bool raise_plain(struct relevance *r, uint32_t function, uint32_t operand, const struct image_insn *insn)
{
	uint8_t level = relevance_of_result(r, function, insn);
	if (level == LEVEL_VALUE && !result_cuts(r, function, insn)->whole)
		return false;
	relevance_raise_operand(r, function, operand, 1, level);
	return true;
}

/* Is no more asked of the result than whether it is set, or has it one region? */
static bool is_blank(const struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	const struct cuts *cuts = result_cuts(r, function, insn);
	uint8_t level = relevance_of_result(r, function, insn);
	bool one = slots_defined(r->p.b, insn) == 1; /* of two, the second is a flag */
	return one && (level == LEVEL_SET || (level == LEVEL_VALUE && !cuts->whole && cuts->count == 0));
}

/* Raise the operand of arithmetic whose result is blank. */
static void raise_blank(struct relevance *r, uint32_t function, uint32_t operand, unsigned bits)
{
	struct wanted w;
	want(&w, bits);
	raise_cuts(r, function, operand, &w.cuts);
}

/* Sign extension: numbers above `sign` move up by `moved`, and what lies between never occurs. */
static void extend(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	if (raise_plain(r, function, insn->a, insn))
		return;
	const struct cuts *from = result_cuts(r, function, insn);
	unsigned wide = insn->aux < from->bits ? insn->aux : from->bits;
	struct wanted w;
	if (wide <= insn->bits) {
		want_low(&w, from, insn->bits);
		raise_cuts(r, function, insn->a, &w.cuts);
		return;
	}
	uint64_t sign = (uint64_t)1 << (insn->bits - 1), moved = greatest(wide) - greatest(insn->bits);
	want(&w, insn->bits);
	for (uint32_t i = 0; i < from->count; i++) {
		uint64_t at = from->items[i];
		add_cut(&w.cuts, at < sign ? at : at <= moved + sign ? sign : at - moved);
	}
	raise_cuts(r, function, insn->a, &w.cuts);
}

/* Raise `operand`, of which the result is the low `bits` bits. */
static void take_low(struct relevance *r, uint32_t function, const struct image_insn *insn, uint32_t operand, unsigned bits)
{
	struct wanted w;
	if (relevance_of_result(r, function, insn) < LEVEL_VALUE) {
		raise_plain(r, function, operand, insn);
		return;
	}
	if (result_cuts(r, function, insn)->whole)
		want_each(&w, bits);
	else
		want_low(&w, result_cuts(r, function, insn), bits);
	raise_cuts(r, function, operand, &w.cuts);
}

/* Raise `operand`, to which the constant `added` is added. */
static void move(struct relevance *r, uint32_t function, const struct image_insn *insn, uint32_t operand, uint64_t added)
{
	struct wanted w;
	const struct cuts *from = result_cuts(r, function, insn);
	if (is_blank(r, function, insn)) {
		raise_blank(r, function, operand, insn->bits);
	} else if (!raise_plain(r, function, operand, insn)) {
		want(&w, from->bits < insn->bits ? from->bits : insn->bits);
		uint64_t most = greatest(w.cuts.bits);
		for (uint32_t i = 0; i < from->count; i++)
			if (from->items[i] <= most)
				add_cut(&w.cuts, (from->items[i] - added) & most);
		if (from->count)
			add_cut(&w.cuts, (0 - added) & most);
		raise_cuts(r, function, operand, &w.cuts);
	}
	if (!r->t->request->options.overflow)
		return;
	uint64_t sign = (uint64_t)1 << (insn->bits - 1), most = greatest(insn->bits);
	want(&w, insn->bits); /* the sum is out of range between these */
	add_cut(&w.cuts, sign);
	add_cut(&w.cuts, (sign - added) & most);
	add_cut(&w.cuts, (0 - added) & most);
	raise_cuts(r, function, operand, &w.cuts);
}

/* Return the operand of `insn` that is no constant, and put the other into *constant; IMAGE_NONE if there are not one of each. */
static uint32_t changing_operand(const struct relevance *r, const struct image_insn *insn, uint64_t *constant)
{
	bool a = constant_of(&r->p, insn->a, constant), b = constant_of(&r->p, insn->b, constant);
	return a == b ? IMAGE_NONE : a ? insn->b : insn->a;
}

static bool sum(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	uint64_t constant;
	uint32_t operand = changing_operand(r, insn, &constant);
	bool minus = insn->op == IMAGE_SUB;
	if (operand == IMAGE_NONE || (minus && operand == insn->b))
		return false;
	move(r, function, insn, operand, minus ? 0 - constant : constant);
	return true;
}

static bool mask(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	uint64_t constant;
	uint32_t operand = changing_operand(r, insn, &constant);
	if (operand == IMAGE_NONE || (insn->op == IMAGE_UREM && operand == insn->b))
		return false;
	uint64_t ones = insn->op == IMAGE_UREM ? constant - 1 : constant;
	bool low = ones && (ones & (ones + 1)) == 0 && (insn->op == IMAGE_AND || constant);
	if (low)
		take_low(r, function, insn, operand, ones == UINT64_MAX ? 64 : (unsigned)__builtin_ctzll(~ones));
	return low;
}

static void add_order(struct cuts *cuts, enum image_icmp predicate, bool mirrored, uint64_t constant)
{
	bool above = predicate == ICMP_UGT || predicate == ICMP_ULE || predicate == ICMP_SGT || predicate == ICMP_SLE;
	bool is_signed = predicate == ICMP_SGT || predicate == ICMP_SGE || predicate == ICMP_SLT || predicate == ICMP_SLE;
	uint64_t most = greatest(cuts->bits);
	add_cut(cuts, above != mirrored ? (constant + 1) & most : constant);
	if (is_signed)
		add_cut(cuts, most / 2 + 1);
}

/* Look at the operand of a comparison as far as the result may change, whatever that decides. */
static void compare(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	uint64_t constant;
	uint32_t operand = changing_operand(r, insn, &constant);
	struct wanted w;
	if (relevance_of_result(r, function, insn) == LEVEL_NOTHING)
		return;
	if (operand == IMAGE_NONE || insn->bits > 64) {
		relevance_raise_operand(r, function, insn->a, insn->bits > 64 ? 2 : 1, LEVEL_VALUE);
		relevance_raise_operand(r, function, insn->b, insn->bits > 64 ? 2 : 1, LEVEL_VALUE);
		return;
	}
	want(&w, insn->bits);
	assert(constant <= greatest(insn->bits));
	if (insn->aux == ICMP_EQ || insn->aux == ICMP_NE) {
		add_cut(&w.cuts, constant);
		add_cut(&w.cuts, (constant + 1) & greatest(insn->bits));
	} else {
		add_order(&w.cuts, (enum image_icmp)insn->aux, operand == insn->b, constant);
	}
	raise_cuts(r, function, operand, &w.cuts);
}

static void choose_case(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	struct wanted w;
	want(&w, insn->bits);
	assert(insn->bits <= 64);
	for (uint32_t i = 0; i < insn->c; i++) {
		uint64_t value = image_halves(builder_at(r->p.b, IMAGE_POOL, insn->b + 3 * i));
		add_cut(&w.cuts, value);
		add_cut(&w.cuts, (value + 1) & greatest(insn->bits));
	}
	raise_cuts(r, function, insn->a, &w.cuts);
}

/* Move the side of a SELECT that is taken; what takes it decides. */
static void choose_side(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	uint8_t level = relevance_of_result(r, function, insn);
	if (level == LEVEL_NOTHING)
		return;
	relevance_raise_operand(r, function, insn->a, 1, LEVEL_VALUE);
	for (int i = 0; i < 2; i++)
		if (insn->bits > 64)
			relevance_raise_operand(r, function, i ? insn->c : insn->b, 2, level);
		else
			raise_like(r, function, i ? insn->c : insn->b, r->p.first[function] + insn->dst);
}

/* Ask of the argument of an assumption or a claim no more than whether it is zero. */
static bool claim(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	static const char *const claims[] = { "__VERIFIER_assume", "bitspin_assume", "__VERIFIER_assert", "bitspin_assert" };
	const struct image_function *f = points_function(&r->p, insn->a);
	bool outside = (f->flags & FUNCTION_EXTERN) && !(f->flags & (FUNCTION_DECLARED | FUNCTION_HAVOC));
	if (!outside || insn->c != 1 || !IS_AMONG(builder_at(r->p.b, IMAGE_STRINGS, f->name), claims))
		return false;
	struct wanted w;
	want(&w, 32);
	add_cut(&w.cuts, 1);
	raise_cuts(r, function, *(uint32_t *)builder_at(r->p.b, IMAGE_POOL, insn->b), &w.cuts);
	return true;
}

/* Ask of numbers that are only printed no more than whether they are initialized. */
static bool print(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	uint32_t format = points_effect(&r->p, insn->a).first;
	if (!relevance_prints_numbers(r, function, insn) || insn->c != format + 1 + IMAGE_AREA_OPERANDS)
		return false;
	const uint32_t *arguments = builder_at(r->p.b, IMAGE_POOL, insn->b);
	relevance_raise_memory(r, function, arguments[format], 0, LEVEL_VALUE);
	relevance_raise_memory(r, function, arguments[format + 1], 0, LEVEL_SET);
	relevance_raise_memory(r, function, arguments[format + 2], 0, LEVEL_SET);
	for (uint32_t k = 0; k < insn->c; k++)
		relevance_raise_operand(r, function, arguments[k], 1, LEVEL_VALUE);
	return true;
}

/* Raise the operands of arithmetic of which the result is blank.  Its shadow may depend on values; but not if there is one operand
 * that changes, and that is equal or wholly initialized. */
static bool combine(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	const char *roles = image_opcodes[insn->op].roles;
	const uint32_t fields[] = { insn->dst, insn->a, insn->b, insn->c };
	int changing = 0;
	uint8_t level = relevance_of_result(r, function, insn);
	bool blank = is_blank(r, function, insn);
	if (level == LEVEL_NOTHING || (level == LEVEL_VALUE && !blank))
		return false;
	for (int i = 1; i < 4; i++)
		if ((roles[i] == 'x' || roles[i] == 'q') && !(fields[i] & IMAGE_CONST))
			changing = changing == 0 ? i : -1;
	if (blank && changing > 0 && roles[changing] == 'x' && insn->bits <= 64 &&
	    !(relevance_deciding_fields(r, insn) >> changing & 1)) {
		raise_blank(r, function, fields[changing], insn->bits);
		return true;
	}
	for (int i = 1; i < 4; i++)
		if (roles[i] == 'x' || roles[i] == 'q')
			relevance_raise_operand(r, function, fields[i], roles[i] == 'x' && insn->bits > 64 ? 2 : 1, LEVEL_VALUE);
	return true;
}

/* Note a division.  One by a constant fails for no number, unless the constant is 0 or -1. */
static bool divide(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	uint64_t divisor;
	if (insn->bits > 64 || !constant_of(&r->p, insn->b, &divisor) || divisor == 0 || divisor == greatest(insn->bits))
		return false;
	if (relevance_of_result(r, function, insn) == LEVEL_NOTHING)
		return true;
	if (is_blank(r, function, insn))
		raise_blank(r, function, insn->a, insn->bits);
	else
		relevance_raise_operand(r, function, insn->a, 1, LEVEL_VALUE);
	return true;
}

static bool step(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	bool wide = insn->bits > 64;
	switch ((enum image_opcode)insn->op) {
	case IMAGE_LOAD: load(r, function, insn); return true;
	case IMAGE_STORE: store(r, function, insn); return true;
	case IMAGE_MEMCPY:
	case IMAGE_MEMMOVE:
	case IMAGE_MEMSET: return copy(r, function, insn);
	case IMAGE_RMW:
		if (relevance_of_memory(r, function, insn->a, (insn->bits + 7u) / 8) != LEVEL_NOTHING)
			relevance_raise_memory(r, function, insn->a, (insn->bits + 7u) / 8, LEVEL_VALUE);
		return false;
	case IMAGE_MOV:
	case IMAGE_FREEZE:
		if (!wide)
			raise_like(r, function, insn->a, r->p.first[function] + insn->dst);
		return !wide;
	case IMAGE_ZEXT:
	case IMAGE_TRUNC:
		if (wide || insn->aux > 64)
			return false;
		if (insn->op == IMAGE_TRUNC || !raise_plain(r, function, insn->a, insn))
			take_low(r, function, insn, insn->a, insn->op == IMAGE_TRUNC ? insn->aux : insn->bits);
		return true;
	case IMAGE_SEXT:
		if (!wide && insn->aux <= 64)
			extend(r, function, insn);
		return !wide && insn->aux <= 64;
	case IMAGE_ADD:
	case IMAGE_SUB: return (!wide && sum(r, function, insn)) || combine(r, function, insn);
	case IMAGE_AND:
	case IMAGE_UREM: return (!wide && mask(r, function, insn)) || combine(r, function, insn);
	case IMAGE_SDIV:
	case IMAGE_SREM: return divide(r, function, insn) || combine(r, function, insn);
	case IMAGE_ICMP: compare(r, function, insn); return true;
	case IMAGE_SWITCH: choose_case(r, function, insn); return true;
	case IMAGE_SELECT: choose_side(r, function, insn); return true;
	case IMAGE_CALL: return claim(r, function, insn) || print(r, function, insn);
	case IMAGE_CALLI:
	case IMAGE_RET:
	case IMAGE_CMPXCHG: return false;
	default: return combine(r, function, insn);
	}
}

/* ---- the whole ------------------------------------------------------------------------------------------------------- */

static void begin(struct relevance *r)
{
	r->cuts = calloc(r->p.nvalues + 2, sizeof *r->cuts);
	r->spans = calloc(r->p.nobjects + 1, sizeof *r->spans);
}

static void release(struct relevance *r)
{
	for (uint32_t i = 0; r->cuts && i < r->p.nvalues; i++)
		free(r->cuts[i].items);
	for (uint32_t i = 0; r->spans && i < r->p.nobjects; i++) {
		for (uint32_t k = 0; r->spans[i].cuts && k < r->p.objects[i].modulus; k++)
			free(r->spans[i].cuts[k].items);
		free(r->spans[i].size);
		free(r->spans[i].back);
		free(r->spans[i].cuts);
	}
	free(r->cuts);
	free(r->spans);
}

const struct region_rules region_rules = {
	.begin = begin,
	.release = release,
	.value_is_whole = value_is_whole,
	.byte_is_whole = byte_is_whole,
	.raise_like = raise_like,
	.step = step,
};
