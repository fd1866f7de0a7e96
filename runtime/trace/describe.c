/* SPDX-License-Identifier: MIT
 *
 * From addresses and values to what the programmer calls them.
 */
#include "history.h"
#include "trace.h"

#include <stdlib.h>
#include <string.h>

static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char *text, const char *format, ...)
{
	size_t used = strlen(text);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text + used, VM_TEXT - used, format, arguments);
	va_end(arguments);
}

/* Types that a program uses as a whole. */
static bool is_opaque(const char *name)
{
	return strncmp(name, "pthread_", 8) == 0 || strcmp(name, "sem_t") == 0 || strcmp(name, "mtx_t") == 0 ||
		strcmp(name, "cnd_t") == 0 || strcmp(name, "once_flag") == 0;
}

/* Append ".member" and "[index]" for the scalar at `offset` of a type; the scalar's type, 0 if there is none. */
static uint32_t add_path(char *text, uint32_t type, uint64_t offset)
{
	const struct image *image = &vm_this.image;
	for (int depth = 0; depth < 32; depth++) {
		const struct image_type *t = &image->types[type];
		if (is_opaque(image_string(image, t->name)))
			return type;
		if (t->kind == TYPE_ARRAY && image->types[t->element].size) {
			add(text, "[%llu]", (unsigned long long)(offset / image->types[t->element].size));
			offset %= image->types[t->element].size;
			type = t->element;
		} else if (t->kind == TYPE_STRUCT || t->kind == TYPE_UNION) {
			const struct image_member *m = &image->members[t->members], *end = m + t->count;
			while (m < end && !(m->offset <= offset && offset < m->offset + image->types[m->type].size))
				m++;
			if (m == end)
				return 0;
			if (image_string(image, m->name)[0])
				add(text, ".%s", image_string(image, m->name));
			offset -= m->offset;
			type = m->type;
		} else {
			if (offset)
				add(text, "+%llu", (unsigned long long)offset);
			return offset ? 0 : type;
		}
	}
	return 0;
}

static void add_heap(char *text, const struct vm_place *place)
{
	uint32_t index = (place->number - IMAGE_FIRST_DYNAMIC) % vm_this.span - vm_this.locals + 1;
	const struct vm_past *origin = vm_past_of(place->number);
	unsigned slot = (place->number - IMAGE_FIRST_DYNAMIC) / vm_this.span; /* numbers are the thread's own */
	add(text, "heap object %u", index);
	if (slot)
		add(text, " of thread %u", slot);
	if (origin && origin->allocated_at)
		add(text, " from %s", vm_place_name(origin->allocated_at));
}

/* "node[2].next in heap object 1": if some pointer of the program has said what it is. */
static uint32_t describe_heap(char *text, const struct vm_place *place)
{
	const struct vm_past *origin = vm_past_of(place->number);
	const struct image_type *type = &vm_this.image.types[origin ? origin->type : 0];
	if (!origin || !origin->type || !place->object || place->offset < 0 ||
	    (uint64_t)place->offset >= place->object->header.size) {
		add_heap(text, place);
		if (place->offset)
			add(text, " at offset %lld", (long long)place->offset);
		return 0;
	}
	bool array = place->object->header.size / type->size > 1;
	if (array || type->kind == TYPE_STRUCT || type->kind == TYPE_UNION)
		add(text, "%s", image_string(&vm_this.image, type->name));
	if (array)
		add(text, "[%llu]", (unsigned long long)place->offset / type->size);
	uint32_t scalar = add_path(text, origin->type, (uint64_t)place->offset % type->size);
	add(text, text[0] ? " in " : "");
	add_heap(text, place);
	return scalar;
}

static uint32_t describe_dynamic(char *text, const struct vm_place *place)
{
	const struct image *image = &vm_this.image;
	uint32_t slot = (place->number - IMAGE_FIRST_DYNAMIC) / vm_this.span;
	uint32_t index = (place->number - IMAGE_FIRST_DYNAMIC) % vm_this.span;
	const struct vm_past *origin = vm_past_of(place->number);
	if (!place->heap && index < vm_this.tls_count) {
		const struct image_global *global = &image->globals[vm_this.tls_global[index]];
		add(text, "%s", image_string(image, global->name));
		return add_path(text, global->type, (uint64_t)place->offset);
	}
	if (!place->heap && origin && origin->symbol != IMAGE_NONE) {
		const struct image_symbol *symbol = &image->symbols[origin->symbol];
		add(text, "%s", image_string(image, symbol->name));
		return add_path(text, symbol->type, (uint64_t)place->offset);
	}
	if (place->heap)
		return describe_heap(text, place);
	add(text, "local variable %u of thread %u", index + 1, slot);
	if (place->offset)
		add(text, " at offset %lld", (long long)place->offset);
	return 0;
}

/* Write what `address` is called; the type of the scalar there, 0 if unknown. */
static uint32_t describe(char *text, uint64_t address)
{
	const struct image *image = &vm_this.image;
	struct vm_place place = vm_place_of(address);
	text[0] = '\0';
	if (place.number >= IMAGE_FIRST_DYNAMIC)
		return describe_dynamic(text, &place);
	if (place.number >= 1 && place.number - 1 < image->counts[IMAGE_GLOBALS]) {
		const struct image_global *global = &image->globals[place.number - 1];
		add(text, "%s", image_string(image, global->name)[0] ? image_string(image, global->name) : "a constant");
		if (place.offset >= 0 && (uint64_t)place.offset < global->size)
			return add_path(text, global->type, (uint64_t)place.offset);
		add(text, "%+lld", (long long)place.offset);
		return 0;
	}
	uint32_t function = place.number - IMAGE_FIRST_FUNCTION;
	if (place.number >= IMAGE_FIRST_FUNCTION && function < image->counts[IMAGE_FUNCTIONS])
		add(text, "%s", image_string(image, image->functions[function].name));
	else
		add(text, "address %#llx", (unsigned long long)address);
	return 0;
}

const char *vm_describe(uint64_t address)
{
	char *text = vm_text();
	describe(text, address);
	return text;
}

unsigned vm_scalar_size(uint64_t address)
{
	uint32_t type = describe(vm_text(), address);
	uint64_t size = type ? vm_this.image.types[type].size : 0;
	return size <= sizeof(uint64_t) ? (unsigned)size : 0;
}

const char *vm_describe_object(uint64_t address)
{
	const struct image *image = &vm_this.image;
	const struct vm_place place = vm_place_of(address);
	char *text = vm_text();
	if (place.number >= IMAGE_FIRST_DYNAMIC && place.heap)
		add_heap(text, &place);
	else if (place.number >= 1 && place.number - 1 < image->counts[IMAGE_GLOBALS] &&
		 image_string(image, image->globals[place.number - 1].name)[0])
		add(text, "%s", image_string(image, image->globals[place.number - 1].name));
	else
		describe(text, image_address(place.number, 0));
	return text;
}

const char *vm_describe_whole(uint64_t address)
{
	return vm_place_of(address).offset ? vm_describe(address) : vm_describe_object(address);
}

static bool is_function(uint64_t value)
{
	return (value >> IMAGE_OFFSET_BITS) - IMAGE_FIRST_FUNCTION < vm_this.image.counts[IMAGE_FUNCTIONS];
}

static void add_pointer(char *text, uint64_t value)
{
	struct vm_place place = vm_place_of(value);
	const struct vm_past *past = vm_past_of(place.number);
	if (value == 0)
		add(text, "NULL");
	else if (!place.object && place.heap && past && past->freed_at)
		add(text, "&freed %s", vm_describe_object(value));
	else if (place.object || is_function(value))
		add(text, "&%s", place.object && place.heap ? vm_describe_whole(value) : vm_describe(value));
	else
		add(text, "%#llx", (unsigned long long)value);
}

static void add_enumerator(char *text, const struct image_type *type, int64_t value)
{
	const struct image *image = &vm_this.image;
	for (uint32_t i = 0; i < type->count; i++)
		if ((int32_t)image->members[type->members + i].offset == value) {
			add(text, "%s", image_string(image, image->members[type->members + i].name));
			return;
		}
	add(text, "%lld", (long long)value);
}

static int64_t sign_extend(uint64_t value, unsigned bytes)
{
	unsigned shift = bytes >= 8 ? 0 : 64 - 8 * bytes;
	return (int64_t)(value << shift) >> shift;
}

static void add_value(char *text, uint32_t type, unsigned bytes, uint64_t value)
{
	const struct image_type *t = &vm_this.image.types[type];
	bool whole = t->size == bytes;
	if (whole && t->kind == TYPE_FLOAT && bytes == 8) {
		double d;
		memcpy(&d, &value, sizeof d);
		add(text, "%g", d);
	} else if (whole && t->kind == TYPE_FLOAT && bytes == 4) {
		float f;
		memcpy(&f, &value, sizeof f);
		add(text, "%g", (double)f);
	} else if (whole && t->kind == TYPE_POINTER) {
		add_pointer(text, value);
	} else if (whole && t->kind == TYPE_ENUM) {
		add_enumerator(text, t, sign_extend(value, bytes));
	} else if (whole && (t->kind == TYPE_UNSIGNED || t->kind == TYPE_BOOL)) {
		add(text, "%llu", (unsigned long long)value);
	} else if (whole && t->kind == TYPE_CHAR && value >= ' ' && value <= '~') {
		add(text, "'%c'", (char)value);
	} else if (bytes == 8 && ((vm_place_of(value).object && value >> IMAGE_OFFSET_BITS) || is_function(value))) {
		add_pointer(text, value);
	} else {
		add(text, "%lld", (long long)sign_extend(value, bytes));
	}
}

const char *vm_describe_value(uint64_t address, unsigned bytes, uint64_t value)
{
	char *text = vm_text(), *name = vm_text();
	uint32_t type = describe(name, address);
	*text = '\0';
	add_value(text, type, bytes, value);
	return text;
}

const char *vm_describe_access(uint64_t address, unsigned bytes, uint64_t value, bool writes)
{
	char *text = vm_text();
	uint32_t type = describe(text, address);
	vm_note_pointer(value, type);
	add(text, writes ? " = " : " is ");
	if (vm_is_set(address, bytes))
		add_value(text, type, bytes, value);
	else
		add(text, writes ? "an uninitialized value" : "uninitialized");
	return text;
}
