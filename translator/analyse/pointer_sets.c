/* SPDX-License-Identifier: MIT
 *
 * Sets of pointers, the objects that they point to, and what an operand may point to.
 */
#include "pointer_sets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { UNSIZED = 3360 }; /* UNSIZED: a multiple of the sizes that most structures have */

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* ---- sets ---------------------------------------------------------------------------------------------------------- */

static struct pointer normalized(const struct points *p, struct pointer pointer)
{
	assert(pointer.object < p->nobjects);
	uint32_t modulus = p->objects[pointer.object].modulus;
	pointer.stride = pointer.stride ? common_divisor(pointer.stride, modulus) : 0;
	pointer.offset %= pointer.stride ? pointer.stride : modulus;
	if (pointer.stride == modulus)
		pointer.stride = 0;
	assert(pointer.offset < modulus && pointer.stride < modulus);
	return pointer;
}

void points_add(struct points *p, struct pointers *set, struct pointer pointer)
{
	assert(pointer.object < p->nobjects);
	pointer = normalized(p, pointer);
	uint32_t low = 0, high = set->count;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (set->items[middle].object < pointer.object)
			low = middle + 1;
		else
			high = middle;
	}
	struct pointer *old = low < set->count && set->items[low].object == pointer.object ? &set->items[low] : NULL;
	if (old) {
		uint32_t apart = old->offset > pointer.offset ? old->offset - pointer.offset : pointer.offset - old->offset;
		uint32_t stride = common_divisor(common_divisor(old->stride, pointer.stride), apart);
		struct pointer joined = *old;
		if (stride != 0)
			joined = normalized(p, (struct pointer){ old->object, old->offset, stride });
		p->changed = p->changed || joined.stride != old->stride || joined.offset != old->offset;
		*old = joined;
		return;
	}
	assert(low == 0 || set->items[low - 1].object < pointer.object);
	assert(low == set->count || set->items[low].object > pointer.object);
	if (set->count == set->capacity) {
		set->capacity = 2 * set->capacity + 1;
		set->items = xrealloc(set->items, set->capacity * sizeof *set->items);
	}
	memmove(set->items + low + 1, set->items + low, (set->count - low) * sizeof *set->items);
	set->items[low] = pointer;
	set->count++;
	p->changed = true;
}

void add_unknown(struct points *p, struct pointers *set)
{
	p->changed = p->changed || !set->unknown;
	set->unknown = true;
}

/* Add `pointer` to the set `to`, behind all that this loop has added so far.  The loop keeps in *at a place in the set that none of
 * its pointers comes before.  (A search by halves would be slower: most pointers are in the set already.) */
static void add_next(struct points *p, struct pointers *to, struct pointer pointer, uint32_t *at)
{
	p->wild = p->wild || ++p->work > p->most;
	pointer = normalized(p, pointer);
	assert(*at == 0 || to->items[*at - 1].object < pointer.object);
	while (*at < to->count && to->items[*at].object < pointer.object)
		++*at;
	const struct pointer *old = *at < to->count ? &to->items[*at] : NULL;
	if (!old || old->object != pointer.object || old->offset != pointer.offset || old->stride != pointer.stride)
		points_add(p, to, pointer);
}

void add_all(struct points *p, struct pointers *to, const struct pointers *from)
{
	if (to == from)
		return;
	for (uint32_t i = 0, at = 0; i < from->count; i++)
		add_next(p, to, from->items[i], &at);
	if (from->unknown)
		add_unknown(p, to);
}

void add_anywhere(struct points *p, struct pointers *to, const struct pointers *from)
{
	for (uint32_t i = 0, at = 0; i < from->count; i++)
		add_next(p, to, (struct pointer){ from->items[i].object, 0, 1 }, &at);
	if (from->unknown)
		add_unknown(p, to);
}

void add_moved(struct points *p, struct pointers *to, const struct pointers *from, int64_t by)
{
	for (uint32_t i = 0; i < from->count; i++) {
		struct pointer pointer = from->items[i];
		int64_t modulus = p->objects[pointer.object].modulus;
		pointer.offset = (uint32_t)(((pointer.offset + by) % modulus + modulus) % modulus);
		points_add(p, to, pointer);
	}
	if (from->unknown)
		add_unknown(p, to);
}

void add_strided(struct points *p, struct pointers *to, const struct pointers *from, uint64_t stride)
{
	for (uint32_t i = 0; i < from->count; i++) {
		struct pointer pointer = from->items[i];
		uint32_t modulus = p->objects[pointer.object].modulus;
		uint32_t step = (uint32_t)(stride % modulus);
		pointer.stride = common_divisor(common_divisor(pointer.stride, step), modulus);
		points_add(p, to, pointer);
	}
	if (from->unknown)
		add_unknown(p, to);
}

/* ---- objects ------------------------------------------------------------------------------------------------------- */

uint32_t add_object(struct points *p, enum object_kind kind, uint32_t index, uint64_t size)
{
	if (p->nobjects == p->capacity) {
		p->capacity = 2 * p->capacity + 64;
		p->objects = xrealloc(p->objects, p->capacity * sizeof *p->objects);
	}
	uint32_t modulus = size == 0 || size > MOST_BYTES ? UNSIZED : (uint32_t)size;
	if (kind == OBJECT_FUNCTION)
		modulus = 1;
	uint32_t ncells = modulus % 8 ? 1 : modulus / 8;
	assert(modulus > 0 && ncells > 0);
	p->objects[p->nobjects] = (struct object){
		.kind = kind,
		.index = index,
		.modulus = modulus,
		.ncells = ncells,
		.cells = calloc(ncells, sizeof(struct pointers)),
		.levels = calloc(modulus, 1),
		.left = calloc(modulus, sizeof(bool)),
	};
	return p->nobjects++;
}

void points_touch(const struct points *p, const struct pointer *pointer, uint32_t size,
		  void (*visit)(struct object *object, uint32_t at, uint32_t size, void *data), void *data)
{
	struct object *object = &p->objects[pointer->object];
	uint32_t modulus = object->modulus, stride = pointer->stride;
	assert(pointer->offset < (stride ? stride : modulus)); /* as normalized() leaves it */
	if (size == 0 || size >= modulus || (stride && size >= stride)) {
		visit(object, 0, modulus, data);
		return;
	}
	for (uint32_t at = pointer->offset; at < modulus; at += stride) {
		uint32_t end = at + size;
		visit(object, at, (end < modulus ? end : modulus) - at, data);
		if (end > modulus)
			visit(object, 0, end - modulus, data);
		if (stride == 0)
			break;
	}
}

/* ---- operands ------------------------------------------------------------------------------------------------------ */

bool points_address(const struct points *p, uint64_t word, struct pointer *pointer)
{
	uint64_t number = image_number(word);
	bool global = number >= 1 && number - 1 < p->nglobals;
	bool function = number >= IMAGE_FIRST_FUNCTION && number - IMAGE_FIRST_FUNCTION < p->nfunctions;
	if (!global && !function)
		return false;
	*pointer = (struct pointer){ .object = (uint32_t)(global ? number - 1 : p->nglobals + number - IMAGE_FIRST_FUNCTION) };
	assert(pointer->object < p->nobjects && p->objects[pointer->object].kind == (global ? OBJECT_GLOBAL : OBJECT_FUNCTION));
	int64_t modulus = p->objects[pointer->object].modulus, offset = (int64_t)(word - (number << IMAGE_OFFSET_BITS));
	pointer->offset = (uint32_t)((offset % modulus + modulus) % modulus);
	return true;
}

const struct pointers *points_operand(struct points *p, uint32_t function, uint32_t operand, unsigned bits, struct pointer *space,
				      struct pointers *own)
{
	assert(operand & IMAGE_CONST || p->first[function] + operand < p->nvalues);
	if (!(operand & IMAGE_CONST))
		return &p->values[p->first[function] + operand];
	uint64_t word = *(uint64_t *)builder_at(p->b, IMAGE_CONSTANTS, operand & ~IMAGE_CONST);
	*own = (struct pointers){ .items = space, .unknown = bits >= 64 && image_names_dynamic(word) };
	own->count = bits >= 64 && points_address(p, word, space);
	return own;
}

const struct pointers *points_of(struct points *p, uint32_t function, uint32_t operand)
{
	static struct pointer space;
	static struct pointers own;
	return points_operand(p, function, operand, 64, &space, &own);
}

void points_reach(struct points *p, const struct pointers *from, bool *seen,
		  void (*visit)(struct object *object, uint32_t at, uint32_t size, void *data), void *data)
{
	for (uint32_t i = 0; i < from->count; i++) {
		uint32_t number = from->items[i].object;
		struct object *object = &p->objects[number];
		if (seen[number] || object->kind == OBJECT_FUNCTION)
			continue;
		seen[number] = true;
		visit(object, 0, object->modulus, data);
		for (uint32_t k = 0; k < object->ncells; k++)
			points_reach(p, &object->cells[k], seen, visit, data);
	}
}

bool constant_of(const struct points *p, uint32_t operand, uint64_t *value)
{
	if (!(operand & IMAGE_CONST) || operand == IMAGE_NONE)
		return false;
	*value = *(uint64_t *)builder_at(p->b, IMAGE_CONSTANTS, operand & ~IMAGE_CONST);
	return true;
}

const struct image_function *points_function(const struct points *p, uint32_t function)
{
	assert(function < p->nfunctions);
	return builder_at(p->b, IMAGE_FUNCTIONS, function);
}

uint32_t points_result(const struct points *p, uint32_t function, uint32_t k)
{
	assert(k < points_function(p, function)->results);
	return p->first[function] + points_function(p, function)->registers + k;
}

void points_release(struct points *p)
{
	for (uint32_t i = 0; i < p->nobjects; i++) {
		for (uint32_t k = 0; k < p->objects[i].ncells; k++)
			free(p->objects[i].cells[k].items);
		free(p->objects[i].cells);
		free(p->objects[i].levels);
		free(p->objects[i].left);
	}
	for (uint32_t i = 0; i < p->nvalues; i++)
		free(p->values[i].items);
	free(p->kept.items);
	free(p->objects);
	free(p->first);
	free(p->made);
	free(p->values);
	free(p->invoked);
	*p = (struct points){ 0 };
}
