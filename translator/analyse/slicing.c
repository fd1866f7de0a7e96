/* SPDX-License-Identifier: MIT
 *
 * What comes of relevance.c, in the image: which stores leave out what, which registers a state keeps, and what the VM needs to
 * check it.
 */
#include "analyse.h"
#include "left_out.h"
#include "relevance.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- marks ----------------------------------------------------------------------------------------------------------- */

static void leave_out(struct object *object, uint32_t at, uint32_t size, void *data)
{
	(void)data;
	assert(at + size <= object->modulus);
	memset(object->left + at, true, size);
}

/* Mark a load or store of memory of `level`.  IMAGE_SHADOW_ONLY is also the bit of a memory order that is not the strongest, which
 * find_order() has read by now. */
static void set_mark(struct image_insn *insn, uint8_t level)
{
	if (level == LEVEL_VALUE)
		return;
	assert(!(insn->aux & IMAGE_UNSEEN)); /* it is marked once */
	insn->aux &= (uint8_t)~IMAGE_SHADOW_ONLY;
	insn->aux |= level == LEVEL_SET ? IMAGE_UNSEEN | IMAGE_SHADOW_ONLY : IMAGE_UNSEEN;
}

/* Mark the store `insn` by the level of the memory that it may change; return whether it leaves something out. */
static bool mark_store(struct relevance *r, uint32_t function, struct image_insn *insn)
{
	uint8_t level = relevance_of_memory(r, function, insn->a, (insn->bits + 7u) / 8);
	set_mark(insn, level);
	const struct pointers *to = relevance_pointers(r, function, insn->a);
	for (uint32_t i = 0; level != LEVEL_VALUE && i < to->count; i++)
		points_touch(&r->p, &to->items[i], (insn->bits + 7u) / 8, leave_out, NULL);
	return level != LEVEL_VALUE;
}

/* Append the functions that the indirect call `insn` may call to its list of arguments. */
static void add_callees(struct relevance *r, uint32_t function, struct image_insn *insn)
{
	assert(insn->b > 0); /* there is a word before the arguments */
	const struct pointers *called = relevance_pointers(r, function, insn->a);
	uint32_t *list = xrealloc(NULL, (insn->c + called->count + 2) * sizeof *list), n = insn->c + 1, *count = &list[n++];
	memcpy(list, builder_at(r->p.b, IMAGE_POOL, insn->b - 1), (insn->c + 1) * sizeof *list);
	*count = 0;
	for (uint32_t i = 0; i < called->count; i++)
		if (r->p.objects[called->items[i].object].kind == OBJECT_FUNCTION) {
			list[n++] = r->p.objects[called->items[i].object].index;
			++*count;
		}
	insn->b = builder_pool(r->p.b, list, n) + 1;
	free(list);
}

/* Mark `insn`; return whether it leaves something out. */
static bool mark(struct relevance *r, uint32_t function, struct image_insn *insn)
{
	switch ((enum image_opcode)insn->op) {
	case IMAGE_STORE:
	case IMAGE_RMW: return mark_store(r, function, insn);
	case IMAGE_LOAD: set_mark(insn, relevance_of_result(r, function, insn)); return false;
	case IMAGE_CALL: insn->aux |= relevance_only_prints(r, function, insn) ? IMAGE_UNSEEN : 0; return false;
	case IMAGE_CALLI: add_callees(r, function, insn); return false;
	default: return false;
	}
}

/* Append to the set of registers that are live at `insn` the same set without those that have level NOTHING, in the form of
 * live_ok() in image.c.  Return whether it is smaller.  `list` is room for both. */
static bool narrow(struct relevance *r, uint32_t function, struct image_insn *insn, uint32_t *list)
{
	if (insn->live == IMAGE_NONE)
		return false;
	const uint32_t *pool = builder_at(r->p.b, IMAGE_POOL, 0), live = insn->live, counters = pool[live - 1], count = pool[live];
	uint32_t first = counters + 1, n = 0;
	memcpy(list, pool + live - first, (first + 1 + count + first) * sizeof *list);
	memcpy(list + first + 1 + count, list, first * sizeof *list);
	assert(list[first] == count && list[counters] == counters);
	uint32_t *kept = list + first + 1 + count + first;
	for (uint32_t i = 1; i <= count; i++)
		if (r->levels[r->p.first[function] + list[first + i]])
			kept[++n] = list[first + i];
	assert(n <= count);
	kept[0] = n;
	insn->live = builder_pool(r->p.b, list, (size_t)(kept + 1 + n - list)) + first;
	return n < count;
}

/* Add the set of the registers of `function` that have level SET to the pool, and return where it is. */
static uint32_t add_asked(struct relevance *r, uint32_t function, uint32_t registers)
{
	uint32_t words = registers / 32 + 1, *set = xrealloc(NULL, words * sizeof *set);
	memset(set, 0, words * sizeof *set);
	for (uint32_t i = 0; i < registers; i++)
		if (r->levels[r->p.first[function] + i] == LEVEL_SET)
			set[i / 32] |= 1u << i % 32;
	uint32_t at = builder_pool(r->p.b, set, words);
	free(set);
	return at;
}

static bool mark_code(struct relevance *r)
{
	bool any = false;
	for (uint32_t f = 0; f < r->p.nfunctions; f++) {
		struct image_function *function = builder_at(r->p.b, IMAGE_FUNCTIONS, f);
		function->asked = add_asked(r, f, function->registers);
		uint32_t *list = xrealloc(NULL, (3 * (size_t)function->registers + 8) * 2 * sizeof *list);
		for (uint32_t i = 0; i < function->ncode; i++) {
			struct image_insn *insn = builder_at(r->p.b, IMAGE_CODE, function->code + i);
			bool marked = mark(r, f, insn);
			any = narrow(r, f, insn, list) || marked || any;
		}
		free(list);
	}
	return any;
}

/* ---- what the VM checks ---------------------------------------------------------------------------------------------- */

/* Return the number in IMAGE_LEVELS of the levels of `object`.  Equal levels have one number. */
static uint32_t add_levels(struct builder *b, const struct object *object)
{
	for (uint32_t i = 0; i < b->sections[IMAGE_LEVELS].count; i++) {
		const struct image_levels *row = builder_at(b, IMAGE_LEVELS, i);
		if (row->modulus == object->modulus &&
		    memcmp(builder_at(b, IMAGE_DATA, (uint32_t)row->data), object->levels, object->modulus) == 0)
			return i;
	}
	struct image_levels row = { object->modulus, builder_add(b, IMAGE_DATA, object->levels, object->modulus) };
	return builder_add(b, IMAGE_LEVELS, &row, 1);
}

static int by_maker(const void *a, const void *b)
{
	const struct image_maker *x = a, *y = b;
	return (x->maker > y->maker) - (x->maker < y->maker);
}

static void add_makers(struct relevance *r)
{
	struct builder *b = r->p.b;
	for (uint32_t i = 0; i < r->p.nobjects; i++) {
		const struct object *object = &r->p.objects[i];
		bool all = true;
		for (uint32_t k = 0; k < object->modulus; k++)
			all = all && object->levels[k] == LEVEL_VALUE;
		if (all || object->kind == OBJECT_FUNCTION)
			continue;
		struct image_maker row = { object->index | (object->kind == OBJECT_GLOBAL ? 0 : IMAGE_MADE_BY),
					   add_levels(b, object) };
		builder_add(b, IMAGE_MAKERS, &row, 1);
	}
	uint64_t count = b->sections[IMAGE_MAKERS].count;
	if (count)
		qsort(builder_at(b, IMAGE_MAKERS, 0), count, sizeof(struct image_maker), by_maker);
	for (uint32_t i = 1; i < count; i++) /* the VM looks for a maker by halves */
		assert(by_maker(builder_at(b, IMAGE_MAKERS, i - 1), builder_at(b, IMAGE_MAKERS, i)) < 0);
}

/* Mark what is left out, and add to the image what the VM checks (runtime/state/levels.h).  Return false if nothing is left out. */
static bool mark_image(struct relevance *r)
{
	bool any = mark_code(r);
	for (uint32_t f = 0; f < r->p.nfunctions; f++)
		if (r->p.invoked[f])
			((struct image_function *)builder_at(r->p.b, IMAGE_FUNCTIONS, f))->flags |= FUNCTION_INVOKED;
	add_makers(r);
	return any;
}

bool slice_image(struct translation *t)
{
	struct relevance r = { .t = t };
	bool any = false;
	if (relevance_find(&r)) {
		any = mark_image(&r);
		name_left_out(&r.p);
	}
	relevance_release(&r);
	return any;
}
