/* SPDX-License-Identifier: MIT
 *
 * See path.h.
 */
#include "path.h"
#include "history.h"

#include <assert.h>
#include <string.h>

#define DEPTH 32 /* of types in types */

void vm_add(char *text, const char *format, ...)
{
	size_t used = strlen(text);
	assert(used < VM_TEXT);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text + used, VM_TEXT - used, format, arguments);
	va_end(arguments);
}

static const struct image_type *type_at(uint32_t type)
{
	assert(type < vm_this.image.counts[IMAGE_TYPES]);
	return &vm_this.image.types[type];
}

static bool is_aggregate(const struct image_type *t)
{
	return t->kind == TYPE_STRUCT || t->kind == TYPE_UNION;
}

/* Is it a type that a program uses as a whole? */
static bool is_opaque(const struct image_type *t)
{
	const char *name = image_string(&vm_this.image, t->name);
	return strncmp(name, "pthread_", 8) == 0 || strcmp(name, "sem_t") == 0 || strcmp(name, "mtx_t") == 0 ||
		strcmp(name, "cnd_t") == 0 || strcmp(name, "once_flag") == 0 || strcmp(name, "atomic_flag") == 0;
}

bool vm_is_same_type(uint32_t a, uint32_t b)
{
	const struct image_type *s = type_at(a), *t = type_at(b);
	if (a == b)
		return true;
	if (s->kind != t->kind || s->size != t->size || s->kind == TYPE_UNKNOWN)
		return false;
	if (s->kind == TYPE_ARRAY)
		return s->count == t->count && vm_is_same_type(s->element, t->element);
	return !is_aggregate(s) || s->members == t->members || (s->name && s->name == t->name);
}

/* Return the member that lies last; NULL if there is none. */
static const struct image_member *last_member(const struct image_type *t)
{
	const struct image_member *m = vm_this.image.members + t->members;
	return t->count ? m + t->count - 1 : NULL;
}

bool vm_is_flexible(uint32_t type)
{
	for (int depth = 0; depth < DEPTH && type_at(type)->kind == TYPE_STRUCT; depth++) {
		const struct image_member *last = last_member(type_at(type));
		if (!last)
			return false;
		type = last->type;
		if (type_at(type)->kind == TYPE_ARRAY)
			return type_at(type)->count == 0 && type_at(type_at(type)->element)->size;
	}
	return false;
}

/* one search */
struct walk {
	const struct vm_target *target;
	char *text;
	bool overlaid; /* in a union: the kind of number must fit, too */
	int depth;
};

static struct vm_way walk(struct walk *w, uint32_t type, uint64_t offset, uint64_t room);

static struct vm_way walk_array(struct walk *w, uint32_t type, uint64_t offset, uint64_t room)
{
	const struct image_type *t = type_at(type);
	uint64_t size = type_at(t->element)->size, index = size ? offset / size : 0;
	if (!size || (t->count ? index > t->count : offset >= room))
		return (struct vm_way){ 0 };
	vm_add(w->text, "[%llu]", (unsigned long long)index);
	if (!t->count || index < t->count)
		return walk(w, t->element, offset % size, size);
	bool end = w->target->pointer && offset % size == 0; /* one past the end */
	return (struct vm_way){ end ? WAY_WHOLE : WAY_NONE, t->element, 0 };
}

/* Do some bit-fields lie in the bytes? */
static bool has_fields(const struct image_type *t, uint64_t offset, unsigned bytes)
{
	const struct image_member *m = vm_this.image.members + t->members;
	uint64_t low = offset * 8, high = low + (bytes ? bytes : 1) * 8;
	for (uint32_t i = 0; i < t->count; i++) {
		uint64_t begin = m[i].offset * 8 + m[i].bit_offset;
		if (m[i].bit_size && begin < high && begin + m[i].bit_size > low)
			return true;
	}
	return false;
}

static struct vm_way walk_member(struct walk *w, const struct image_member *m, uint64_t offset, uint64_t room)
{
	assert(m->offset <= offset);
	if (image_string(&vm_this.image, m->name)[0])
		vm_add(w->text, ".%s", image_string(&vm_this.image, m->name));
	return walk(w, m->type, offset - m->offset, room - m->offset);
}

static struct vm_way walk_struct(struct walk *w, uint32_t type, uint64_t offset, uint64_t room)
{
	const struct image_type *t = type_at(type);
	const struct image_member *m = vm_this.image.members + t->members;
	if (has_fields(t, offset, w->target->bytes))
		return (struct vm_way){ w->target->pointer ? WAY_NONE : WAY_FIELDS, type, offset };
	for (uint32_t i = 0; i < t->count; i++)
		if (!m[i].bit_size && m[i].offset <= offset && offset < m[i].offset + type_at(m[i].type)->size)
			return walk_member(w, &m[i], offset,
					   vm_is_flexible(m[i].type) ? room : m[i].offset + type_at(m[i].type)->size);
	const struct image_member *last = last_member(t);
	if (vm_is_flexible(type) && last->offset <= offset)
		return walk_member(w, last, offset, room);
	return (struct vm_way){ 0 };
}

/* Will the name of what some byte of the target lies in do? */
static bool is_part(const struct vm_target *target)
{
	return !target->bytes && !target->pointer;
}

/* Go into the one member that fits. */
static struct vm_way walk_union(struct walk *w, uint32_t type, uint64_t offset, uint64_t room)
{
	const struct image_type *t = type_at(type);
	const struct image_member *m = vm_this.image.members + t->members;
	struct vm_way found = { 0 };
	size_t length = strlen(w->text);
	char first[VM_TEXT] = "";
	unsigned ways = 0;
	for (uint32_t i = 0; i < t->count; i++) {
		struct vm_way way = { 0 };
		if (m[i].bit_size)
			way = (struct vm_way){ WAY_FIELDS, type, offset };
		else if (offset >= m[i].offset && offset - m[i].offset < type_at(m[i].type)->size)
			way = walk_member(w, &m[i], offset, room);
		if (way.end != WAY_NONE && ways++ == 0) {
			found = way;
			snprintf(first, sizeof first, "%s", w->text);
		}
		w->text[length] = '\0';
	}
	if (ways == 1)
		snprintf(w->text, VM_TEXT, "%s", first);
	else
		found = (struct vm_way){ is_part(w->target) || (w->target->pointer && offset == 0) ? WAY_WHOLE : WAY_NONE, type,
					 offset };
	return found;
}

static struct vm_way walk_scalar(const struct walk *w, uint32_t type, uint64_t offset)
{
	const struct image_type *t = type_at(type);
	const struct vm_target *target = w->target;
	bool floating = t->kind == TYPE_FLOAT, extended = floating && t->size == 16 && target->bytes == 10; /* long double */
	bool fits = !w->overlaid || is_part(target) || target->number == (floating ? NUMBER_FLOATING : NUMBER_INTEGER) ||
		(target->pointer && target->points);
	if (offset && is_part(target))
		return (struct vm_way){ WAY_WHOLE, type, offset };
	if (offset || !fits || (target->bytes && target->bytes != t->size && !extended) || t->kind == TYPE_UNKNOWN)
		return (struct vm_way){ 0 };
	return (struct vm_way){ WAY_SCALAR, type, 0 };
}

/* Is a type the smallest one that begins here and holds `bytes` bytes? */
static bool is_smallest(const struct image_type *t, uint64_t bytes)
{
	const struct image_member *m = vm_this.image.members + t->members;
	uint32_t inner = t->kind == TYPE_ARRAY ? t->element : is_aggregate(t) && t->count ? m->type : 0;
	return bytes > type_at(inner)->size;
}

static struct vm_way walk(struct walk *w, uint32_t type, uint64_t offset, uint64_t room)
{
	const struct image_type *t = type_at(type);
	const struct vm_target *target = w->target;
	if (target->area && offset == 0 && is_smallest(t, target->area))
		return (struct vm_way){ WAY_WHOLE, type, 0 };
	if (w->depth > DEPTH)
		return (struct vm_way){ 0 };
	bool same = target->points && vm_is_same_type(type, target->points);
	if (is_opaque(t) || (target->pointer && offset == 0 && (same || (!target->points && t->kind != TYPE_ARRAY))))
		return (struct vm_way){ WAY_WHOLE, type, offset };
	struct walk inside = *w;
	inside.depth++;
	switch (t->kind) {
	case TYPE_ARRAY: return walk_array(&inside, type, offset, room);
	case TYPE_STRUCT: return walk_struct(&inside, type, offset, room);
	case TYPE_UNION: inside.overlaid = true; return walk_union(&inside, type, offset, room);
	default: return walk_scalar(w, type, offset);
	}
}

struct vm_way vm_path_add(char *text, uint32_t type, uint64_t offset, uint64_t room, const struct vm_target *target)
{
	size_t length = strlen(text);
	struct walk w = { .target = target, .text = text };
	struct vm_way way = walk(&w, type, offset, room);
	if (way.end == WAY_NONE)
		text[length] = '\0';
	return way;
}
