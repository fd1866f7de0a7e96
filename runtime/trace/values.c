/* SPDX-License-Identifier: MIT
 *
 * Values as C has them: 'a', GREEN, &ring.slot[2], NULL, "text", 0.1.
 */
#include "describe.h"
#include "history.h"
#include "trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define LITERAL 32 /* characters of a string literal */

static bool is_function(uint64_t value)
{
	return (value >> IMAGE_OFFSET_BITS) - IMAGE_FIRST_FUNCTION < vm_this.image.counts[IMAGE_FUNCTIONS];
}

/* Add a character as it stands between quotation marks `quote`, as in "\n" or "\"". */
static void add_character(char *text, char c, char quote)
{
	static const char special[] = "\a\b\f\n\r\t\v", letters[] = "abfnrtv";
	const char *found = c ? strchr(special, c) : NULL;
	if (found)
		vm_add(text, "\\%c", letters[found - special]);
	else if (c == '\\' || c == quote)
		vm_add(text, "\\%c", c);
	else if (c >= ' ' && c <= '~')
		vm_add(text, "%c", c);
	else
		vm_add(text, c ? "\\%03o" : "\\0", (unsigned char)c);
}

/* Add the rest of a string literal, from where the pointer points.  Return false if that is no literal. */
static bool add_literal(char *text, uint64_t value)
{
	const struct image *image = &vm_this.image;
	uint32_t number = (uint32_t)image_number(value);
	uint64_t offset = value - image_address(number, 0);
	if (number < 1 || number - 1 >= image->counts[IMAGE_GLOBALS])
		return false;
	const struct image_global *global = &image->globals[number - 1];
	if (!(global->flags & GLOBAL_INTERNAL) || !(global->flags & GLOBAL_CONSTANT) || offset >= global->size)
		return false;
	const char *from = (const char *)image->data + global->data + offset, *end = memchr(from, 0, global->size - offset);
	if (!end)
		return false;
	vm_add(text, "\"");
	for (const char *p = from; p < end && p - from < LITERAL; p++)
		add_character(text, *p, '"');
	vm_add(text, end - from > LITERAL ? "\"..." : "\"");
	return true;
}

/* Return how C writes the address of the object: a block without a name has none to put & before. */
static const char *address_words(uint64_t value)
{
	const char *name = vm_describe_object(value);
	char *words = vm_text();
	vm_add(words, strncmp(name, "the block ", strlen("the block ")) == 0 ? "%s" : "&%s", name);
	return words;
}

static void add_pointer(char *text, uint64_t value, uint32_t points)
{
	struct vm_place place = vm_place_of(value);
	const struct vm_past *past = vm_past_of(place.number);
	const struct image_type *to = &vm_this.image.types[points];
	const struct vm_target target = { .pointer = true, .points = to->kind == TYPE_UNKNOWN ? 0 : points };
	char *name = vm_text();
	if (value == 0)
		vm_add(text, "NULL");
	else if (add_literal(text, value))
		return;
	else if (is_function(value))
		vm_add(text, "&%s", vm_describe(value));
	else if (!place.object && place.heap && past && past->freed_at)
		vm_add(text, "%s, which is freed", address_words(value));
	else if (!place.object && !place.heap && past && past->left.location && past->symbol != IMAGE_NONE)
		vm_add(text, "&%s, which is gone", image_string(&vm_this.image, vm_this.image.symbols[past->symbol].name));
	else if (!place.object && place.map && place.number - place.map->first < vm_this.tls_count)
		vm_add(text, "&%s, which has ended", vm_describe_object(value));
	else if (!place.object)
		vm_add(text, "%#llx", (unsigned long long)value);
	else if (vm_describe_target(name, value, &target).end != WAY_NONE)
		vm_add(text, "&%s", name);
	else if (place.offset == 0)
		vm_add(text, "%s", address_words(value));
	else if (place.offset == (int64_t)place.object->header.size)
		vm_add(text, "&%s + 1", vm_describe_object(value));
	else
		vm_add(text, "(char *)&%s %c %lld", vm_describe_object(value), place.offset < 0 ? '-' : '+',
		       (long long)(place.offset < 0 ? -place.offset : place.offset));
}

static void add_enumerator(char *text, const struct image_type *type, unsigned bits, uint64_t value)
{
	const struct image *image = &vm_this.image;
	for (uint32_t i = 0; i < type->count; i++)
		if (((image->members[type->members + i].offset ^ value) & vm_mask(bits)) == 0) {
			vm_add(text, "%s", image_string(image, image->members[type->members + i].name));
			return;
		}
	vm_add(text, "%lld", (long long)vm_signed(value, bits));
}

/* Add a float with as few digits as tell it apart from its neighbours. */
static void add_float(char *text, double value, bool single)
{
	char digits[64];
	for (int precision = 1; precision <= 17; precision++) {
		snprintf(digits, sizeof digits, "%.*g", precision, value);
		if (single ? strtof(digits, NULL) == (float)value : strtod(digits, NULL) == value)
			break;
	}
	vm_add(text, "%s", digits);
}

static void add_floating(char *text, unsigned bits, uint64_t value)
{
	double d;
	float f;
	memcpy(&d, &value, sizeof d);
	memcpy(&f, &value, sizeof f);
	add_float(text, bits == 32 ? (double)f : d, bits == 32);
}

/* Is a value a pointer, though its type does not say so?  Integers may hold one, but a number that points out of all objects is a
 * number: a time in seconds may be an offset behind an object. */
static bool looks_like_pointer(uint64_t value, uint32_t kind)
{
	struct vm_place place = vm_place_of(value);
	bool inside = place.object && place.offset >= 0 && (uint64_t)place.offset < place.object->header.size;
	bool integer = kind == TYPE_SIGNED || kind == TYPE_UNSIGNED;
	return is_function(value) || (place.object && value >> IMAGE_OFFSET_BITS && (inside || !integer));
}

void vm_add_scalar(char *text, uint32_t type, unsigned bits, uint64_t value)
{
	assert(bits <= 64);
	const struct image_type *t = &vm_this.image.types[type];
	uint32_t kind = bits <= 8 * t->size ? t->kind : (uint32_t)TYPE_UNKNOWN;
	if (kind == TYPE_FLOAT && (bits == 32 || bits == 64))
		add_floating(text, bits, value);
	else if (kind == TYPE_POINTER && bits == 64)
		add_pointer(text, value, t->element);
	else if (kind == TYPE_ENUM)
		add_enumerator(text, t, bits, value);
	else if (kind == TYPE_CHAR && bits == 8 && (value & 0xff) < 127) {
		vm_add(text, "'");
		add_character(text, (char)value, '\'');
		vm_add(text, "'");
	} else if (bits == 64 && looks_like_pointer(value, kind))
		add_pointer(text, value, 0);
	else if (kind == TYPE_UNSIGNED || kind == TYPE_BOOL)
		vm_add(text, "%llu", (unsigned long long)value);
	else if (kind == TYPE_UNKNOWN && value > 9)
		vm_add(text, "%#llx", (unsigned long long)value);
	else
		vm_add(text, "%lld", (long long)vm_signed(value, bits));
}

/* Add a number of 128 bits in decimal. */
static void add_integer(char *text, unsigned __int128 value, bool is_signed)
{
	char digits[48], *p = digits + sizeof digits - 1;
	bool negative = is_signed && (__int128)value < 0;
	if (negative)
		value = -value;
	*p = '\0';
	do
		*--p = (char)('0' + (int)(value % 10));
	while (value /= 10);
	vm_add(text, "%s%s", negative ? "-" : "", p);
}

void vm_add_wide(char *text, uint32_t type, unsigned bytes, const uint8_t *memory)
{
	const struct image_type *t = &vm_this.image.types[type];
	unsigned __int128 integer = 0;
	long double number = 0;
	_Float128 quadruple;
	if (!memory || bytes > 16) {
		vm_add(text, "%u bytes", bytes);
		return;
	}
	memcpy(&integer, memory, bytes);
	memcpy(&number, memory, bytes < 10 ? bytes : 10);
	memcpy(&quadruple, &integer, sizeof quadruple);
	if (t->kind == TYPE_FLOAT && bytes == 10)
		vm_add(text, "%.*Lg", number == (long double)(double)number ? 17 : 21, number);
	else if (t->kind == TYPE_FLOAT) /* a quadruple: the near long double */
		vm_add(text, "%.21Lg", (long double)quadruple);
	else if (t->kind == TYPE_SIGNED || t->kind == TYPE_UNSIGNED)
		add_integer(text, integer, t->kind == TYPE_SIGNED);
	else
		vm_add(text, "%#llx%016llx", (unsigned long long)(integer >> 64), (unsigned long long)integer);
}

const char *vm_describe_value(uint64_t address, unsigned bytes, uint64_t value)
{
	char *text = vm_text();
	uint32_t type;
	assert(bytes > 0);
	vm_describe_bytes(address, bytes, &type);
	vm_add_scalar(text, type, bytes < 8 ? 8 * bytes : 64, value); /* `value` is the lower half of a wider one */
	return text;
}
