/* SPDX-License-Identifier: MIT
 *
 * Text for a terminal: how wide it is, which bytes may go there, and where lines are broken.
 */
#include "screen.h"
#include "../base/base.h"

#include <assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#define USUAL     100u /* columns, where there is no terminal */
#define NARROWEST 20u
#define WIDEST    400u

/* ---- the terminal -------------------------------------------------------------------------------------------------- */

static unsigned long from_environment(void)
{
	const char *columns = getenv("COLUMNS");
	return columns ? strtoul(columns, NULL, 10) : 0;
}

unsigned screen_width(void)
{
	struct winsize size = { 0 };
	unsigned long columns = from_environment();
	if (columns == 0 && ioctl(1, TIOCGWINSZ, &size) == 0)
		columns = size.ws_col;
	if (columns == 0)
		columns = USUAL;
	return columns < NARROWEST ? NARROWEST : columns > WIDEST ? WIDEST : (unsigned)columns;
}

bool screen_wraps(void)
{
	return isatty(1) || from_environment();
}

static unsigned wanted; /* enum: of --color */

void colour_choose(unsigned when)
{
	wanted = when;
}

const char *colour(enum colour colour)
{
	static const char *const sequences[] = { "\033[0m", "\033[1m", "\033[31;1m", "\033[32;1m", "\033[33;1m", "\033[2m" };
	assert(colour < sizeof sequences / sizeof *sequences);
	const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
	bool suits = isatty(1) && !(no && *no) && terminal && strcmp(terminal, "dumb") != 0;
	return wanted == COLOUR_ALWAYS || (wanted == COLOUR_AUTO && suits) ? sequences[colour] : "";
}

/* ---- characters ---------------------------------------------------------------------------------------------------- */

/* Return how many bytes the character of UTF-8 at `bytes` has, whatever the locale is; 0 if there is none.  Set *width to its
 * columns, or to -1 if it must not be shown. */
static size_t character(const char *bytes, size_t length, int *width)
{
	assert(length > 0);
	static locale_t utf8;
	wchar_t c;
	if ((unsigned char)*bytes < 128) {
		*width = (unsigned char)*bytes >= ' ' && (unsigned char)*bytes < 127 ? 1 : -1;
		return 1;
	}
	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	*width = -1;
	if (!utf8) /* ASCII only */
		return 1;
	locale_t before = uselocale(utf8);
	mbstate_t state = { 0 };
	size_t used = mbrtowc(&c, bytes, length, &state);
	bool valid = used > 0 && used <= length;
	bool turns = valid && ((c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f);
	*width = valid && !turns ? wcwidth(c) : -1;
	uselocale(before);
	return valid ? used : 0;
}

char *clean(const char *bytes, size_t length)
{
	char *result = malloc(length + 1), *to = result;
	if (!result)
		BUG("out of memory");
	while (length) {
		int width;
		size_t used = character(bytes, length, &width);
		if (width >= 0) {
			memcpy(to, bytes, used);
			to += used;
		} else {
			*to++ = (unsigned char)*bytes < ' ' || *bytes == 127 ? ' ' : '?';
		}
		used = used ? used : 1;
		bytes += used;
		length -= used;
	}
	*to = '\0';
	return result;
}

void print_plain(const char *bytes, size_t length)
{
	char *text = clean(bytes, length);
	fputs(text, stdout);
	free(text);
}

size_t columns(const char *text)
{
	size_t sum = 0;
	for (size_t length = strlen(text), used; length; text += used, length -= used) {
		int width;
		used = character(text, length, &width);
		used = used ? used : 1;
		sum += width > 0 ? (size_t)width : 0;
	}
	return sum;
}

size_t fitting(const char *text, size_t most)
{
	size_t at = 0, sum = 0, length = strlen(text);
	while (at < length) {
		int width;
		size_t used = character(text + at, length - at, &width);
		sum += width > 0 ? (size_t)width : 0;
		if (sum > most)
			break;
		at += used ? used : 1;
	}
	return at;
}

/* ---- pages --------------------------------------------------------------------------------------------------------- */

void page_bytes(struct page *page, const char *bytes, size_t length)
{
	if (page->length + length + 1 > page->capacity) {
		page->capacity = 2 * (page->length + length + 1);
		page->bytes = realloc(page->bytes, page->capacity);
		if (!page->bytes)
			BUG("out of memory");
	}
	memcpy(page->bytes + page->length, bytes, length);
	page->length += length;
	page->bytes[page->length] = '\0';
	assert(page->length < page->capacity);
}

void page_put(struct page *page, const char *text)
{
	page_bytes(page, text, strlen(text));
	page->column += columns(text);
}

void page_colour(struct page *page, enum colour c)
{
	page_bytes(page, colour(c), strlen(colour(c)));
}

void page_to(struct page *page, size_t column)
{
	while (page->column < column)
		page_put(page, " ");
}

void page_end(struct page *page)
{
	while (page->length && page->bytes[page->length - 1] == ' ')
		page->length--;
	page_bytes(page, "\n", 1);
	page->column = 0;
	page->lines++;
}

/* Return how much of `text` goes on this line: up to the end of a word, or as much as there is room for. */
static size_t piece(const char *text, size_t room, bool whole)
{
	size_t fits = fitting(text, room), end = fits;
	if (text[fits] == '\0' || text[fits] == ' ')
		return fits;
	while (end > 0 && text[end - 1] != ' ')
		end--;
	if (end == 0 && !whole)
		return 0;
	if (end == 0 || (whole && end < fits / 4)) /* a long word */
		end = fits;
	return end ? end : text[0] ? fitting(text, 2) + (fitting(text, 2) == 0) : 0;
}

void page_wrap(struct page *page, const char *text, size_t indent, size_t width)
{
	assert(indent < width);
	bool fresh = page->column <= indent;
	for (;;) {
		size_t room = page->column < width ? width - page->column : 0, n = piece(text, room, fresh);
		assert(n > 0 || !fresh || !*text); /* so the lines come to an end */
		char *part = clean(text, n);
		page_put(page, part);
		free(part);
		text += n;
		text += strspn(text, " ");
		if (*text == '\0')
			return;
		page_end(page);
		page_to(page, indent);
		fresh = true;
	}
}

void page_print(struct page *page)
{
	if (page->length)
		fwrite(page->bytes, 1, page->length, stdout);
	free(page->bytes);
	*page = (struct page){ 0 };
}
