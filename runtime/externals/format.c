/* SPDX-License-Identifier: MIT
 *
 * The formats of printf and its kin.  A number is given to the host's snprintf by itself, with the argument that its letters ask
 * for.  Strings are copied here, because what is read of the program's memory has to be checked.  A wide format makes wide text.
 *
 * The call that passed the arguments says what they are: the area that holds them is a variable of the caller's frame, and its
 * symbol has a letter for each word: i int, l long, d double, x long double, p pointer, ? something else, - none, as the second
 * word of a long double.
 *
 * What C leaves undefined is done as glibc does it, or it is an undefined call, or the path ends as inconclusive.
 */
#include "format.h"
#include "../memory/hidden.h"
#include "../state/levels.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* ---- the text -------------------------------------------------------------------------------------------------------- */

/* growing, in scratch memory: a violation may end the step at any time */
struct text {
	struct vm_text result;
	size_t capacity; /* in bytes */
	bool wide;
};

/* Give the text a shadow for all that it has room for, of which `used` bytes are those of `old`, unless that is NULL. */
static void make_shadow(struct text *text, const uint8_t *old, size_t used)
{
	if (!old)
		return;
	uint8_t *bigger = vm_scratch(text->capacity);
	memset(bigger, 0, text->capacity);
	memcpy(bigger, old, used);
	text->result.shadow = bigger;
}

/* Return room for `count` more characters at the end of the text. */
static void *more(struct text *text, size_t count)
{
	size_t unit = text->wide ? sizeof(wchar_t) : 1, used = text->result.length * unit;
	if (used + (count + 1) * unit > text->capacity) {
		text->capacity = 2 * (used + (count + 1) * unit);
		void *bigger = vm_scratch(text->capacity);
		if (used)
			memcpy(bigger, text->result.bytes, used);
		text->result.bytes = bigger;
		make_shadow(text, text->result.shadow, used);
	}
	assert(used + (count + 1) * unit <= text->capacity);
	text->result.length += count;
	memset((char *)text->result.bytes + used + count * unit, 0, unit);
	return (char *)text->result.bytes + used;
}

static void append(struct text *text, const char *bytes, size_t length)
{
	void *to = more(text, length);
	if (!text->wide)
		memcpy(to, bytes, length);
	for (size_t i = 0; text->wide && i < length; i++)
		((wchar_t *)to)[i] = bytes[i];
}

static void append_blanks(struct text *text, int64_t count)
{
	for (; count > 0; count--)
		append(text, " ", 1);
}

/* ---- one conversion -------------------------------------------------------------------------------------------------- */

enum { LONGEST = 1 << 20, NUMBERED = 4096 }; /* characters of one conversion; arguments that a format can number, as NL_ARGMAX */

struct number {
	enum { NOT_GIVEN, IN_FORMAT, IN_ARGUMENT } where;
	int value;         /* -1: more than an int */
	unsigned position; /* of the argument; 0: the next */
};

/* one % of a format */
struct conversion {
	const char *text;
	size_t length; /* of the format that it takes */
	char flags[8];
	struct number width, precision;
	char size[3]; /* hh h l ll L q j z Z t, or "" */
	char letter;
	unsigned position; /* of the argument; 0: the next */
};

/* Read digits, and return their number; -1 if it is more than an int. */
static int digits(const char **p)
{
	int64_t value = 0;
	for (; **p >= '0' && **p <= '9'; ++*p)
		value = value > INT_MAX ? value : 10 * value + **p - '0';
	return value > INT_MAX ? -1 : (int)value;
}

/* Read the position of an argument, as in "12$", and return it; 0 if there is none. */
static unsigned position(const char **p)
{
	const char *at = *p;
	int value = digits(&at);
	if (value == 0 || *at != '$' || at == *p)
		return 0;
	*p = at + 1;
	if (value < 0 || value > NUMBERED)
		vm_inconclusive(LIMIT_FUNCTION, "a format numbers an argument above %d", NUMBERED);
	return (unsigned)value;
}

static struct number parse_number(const char **p)
{
	if (**p != '*')
		return (struct number){ .where = IN_FORMAT, .value = digits(p) };
	++*p;
	return (struct number){ .where = IN_ARGUMENT, .position = position(p) };
}

static size_t length_of_size(const char *p)
{
	if (*p && strchr("hl", *p))
		return p[1] == *p ? 2 : 1;
	return *p && strchr("LqjzZt", *p) ? 1 : 0;
}

static void parse(const char *text, struct conversion *c)
{
	static const char all[] = "-+ #0'I";
	*c = (struct conversion){ .text = text };
	const char *p = text + 1;
	c->position = position(&p);
	for (; *p && strchr(all, *p); p++)
		if (!strchr(c->flags, *p))
			c->flags[strlen(c->flags)] = *p;
	if (*p == '*' || (*p >= '0' && *p <= '9'))
		c->width = parse_number(&p);
	if (*p == '.') {
		p++;
		c->precision = parse_number(&p);
	}
	assert(strlen(c->flags) < sizeof c->flags && length_of_size(p) < sizeof c->size);
	memcpy(c->size, p, length_of_size(p));
	p += strlen(c->size);
	c->letter = *p;
	c->length = (size_t)(p - text) + (*p != '\0');
	if (c->letter == '\0')
		vm_violation(VIOLATION_UNDEFINED_CALL, "the format \"%s\" is not complete", text);
	if (!strchr("diuoxXbBcCsSpnm%aAeEfFgG", c->letter))
		vm_inconclusive(LIMIT_FUNCTION, "the conversion %.*s of printf is not modelled", (int)c->length, text);
}

static bool is_long(const struct conversion *c)
{
	return c->size[0] != '\0' && c->size[0] != 'h';
}

static bool is_long_double(const struct conversion *c)
{
	return c->size[0] == 'L' || c->size[0] == 'q' || strcmp(c->size, "ll") == 0;
}

static bool is_wide(const struct conversion *c)
{
	return c->letter == 'C' || c->letter == 'S' || is_long(c);
}

/* Return which argument a conversion takes, as a letter of an area of arguments; 0 if it takes none. */
static char taken(const struct conversion *c)
{
	switch (c->letter) {
	case '%':
	case 'm': return 0;
	case 's':
	case 'S':
	case 'p':
	case 'n': return 'p';
	case 'c':
	case 'C': return 'i';
	case 'a':
	case 'A':
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G': return is_long_double(c) ? 'x' : 'd';
	default: return is_long(c) ? 'l' : 'i';
	}
}

/* ---- the arguments --------------------------------------------------------------------------------------------------- */

union value {
	uint64_t word;
	double real;
	long double extended;
};

/* cursor in variable arguments */
struct arguments {
	struct vm_variable next;
	const char *letters; /* of the words of their object, see struct image_symbol; NULL if they are not known */
	uint64_t words;
	const struct conversion *conversion;
	union value *numbered; /* NULL: the format does not number them */
	bool keep;             /* let an input be a term */
	struct vm_bits64 kept; /* this one */
};

/* Return the letters of the variable arguments that an address is in; NULL if they are not known. */
static const char *letters_of(uint64_t address)
{
	const struct image *image = &vm_this.image;
	const struct vm_thread *thread = vm_this.current;
	struct vm_place place = vm_place_of(address);
	if (!image->options->calls || !place.object || place.map != &thread->locals)
		return NULL;
	const struct vm_object_header *header = &place.object->header;
	if (header->depth == 0 || header->depth > thread->header.frames)
		return NULL;
	const struct image_function *f = &image->functions[thread->frames[header->depth - 1].function];
	const struct image_insn *insn = &image->code[f->code + header->order];
	if (header->order >= f->ncode || insn->op != IMAGE_ALLOCA || insn->b == IMAGE_NONE || !image->symbols[insn->b].arguments)
		return NULL;
	return image_string(image, image->symbols[insn->b].arguments);
}

static const char *name_of(char letter)
{
	switch (letter) {
	case 'i': return "an int";
	case 'l': return "a long";
	case 'd': return "a double";
	case 'x': return "a long double";
	case 'p': return "a pointer";
	default: return "a structure";
	}
}

/* ---- where the next argument is */

/* Parts of the variable arguments: general and vector registers, the overflow area. */
enum part {
	PART_GENERAL,
	PART_VECTOR,
	PART_OVERFLOW,
	NPARTS,
};

/* Return the address of the next argument of a part; 0 if there is none. */
static uint64_t next_of_part(const struct arguments *arguments, enum part part)
{
	const struct vm_variable *next = &arguments->next;
	switch (part) {
	case PART_GENERAL: return next->general < VM_GENERAL_END ? next->saved + next->general : 0;
	case PART_VECTOR: return next->vector < VM_VECTOR_END ? next->saved + next->vector : 0;
	default: return next->overflow;
	}
}

/* Return which word of the arguments' object is at address `at`; the number of words if that is not known, or past the end. */
static uint64_t word_of(const struct arguments *arguments, uint64_t at)
{
	uint64_t word = at ? (uint64_t)vm_place_of(at).offset / 8 : arguments->words;
	return word < arguments->words ? word : arguments->words;
}

static void skip_padding(struct arguments *arguments)
{
	assert(arguments->letters);
	for (;;) {
		uint64_t word = word_of(arguments, arguments->next.overflow);
		if (word == arguments->words || arguments->letters[word] != '-')
			return;
		arguments->next.overflow += 8;
	}
}

/* Return the part that holds the next argument: the part that the call passed next, if that is known; else the one that the ABI
 * has for the letter.  take() reports a program that takes what was not passed next. */
static enum part next_part(struct arguments *arguments, char letter)
{
	enum part wanted = letter == 'x' ? PART_OVERFLOW : letter == 'd' ? PART_VECTOR : PART_GENERAL;
	enum part best = next_of_part(arguments, wanted) ? wanted : PART_OVERFLOW;
	if (!arguments->letters)
		return best;
	skip_padding(arguments);
	const char *orders = arguments->letters + arguments->words;
	uint64_t least = word_of(arguments, next_of_part(arguments, best));
	for (enum part part = 0; part < NPARTS; part++) {
		uint64_t word = word_of(arguments, next_of_part(arguments, part));
		if (word < arguments->words && (least == arguments->words || orders[word] < orders[least])) {
			best = part;
			least = word;
		}
	}
	return best;
}

static void advance(struct arguments *arguments, enum part part, unsigned bytes)
{
	if (part == PART_GENERAL)
		arguments->next.general += 8;
	else if (part == PART_VECTOR)
		arguments->next.vector += 16;
	else
		arguments->next.overflow += bytes;
}

/* ---- taking it */

/* Take the next argument, which must be there, and be what the letter says.  Return its address. */
static uint64_t take(struct arguments *arguments, char letter, unsigned bytes)
{
	const struct conversion *c = arguments->conversion;
	enum part part = next_part(arguments, letter);
	if (letter == 'x' && part == PART_OVERFLOW)
		arguments->next.overflow = (arguments->next.overflow + 15) & ~UINT64_C(15);
	uint64_t at = next_of_part(arguments, part), word = word_of(arguments, at);
	if (at == 0 || (arguments->letters && word == arguments->words))
		vm_violation(VIOLATION_UNDEFINED_CALL,
			     "the format needs more arguments than there are: %.*s takes %s, and none is left", (int)c->length,
			     c->text, name_of(letter));
	if (arguments->letters && arguments->letters[word] != letter)
		vm_fault(VIOLATION_UNDEFINED_CALL, "the conversion %.*s takes %s, but the argument is %s", (int)c->length, c->text,
			 name_of(letter), name_of(arguments->letters[word]));
	advance(arguments, part, bytes);
	return at;
}

/* Take the next argument, of one word, and return it. */
static uint64_t next_word(struct arguments *arguments, char letter)
{
	unsigned bytes = letter == 'i' ? sizeof(int) : 8;
	uint64_t at = take(arguments, letter, 8), word = 0;
	if (arguments->next.only_shown && letter != 'p' && vm_symbolic_is_at(at, bytes)) {
		vm_access_bits(at, bytes, ACCESS_READ);
		return 0; /* any number will do: a story has the true one, as its replay has no terms */
	}
	if (arguments->keep && vm_symbolic_is_at(at, bytes)) {
		struct vm_bytes read = vm_access_bits(at, bytes, ACCESS_READ);
		arguments->kept = vm_symbolic_gather(read.bytes, read.shadow, bytes, 8 * bytes);
		return arguments->kept.shadow ? 0 : arguments->kept.value;
	}
	vm_symbolic_need_at(at, bytes, "what is printed");
	if (!vm_is_set(at, bytes))
		vm_refuse_unset("what is printed");
	memcpy(&word, vm_access_least(at, bytes, ACCESS_READ, vm_levels_printed()), bytes);
	return word;
}

static long double next_extended(struct arguments *arguments)
{
	long double value = 0;
	uint64_t at = take(arguments, 'x', 16);
	memcpy(&value, vm_access_least(at, 10, ACCESS_READ, vm_levels_printed()), 10);
	return value;
}

static union value next_value(struct arguments *arguments, char letter)
{
	if (letter == 'x')
		return (union value){ .extended = next_extended(arguments) };
	return (union value){ .word = next_word(arguments, letter) };
}

/* What the format says of an argument that it numbers. */
struct use {
	char letter; /* 0: nothing */
	const struct conversion *conversion;
};

static void use(struct use *uses, unsigned position, char letter, const struct conversion *c)
{
	struct use *u = &uses[position];
	if (letter == 0)
		return;
	assert(position <= NUMBERED);
	if (position == 0)
		vm_violation(VIOLATION_UNDEFINED_CALL, "the format numbers some arguments, but not that of %.*s", (int)c->length,
			     c->text);
	if (u->letter && u->letter != letter)
		vm_violation(VIOLATION_UNDEFINED_CALL, "the format takes argument %u as %s and, in %.*s, as %s", position,
			     name_of(u->letter), (int)c->length, c->text, name_of(letter));
	*u = (struct use){ letter, c };
}

/* Take all arguments of a format that numbers them, in order.  One that the format skips is an int, as in glibc. */
static void take_numbered(struct arguments *arguments, const struct conversion *all, size_t count)
{
	struct use *uses = vm_scratch((NUMBERED + 1) * sizeof *uses);
	unsigned last = NUMBERED;
	memset(uses, 0, (NUMBERED + 1) * sizeof *uses);
	for (const struct conversion *c = all; c < all + count; c++) {
		use(uses, c->width.position, c->width.where == IN_ARGUMENT ? 'i' : 0, c);
		use(uses, c->precision.position, c->precision.where == IN_ARGUMENT ? 'i' : 0, c);
		use(uses, c->position, taken(c), c);
	}
	while (last && !uses[last].letter)
		last--;
	assert(last == 0 || uses[last].conversion);
	arguments->numbered = vm_scratch((last + 1) * sizeof *arguments->numbered);
	for (unsigned i = last; i > 0; i--) /* who needs those that are skipped? */
		if (!uses[i].conversion)
			uses[i].conversion = uses[i + 1].conversion;
	for (unsigned i = 1; i <= last; i++) {
		enum part part = next_part(arguments, 'i');
		uint64_t word = word_of(arguments, next_of_part(arguments, part));
		bool is_word = word < arguments->words && strchr("lp", arguments->letters[word]);
		arguments->conversion = uses[i].conversion;
		if (uses[i].letter || !is_word)
			arguments->numbered[i] = next_value(arguments, uses[i].letter ? uses[i].letter : 'i');
		else
			advance(arguments, part, 8); /* an int takes as much */
	}
}

static union value value_of(struct arguments *arguments, unsigned position, char letter)
{
	assert(!arguments->numbered || position > 0);
	return arguments->numbered ? arguments->numbered[position] : next_value(arguments, letter);
}

/* ---- converting ------------------------------------------------------------------------------------------------------ */

/* The strings that a call has read so far, which it must not write to. */
static VM_OWN struct string_read {
	uint64_t at, length;
} strings_read[32];
static VM_OWN unsigned nstrings;

static void note_string(uint64_t at, uint64_t length)
{
	if (nstrings < sizeof strings_read / sizeof *strings_read)
		strings_read[nstrings++] = (struct string_read){ at, length };
}

void vm_format_overlaps(const char *what, uint64_t to, uint64_t bytes)
{
	for (unsigned i = 0; i < nstrings; i++)
		vm_refuse_overlap(what, to, bytes, strings_read[i].at, strings_read[i].length);
}

/* width and precision as they are now; precision -1: none */
struct field {
	const struct conversion *conversion;
	int width, precision;
	bool left, only_shown;
};

/* By the host's snprintf; `size`: of the argument that it is given. */
#define PRINT(size, value) \
	do { \
		char format[24], *piece; \
		snprintf(format, sizeof format, "%%%s*.*%s%c", field->conversion->flags, size, field->conversion->letter); \
		int n = asprintf(&piece, format, field->width, field->precision, value); \
		if (n >= 0) { \
			append(out, piece, (size_t)n); \
			free(piece); \
		} \
	} while (0)

static void convert_integer(const struct field *field, uint64_t word, struct text *out)
{
	vm_hide(word);
	if (image_names_dynamic(word))
		vm_address_ordered(word, IMAGE_NOWHERE);
	if (is_long(field->conversion))
		PRINT("l", word);
	else
		PRINT(field->conversion->size, (int)word);
}

static void convert_pointer(const struct field *field, uint64_t word, struct text *out)
{
	vm_hide(word);
	vm_address_ordered(word, IMAGE_NOWHERE);
	PRINT("", (void *)(uintptr_t)word);
}

static void fail(struct text *out, int error)
{
	out->result.error = error;
}

static void pad(const struct field *field, bool before, size_t length, struct text *out)
{
	if (before != field->left)
		append_blanks(out, (int64_t)field->width - (int64_t)length);
}

/* Put bytes into the text; those above 127 are no characters. */
static void put_bytes(const struct field *field, const char *bytes, size_t length, struct text *out)
{
	for (size_t i = 0; out->wide && i < length; i++)
		if ((unsigned char)bytes[i] >= 128) {
			fail(out, EILSEQ);
			return;
		}
	pad(field, true, length, out);
	append(out, bytes, length);
	pad(field, false, length, out);
}

static void put_wide(const struct field *field, const uint8_t *units, size_t length, struct text *out)
{
	wchar_t *copy = vm_scratch((length + 1) * sizeof *copy);
	memcpy(copy, units, length * sizeof *copy);
	for (size_t i = 0; !out->wide && i < length; i++)
		if ((uint32_t)copy[i] >= 128) {
			fail(out, EILSEQ);
			return;
		}
	pad(field, true, length, out);
	if (out->wide)
		memcpy(more(out, length), copy, length * sizeof *copy);
	for (size_t i = 0; !out->wide && i < length; i++)
		append(out, &(char){ (char)copy[i] }, 1);
	pad(field, false, length, out);
}

static void convert_character(const struct field *field, uint32_t value, struct text *out)
{
	char byte = (char)value;
	if (is_wide(field->conversion))
		put_wide(field, (const uint8_t *)&value, 1, out);
	else if (out->wide && (unsigned char)byte >= 128)
		vm_inconclusive(LIMIT_FUNCTION, "a byte above 127 as %%c of a wide format is not modelled");
	else
		put_bytes(field, &byte, 1, out);
}

static void convert_string(const struct field *field, uint64_t address, struct text *out)
{
	uint64_t limit = field->precision < 0 ? UINT64_MAX : (uint64_t)field->precision, length = 0;
	if (address == 0)
		put_bytes(field, "(null)", limit < strlen("(null)") ? 0 : strlen("(null)"), out);
	else if (limit == 0)
		put_bytes(field, "", 0, out);
	else if (is_wide(field->conversion)) {
		const uint8_t *units = vm_wide_string(address, limit, &length);
		note_string(address, (length + (length < limit)) * sizeof(wchar_t));
		put_wide(field, units, length, out);
	} else {
		const char *bytes = (field->only_shown ? vm_string_shown : vm_string)(address, limit, &length);
		note_string(address, length + (length < limit));
		put_bytes(field, bytes, length, out);
	}
}

static void store_count(const struct conversion *c, uint64_t address, size_t count)
{
	unsigned bytes = c->size[0] == 'h' ? (c->size[1] == 'h' ? 1 : 2) : c->size[0] ? 8 : 4;
	vm_store64(address, bytes, count, ACCESS_WRITE);
}

/* Convert %m to errno's text, and %#m to its name, or to the number if it has none. */
static void convert_error(const struct field *field, struct text *out)
{
	int number = vm_errno();
	bool by_name = strchr(field->conversion->flags, '#');
	const char *text = by_name ? strerrorname_np(number) : strerrordesc_np(number);
	char unknown[40];
	if (by_name && !text) {
		struct conversion decimal = *field->conversion;
		decimal.letter = 'd';
		struct field by_number = *field;
		by_number.conversion = &decimal;
		by_number.width = field->left ? -field->width : field->width;
		convert_integer(&by_number, (uint64_t)number, out);
		return;
	}
	snprintf(unknown, sizeof unknown, "Unknown error %d", number);
	text = text ? text : unknown;
	put_bytes(field, text, field->precision < 0 ? strlen(text) : strnlen(text, (size_t)field->precision), out);
}

static void convert_value(const struct field *field, const union value *value, struct text *out)
{
	const struct conversion *c = field->conversion;
	switch (c->letter) {
	case '%': append(out, "%", 1); break;
	case 'm': convert_error(field, out); break;
	case 's':
	case 'S': convert_string(field, value->word, out); break;
	case 'c':
	case 'C': convert_character(field, (uint32_t)value->word, out); break;
	case 'p': convert_pointer(field, value->word, out); break;
	case 'n': store_count(c, value->word, out->result.length); break;
	case 'a':
	case 'A':
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
		if (is_long_double(c))
			PRINT("L", value->extended);
		else
			PRINT("", value->real);
		break;
	default: convert_integer(field, value->word, out);
	}
}

/* Return a width or precision; -1 if there is none, or it is negative. */
static int resolve(struct arguments *arguments, const struct number *number, bool *negative)
{
	if (number->where != IN_ARGUMENT)
		return number->where == NOT_GIVEN ? -1 : number->value;
	bool only_shown = arguments->next.only_shown;
	arguments->next.only_shown = false;
	int value = (int)value_of(arguments, number->position, 'i').word;
	arguments->next.only_shown = only_shown;
	*negative = value < 0;
	return value < -INT_MAX ? INT_MAX : value;
}

/* Does the conversion make a decimal number with nothing about it? */
static bool is_decimal(const struct conversion *c)
{
	bool plain = !*c->flags && c->width.where == NOT_GIVEN && c->precision.where == NOT_GIVEN && c->size[0] != 'h';
	return plain && strchr("diu", c->letter);
}

static void append_digits(struct text *out, struct vm_bits64 value, const struct conversion *c)
{
	uint8_t bytes[VM_DIGITS], shadow[VM_DIGITS];
	unsigned length = vm_digits(value, is_long(c) ? 64 : 32, c->letter != 'u', bytes, shadow);
	append(out, (const char *)bytes, length);
	if (!out->result.shadow)
		make_shadow(out, shadow, 0);
	memcpy(out->result.shadow + out->result.length - length, shadow, length);
}

static void convert(const struct conversion *c, struct arguments *arguments, struct text *out)
{
	struct field field = { .conversion = c, .only_shown = arguments->next.only_shown };
	bool negative = false;
	union value value = { 0 };
	arguments->conversion = c;
	field.width = resolve(arguments, &c->width, &negative);
	field.left = negative || strchr(c->flags, '-');
	field.width = c->width.where == NOT_GIVEN ? 0 : field.width;
	field.precision = resolve(arguments, &c->precision, &negative);
	field.precision = field.precision < 0 ? -1 : field.precision;
	arguments->keep = is_decimal(c) && !out->wide;
	arguments->kept = (struct vm_bits64){ 0, 0 };
	if (taken(c))
		value = value_of(arguments, c->position, taken(c));
	arguments->keep = false;
	if (arguments->kept.shadow) {
		append_digits(out, arguments->kept, c);
		return;
	}
	if ((c->width.where == IN_FORMAT && c->width.value < 0) || (c->precision.where == IN_FORMAT && c->precision.value < 0)) {
		fail(out, EOVERFLOW);
		return;
	}
	bool text = strchr("sSm", c->letter);
	if (abs(field.width) > LONGEST || (!text && field.precision > LONGEST))
		vm_inconclusive(LIMIT_FUNCTION, "the conversion %.*s makes more than %d characters", (int)c->length, c->text,
				LONGEST);
	if (text || c->letter == 'c' || c->letter == 'C')
		field.width = abs(field.width);
	convert_value(&field, &value, out);
}

/* ---- the whole ------------------------------------------------------------------------------------------------------- */

/* Return all conversions of a format.  Set *numbers to whether it numbers arguments. */
static struct conversion *parse_all(const char *format, size_t *count, bool *numbers)
{
	size_t most = 1;
	for (const char *p = format; *p; p++)
		most += *p == '%';
	struct conversion *all = vm_scratch(most * sizeof *all);
	*count = 0;
	*numbers = false;
	for (const char *p = strchr(format, '%'); p; p = strchr(p, '%')) {
		struct conversion *c = &all[(*count)++];
		parse(p, c);
		*numbers = *numbers || c->position || c->width.position || c->precision.position;
		p += c->length;
	}
	return all;
}

/* Does more than the text depend on what is converted?  %n stores how long the text is, and a wide character may fail. */
static bool has_effect(const struct conversion *c)
{
	return c->letter == 'n' || (is_wide(c) && strchr("cC", c->letter));
}

/* Make the text of a format; `wide` is the same format, if it is a wide one. */
static struct vm_text make(const char *format, const wchar_t *wide, const struct vm_variable *variable)
{
	struct text out = { .wide = wide != NULL };
	struct arguments arguments = { .next = *variable };
	for (enum part part = 0; part < NPARTS && !arguments.letters; part++)
		arguments.letters = letters_of(next_of_part(&arguments, part));
	arguments.words = arguments.letters ? strlen(arguments.letters) / 2 : 0;
	const char *at = format;
	size_t count;
	bool numbers;
	const struct conversion *all = parse_all(format, &count, &numbers);
	for (size_t i = 0; i < count; i++)
		arguments.next.only_shown &= !numbers && !has_effect(&all[i]);
	if (numbers)
		take_numbered(&arguments, all, count);
	for (size_t i = 0; i <= count && !out.result.error; i++) {
		assert(i == count || all[i].text >= at); /* conversions do not overlap */
		size_t plain = i < count ? (size_t)(all[i].text - at) : strlen(at);
		if (wide)
			memcpy(more(&out, plain), wide + (at - format), plain * sizeof *wide);
		else
			append(&out, at, plain);
		if (i == count)
			break;
		convert(&all[i], &arguments, &out);
		at = all[i].text + all[i].length;
	}
	return out.result;
}

struct vm_text vm_format(uint64_t address, const struct vm_variable *variable, bool wide)
{
	uint64_t length;
	nstrings = 0;
	if (!wide) {
		const char *format = vm_string(address, UINT64_MAX, &length);
		char *copy = vm_scratch(length + 1); /* %n may write to the format itself */
		memcpy(copy, format, length + 1);
		note_string(address, length + 1);
		return make(copy, NULL, variable);
	}
	const uint8_t *units = vm_wide_string(address, UINT64_MAX, &length);
	wchar_t *copy = vm_scratch((length + 1) * sizeof *copy);
	char *narrow = vm_scratch(length + 1);
	memcpy(copy, units, (length + 1) * sizeof *copy);
	for (uint64_t i = 0; i <= length; i++)
		narrow[i] = (uint32_t)copy[i] < 128 ? (char)copy[i] : '?';
	note_string(address, (length + 1) * sizeof *copy);
	return make(narrow, copy, variable);
}
