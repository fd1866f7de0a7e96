/* SPDX-License-Identifier: MIT
 *
 * Formats of scanf: each kind of conversion with all widths and lengths on many inputs, text that is allocated, wide text,
 * numbered arguments, sets.  Compared with the same program run natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static int n;

static void begin(const char *input, const char *format)
{
	printf("%-12s %-10s", input, format);
	n = -1;
	errno = 0;
}

static void bytes(int result, const void *value, size_t size)
{
	int error = errno;
	printf(" %d %d %d", result, error, n);
	for (size_t i = 0; i < size; i++)
		printf(" %02x", ((const unsigned char *)value)[i]);
	puts("");
}

static void integers(void)
{
	static const char *const inputs[] = { "12", "-7x", "+3", "0x1F", "0X", "0xg", "077", "08", "0b1", "-", "+-1", "x", "",
		"  5 ", "0",
					      "ffff", "-0x10", "99999999999999999999", "-99999999999999999999", "4294967297",
					      	"(nil)" },
				 letters[] = "diuoxX", *const lengths[] = { "", "hh", "h", "l", "ll", "j", "z", "t", "L", "q" };
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		for (size_t k = 0; letters[k]; k++)
			for (size_t width = 0; width < 4; width++) {
				const char *length = lengths[(i + 3 * k + 5 * width) % 10];
				char format[20], text[4] = { (char)('0' + width) };
				long value = 0x5a5a5a5a5a5a5a5a;
				snprintf(format, sizeof format, "%%%s%s%c%%n", width ? text : "", length, letters[k]);
				begin(inputs[i], format);
				int result = sscanf(inputs[i], format, &value, &n);
				bytes(result, &value, sizeof value);
			}
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		for (int width = 0; width < 7; width++) {
			char format[20];
			void *value = (void *)-1;
			snprintf(format, sizeof format, width ? "%%%dp%%hhn" : "%%p%%hn", width);
			begin(inputs[i], format);
			int result = sscanf(inputs[i], format, &value, &n);
			bytes(result, &value, sizeof value);
		}
}

static void reals(void)
{
	static const char *const inputs[] = { "1.5", "-2e3x", ".25", "5.", ".", "+.", "1e", "1e+", "1e-", "1ex", "1e5e", "1e-2.5",
		"e5", "-", "-e",
					      "+7", "0x", "0x1.8p3", "0x.8p", "0xp3", "0x1.8p+1z", "00x1", "inf", "INFINITY",
					      	"infinit", "infx", "-inf", "in",
					      "nan", "-NaN(1)", "na", "nn", "1..2", "1.2.3", "1e400", "1e-400", "", " 1", "x",
					      "12345678901234567890" },
				 letters[] = "aefgAEFG", *const lengths[] = { "", "l", "L" };
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		for (size_t width = 0; width < 7; width++)
			for (size_t length = 0; length < 3; length++) {
				char format[20], text[4] = { (char)('0' + width) };
				union { float f; double d; long double x; } value = { .x = 0 };
				snprintf(format, sizeof format, "%%%s%s%c%%n", width ? text : "", lengths[length],
					 letters[(i + width + length) % 8]);
				begin(inputs[i], format);
				int result = sscanf(inputs[i], format, &value, &n);
				bytes(result, &value, length == 0 ? 4 : length == 1 ? 8 : 10);
			}
}

static const char *const texts[] = { "word", " two words", "", "   ", "a-b]c^d", "]x", "-x-", "^^", "aceg", "\t\n x", "a\xe9z",
	"\xe9" };

static void strings(void)
{
	static const char *const formats[] = { "%s%n", "%2s%n", "%c%n", "%3c%n", "%9c%n", "%[a-z]%n", "%[^ ]%n", "%[]a]%n",
		"%[^]a]%n", "%[-x]%n",
					       "%[x-]%n", "%[a-c-g]%n", "%[z-a]%n", "%3[a-z-]%n", "%[^-]%n", "%[a-]%n", " %c%n",
					       	"%*s%n", "%*2c%n",
					       "%hs%n", "%[%s]%n" },
				 *const wide[] = { "%ls%n", "%S%n", "%3ls%n", "%lc%n", "%C%n", "%5lc%n", "%l[a-z]%n", "%l[^a]%n",
				 	"%lls%n", "%*ls%n",
						   "%2S%n" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
			char to[12] = "~~~~~~~~~~~";
			begin(texts[i], formats[k]);
			int result = strchr(formats[k], '*') ? sscanf(texts[i], formats[k], &n) : sscanf(texts[i], formats[k], to,
				&n);
			bytes(result, to, sizeof to);
		}
		for (size_t k = 0; k < sizeof wide / sizeof *wide; k++) {
			if (strchr(wide[k], '^') && strchr(texts[i], '\xe9'))
				continue;
			wchar_t to[11] = L"~~~~~~~~~~";
			begin(texts[i], wide[k]);
			int result = strchr(wide[k], '*') ? sscanf(texts[i], wide[k], &n) : sscanf(texts[i], wide[k], to, &n);
			bytes(result, to, sizeof to);
		}
	}
}

static void allocated(void)
{
	static const char *const formats[] = { "%ms%n", "%mc%n", "%3mc%n", "%9mc%n", "%m[a-z]%n", "%m[^a]%n", "%2ms%n" },
				 *const wide[] = { "%mls%n", "%mS%n", "%mlc%n", "%4mC%n", "%ml[a-z]%n" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
			char *to = (char *)&n;
			begin(texts[i], formats[k]);
			int result = sscanf(texts[i], formats[k], &to, &n);
			int characters = strchr(formats[k], 'c') ? n < 0 ? 0 : n : to ? (int)strlen(to) + 1 : 0;
			bytes(result, to, (size_t)characters);
			free(to);
		}
		for (size_t k = 0; k < sizeof wide / sizeof *wide; k++) {
			wchar_t *to = NULL;
			begin(texts[i], wide[k]);
			int result = sscanf(texts[i], wide[k], &to, &n);
			bytes(result, to, to ? sizeof *to : 0);
			free(to);
		}
	}
	char *one = (char *)&n, *two = one, *three = one, long_text[300];
	memset(long_text, 'x', sizeof long_text - 1);
	long_text[299] = 0;
	printf("%d", sscanf("a b", "%ms %ms %ms", &one, &two, &three));
	printf(" %s %s %d\n", one, two, three == NULL);
	free(one);
	free(two);
	printf("%d", sscanf(long_text, "%ms", &one));
	printf(" %zu\n", strlen(one));
	free(one);
	printf("%d", sscanf("q", "%ms%d", &one, &n));
	printf(" %s\n", one);
	free(one);
	printf("%d", sscanf("q 5", "%*ms%d", &n));
	printf(" %d\n", n);
}

static void positions(void)
{
	int a = 0, b = 0;
	char word[9], *new;
	printf("%d", sscanf("1 2", "%2$d %1$d", &a, &b));
	printf(" %d %d\n", a, b);
	printf("%d", sscanf("word 5 x", "%3$8s %1$d %2$ms", &a, &new, word));
	printf(" %s %d %s\n", word, a, new);
	free(new);
	printf("%d", sscanf("1 2 3", "%2$*d%2$d%1$n%*d", &a, &b));
	printf(" %d %d\n", a, b);
}

static int list(const wchar_t *input, const wchar_t *format, ...)
{
	va_list list;
	va_start(list, format);
	int result = vswscanf(input, format, list);
	va_end(list);
	return result;
}

static void literals(void)
{
	static const char *const inputs[] = { "", " ", "5", "5%", "5 %x", "ab5", " a b 5", "5,6", "5 , 6", "50%" },
				 *const formats[] = { "%d%n", "%d%%%n", "ab%d%n", " a b %d%n", "%d,%n", "%d ,%n", "%d %n",
				 	"%dx%n", " %n", "%%%n", "%d %% %n",
						      "%'d%n", "%Id%n", "x" };
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
			int value = -1;
			begin(inputs[i], formats[k]);
			int result = strpbrk(formats[k], "dI") ? sscanf(inputs[i], formats[k], &value, &n) : sscanf(inputs[i],
				formats[k], &n);
			bytes(result, &value, sizeof value);
		}
}

static void wide(void)
{
	static const wchar_t *const inputs[] = { L"word 5", L"12 word", L"0x1f z", L"1.5e1", L"a\x100z", L"\x100", L"", L" ",
		L"-7 " },
				    *const formats[] = { L"%ls%n", L"%s%n", L"%d%n", L"%i%n", L"%x%n", L"%lf%n", L"%lc%n",
				    	L"%c%n", L"%l[a-z]%n",
							 L"%[^5]%n", L"%l[^\x101-\x105]%n", L"%2ls%n", L"%3lc%n" };
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
			wchar_t to[10] = { 0 };
			errno = 0;
			n = -1;
			printf("%zu %zu", i, k);
			int result = list(inputs[i], formats[k], to, &n);
			bytes(result, to, sizeof to);
		}
	char *new = NULL;
	wchar_t *new_wide = NULL;
	printf("%d", swscanf(L"bytes wide", L"%ms %mls", &new, &new_wide));
	printf(" %s %ls\n", new, new_wide);
	free(new);
	free(new_wide);
}

int main(void)
{
	integers();
	reals();
	strings();
	allocated();
	positions();
	literals();
	wide();
}
