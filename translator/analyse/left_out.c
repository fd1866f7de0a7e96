/* SPDX-License-Identifier: MIT
 *
 * Names for what slicing leaves out: the user's variables, their fields and array elements, and memory by the place of its
 * allocation, as far as there is debug information.
 *
 * relevance.c notes in struct object to which bytes stores are marked.  Here such bytes are set beside the type: a struct all of
 * whose members are left out goes by its own name, any other by those of its members; the elements of an array are one, as NAME[].
 */
#include "left_out.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct naming {
	struct points *p;
	uint32_t location;
	uint32_t function; /* string: whose variable it is; "": nobody's */
};

enum { DEEPEST = 20 };

static const struct image_type *type_at(const struct naming *n, uint32_t type)
{
	return builder_at(n->p->b, IMAGE_TYPES, type);
}

static const char *string_at(const struct naming *n, uint32_t string)
{
	return builder_at(n->p->b, IMAGE_STRINGS, string);
}

static char *joined(const char *a, const char *b, const char *c, const char *d)
{
	char *all = xrealloc(NULL, strlen(a) + strlen(b) + strlen(c) + strlen(d) + 1);
	strcat(strcat(strcat(strcpy(all, a), b), c), d);
	return all;
}

static void add_row(struct naming *n, const char *part)
{
	struct builder *b = n->p->b;
	const char *function = string_at(n, n->function);
	char *name = joined(part, *function ? " of " : "", function, *function ? "()" : "");
	struct image_left_out row = { builder_string(b, name, strlen(name)), n->location };
	free(name);
	for (uint64_t i = 0; i < b->sections[IMAGE_LEFT_OUT].count; i++)
		if (memcmp(builder_at(b, IMAGE_LEFT_OUT, (uint32_t)i), &row, sizeof row) == 0)
			return;
	builder_add(b, IMAGE_LEFT_OUT, &row, 1);
}

static bool any(const bool *left, uint64_t size)
{
	return memchr(left, true, size) != NULL;
}

/* Lay the elements of an array of `size` bytes, each of `element` bytes, over one another: return the bytes that are left out in
 * any of them.  The caller frees these. */
static bool *folded(const bool *left, uint64_t size, uint64_t element)
{
	assert(element > 0 && size % element == 0);
	bool *one = xrealloc(NULL, element);
	memset(one, false, element);
	for (uint64_t i = 0; i < size; i++)
		one[i % element] |= left[i];
	return one;
}

/* Is something left out in each member of `type`? */
static bool is_whole(const struct naming *n, uint32_t type, const bool *left, unsigned depth)
{
	const struct image_type *t = type_at(n, type);
	if (t->kind != TYPE_STRUCT || t->count == 0 || depth > DEEPEST)
		return any(left, t->size);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct image_member *m = builder_at(n->p->b, IMAGE_MEMBERS, t->members + i);
		uint64_t size = type_at(n, m->type)->size;
		if (size && m->offset + size <= t->size && !is_whole(n, m->type, left + m->offset, depth + 1))
			return false;
	}
	return true;
}

static void name_parts(struct naming *n, uint32_t type, const bool *left, const char *name, const char *member, unsigned depth)
{
	const struct image_type *t = type_at(n, type);
	uint64_t element = t->kind == TYPE_ARRAY ? type_at(n, t->element)->size : 0;
	if (!any(left, t->size))
		return;
	if (element && t->size % element == 0 && depth < DEEPEST) {
		bool *one = folded(left, t->size, element);
		char *inner = joined(name, "[]", "", "");
		name_parts(n, t->element, one, inner, ".", depth + 1);
		free(inner);
		free(one);
		return;
	}
	if (t->kind != TYPE_STRUCT || depth >= DEEPEST || is_whole(n, type, left, depth)) {
		add_row(n, name);
		return;
	}
	for (uint32_t i = 0; i < t->count; i++) {
		struct image_member m = *(struct image_member *)builder_at(n->p->b, IMAGE_MEMBERS, t->members + i);
		if (m.offset + type_at(n, m.type)->size > t->size)
			continue;
		const char *own = string_at(n, m.name);
		char *inner = joined(name, *own ? member : "", own, "");
		name_parts(n, m.type, left + m.offset, inner, ".", depth + 1);
		free(inner);
	}
}

/* Name what is left out of `object`, which has the type `type`, or, if it is larger, is an array of that type. */
static void name_object(struct naming *n, uint32_t type, const struct object *object, const char *name, const char *member)
{
	uint64_t size = type_at(n, type)->size;
	if (!any(object->left, object->modulus))
		return;
	if (size == 0 || (size < object->modulus && object->modulus % size)) {
		add_row(n, name);
		return;
	}
	bool *left = xrealloc(NULL, size);
	memset(left, false, size);
	for (uint64_t i = 0; i < (size > object->modulus ? size : object->modulus); i++)
		left[i % size] |= object->left[i % object->modulus];
	char *elements = joined(name, size < object->modulus ? "[]" : "", "", "");
	name_parts(n, type, left, elements, size < object->modulus ? "." : member, 0);
	free(elements);
	free(left);
}

/* Return the function that has the instruction `insn`. */
static uint32_t function_at(const struct points *p, uint32_t insn)
{
	uint32_t f = 0;
	for (; f < p->nfunctions; f++)
		if (insn - points_function(p, f)->code < points_function(p, f)->ncode)
			break;
	assert(f < p->nfunctions);
	return f;
}

static void name_global(struct naming *n, const struct object *object)
{
	struct image_global g = *(struct image_global *)builder_at(n->p->b, IMAGE_GLOBALS, object->index);
	if (g.location == 0 || g.flags & (GLOBAL_INTERNAL | GLOBAL_PROVIDED))
		return;
	assert(object->index < n->p->nglobals);
	n->location = g.location;
	n->function = g.function;
	char *name = joined(string_at(n, g.name), "", "", "");
	name_object(n, g.type, object, name, ".");
	free(name);
}

static void name_local(struct naming *n, const struct object *object)
{
	const struct image_insn *insn = builder_at(n->p->b, IMAGE_CODE, object->index);
	if (insn->b == IMAGE_NONE)
		return;
	struct image_symbol symbol = *(struct image_symbol *)builder_at(n->p->b, IMAGE_SYMBOLS, insn->b);
	if (symbol.location == 0 || symbol.arguments || *string_at(n, symbol.name) == '\0') /* no variable of the user's */
		return;
	n->location = symbol.location;
	n->function = symbol.function;
	char *name = joined(string_at(n, symbol.name), "", "", "");
	name_object(n, symbol.type, object, name, ".");
	free(name);
}

/* Name what is left out of allocated memory: by the variable that gets its address at once, or else by the function that has
 * allocated it. */
static void name_memory(struct naming *n, const struct object *object)
{
	struct image_insn call = *(struct image_insn *)builder_at(n->p->b, IMAGE_CODE, object->index);
	assert(object->index + 1 < n->p->b->sections[IMAGE_CODE].count); /* a call ends no function */
	const struct image_insn *note = builder_at(n->p->b, IMAGE_CODE, object->index + 1);
	if (call.location == 0 || call.op != IMAGE_CALL)
		return;
	n->location = call.location;
	if (note->op == IMAGE_NOTE && note->a == call.dst && note->b != IMAGE_NONE) {
		struct image_symbol symbol = *(struct image_symbol *)builder_at(n->p->b, IMAGE_SYMBOLS, note->b);
		uint32_t target = type_at(n, symbol.type)->kind == TYPE_POINTER ? type_at(n, symbol.type)->element : 0;
		bool one = type_at(n, target)->kind == TYPE_STRUCT;
		char *name = joined(one ? "" : "*", string_at(n, symbol.name), "", "");
		name_object(n, target, object, name, "->");
		free(name);
		return;
	}
	char *name = joined("memory from ", string_at(n, points_function(n->p, call.a)->name), "()", "");
	name_object(n, 0, object, name, ".");
	free(name);
}

void name_left_out(struct points *p)
{
	for (uint32_t i = 0; i < p->nobjects; i++) {
		const struct object *object = &p->objects[i];
		struct naming n = { .p = p };
		bool made = object->kind == OBJECT_STACK || object->kind == OBJECT_HEAP;
		if (!any(object->left, object->modulus) ||
		    (made && points_function(p, function_at(p, object->index))->flags & FUNCTION_LIBRARY))
			continue;
		switch (object->kind) {
		case OBJECT_GLOBAL: name_global(&n, object); break;
		case OBJECT_STACK: name_local(&n, object); break;
		case OBJECT_HEAP: name_memory(&n, object); break;
		case OBJECT_FUNCTION: break;
		}
	}
}
