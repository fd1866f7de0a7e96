/* SPDX-License-Identifier: MIT
 *
 * Addresses among the initial values of global variables, for points_to.h.  They are looked for where LLVM's constants have them:
 * debug information does not have the type of all globals, and that of a struct which the optimiser has taken apart is not theirs.
 */
#include "pointer_sets.h"

#include <assert.h>
#include <string.h>

struct initial {
	struct points *p;
	uint32_t global;
};

/* Note the address that the `size` bytes from `at` on are, if they are one.  `named`: some address has been used to compute what
 * lies there, be it no address any more. */
static void read_word(const struct initial *v, uint64_t at, uint64_t size, bool named)
{
	struct points *p = v->p;
	const struct image_global *g = builder_at(p->b, IMAGE_GLOBALS, v->global);
	uint64_t word = 0;
	struct pointer pointer;
	assert(size >= 1 && size <= sizeof word && at + size <= g->size);
	memcpy(&word, (uint8_t *)builder_at(p->b, IMAGE_DATA, (uint32_t)g->data) + at, size);
	bool is_address = size == sizeof word && word >= IMAGE_MAX_SIZE && !(word >> 48) && points_address(p, word, &pointer);
	struct object *object = &p->objects[v->global];
	assert(object->kind == OBJECT_GLOBAL && object->index == v->global);
	for (unsigned i = 0; i < 2; i++) { /* it may lie in two cells */
		uint64_t byte = i ? at + size - 1 : at;
		struct pointers *cell = &object->cells[object->ncells == 1 ? 0 : byte % object->modulus / 8];
		if (is_address)
			points_add(p, cell, pointer);
		else if (named)
			add_unknown(p, cell);
	}
}

static bool read_leaf(LLVMValueRef leaf, uint64_t at, void *data)
{
	LLVMTypeRef type = LLVMTypeOf(leaf);
	bool integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind, named = names_address(leaf);
	unsigned bits = integer ? LLVMGetIntTypeWidth(type) : bits_of_type(type);
	if (!named && (bits < 64 || is_float_type(type))) /* a text has no bits */
		return true;
	for (unsigned i = 0; i < bits; i += 64)
		read_word(data, at + i / 8, bits - i >= 64 ? 8 : (bits - i + 7) / 8, named);
	return true;
}

void points_read_initial(struct points *p, struct translation *t, uint32_t global)
{
	struct initial v = { p, global };
	const struct image_global *g = builder_at(p->b, IMAGE_GLOBALS, global);
	LLVMValueRef variable = t->global_queue[global], constant = variable ? LLVMGetInitializer(variable) : NULL;
	if (constant)
		constant_walk(t, constant, 0, read_leaf, &v);
	for (uint64_t at = 0; !constant && at + 8 <= g->size; at += 8) /* the translator's own */
		read_word(&v, at, 8, false);
}
