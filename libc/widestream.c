/* SPDX-License-Identifier: MIT
 *
 * Streams of wide characters.  The locale is C, so each is a byte below 128 in the file.
 */
#include "streams.h"

#include <errno.h>
#include <wchar.h>

/* ---- orientation ----------------------------------------------------------------------------------------------------- */

static int orientations[2]; /* of standard output and error, which are constants */

int __bitspin_orient(FILE *file, int wanted)
{
	int *orientation = __bitspin_is_output(file) ? &orientations[file->_fileno - 1] : &file->_mode;
	LOCKED;
	if (!*orientation)
		*orientation = wanted;
	int now = *orientation;
	UNLOCKED;
	return now;
}

int fwide(FILE *file, int mode)
{
	return __bitspin_orient(file, (mode > 0) - (mode < 0));
}

/* ---- writing --------------------------------------------------------------------------------------------------------- */

static int write_wide(FILE *file, const wchar_t *text, size_t length)
{
	char bytes[length + 1];
	if (__bitspin_orient(file, 1) < 0)
		return -1;
	if (__bitspin_is_wide_memory(file))
		return __bitspin_memory_write(file, text, length) == length ? 0 : -1;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < 0 || text[i] > 127)
			__bitspin_refuse("a wide character above 127 is written to a stream, which the C locale cannot; when that fails "
					 "depends on the stream's buffer");
		bytes[i] = (char)text[i];
	}
	return __bitspin_put(file, bytes, length) == length ? 0 : -1;
}

wint_t fputwc(wchar_t c, FILE *file)
{
	return write_wide(file, &c, 1) ? WEOF : (wint_t)c;
}

int fputws(const wchar_t *text, FILE *file)
{
	return write_wide(file, text, wcslen(text)) ? EOF : 1;
}

wint_t putwc(wchar_t c, FILE *file) { return fputwc(c, file); }
wint_t putwchar(wchar_t c) { return fputwc(c, stdout); }
wint_t fputwc_unlocked(wchar_t c, FILE *file) { return fputwc(c, file); }
wint_t putwc_unlocked(wchar_t c, FILE *file) { return fputwc(c, file); }
wint_t putwchar_unlocked(wchar_t c) { return fputwc(c, stdout); }
int fputws_unlocked(const wchar_t *text, FILE *file) { return fputws(text, file); }

int vfwprintf(FILE *file, const wchar_t *format, va_list list)
{
	va_list again;
	if (__bitspin_orient(file, 1) < 0)
		return -1;
	va_copy(again, list);
	int length = __bitspin_vwformat(NULL, 0, format, again), made = length < 0 ? -1 - length : length;
	va_end(again);
	wchar_t text[made + 1];
	__bitspin_vwformat(text, (size_t)made + 1, format, list);
	return write_wide(file, text, (size_t)made) || length < 0 ? -1 : length;
}

int vwprintf(const wchar_t *format, va_list list)
{
	return vfwprintf(stdout, format, list);
}

int fwprintf(FILE *file, const wchar_t *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = vfwprintf(file, format, list);
	va_end(list);
	return length;
}

int wprintf(const wchar_t *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = vfwprintf(stdout, format, list);
	va_end(list);
	return length;
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

wint_t fgetwc(FILE *file)
{
	if (__bitspin_orient(file, 1) < 0)
		return WEOF;
	int pushed = __bitspin_take_pushed(file), c = pushed >= 0 ? pushed : __bitspin_get(file);
	if (pushed >= 0 || c < 128)
		return c == EOF ? WEOF : (wint_t)c;
	__bitspin_note_error(file);
	errno = EILSEQ;
	return WEOF;
}

wint_t getwc(FILE *file) { return fgetwc(file); }
wint_t getwchar(void) { return fgetwc(stdin); }
wint_t fgetwc_unlocked(FILE *file) { return fgetwc(file); }
wint_t getwc_unlocked(FILE *file) { return fgetwc(file); }
wint_t getwchar_unlocked(void) { return fgetwc(stdin); }

wint_t ungetwc(wint_t c, FILE *file)
{
	if (c == WEOF || __bitspin_orient(file, 1) < 0)
		return WEOF;
	if (c >= 65535)
		__bitspin_refuse("ungetwc of a character above 65534 is not modelled");
	return __bitspin_push(file, (int)c) == EOF ? WEOF : c;
}

wchar_t *fgetws(wchar_t *to, int size, FILE *file)
{
	int n = 0;
	wint_t c = 0;
	if (size <= 0)
		return NULL;
	while (n < size - 1 && c != L'\n' && (c = fgetwc(file)) != WEOF)
		to[n++] = (wchar_t)c;
	if (size > 1 && n == 0)
		return NULL;
	to[n] = 0;
	return to;
}

wchar_t *fgetws_unlocked(wchar_t *to, int size, FILE *file) { return fgetws(to, size, file); }
