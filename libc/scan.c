/* SPDX-License-Identifier: MIT
 *
 * The scanf family, of bytes and of wide characters, as glibc does it: a number is collected first, as long as it may be one, and
 * then read by strtol() or strtod().  So "1e" is 1 to %lf, which C would have fail, and %5c takes fewer characters at the end of
 * the input.
 */
#include "streams.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

/* ---- input ----------------------------------------------------------------------------------------------------------- */

struct source { /* where characters come from */
	FILE *file;          /* NULL: from a string */
	const char *string;  /* NULL: a wide one */
	const wchar_t *wide;
	int is_wide;
	long taken;          /* characters, for %n */
};

static int next(struct source *source)
{
	int c = EOF;
	if (source->file)
		c = source->is_wide ? (int)fgetwc(source->file) : fgetc(source->file);
	else if (source->is_wide ? *source->wide : *source->string)
		c = source->is_wide ? (int)*source->wide++ : (unsigned char)*source->string++;
	source->taken += c != EOF;
	return c;
}

static void give_back(struct source *source, int c)
{
	if (c == EOF)
		return;
	source->taken--;
	if (source->file && source->is_wide)
		ungetwc((wint_t)c, source->file);
	else if (source->file)
		ungetc(c, source->file);
	else if (source->is_wide)
		source->wide--;
	else
		source->string--;
}

static int is_blank(const struct source *source, int c)
{
	return c != EOF && (source->is_wide ? iswspace((wint_t)c) : isspace(c));
}

static void skip_blanks(struct source *source)
{
	int c;
	do
		c = next(source);
	while (is_blank(source, c));
	give_back(source, c);
}

/* ---- the format ------------------------------------------------------------------------------------------------------ */

enum { PLAIN, C99, C23 }; /* the standard that the caller is compiled for: what "%as" means, and binary numbers */

struct format { /* bytes or wide characters */
	const char *bytes; /* NULL: a wide one */
	const wchar_t *wide;
	int standard;
};

struct conversion {
	int suppress, allocate;
	int width;    /* 0: none given */
	int position; /* of its argument; 0: the next */
	int size;     /* -2 hh, -1 h, 0, 1 l j z t, 2 ll L q */
	int letter;
	struct format set; /* of %[ */
	int set_length, inverted;
};

static int at(const struct format *format, long i)
{
	return format->bytes ? (unsigned char)format->bytes[i] : (int)format->wide[i];
}

static void pass(struct format *format, long count)
{
	if (format->bytes)
		format->bytes += count;
	else
		format->wide += count;
}

/* The character that is passed, if it is one of these; else 0. */
static int take(struct format *format, const char *any)
{
	int c = at(format, 0);
	if (c <= 0 || c > 127 || !strchr(any, c))
		return 0;
	pass(format, 1);
	return c;
}

static int take_number(struct format *format)
{
	int value = 0, digit;
	while ((digit = take(format, "0123456789")) != 0)
		value = value > (INT_MAX - 9) / 10 ? INT_MAX : 10 * value + digit - '0';
	return value;
}

static void take_size(struct format *format, struct conversion *c)
{
	int next = at(format, 0) ? at(format, 1) : 0;
	if (take(format, "h"))
		c->size = take(format, "h") ? -2 : -1;
	else if (take(format, "l"))
		c->size = take(format, "l") ? 2 : 1;
	else if (take(format, "Lq"))
		c->size = 2;
	else if (take(format, "jzt"))
		c->size = 1;
	else if ((format->standard == PLAIN && (next == 's' || next == 'S' || next == '[') && take(format, "a")) || take(format, "m")) {
		c->allocate = 1;
		c->size = take(format, "l") != 0;
	}
}

static void take_set(struct format *format, struct conversion *c)
{
	c->inverted = take(format, "^") != 0;
	c->set = *format;
	while (at(format, c->set_length) && (at(format, c->set_length) != ']' || c->set_length == 0))
		c->set_length++;
	if (!at(format, c->set_length))
		__bitspin_refuse("scanf: a format has [ without ], which C does not define");
	pass(format, c->set_length + 1);
}

static void parse(struct format *format, struct conversion *c)
{
	*c = (struct conversion){ 0 };
	struct format before = *format;
	c->position = take_number(format);
	if (c->position && !take(format, "$")) { /* it was the width */
		*format = before;
		c->position = 0;
	}
	for (int flag; (flag = take(format, "*'I")) != 0;)
		c->suppress |= flag == '*';
	c->width = take_number(format);
	take_size(format, c);
	c->letter = at(format, 0);
	if (c->letter == 0)
		__bitspin_refuse("scanf: a format ends within a conversion, which C does not define");
	pass(format, 1);
	if (c->letter == 'C' || c->letter == 'S') {
		c->letter = tolower(c->letter);
		c->size = 1;
	}
	if (c->letter == '[')
		take_set(format, c);
}

/* ---- numbers --------------------------------------------------------------------------------------------------------- */

enum { TEXT = 400 }; /* longest number */

/* A number that is being read: what there is of it, the next character, and how many more may be taken. */
struct number {
	struct source *source;
	char text[TEXT];
	int length, next, left;
};

static void begin_number(struct number *number, struct source *source, const struct conversion *c)
{
	number->source = source;
	number->length = 0;
	number->left = c->width ? c->width : INT_MAX;
	number->next = next(source);
}

static void add(struct number *number, int c)
{
	if (number->length == TEXT - 1)
		__bitspin_refuse("scanf reads a number of more than 399 characters, which is not modelled");
	number->text[number->length++] = (char)c;
	number->text[number->length] = '\0';
}

static void advance(struct number *number)
{
	number->left--;
	number->next = number->next == EOF ? EOF : next(number->source);
}

static int is_letter(int c, int lower)
{
	return c >= 0 && c < 128 && tolower(c) == lower;
}

static int digit_value(int c)
{
	return c < 0 || c > 127 ? 99 : isdigit(c) ? c - '0' : isalpha(c) ? tolower(c) - 'a' + 10 : 99;
}

static int take_sign(struct number *number)
{
	if (number->next != '+' && number->next != '-')
		return 0;
	add(number, number->next);
	return 1;
}

static void store_integer(const struct conversion *c, void *to, uint64_t value)
{
	if (c->size == -2)
		*(uint8_t *)to = (uint8_t)value;
	else if (c->size == -1)
		*(uint16_t *)to = (uint16_t)value;
	else if (c->size == 0)
		*(uint32_t *)to = (uint32_t)value;
	else
		*(uint64_t *)to = value;
}

static int number_base(int letter)
{
	return letter == 'x' || letter == 'X' || letter == 'p' ? 16 : letter == 'o' ? 8 : letter == 'i' ? 0 : letter == 'b' ? 2 : 10;
}

/* What stands before the digits tells the base, if it is 0.  "0x" without a digit is 0, as in glibc. */
static int take_prefix(struct number *number, int base, int standard)
{
	if (number->left <= 0 || number->next != '0')
		return base ? base : 10;
	add(number, '0');
	advance(number);
	int named = number->left <= 0 ? 0 : is_letter(number->next, 'x') ? 16 : standard == C23 && is_letter(number->next, 'b') ? 2 : 0;
	if (!named || (base && base != named))
		return base ? base : 8;
	advance(number);
	return named;
}

/* "(nil)", as printf has it. */
static int take_nil(struct number *number)
{
	const char *rest = "(nil)";
	while (is_letter(number->next, *rest) && *++rest)
		number->next = next(number->source);
	return *rest == '\0';
}

static int scan_integer(struct source *source, const struct conversion *c, void *to, int standard)
{
	struct number number;
	begin_number(&number, source, c);
	int sign = take_sign(&number);
	if (sign)
		advance(&number);
	int base = take_prefix(&number, number_base(c->letter), standard);
	while (number.left > 0 && digit_value(number.next) < base) {
		add(&number, number.next);
		advance(&number);
	}
	if (number.length == sign) {
		if (sign || c->letter != 'p' || number.left < 5 || !take_nil(&number)) {
			give_back(source, number.next);
			return 0;
		}
		add(&number, '0');
	} else {
		give_back(source, number.next);
	}
	int is_signed = c->letter == 'd' || c->letter == 'i';
	uint64_t value = is_signed ? (uint64_t)strtoll(number.text, NULL, base) : strtoull(number.text, NULL, base);
	if (to)
		store_integer(c, to, value);
	return 1;
}

/* The rest of a word, of which the next character is the first.  What does not match is taken nevertheless, as in glibc. */
static int take_word(struct number *number, const char *word)
{
	for (; *word; word++) {
		if (number->next == EOF || !is_letter(number->next, *word))
			return 0;
		add(number, number->next);
		if (!word[1])
			break;
		if (number->left <= 0)
			return 0;
		advance(number);
	}
	return 1;
}

/* "inf", and "infinity" if it goes on. */
static int take_infinity(struct number *number)
{
	if (!take_word(number, "inf"))
		return 0;
	if (number->left <= 0)
		return 1;
	advance(number);
	if (is_letter(number->next, 'i'))
		return take_word(number, "inity");
	give_back(number->source, number->next);
	return 1;
}

/* Digits, a point, an exponent.  0: there is nothing that could be a number. */
static int take_digits(struct number *number, int sign)
{
	int hex = 0, digit = 0, point = 0, exponent = 0;
	if (number->left > 0 && number->next == '0') {
		add(number, '0');
		advance(number);
		hex = number->left > 0 && is_letter(number->next, 'x');
		digit = !hex;
		if (hex) {
			add(number, 'x');
			advance(number);
		}
	}
	for (;;) {
		int c = number->next, last = number->length ? number->text[number->length - 1] : 0, mark = hex ? 'p' : 'e';
		if (digit_value(c) < (hex && !exponent ? 16 : 10))
			digit = 1;
		else if (digit && !exponent && is_letter(c, mark)) {
			exponent = point = 1;
			c = mark;
		} else if (c == '.' && !point)
			point = 1;
		else if (!(exponent && last == mark && (c == '+' || c == '-'))) {
			give_back(number->source, c);
			break;
		}
		add(number, c);
		if (number->left <= 0)
			break;
		advance(number);
		if (number->next == EOF)
			break;
	}
	return number->length > sign && !(hex && number->length == 2 + sign);
}

static int scan_real(struct source *source, const struct conversion *c, void *to)
{
	struct number number;
	char *end;
	begin_number(&number, source, c);
	number.left--;
	int sign = take_sign(&number);
	if (sign) {
		if (number.left <= 0)
			return 0;
		advance(&number);
		if (number.next == EOF)
			return 0;
	}
	int done = is_letter(number.next, 'n') ? take_word(&number, "nan") :
		   is_letter(number.next, 'i') ? take_infinity(&number) : take_digits(&number, sign);
	if (!done)
		return 0;
	long double extended = c->size == 2 ? strtold(number.text, &end) : 0;
	double value = c->size == 1 ? strtod(number.text, &end) : 0;
	float single = c->size < 1 ? strtof(number.text, &end) : 0;
	if (end == number.text)
		return 0;
	if (to && c->size == 2)
		*(long double *)to = extended;
	else if (to && c->size == 1)
		*(double *)to = value;
	else if (to)
		*(float *)to = single;
	return 1;
}

/* ---- text ------------------------------------------------------------------------------------------------------------ */

enum { ALLOCATED = 16 };

/* One call. */
struct scan {
	struct source source;
	struct format format;
	va_list first, list; /* all arguments, and those that are left */
	int done;            /* conversions */
	void **allocated[ALLOCATED], **open; /* where %m has stored addresses; the one that is being filled */
	int nallocated;
};

/* Where characters go. */
struct sink {
	void *to; /* NULL: nowhere */
	size_t length, room; /* in characters; room: of what is allocated */
	int is_wide;
};

static size_t unit(const struct sink *sink)
{
	return sink->is_wide ? sizeof(wchar_t) : 1;
}

static int out_of_memory(struct scan *scan)
{
	scan->done = EOF;
	errno = ENOMEM;
	return -1;
}

static int begin_allocation(struct scan *scan, struct sink *sink, void **where)
{
	enum { AT_FIRST = 100 };
	if (scan->nallocated == ALLOCATED)
		__bitspin_refuse("scanf with more than 16 conversions %m is not modelled");
	sink->room = AT_FIRST;
	*where = sink->to = malloc(AT_FIRST * unit(sink));
	if (!sink->to)
		return out_of_memory(scan);
	scan->open = scan->allocated[scan->nallocated++] = where;
	return 1;
}

static int grow(struct scan *scan, struct sink *sink)
{
	void *bigger = realloc(sink->to, 2 * sink->room * unit(sink));
	if (!bigger)
		return out_of_memory(scan);
	*scan->open = sink->to = bigger;
	sink->room *= 2;
	return 1;
}

/* 0: a character above 127 that has to be converted, which the C locale does not. */
static int put(struct scan *scan, struct sink *sink, int c)
{
	int status = 1;
	if (sink->is_wide != scan->source.is_wide && (c < 0 || c > 127)) {
		errno = EILSEQ;
		return 0;
	}
	if (!sink->to)
		return 1;
	if (scan->open && sink->length + 1 >= sink->room)
		status = grow(scan, sink);
	if (status > 0 && sink->is_wide)
		((wchar_t *)sink->to)[sink->length++] = c;
	else if (status > 0)
		((char *)sink->to)[sink->length++] = (char)c;
	return status;
}

static int in_set(const struct conversion *c, int byte)
{
	for (int i = 0; i < c->set_length; i++) {
		int this = at(&c->set, i), before = i ? at(&c->set, i - 1) : 0, after = at(&c->set, i + 1);
		int range = this == '-' && i && i + 1 < c->set_length && before <= after;
		if (range ? before <= byte && byte <= after : this == byte)
			return !c->inverted;
	}
	return c->inverted;
}

/* A text ends with a NUL, and an allocated one is as long as it needs to be. */
static void end_text(struct scan *scan, const struct conversion *c, struct sink *sink)
{
	size_t ended = c->letter != 'c';
	if (sink->to && ended)
		memset((char *)sink->to + sink->length * unit(sink), 0, unit(sink));
	void *exact = scan->open ? realloc(sink->to, (sink->length + ended) * unit(sink)) : NULL;
	if (exact)
		*scan->open = exact;
	scan->open = NULL;
}

static int scan_text(struct scan *scan, const struct conversion *c, void *to)
{
	struct sink sink = { .to = to, .is_wide = c->size > 0 };
	struct source *source = &scan->source;
	int most = c->width ? c->width : c->letter == 'c' ? 1 : INT_MAX, n = 0, status = 1;
	if (c->allocate && to)
		status = begin_allocation(scan, &sink, to);
	while (status > 0 && n < most) {
		int byte = next(source);
		if (byte == EOF)
			break;
		if ((c->letter == 's' && is_blank(source, byte)) || (c->letter == '[' && !in_set(c, byte))) {
			give_back(source, byte);
			status = n > 0;
			break;
		}
		if (byte > 127 && c->letter == '[' && sink.is_wide && !source->is_wide)
			__bitspin_refuse("scanf: a byte above 127 for %l[ is not modelled");
		status = put(scan, &sink, byte);
		if (status == 0 && c->letter == 'c' && source->is_wide) /* as in glibc */
			status = -1;
		n += status > 0;
	}
	if (status > 0 && n == 0)
		return -1;
	if (status > 0)
		end_text(scan, c, &sink);
	return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------- */

/* -1: the input is at its end; 0: it does not match; 1: converted */
static int convert(struct scan *scan, const struct conversion *c, void *to)
{
	char what[] = "the conversion %? of scanf is not modelled";
	int unknown = c->letter;
	switch (c->letter) {
	case 's': case 'c': case '[': return scan_text(scan, c, to);
	case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'p': case 'b':
	case 'a': case 'e': case 'f': case 'g': case 'A': case 'E': case 'F': case 'G': break;
	default: c = NULL;
	}
	if (!c || (c->letter == 'b' && scan->format.standard != C23)) {
		int letter = c ? 'b' : unknown;
		what[strlen("the conversion %")] = (char)(letter < 128 ? letter : '?');
		__bitspin_refuse(what);
	}
	int byte = next(&scan->source);
	give_back(&scan->source, byte);
	if (byte == EOF)
		return -1;
	if (strchr("diuoxXpb", c->letter))
		return scan_integer(&scan->source, c, to, scan->format.standard);
	return scan_real(&scan->source, c, to);
}

static int match(struct source *source, int wanted)
{
	int c = next(source);
	if (c == wanted)
		return 1;
	give_back(source, c);
	return c == EOF ? -1 : 0;
}

/* Where a conversion stores its result; NULL: nowhere. */
static void *argument(struct scan *scan, const struct conversion *c)
{
	va_list list;
	void *to;
	if (c->suppress)
		return NULL;
	if (!c->position)
		return va_arg(scan->list, void *);
	va_copy(list, scan->first);
	for (int i = 0; i < c->position; i++)
		to = va_arg(list, void *);
	va_end(list);
	return to;
}

/* One element of the format. */
static int step(struct scan *scan, int *blanks)
{
	struct conversion c;
	struct source *source = &scan->source;
	int this = at(&scan->format, 0);
	pass(&scan->format, 1);
	if (this < 128 && isspace(this)) {
		*blanks = 1;
		return 1;
	}
	if (this != '%') {
		if (*blanks)
			skip_blanks(source);
		*blanks = 0;
		return match(source, this);
	}
	parse(&scan->format, &c);
	if (*blanks || !strchr("[cn", c.letter < 128 ? c.letter : '?'))
		skip_blanks(source);
	*blanks = 0;
	if (c.letter == '%')
		return match(source, '%');
	if (c.letter == 'p')
		c.size = 1;
	void *to = argument(scan, &c);
	if (c.letter == 'n') {
		if (to)
			store_integer(&c, to, (uint64_t)source->taken);
		return 1;
	}
	int status = convert(scan, &c, to);
	scan->done += status > 0 && !c.suppress;
	return status;
}

/* After a failure, what was allocated in vain is freed: all of it if nothing at all was converted. */
static void give_up(struct scan *scan)
{
	for (int i = 0; i < scan->nallocated; i++)
		if (scan->done == EOF || scan->allocated[i] == scan->open) {
			free(*scan->allocated[i]);
			*scan->allocated[i] = NULL;
		}
}

static int run_alone(struct source source, struct format format, va_list arguments)
{
	struct scan scan = { .source = source, .format = format };
	int status = 1, blanks = 0;
	if (source.file && (source.is_wide ? __bitspin_orient(source.file, 1) < 0 : !__bitspin_takes_bytes(source.file)))
		return EOF;
	va_copy(scan.first, arguments);
	va_copy(scan.list, arguments);
	while (status > 0 && at(&scan.format, 0))
		status = step(&scan, &blanks);
	if (status > 0 && blanks)
		skip_blanks(&scan.source);
	if (status < 0 && scan.done == 0)
		scan.done = EOF;
	if (status <= 0)
		give_up(&scan);
	va_end(scan.list);
	va_end(scan.first);
	return scan.done;
}

static int run(struct source source, struct format format, va_list arguments)
{
	int locks = (__bitspin_stream_locks || __bitspin_watched_streams) && source.file;
	if (locks)
		__bitspin_enter_stream(source.file);
	int done = run_alone(source, format, arguments);
	if (locks)
		__bitspin_leave_stream(source.file);
	return done;
}

/* ---- the family ------------------------------------------------------------------------------------------------------ */

/* A function, and the same of a va_list.  `first`: the first parameter and a comma; `from`: a struct source. */
#define FUNCTION(prefix, symbol, name, first, given, character, member, from, since) \
	int prefix##v##name(first const character *format, va_list arguments) __asm__(symbol "v" #name); \
	int prefix##v##name(first const character *format, va_list arguments) \
	{ \
		return run((struct source)from, (struct format){ .member = format, .standard = (since) }, arguments); \
	} \
	int prefix##name(first const character *format, ...) __asm__(symbol #name); \
	int prefix##name(first const character *format, ...) \
	{ \
		va_list arguments; \
		va_start(arguments, format); \
		int done = prefix##v##name(given format, arguments); \
		va_end(arguments); \
		return done; \
	}

#define COMMA ,
#define FROM(...) { __VA_ARGS__ }
#define STRING(type) const type *string COMMA

/* glibc's headers give other names to the same functions, which depend on the standard asked for. */
#define FAMILY(prefix, symbol, since) \
	FUNCTION(prefix, symbol, sscanf, STRING(char), string COMMA, char, bytes, FROM(.string = string), since) \
	FUNCTION(prefix, symbol, fscanf, FILE *file COMMA, file COMMA, char, bytes, FROM(.file = file), since) \
	FUNCTION(prefix, symbol, scanf, , , char, bytes, FROM(.file = stdin), since) \
	FUNCTION(prefix, symbol, swscanf, STRING(wchar_t), string COMMA, wchar_t, wide, FROM(.wide = string, .is_wide = 1), since) \
	FUNCTION(prefix, symbol, fwscanf, FILE *file COMMA, file COMMA, wchar_t, wide, FROM(.file = file, .is_wide = 1), since) \
	FUNCTION(prefix, symbol, wscanf, , , wchar_t, wide, FROM(.file = stdin, .is_wide = 1), since)

FAMILY(plain_, "", PLAIN)
FAMILY(c99_, "__isoc99_", C99)
FAMILY(c23_, "__isoc23_", C23)
