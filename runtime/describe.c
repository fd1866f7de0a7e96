/* SPDX-License-Identifier: MIT
 *
 * From addresses and values to what the programmer calls them.
 */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#define BUFFERS 8
#define TEXT    200

/* What is remembered of a dynamic object while a trail is replayed. */
struct origin {
	uint32_t symbol;   /* stack: its variable, or IMAGE_NONE */
	uint32_t location; /* heap: where it was allocated */
};

static struct origin *origins; /* by object number, from IMAGE_FIRST_DYNAMIC on; only in replay */

static struct origin *origin_of(uint32_t number)
{
	if (!vm_tracing || number < IMAGE_FIRST_DYNAMIC)
		return NULL;
	if (!origins)
		origins = calloc(IMAGE_END_DYNAMIC - IMAGE_FIRST_DYNAMIC, sizeof *origins);
	return origins ? &origins[number - IMAGE_FIRST_DYNAMIC] : NULL;
}

void vm_name_stack(uint64_t address, uint32_t symbol)
{
	struct origin *origin = origin_of((uint32_t)(address >> IMAGE_OFFSET_BITS));
	if (origin)
		*origin = (struct origin){ .symbol = symbol };
}

void vm_name_heap(uint64_t address)
{
	struct origin *origin = origin_of((uint32_t)(address >> IMAGE_OFFSET_BITS));
	if (origin)
		*origin = (struct origin){ .symbol = IMAGE_NONE, .location = vm_this.location };
}

/* Where mutexes were locked last, in replay. */
static struct { uint64_t address; uint32_t location; } locks[256];
static unsigned nlocks;

void vm_note_lock(uint64_t address)
{
	unsigned i = 0;
	while (i < nlocks && locks[i].address != address)
		i++;
	if (!vm_tracing || i == sizeof locks / sizeof *locks)
		return;
	locks[i].address = address;
	locks[i].location = vm_this.location;
	if (i == nlocks)
		nlocks++;
}

uint32_t vm_locked_at(uint64_t address)
{
	for (unsigned i = 0; vm_tracing && i < nlocks; i++)
		if (locks[i].address == address)
			return locks[i].location;
	return 0;
}

static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char *text, const char *format, ...)
{
	size_t used = strlen(text);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text + used, TEXT - used, format, arguments);
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

static uint32_t describe_dynamic(char *text, const struct vm_place *place)
{
	const struct image *image = &vm_this.image;
	uint32_t slot = (place->number - IMAGE_FIRST_DYNAMIC) / vm_this.span;
	uint32_t index = (place->number - IMAGE_FIRST_DYNAMIC) % vm_this.span;
	const struct origin *origin = origin_of(place->number);
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
	if (place->heap && origin && origin->location) {
		const char *file = image_file(image, origin->location), *slash = strrchr(file, '/');
		add(text, "heap object %u of thread %u from %s:%u", index - vm_this.span / 2 + 1, slot, slash ? slash + 1 : file,
		    (unsigned)image_line(image, origin->location));
	} else {
		add(text, place->heap ? "heap object %u" : "local variable %u", place->heap ? index - vm_this.span / 2 + 1 : index + 1);
		add(text, " of thread %u", slot);
	}
	if (place->offset)
		add(text, " at offset %lld", (long long)place->offset);
	return 0;
}

/* Write what `address` is called; the type of the scalar there, 0 if unknown. */
static uint32_t describe(char *text, uint64_t address)
{
	const struct image *image = &vm_this.image;
	struct vm_place place = vm_place(address);
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

static char *next_buffer(void)
{
	static char buffers[BUFFERS][TEXT];
	static unsigned next;
	return buffers[next++ % BUFFERS];
}

const char *vm_describe(uint64_t address)
{
	char *text = next_buffer();
	describe(text, address);
	return text;
}

static bool is_function(uint64_t value)
{
	return (value >> IMAGE_OFFSET_BITS) - IMAGE_FIRST_FUNCTION < vm_this.image.counts[IMAGE_FUNCTIONS];
}

static void add_pointer(char *text, uint64_t value)
{
	if (value == 0)
		add(text, "NULL");
	else if (vm_place(value).object || is_function(value))
		add(text, "&%s", vm_describe(value));
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
	} else if (bytes == 8 && ((vm_place(value).object && value >> IMAGE_OFFSET_BITS) || is_function(value))) {
		add_pointer(text, value);
	} else {
		add(text, "%lld", (long long)sign_extend(value, bytes));
	}
}

const char *vm_describe_value(uint64_t address, unsigned bytes, uint64_t value)
{
	char *text = next_buffer(), *name = next_buffer();
	uint32_t type = describe(name, address);
	*text = '\0';
	add_value(text, type, bytes, value);
	return text;
}

const char *vm_describe_access(uint64_t address, unsigned bytes, uint64_t value, bool writes)
{
	char *text = next_buffer();
	uint32_t type = describe(text, address);
	add(text, writes ? " = " : " is ");
	if (vm_is_set(address, bytes))
		add_value(text, type, bytes, value);
	else
		add(text, writes ? "a value that was never set" : "not set");
	return text;
}
