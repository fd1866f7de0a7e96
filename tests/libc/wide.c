/* SPDX-License-Identifier: MIT
 *
 * Strings of wide characters, search.h and regex.h.  Compared with the same program run natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <regex.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static int sign(int n)
{
	return (n > 0) - (n < 0);
}

static void show(const wchar_t *s)
{
	char text[40];
	size_t n = wcstombs(text, s, sizeof text);
	printf(" [%s %d]", n == (size_t)-1 ? "?" : text, (int)n);
}

static void strings(void)
{
	wchar_t buffer[40], *rest, words[] = L"  one, two";
	printf("%zu %zu %zu", wcslen(L"four"), wcsnlen(L"four", 2), wcsnlen(L"", 2));
	show(wcscpy(buffer, L"ab"));
	show(wcscat(buffer, L"cd"));
	show(wcsncat(buffer, L"efgh", 2));
	printf(" %d", (int)(wcpcpy(buffer, L"xyz") - buffer));
	wcsncpy(buffer, L"q", 4);
	printf(" %d %d", buffer[1], buffer[3]);
	wmemset(buffer, L'm', 5);
	wmemcpy(buffer, L"12", 2);
	wmemmove(buffer + 1, buffer, 4);
	*wmempcpy(buffer + 5, L"!", 1) = 0;
	show(buffer);
	printf("\n%d %d %d", sign(wcscmp(L"a", L"b")), sign(wcscmp(L"b", L"a")), wcscmp(L"same", L"same"));
	printf(" %d %d %d", sign(wcsncmp(L"abc", L"abd", 2)), sign(wcscoll(L"ab", L"a")), wcscasecmp(L"FOO", L"foo"));
	printf(" %d %d %d", sign(wcsncasecmp(L"Ab", L"aC", 2)), sign(wmemcmp(L"ab", L"ac", 2)), wmemcmp(L"a", L"b", 0));
	printf(" %d", sign(wcscmp(L"\x7fffffff", L"a")));
	const wchar_t *s = L"hello";
	printf(" %d %d %d", (int)(wcschr(s, L'l') - s), (int)(wcsrchr(s, L'l') - s), (int)(wcschr(s, 0) - s));
	printf(" %d %d", wcschr(s, L'z') == NULL, (int)(wmemchr(s, L'o', 5) - s));
	printf(" %d %d %d", (int)(wcsstr(s, L"lo") - s), wcsstr(s, L"lx") == NULL, (int)(wcsstr(s, L"") - s));
	printf(" %zu %zu %d", wcsspn(s, L"eh"), wcscspn(s, L"ol"), (int)(wcspbrk(s, L"lx") - s));
	printf(" %d\n", wcspbrk(s, L"z") == NULL);
	show(wcstok(words, L" ,", &rest));
	show(wcstok(NULL, L" ,", &rest));
	printf(" %d", wcstok(NULL, L" ,", &rest) == NULL);
	wchar_t *copy = wcsdup(L"copy");
	show(copy);
	free(copy);
	printf(" %ld %lld %lu %llu", wcstol(L" 12x", &rest, 10), wcstoll(L"-7", NULL, 0), wcstoul(L"ff", NULL, 16),
	       wcstoull(L"010", NULL, 0));
	printf(" %d %g %g\n", *rest == L'x', wcstod(L"1.5e1", &rest), (double)wcstof(L"0.25", NULL));
}

static void bytes(void)
{
	mbstate_t state = { 0 };
	wchar_t c = 0, buffer[10];
	char narrow[10];
	const char *from = "text";
	const wchar_t *wide = L"wide";
	printf("%d %d %d %d", (int)btowc('a'), btowc(EOF) == WEOF, wctob(L'b'), wctob(WEOF));
	printf(" %d %d", (int)mbrtowc(&c, "xy", 2, &state), c);
	printf(" %d %d %d", (int)mbrtowc(&c, "", 1, &state), (int)mbrtowc(&c, "x", 0, &state), mbsinit(&state) != 0);
	printf(" %d %d %d", (int)mbrlen("q", 1, &state), mbtowc(&c, "z", 1), mblen("z", 1));
	printf(" %d %d %d", mbtowc(NULL, NULL, 0), (int)wcrtomb(narrow, L'w', &state), wctomb(narrow, L'v'));
	printf(" %d", (int)mbstowcs(buffer, from, 10));
	show(buffer);
	printf(" %d", (int)mbstowcs(NULL, from, 0));
	printf(" %d", (int)mbsrtowcs(buffer, &from, 2, &state));
	printf(" %s", from);
	printf(" %d %d", (int)mbsrtowcs(buffer, &from, 9, &state), from == NULL);
	printf(" %d %d", (int)wcsrtombs(narrow, &wide, 3, &state), (int)*wide);
	printf(" %d\n", (int)wcsrtombs(NULL, &wide, 0, &state));
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void visit(const void *node, VISIT when, int level)
{
	(void)level;
	if (when == postorder || when == leaf)
		printf(" %s", *(const char *const *)node);
}

static void release(void *key)
{
	(void)key;
}

static void trees(void)
{
	static const char *const keys[] = { "m", "d", "x", "a", "g", "s", "z", "e", "m" };
	void *root = NULL;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (**(char **)tsearch(keys[i], &root, compare) != *keys[i])
			puts("another");
	twalk(root, visit);
	printf(" %d %d", tfind("g", &root, compare) != NULL, tfind("q", &root, compare) == NULL);
	printf(" %d %d", tdelete("d", &root, compare) != NULL, tdelete("q", &root, compare) == NULL);
	printf(" %d %d", tdelete("z", &root, compare) != NULL, tdelete("m", &root, compare) != NULL);
	twalk(root, visit);
	tdestroy(root, release);
	root = NULL;
	printf(" %d\n", tfind("g", &root, compare) == NULL);
}

static void tables(void)
{
	struct hsearch_data own = { 0 };
	ENTRY item = { "one", "1" }, *found;
	struct qelem a = { 0 }, b = { 0 }, c = { 0 };
	printf("%d", hcreate(3) != 0);
	hsearch(item, ENTER);
	printf(" %s", (char *)hsearch((ENTRY){ "one", "2" }, ENTER)->data);
	errno = 0;
	printf(" %d %d", hsearch((ENTRY){ "two", NULL }, FIND) == NULL, errno == ESRCH);
	hdestroy();
	printf(" %d", hcreate_r(2, &own) != 0);
	printf(" %d %s", hsearch_r(item, ENTER, &found, &own) != 0, found->key);
	hdestroy_r(&own);
	insque(&a, NULL);
	insque(&c, &a);
	insque(&b, &a);
	printf(" %d %d", a.q_forw == &b && b.q_forw == &c && c.q_back == &b, c.q_forw == NULL);
	remque(&b);
	printf(" %d\n", a.q_forw == &c && c.q_back == &a);
}

static void expressions(void)
{
	regex_t e;
	regmatch_t m[3];
	char text[60];
	printf("%d", regcomp(&e, "a(b*)(c)?", REG_EXTENDED));
	printf(" %zu %d", e.re_nsub, regexec(&e, "xxabbd", 3, m, 0));
	printf(" %d-%d %d-%d %d", m[0].rm_so, m[0].rm_eo, m[1].rm_so, m[1].rm_eo, m[2].rm_so);
	printf(" %d", regexec(&e, "none", 0, NULL, 0) == REG_NOMATCH);
	regfree(&e);
	printf(" %d", regcomp(&e, "^START", REG_ICASE | REG_NOSUB));
	printf(" %d %d", regexec(&e, "start", 0, NULL, 0), regexec(&e, "start", 0, NULL, REG_NOTBOL));
	regfree(&e);
	int error = regcomp(&e, "(", REG_EXTENDED);
	printf(" %d %d %s", error, (int)regerror(error, NULL, text, sizeof text), text);
	printf(" %d\n", (int)regerror(error, NULL, NULL, 0));
}

int main(void)
{
	strings();
	bytes();
	trees();
	tables();
	expressions();
}
