/* SPDX-License-Identifier: MIT
 *
 * printf and its kin.  Each conversion is given to the host's snprintf by itself, with the argument that its letters ask
 * for; what it reads of the program's memory is checked first.
 *
 * The call that passed the arguments says what they are: the area that holds them is a variable of the caller's frame, and its
 * symbol has a letter for each word: i int, l long, d double, x long double, p pointer, ? something else, - none, as the second
 * word of a long double.
 */
#include "../state/levels.h"
#include "externals.h"
#include "../memory/hidden.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* growing, in scratch memory: a violation may end the step at any time */
struct text {
	char *bytes;
	size_t length, capacity;
};

static void append(struct text *text, const char *bytes, size_t length)
{
	if (text->length + length + 1 > text->capacity) {
		text->capacity = 2 * (text->length + length + 1);
		char *bigger = vm_scratch(text->capacity);
		if (text->length)
			memcpy(bigger, text->bytes, text->length);
		text->bytes = bigger;
	}
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

/* one % of a format, copied so that it can be given to snprintf alone */
struct conversion {
	char text[64];
	size_t length; /* of the format that it takes */
	char size[3];  /* hh h l ll L j z t, or "" */
	char letter;
	int stars;     /* widths or precisions taken from the arguments */
	int precision; /* of a string: -1 none, -2 the last star */
};

static void parse(const char *format, struct conversion *c)
{
	*c = (struct conversion){ .precision = -1 };
	const char *p = format + 1;
	p += strspn(p, "-+ #0'I");
	for (; (*p >= '0' && *p <= '9') || *p == '*' || *p == '.'; p++) {
		c->stars += *p == '*';
		if (*p == '.')
			c->precision = p[1] == '*' ? -2 : atoi(p + 1);
	}
	for (size_t n = 0; *p && strchr("hlLjztq", *p) && n < 2; n++)
		c->size[n] = *p++;
	c->letter = *p;
	c->length = (size_t)(p - format) + (*p != '\0');
	if (c->length >= sizeof c->text || c->letter == '\0')
		vm_violation(VIOLATION_UNREACHABLE, "the format \"%s\" is not complete", format);
	memcpy(c->text, format, c->length);
}

/* cursor in an area of variable arguments */
struct arguments {
	uint64_t at;
	const char *letters; /* of the whole area; NULL if it is not known */
	const struct conversion *conversion;
};

/* The letters of the area that an address is in, whoever has called. */
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

/* The next argument must be there, and what the letter says. */
static void expect(const struct arguments *arguments, char letter)
{
	const struct conversion *c = arguments->conversion;
	uint64_t word = (uint64_t)vm_place_of(arguments->at).offset / 8;
	bool none = arguments->at == 0 || (arguments->letters && word >= strlen(arguments->letters));
	if (none)
		vm_violation(VIOLATION_UNDEFINED_CALL,
			     "the format needs more arguments than there are: %.*s takes %s, and none is left", (int)c->length,
			     c->text, name_of(letter));
	if (arguments->letters && arguments->letters[word] != letter)
		vm_fault(VIOLATION_UNDEFINED_CALL, "the conversion %.*s takes %s, but the argument is %s", (int)c->length, c->text,
			 name_of(letter), name_of(arguments->letters[word]));
}

/* The next argument, of so many bytes; it has a word. */
static uint64_t next_word(struct arguments *arguments, char letter)
{
	unsigned bytes = letter == 'i' ? sizeof(int) : 8;
	expect(arguments, letter);
	if (!vm_is_set(arguments->at, bytes))
		vm_refuse_unset("what is printed");
	uint64_t word = 0;
	memcpy(&word, vm_access_least(arguments->at, bytes, ACCESS_READ, vm_levels_printed()), bytes);
	arguments->at += 8;
	return word;
}

static long double next_extended(struct arguments *arguments)
{
	long double value = 0;
	arguments->at = (arguments->at + 15) & ~UINT64_C(15);
	expect(arguments, 'x');
	memcpy(&value, vm_access_least(arguments->at, 10, ACCESS_READ, vm_levels_printed()), 10);
	arguments->at += 16;
	return value;
}

static double next_double(struct arguments *arguments)
{
	uint64_t word = next_word(arguments, 'd');
	double value;
	memcpy(&value, &word, sizeof value);
	return value;
}

/* snprintf with the stars of a conversion. */
#define PRINT(value) \
	do { \
		int stars[2] = { star[0], star[1] }; \
		int n = c->stars == 0 ? asprintf(&piece, c->text, value) : \
			c->stars == 1 ? asprintf(&piece, c->text, stars[0], value) : \
					asprintf(&piece, c->text, stars[0], stars[1], value); \
		if (n >= 0) { \
			append(out, piece, (size_t)n); \
			free(piece); \
		} \
	} while (0)

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static bool is_long(const struct conversion *c)
{
	return strpbrk(c->size, "lLjztq") != NULL;
}

static void convert_integer(const struct conversion *c, const int star[2], uint64_t word, struct text *out)
{
	char *piece;
	vm_hide(word);
	if (image_names_dynamic(word))
		vm_address_ordered(word, IMAGE_NOWHERE);
	if (is_long(c))
		PRINT(word);
	else
		PRINT((int)word);
}

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

static void convert_string(const struct conversion *c, const int star[2], uint64_t address, struct text *out)
{
	int precision = c->precision == -2 ? star[c->stars - 1] : c->precision;
	char *piece;
	if (address == 0)
		PRINT("(null)");
	else if (precision == 0)
		PRINT("");
	else {
		uint64_t length;
		const char *bytes = vm_string(address, precision < 0 ? UINT64_MAX : (uint64_t)precision, &length);
		char *copy = vm_scratch(length + 1);
		note_string(address, length + (precision < 0 || length < (uint64_t)precision));
		memcpy(copy, bytes, length);
		copy[length] = '\0';
		PRINT(copy);
	}
}

static void store_count(const struct conversion *c, uint64_t address, size_t count)
{
	unsigned bytes = c->size[0] == 'h' ? (c->size[1] == 'h' ? 1 : 2) : c->size[0] ? 8 : 4;
	vm_store64(address, bytes, count, ACCESS_WRITE);
}

static void append_error(struct text *out)
{
	const char *text = strerrordesc_np(vm_errno());
	append(out, text ? text : "Unknown error", strlen(text ? text : "Unknown error"));
}

static void convert(const struct conversion *c, struct arguments *arguments, struct text *out)
{
	int star[2] = { 0, 0 };
	char *piece;
	arguments->conversion = c;
	for (int i = 0; i < c->stars && i < 2; i++)
		star[i] = (int)next_word(arguments, 'i');
	switch (c->letter) {
	/* clang-format off */
	case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'c':
		/* clang-format on */
		convert_integer(c, star, next_word(arguments, is_long(c) && c->letter != 'c' ? 'l' : 'i'), out);
		break;
	/* clang-format off */
	case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
		/* clang-format on */
		if (c->size[0] == 'L')
			PRINT(next_extended(arguments));
		else
			PRINT(next_double(arguments));
		break;
	case 's': convert_string(c, star, next_word(arguments, 'p'), out); break;
	case 'p': {
		uint64_t word = next_word(arguments, 'p');
		vm_hide(word);
		vm_address_ordered(word, IMAGE_NOWHERE);
		PRINT((void *)(uintptr_t)word);
		break;
	}
	case 'n': store_count(c, next_word(arguments, 'p'), out->length); break;
	case 'm': append_error(out); break;
	default: vm_violation(VIOLATION_UNREACHABLE, "the format has an unknown conversion '%%%c'", c->letter);
	}
}

char *vm_format(const char *format, uint64_t area, size_t *length)
{
	struct text out = { 0 };
	struct arguments arguments = { .at = area, .letters = letters_of(area) };
	append(&out, "", 0);
	while (*format) {
		size_t plain = strcspn(format, "%");
		append(&out, format, plain);
		format += plain;
		if (format[0] == '%' && format[1] == '%') {
			append(&out, "%", 1);
			format += 2;
		} else if (format[0] == '%') {
			struct conversion c;
			parse(format, &c);
			convert(&c, &arguments, &out);
			format += c.length;
		}
	}
	*length = out.length;
	return out.bytes;
}

/* Where the variable arguments of a va_list are: clang's reader always takes the overflow area, see the translator. */
static uint64_t area_of_list(uint64_t list)
{
	return vm_load64(list + 8, 8, ACCESS_READ);
}

static void put_bounded(const char *what, uint64_t buffer, uint64_t room, const char *text, size_t length)
{
	if (room == 0)
		return;
	uint64_t kept = length < room - 1 ? length : room - 1;
	for (unsigned i = 0; i < nstrings; i++)
		vm_refuse_overlap(what, buffer, kept + 1, strings_read[i].at, strings_read[i].length);
	uint8_t *bytes = vm_access(buffer, kept + 1, ACCESS_WRITE);
	memcpy(bytes, text, kept);
	bytes[kept] = '\0';
}

/* ---- where it goes --------------------------------------------------------------------------------------------------- */

/* The descriptor of a FILE, see libc/library.h.  Without that library, stdin, stdout and stderr are the numbers 1 to 3. */
static uint32_t descriptor_of(uint64_t stream)
{
	if (stream >= 1 && stream <= 3)
		return (uint32_t)stream - 1;
	return (uint32_t)vm_load64(stream + offsetof(FILE, _fileno), 4, ACCESS_SYNC_READ);
}

/* Write to a descriptor.  False, and errno is set, if it cannot be written to. */
static bool output_to(uint32_t descriptor, const char *text, size_t length)
{
	if (descriptor != 1 && descriptor != 2) {
		vm_set_errno(EBADF);
		return false;
	}
	if (descriptor == 1 || vm_tracing)
		vm_output(text, length);
	return true;
}

/* The same for a FILE, which keeps the error. */
static bool output_to_stream(uint64_t stream, const char *text, size_t length)
{
	if (output_to(descriptor_of(stream), text, length))
		return true;
	if (stream > 3)
		vm_store64(stream, 4, vm_load64(stream, 4, ACCESS_SYNC_READ) | _IO_ERR_SEEN, ACCESS_SYNC_WRITE);
	return false;
}

/* asprintf: memory of the program's own, its address stored where the first argument says. */
static void put_new(uint64_t where, const char *text, size_t length)
{
	uint64_t address = vm_allocate_heap(length + 1, true);
	vm_name_heap(address);
	memcpy(vm_access(address, length + 1, ACCESS_WRITE), text, length + 1);
	vm_store64(where, 8, address, ACCESS_WRITE);
}

enum vm_outcome run_print(struct vm_call *call)
{
	const char *kind = call->builtin->data;
	bool list = strstr(kind, " v") != NULL, bounded = strncmp(kind, "bounded", 7) == 0, done = true;
	unsigned format = bounded ? 2 : strncmp(kind, "stdout", 6) == 0 ? 0 : 1;
	uint64_t area = format + 1 < call->count ? call->arguments[format + 1] : 0;
	if (list)
		area = area_of_list(area);
	uint64_t size;
	const char *string = vm_string(call->arguments[format], UINT64_MAX, &size);
	char *copy = vm_scratch(size + 1); /* %n may write to the format itself */
	memcpy(copy, string, size + 1);
	size_t length;
	nstrings = 0;
	note_string(call->arguments[format], size + 1);
	const char *text = vm_format(copy, area, &length);
	if (kind[0] == 'b')
		put_bounded(call->builtin->name, call->arguments[0], bounded ? call->arguments[1] : UINT64_MAX, text, length);
	else if (kind[0] == 'n')
		put_new(call->arguments[0], text, length);
	else if (kind[0] == 'd' || format == 0)
		done = output_to(format ? (uint32_t)call->arguments[0] : 1, text, length);
	else
		done = output_to_stream(call->arguments[0], text, length);
	call->results[0] = done ? (uint32_t)length : (uint32_t)-1;
	return CALL_DONE;
}

enum vm_outcome run_puts(struct vm_call *call)
{
	uint64_t length;
	bool line = call->builtin->data != NULL;
	const char *text = vm_string(call->arguments[0], UINT64_MAX, &length);
	bool done = line ? output_to(1, text, length) : output_to_stream(call->arguments[1], text, length);
	if (line)
		vm_output("\n", 1);
	call->results[0] = done ? line ? (uint32_t)length + 1 : 1 : (uint32_t)-1;
	return CALL_DONE;
}

enum vm_outcome run_fwrite(struct vm_call *call)
{
	uint64_t size;
	if (__builtin_mul_overflow(call->arguments[1], call->arguments[2], &size))
		vm_violation(VIOLATION_OUT_OF_BOUNDS, "fwrite of more bytes than any object has");
	const char *bytes = (const char *)vm_access(call->arguments[0], size, ACCESS_READ);
	bool done = output_to_stream(call->arguments[3], bytes, size);
	call->results[0] = done && call->arguments[1] ? call->arguments[2] : 0;
	return CALL_DONE;
}

enum vm_outcome run_write(struct vm_call *call)
{
	output_to((uint32_t)call->arguments[0], (const char *)vm_access(call->arguments[1], call->arguments[2], ACCESS_READ),
		  call->arguments[2]);
	call->results[0] = call->arguments[2];
	return CALL_DONE;
}

/* The memory that translator/provided.c has made for it. */
enum vm_outcome run_disk(struct vm_call *call)
{
	char name[40];
	snprintf(name, sizeof name, "part %u of the disk", (unsigned)call->arguments[0]);
	call->results[0] = vm_provided(name);
	return CALL_DONE;
}

enum vm_outcome run_putchar(struct vm_call *call)
{
	char c = (char)call->arguments[0];
	bool done = call->builtin->data ? output_to(1, &c, 1) : output_to_stream(call->arguments[1], &c, 1);
	call->results[0] = done ? (unsigned char)c : (uint32_t)-1;
	return CALL_DONE;
}
