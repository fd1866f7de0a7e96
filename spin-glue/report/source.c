/* SPDX-License-Identifier: MIT
 *
 * See source.h.  Files are read once, and their lines are found by number.
 */
#include "source.h"
#include "../base/base.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct file {
	char *name, *bytes;
	const char **lines; /* where each begins, and where the last one ends */
	size_t count;
	struct file *next;
};

static void find_lines(struct file *file, size_t size)
{
	size_t capacity = 1;
	for (size_t i = 0; i < size; i++)
		capacity += file->bytes[i] == '\n';
	file->lines = calloc(capacity + 1, sizeof *file->lines);
	if (!file->lines)
		BUG("out of memory");
	const char *p = file->bytes, *end = p + size;
	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		file->lines[file->count++] = p;
		p = newline ? newline + 1 : end + 1; /* each line ends one before the next */
	}
	assert(file->count < capacity);
	file->lines[file->count] = p;
}

static const struct file *file_named(const char *name)
{
	static struct file *files;
	for (const struct file *f = files; f; f = f->next)
		if (strcmp(f->name, name) == 0)
			return f;
	size_t size = 0;
	struct file *f = calloc(1, sizeof *f);
	if (!f)
		BUG("out of memory");
	*f = (struct file){ .name = text("%s", name), .bytes = read_file(name, &size), .next = files };
	if (f->bytes)
		find_lines(f, size);
	files = f;
	return f;
}

const char *source_line_of(const char *name, long long line, size_t *length)
{
	const struct file *file = file_named(name);
	if (line < 1 || (unsigned long long)line > file->count)
		return NULL;
	assert(file->lines);
	const char *begin = file->lines[line - 1];
	*length = (size_t)(file->lines[line] - 1 - begin);
	if (*length && begin[*length - 1] == '\r')
		--*length;
	return begin;
}

char *source_words(const char *file, long long line)
{
	size_t length, used = 0;
	const char *bytes = source_line_of(file, line, &length);
	char *words = bytes ? malloc(length + 1) : NULL;
	if (!words)
		return NULL;
	for (size_t i = 0; i < length; i++) {
		bool blank = isspace((unsigned char)bytes[i]);
		if (!blank)
			words[used++] = bytes[i];
		else if (used && words[used - 1] != ' ')
			words[used++] = ' ';
	}
	assert(used <= length);
	used -= used && words[used - 1] == ' ';
	words[used] = '\0';
	return words;
}

/* Return the end of a string or of a comment that begins at `at`; `at` if neither does. */
static size_t after_literal(const char *bytes, size_t length, size_t at)
{
	assert(at < length);
	char quote = bytes[at];
	size_t i = at + 1;
	if (quote == '/' && i < length && bytes[i] == '/')
		return length;
	if (quote == '/' && i < length && bytes[i] == '*') {
		while (i + 1 < length && !(bytes[i] == '*' && bytes[i + 1] == '/' && i > at + 2))
			i++;
		return i + 2 < length ? i + 2 : length;
	}
	if (quote != '"' && quote != '\'')
		return at;
	while (i < length && bytes[i] != quote)
		i += bytes[i] == '\\' ? 2 : 1;
	return i + 1 < length ? i + 1 : length;
}

/* Do the words from `from` to `to` begin with one that a statement follows in parentheses? */
static bool is_header(const char *bytes, size_t from, size_t to)
{
	assert(from <= to);
	static const char *const words[] = { "for", "while", "if", "switch" };
	while (from < to && (isspace((unsigned char)bytes[from]) || bytes[from] == '}'))
		from++;
	if (to - from > strlen("else ") && strncmp(bytes + from, "else ", strlen("else ")) == 0)
		from += strlen("else ");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t n = strlen(words[i]);
		if (to - from > n && strncmp(bytes + from, words[i], n) == 0 && (bytes[from + n] == ' ' || bytes[from + n] == '('))
			return true;
	}
	return false;
}

void source_statement(const char *bytes, size_t length, long long column, size_t *from, size_t *to)
{
	size_t at = column > 0 && (size_t)column <= length ? (size_t)column - 1 : 0, depth = 0, end;
	*from = 0;
	*to = length;
	for (size_t i = 0; i<length; i = end> i ? end : i + 1) {
		end = after_literal(bytes, length, i);
		char c = bytes[i];
		depth += c == '(';
		bool closes = c == ')' && depth && --depth == 0 && is_header(bytes, *from, i);
		bool ends = end == i && depth == 0 && (c == ';' || c == '{' || c == '}');
		if (!closes && !ends)
			continue;
		if (column > 0 && i >= at && !(closes && i + 1 < length && bytes[i + 1] == ';')) {
			*to = i + 1;
			break;
		}
		if (i < at)
			*from = i + 1;
	}
	while (*from < *to && isspace((unsigned char)bytes[*from]))
		++*from;
	while (*to > *from && isspace((unsigned char)bytes[*to - 1]))
		--*to;
	assert(*from <= *to && *to <= length);
}

unsigned source_same_before(const char *file, long long line)
{
	char *mine = source_words(file, line);
	unsigned same = 0;
	for (long long i = 1; mine && i < line; i++) {
		char *other = source_words(file, i);
		same += other && strcmp(mine, other) == 0;
		free(other);
	}
	free(mine);
	return same;
}

size_t source_utf8_length(const char *bytes, size_t length)
{
	assert(length > 0);
	unsigned char lead = (unsigned char)*bytes;
	size_t n = lead < 0x80              ? 1 :
		lead >= 0xc2 && lead < 0xe0 ? 2 :
		lead >= 0xe0 && lead < 0xf0 ? 3 :
		lead >= 0xf0 && lead < 0xf5 ? 4 :
					      0;
	if (n == 0 || n > length)
		return 0;
	for (size_t i = 1; i < n; i++)
		if (((unsigned char)bytes[i] & 0xc0) != 0x80)
			return 0;
	unsigned char next = n > 1 ? (unsigned char)bytes[1] : 0x80;
	bool overlong = (lead == 0xe0 && next < 0xa0) || (lead == 0xf0 && next < 0x90);
	bool outside = (lead == 0xed && next >= 0xa0) || (lead == 0xf4 && next >= 0x90);
	return overlong || outside ? 0 : n;
}

long long source_character(const char *file, long long line, long long column)
{
	size_t length, at = 0;
	const char *bytes = column > 0 ? source_line_of(file, line, &length) : NULL;
	long long character = 1;
	if (!bytes || (size_t)column > length + 1)
		return column;
	while (at < (size_t)column - 1) {
		size_t n = source_utf8_length(bytes + at, length - at);
		if (n == 0)
			return column;
		at += n;
		character++;
	}
	return character;
}

char *source_as_utf8(const char *bytes, size_t length)
{
	char *copy = malloc(length + 1);
	size_t used = 0;
	if (!copy)
		BUG("out of memory");
	for (size_t i = 0; i < length;) {
		size_t n = bytes[i] ? source_utf8_length(bytes + i, length - i) : 0;
		if (n)
			memcpy(copy + used, bytes + i, n);
		else
			copy[used] = '?';
		used += n ? n : 1;
		i += n ? n : 1;
	}
	assert(used <= length);
	copy[used] = '\0';
	return copy;
}
