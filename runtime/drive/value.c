/* SPDX-License-Identifier: MIT
 *
 * Whole values and types, as far as debug information goes.
 */
#include "drive.h"
#include "../sync/mutex.h"
#include "../trace/describe.h"
#include "../trace/history.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 100, MOST_CHARACTERS = 200, MOST_DEPTH = 8 };

static const struct image_type *type_at(uint32_t type)
{
	assert(type < vm_this.image.counts[IMAGE_TYPES]);
	return &vm_this.image.types[type];
}

static const char *string(uint32_t string)
{
	return image_string(&vm_this.image, string);
}

/* Return the bytes at an address; NULL if `size` bytes are not there. */
static const uint8_t *bytes_at(uint64_t address, uint64_t size)
{
	struct vm_place place = vm_place_of(address);
	bool there = place.object && place.offset >= 0 && (uint64_t)place.offset + size <= place.object->header.size;
	return there ? place.object->bytes + place.offset : NULL;
}

static void put_scalar(FILE *out, uint32_t type, unsigned bits, uint64_t value)
{
	assert(bits <= 64);
	char *text = vm_text();
	vm_add_scalar(text, type, bits, value);
	fputs(text, out);
	const struct image_type *t = type_at(type), *target = type_at(t->element);
	if (t->kind != TYPE_POINTER || target->kind != TYPE_CHAR || text[0] == '"')
		return;
	const uint8_t *bytes;
	fputs(value && bytes_at(value, 1) ? " \"" : "", out);
	for (uint64_t i = 0; value && i < MOST_CHARACTERS; i++) { /* what a char * points to is mostly text */
		bytes = bytes_at(value + i, 1);
		if (!bytes || !*bytes || !vm_is_set(value + i, 1))
			break;
		fprintf(out, *bytes < ' ' || *bytes > '~' || *bytes == '"' || *bytes == '\\' ? "\\%03o" : "%c", *bytes);
	}
	fputs(value && bytes_at(value, 1) ? "\"" : "", out);
}

static void put_value(FILE *out, uint32_t type, uint64_t address, unsigned depth);

static void put_field(FILE *out, const struct image_member *m, uint64_t address)
{
	assert(m->bit_size > 0);
	uint64_t word = 0;
	unsigned shift = m->bit_offset % 8, bytes = (shift + m->bit_size + 7) / 8;
	address += m->offset + m->bit_offset / 8;
	const uint8_t *from = bytes <= 8 ? bytes_at(address, bytes) : NULL;
	if (!from) {
		fputs("<not there>", out);
		return;
	}
	if (!vm_is_set(address, bytes)) { /* or one of its neighbours is not */
		fputs("<uninitialized>", out);
		return;
	}
	memcpy(&word, from, bytes);
	put_scalar(out, m->type, m->bit_size, word >> shift & vm_mask(m->bit_size));
}

static void put_members(FILE *out, const struct image_type *t, uint64_t address, unsigned depth)
{
	assert((uint64_t)t->members + t->count <= vm_this.image.counts[IMAGE_MEMBERS] && depth <= MOST_DEPTH);
	const struct image_member *m = vm_this.image.members + t->members;
	fputc('{', out);
	for (uint32_t i = 0; i < t->count; i++, m++) {
		fprintf(out, "%s%s%s", i ? ", " : "", string(m->name), string(m->name)[0] ? " = " : "");
		if (m->bit_size)
			put_field(out, m, address);
		else
			put_value(out, m->type, address + m->offset, depth + 1);
	}
	fputc('}', out);
}

static bool is_text(const struct image_type *t, uint64_t address)
{
	const uint8_t *bytes = bytes_at(address, t->size);
	return type_at(t->element)->kind == TYPE_CHAR && t->count && bytes && bytes[0] && vm_is_set(address, 1);
}

static void put_text(FILE *out, uint64_t address, uint32_t count)
{
	const uint8_t *bytes = bytes_at(address, count);
	assert(bytes && count);
	fputc('"', out);
	for (uint32_t i = 0; i < count && i < MOST_CHARACTERS && bytes[i] && vm_is_set(address + i, 1); i++)
		fprintf(out, bytes[i] < ' ' || bytes[i] > '~' || bytes[i] == '"' || bytes[i] == '\\' ? "\\%03o" : "%c", bytes[i]);
	fputc('"', out);
}

static void put_elements(FILE *out, const struct image_type *t, uint64_t address, unsigned depth)
{
	assert(t->kind == TYPE_ARRAY && depth <= MOST_DEPTH);
	fputc('{', out);
	for (uint32_t i = 0; i < t->count && i < MOST_ELEMENTS; i++) {
		fputs(i ? ", " : "", out);
		put_value(out, t->element, address + i * type_at(t->element)->size, depth + 1);
	}
	fputs(t->count > MOST_ELEMENTS ? ", ...}" : "}", out);
}

/* Print a lock, if the type is one, and return whether it is: what is inside is the VM's own. */
static bool put_lock(FILE *out, const struct image_type *t, uint64_t address)
{
	const char *name = string(t->name);
	bool mutex = strcmp(name, "pthread_mutex_t") == 0 || strcmp(name, "mtx_t") == 0;
	if (mutex && vm_is_set(address, t->size)) {
		unsigned holder = vm_mutex_holder(address);
		assert(holder < VM_MAX_SLOTS || holder >= vm_this.max_threads);
		if (holder < vm_this.max_threads)
			fprintf(out, "held by thread %u", holder);
		else
			fputs("free", out);
		return true;
	}
	bool opaque = mutex || strcmp(name, "pthread_cond_t") == 0 || strcmp(name, "pthread_rwlock_t") == 0 ||
		strcmp(name, "pthread_barrier_t") == 0 || strcmp(name, "cnd_t") == 0 || strcmp(name, "sem_t") == 0;
	if (opaque)
		fputs("{...}", out);
	return opaque;
}

static void put_value(FILE *out, uint32_t type, uint64_t address, unsigned depth)
{
	const struct image_type *t = type_at(type);
	const uint8_t *bytes = bytes_at(address, t->size);
	bool quadruple = strstr(image_string(&vm_this.image, t->name), "loat128") != NULL;
	unsigned size = t->kind == TYPE_FLOAT && t->size == 16 && !quadruple ? 10 : (unsigned)t->size; /* bytes of a long double */
	uint64_t word = 0;
	if (!bytes)
		fputs("<not there>", out);
	else if (depth > MOST_DEPTH)
		fputs("...", out);
	else if (put_lock(out, t, address))
		return;
	else if (t->kind == TYPE_STRUCT || t->kind == TYPE_UNION)
		put_members(out, t, address, depth);
	else if (t->kind == TYPE_ARRAY && is_text(t, address))
		put_text(out, address, t->count);
	else if (t->kind == TYPE_ARRAY)
		put_elements(out, t, address, depth);
	else if (t->size == 0)
		fputs("<of unknown type>", out);
	else if (!vm_is_set(address, size))
		fputs("<uninitialized>", out);
	else if (t->size <= sizeof word) {
		memcpy(&word, bytes, t->size);
		put_scalar(out, type, (unsigned)(8 * t->size), word);
	} else {
		char *text = vm_text();
		vm_add_wide(text, type, size, bytes);
		fputs(text, out);
	}
}

char *drive_value(uint32_t type, uint64_t address)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	put_value(out, type, address, 0);
	fclose(out);
	return text;
}

char *drive_scalar(uint32_t type, uint64_t value)
{
	assert(type_at(type)->size <= sizeof value);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	put_scalar(out, type, (unsigned)(8 * type_at(type)->size), value);
	fclose(out);
	return text;
}

static bool put_type(FILE *out, uint32_t type)
{
	const struct image_type *t = type_at(type);
	const char *name = string(t->name);
	static const char *const tags[TYPE_KINDS] = { [TYPE_STRUCT] = "struct ", [TYPE_UNION] = "union ", [TYPE_ENUM] = "enum " };
	bool good = true;
	if (name[0]) {
		fprintf(out, "%s%s", t->tagged && t->kind < TYPE_KINDS && tags[t->kind] ? tags[t->kind] : "", name);
	} else if (t->kind == TYPE_POINTER) {
		fputs("__typeof__(", out);
		if (type_at(t->element)->kind == TYPE_UNKNOWN || !put_type(out, t->element))
			fputs("void", out);
		fputs(" *)", out);
	} else if (t->kind == TYPE_ARRAY) {
		fputs("__typeof__(", out);
		good = put_type(out, t->element);
		fprintf(out, " [%u])", (unsigned)t->count);
	} else {
		good = false;
	}
	return good;
}

char *drive_type(uint32_t type)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool good = put_type(out, type);
	fclose(out);
	if (good)
		return text;
	free(text);
	return NULL;
}
