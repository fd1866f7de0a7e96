/* SPDX-License-Identifier: MIT
 *
 * The scanf family.  A number is collected first, as long as it may be one, and then read by strtol() or strtod().
 */
#include "library.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct source { /* where characters come from */
	FILE *file;         /* NULL: from the string */
	const char *string;
	long taken;         /* characters, for %n */
};

static int next(struct source *source)
{
	int byte = source->file ? fgetc(source->file) : *source->string ? (unsigned char)*source->string++ : EOF;
	source->taken += byte != EOF;
	return byte;
}

static void give_back(struct source *source, int byte)
{
	if (byte == EOF)
		return;
	source->taken--;
	if (source->file)
		ungetc(byte, source->file);
	else
		source->string--;
}

static int skip_blanks(struct source *source)
{
	int byte;
	do
		byte = next(source);
	while (byte != EOF && isspace(byte));
	give_back(source, byte);
	return byte;
}

enum { TEXT = 400 }; /* longest number */

struct conversion {
	int suppress, width; /* width 0: none given */
	int size;            /* -2 hh, -1 h, 0, 1 l, 2 ll j q, 3 L */
	char letter;
	const char *set, *set_end; /* of %[ */
	int inverted;
};

/* Collect characters while `accepts` says so; their number. */
static int collect(struct source *source, char *text, int width, int (*accepts)(char *text, int n, int byte, int base), int base)
{
	int n = 0, byte = EOF;
	while (n < width && n < TEXT - 1 && (byte = next(source)) != EOF && accepts(text, n, byte, base))
		text[n++] = (char)byte, byte = EOF;
	give_back(source, byte);
	text[n] = '\0';
	return n;
}

static int digit_value(int byte)
{
	return isdigit(byte) ? byte - '0' : isalpha(byte) ? tolower(byte) - 'a' + 10 : 99;
}

static int accepts_integer(char *text, int n, int byte, int base)
{
	int sign = n > 0 && (text[0] == '+' || text[0] == '-');
	if (byte == '+' || byte == '-')
		return n == 0;
	if (tolower(byte) == 'x')
		return n == sign + 1 && text[sign] == '0' && (base == 16 || base == 0);
	if (base == 0)
		base = n == sign || text[sign] != '0' ? 10 : n > sign + 1 && tolower(text[sign + 1]) == 'x' ? 16 : 8;
	return digit_value(byte) < base;
}

static int accepts_real(char *text, int n, int byte, int base)
{
	static const char *const words[] = { "infinity", "nan" };
	int sign = n > 0 && (text[0] == '+' || text[0] == '-'), hex = n > sign + 1 && tolower(text[sign + 1]) == 'x';
	(void)base;
	for (int w = 0; w < 2; w++)
		if (n - sign < (int)strlen(words[w]) && tolower(byte) == words[w][n - sign] &&
		    strncasecmp(text + sign, words[w], (size_t)(n - sign)) == 0)
			return 1;
	text[n] = '\0';
	const char *exponent = strpbrk(text + sign + (hex ? 2 : 0), hex ? "pP" : "eE");
	if (byte == '+' || byte == '-')
		return n == 0 || (exponent && exponent == text + n - 1);
	if (tolower(byte) == 'x')
		return n == sign + 1 && text[sign] == '0';
	if (tolower(byte) == (hex ? 'p' : 'e'))
		return n > sign && !exponent && strpbrk(text, "0123456789abcdefABCDEF");
	if (byte == '.')
		return !exponent && !strchr(text, '.');
	return exponent || !hex ? isdigit(byte) : isxdigit(byte);
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

static int number_base(char letter)
{
	return letter == 'x' || letter == 'X' || letter == 'p' ? 16 : letter == 'o' ? 8 : letter == 'i' ? 0 : 10;
}

static int scan_integer(struct source *source, const struct conversion *c, void *to)
{
	char text[TEXT], *end;
	int base = number_base(c->letter);
	int n = collect(source, text, c->width ? c->width : TEXT, accepts_integer, base);
	int is_signed = c->letter == 'd' || c->letter == 'i';
	uint64_t value = is_signed ? (uint64_t)strtoll(text, &end, base) : strtoull(text, &end, base);
	int prefix_only = end == text + n - 1 && tolower(*end) == 'x'; /* "0x": glibc takes it for 0 */
	if (n == 0 || (end != text + n && !prefix_only))
		return 0;
	if (to)
		store_integer(c, to, value);
	return 1;
}

static int scan_real(struct source *source, const struct conversion *c, void *to)
{
	char text[TEXT], *end;
	int n = collect(source, text, c->width ? c->width : TEXT, accepts_real, 10);
	double value = strtod(text, &end);
	if (n == 0 || end != text + n)
		return 0;
	if (to && c->size == 3)
		*(long double *)to = strtold(text, NULL);
	else if (to && c->size == 1)
		*(double *)to = value;
	else if (to)
		*(float *)to = strtof(text, NULL);
	return 1;
}

static int in_set(const struct conversion *c, int byte)
{
	for (const char *p = c->set; p < c->set_end; p++) {
		if (p + 2 < c->set_end && p[1] == '-') {
			if ((unsigned char)p[0] <= byte && byte <= (unsigned char)p[2])
				return !c->inverted;
			p += 2;
		} else if ((unsigned char)*p == byte) {
			return !c->inverted;
		}
	}
	return c->inverted;
}

static int scan_text(struct source *source, const struct conversion *c, char *to)
{
	int most = c->width ? c->width : c->letter == 'c' ? 1 : INT32_MAX, n = 0, byte = EOF;
	while (n < most && (byte = next(source)) != EOF) {
		if ((c->letter == 's' && isspace(byte)) || (c->letter == '[' && !in_set(c, byte)))
			break;
		if (to)
			to[n] = (char)byte;
		n++;
		byte = EOF;
	}
	give_back(source, byte);
	if (c->letter == 'c')
		return n == most;
	if (to && n)
		to[n] = '\0';
	return n > 0;
}

static const char *parse(const char *p, struct conversion *c)
{
	*c = (struct conversion){ 0 };
	if (*p == '*')
		c->suppress = 1, p++;
	while (isdigit((unsigned char)*p))
		c->width = c->width * 10 + (*p++ - '0');
	for (; *p && strchr("hlLjztq", *p); p++)
		c->size = *p == 'h' ? c->size - 1 : *p == 'l' ? c->size + 1 : *p == 'L' ? 3 : 2;
	c->letter = *p++;
	if (c->letter != '[')
		return p;
	if (*p == '^')
		c->inverted = 1, p++;
	c->set = p;
	if (*p == ']')
		p++;
	while (*p && *p != ']')
		p++;
	c->set_end = p;
	return *p ? p + 1 : p;
}

/* -1: the input is at its end; 0: it does not match; 1: converted */
static int convert(struct source *source, const struct conversion *c, void *to)
{
	if (c->letter != 'c' && c->letter != '[' && skip_blanks(source) == EOF)
		return -1;
	int byte = next(source);
	give_back(source, byte);
	if (byte == EOF)
		return -1;
	switch (c->letter) {
	case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'p': return scan_integer(source, c, to);
	case 'a': case 'e': case 'f': case 'g': case 'A': case 'E': case 'F': case 'G': return scan_real(source, c, to);
	case 's': case 'c': case '[': return scan_text(source, c, to);
	default: return 0;
	}
}

static int literal(struct source *source, const char *p)
{
	if (isspace((unsigned char)*p)) {
		skip_blanks(source);
		return 1;
	}
	int byte = next(source);
	if (byte == (unsigned char)*p)
		return 1;
	give_back(source, byte);
	return byte == EOF ? -1 : 0;
}

static int scan(struct source *source, const char *format, va_list arguments)
{
	int done = 0;
	while (*format) {
		struct conversion c;
		int status;
		if (*format != '%' || format[1] == '%') {
			if (*format == '%') {
				skip_blanks(source);
				format++;
			}
			status = literal(source, format++);
		} else {
			format = parse(format + 1, &c);
			if (c.letter == 'p')
				c.size = 2;
			void *to = c.suppress ? NULL : va_arg(arguments, void *);
			if (c.letter == 'n') {
				store_integer(&c, to, (uint64_t)source->taken);
				continue;
			}
			status = convert(source, &c, to);
			done += status > 0 && !c.suppress;
		}
		if (status <= 0)
			return status < 0 && done == 0 ? EOF : done;
	}
	return done;
}

/* ---- the family ------------------------------------------------------------------------------------------------------ */

#define FROM_STRING(name) \
	int v##name(const char *string, const char *format, va_list arguments); \
	int v##name(const char *string, const char *format, va_list arguments) \
	{ \
		struct source source = { .string = string }; \
		return scan(&source, format, arguments); \
	} \
	int name(const char *string, const char *format, ...); \
	int name(const char *string, const char *format, ...) \
	{ \
		va_list arguments; \
		va_start(arguments, format); \
		int done = v##name(string, format, arguments); \
		va_end(arguments); \
		return done; \
	}

#define FROM_FILE(name, base) \
	int v##name(FILE *file, const char *format, va_list arguments); \
	int v##name(FILE *file, const char *format, va_list arguments) \
	{ \
		struct source source = { .file = file }; \
		return scan(&source, format, arguments); \
	} \
	int name(FILE *file, const char *format, ...); \
	int name(FILE *file, const char *format, ...) \
	{ \
		va_list arguments; \
		va_start(arguments, format); \
		int done = v##name(file, format, arguments); \
		va_end(arguments); \
		return done; \
	} \
	int v##base(const char *format, va_list arguments); \
	int v##base(const char *format, va_list arguments) \
	{ \
		return v##name(stdin, format, arguments); \
	} \
	int base(const char *format, ...); \
	int base(const char *format, ...) \
	{ \
		va_list arguments; \
		va_start(arguments, format); \
		int done = v##name(stdin, format, arguments); \
		va_end(arguments); \
		return done; \
	}

FROM_STRING(bitspin_sscanf)
FROM_FILE(bitspin_fscanf, bitspin_scanf)

/* glibc's headers give other names to the same functions, which depend on the standard asked for. */
#define NAME(name, of, parameters) int name##_ parameters __asm__(#name) __attribute__((alias(#of)));
#define NAMES(prefix) \
	NAME(prefix##sscanf, bitspin_sscanf, (const char *, const char *, ...)) \
	NAME(prefix##vsscanf, vbitspin_sscanf, (const char *, const char *, va_list)) \
	NAME(prefix##fscanf, bitspin_fscanf, (FILE *, const char *, ...)) \
	NAME(prefix##vfscanf, vbitspin_fscanf, (FILE *, const char *, va_list)) \
	NAME(prefix##scanf, bitspin_scanf, (const char *, ...)) \
	NAME(prefix##vscanf, vbitspin_scanf, (const char *, va_list))
NAMES()
NAMES(__isoc99_)
NAMES(__isoc23_)
