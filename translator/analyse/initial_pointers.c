/* SPDX-License-Identifier: MIT
 *
 * Addresses among the initial values of global variables, for points_to.h.
 */
#include "pointer_sets.h"

#include <assert.h>
#include <string.h>

/* Add the address that lies at byte `at` of the initial value of `global`, if one does. */
static void read_word(struct points *p, uint32_t global, uint64_t at)
{
	const struct image_global *g = builder_at(p->b, IMAGE_GLOBALS, global);
	uint64_t word;
	struct pointer pointer;
	if (at + sizeof word > g->size)
		return;
	memcpy(&word, (uint8_t *)builder_at(p->b, IMAGE_DATA, (uint32_t)g->data) + at, sizeof word);
	if (word < IMAGE_MAX_SIZE || word >> 48 || !points_address(p, word, &pointer))
		return;
	struct object *object = &p->objects[global];
	assert(object->kind == OBJECT_GLOBAL && object->index == global);
	for (uint64_t k = at; k < at + 8; k += 7)
		points_add(p, &object->cells[object->ncells == 1 ? 0 : k % object->modulus / 8], pointer);
}

static void read_words(struct points *p, uint32_t global, uint64_t at, uint64_t end)
{
	for (at = (at + 7) / 8 * 8; at + 8 <= end; at += 8)
		read_word(p, global, at);
}

/* Add the addresses in the initial value of `global` from byte `at` on, which has the type `type`.  A member of fewer than 8 bytes
 * holds none. */
static void read_typed(struct points *p, uint32_t global, uint32_t type, uint64_t at, unsigned depth)
{
	const struct image_type *t = builder_at(p->b, IMAGE_TYPES, type);
	const struct image_global *g = builder_at(p->b, IMAGE_GLOBALS, global);
	uint64_t end = t->size && depth ? at + t->size : g->size;
	switch ((enum image_type_kind)t->kind) {
	case TYPE_BOOL:
	case TYPE_CHAR:
	case TYPE_FLOAT: return;
	case TYPE_ENUM:
	case TYPE_SIGNED:
	case TYPE_UNSIGNED:
	case TYPE_POINTER:
		if (t->size >= 8)
			read_word(p, global, at);
		return;
	case TYPE_ARRAY: {
		const struct image_type *element = builder_at(p->b, IMAGE_TYPES, t->element);
		if (element->size == 0 || depth > 20)
			break;
		for (uint64_t step = element->size; at + step <= end; at += step)
			read_typed(p, global, t->element, at, depth + 1);
		return;
	}
	case TYPE_STRUCT:
	case TYPE_UNION:
		if (t->count == 0 || depth > 20)
			break;
		for (uint32_t i = 0; i < t->count; i++) {
			const struct image_member *m = builder_at(p->b, IMAGE_MEMBERS, t->members + i);
			read_typed(p, global, m->type, at + m->offset, depth + 1);
		}
		if (depth == 0) /* a flexible array member */
			read_words(p, global, t->size, g->size);
		return;
	case TYPE_UNKNOWN:
	case TYPE_KINDS: break;
	}
	read_words(p, global, at, t->kind == TYPE_UNKNOWN ? g->size : end);
}

void points_read_initial(struct points *p, uint32_t global)
{
	const struct image_global *g = builder_at(p->b, IMAGE_GLOBALS, global);
	read_typed(p, global, g->type, 0, 0);
}
