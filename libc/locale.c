/* SPDX-License-Identifier: MIT
 *
 * locale.h, langinfo.h, and the classes of wctype.h.  There is one locale, C, also named POSIX.
 */
#include "library.h"

#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static int is_known(const char *name)
{
	return !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
}

/* The locale of all threads, for which no lock is promised: to set it races with those that look at it. */
static volatile char all_locale;

char *setlocale(int category, const char *name)
{
	if (name)
		all_locale = 0;
	else
		(void)all_locale;
	return (!name || is_known(name)) && category >= LC_CTYPE && category <= LC_IDENTIFICATION ? (char *)"C" : NULL;
}

#define NO_TEXT ((char *)"")

struct lconv *localeconv(void)
{
	static const struct lconv c = {
		.decimal_point = (char *)".", .thousands_sep = NO_TEXT, .grouping = NO_TEXT,
		.int_curr_symbol = NO_TEXT, .currency_symbol = NO_TEXT, .mon_decimal_point = NO_TEXT, .mon_thousands_sep = NO_TEXT,
		.mon_grouping = NO_TEXT, .positive_sign = NO_TEXT, .negative_sign = NO_TEXT,
		.int_frac_digits = CHAR_MAX, .frac_digits = CHAR_MAX,
		.p_cs_precedes = CHAR_MAX, .p_sep_by_space = CHAR_MAX, .n_cs_precedes = CHAR_MAX, .n_sep_by_space = CHAR_MAX,
		.p_sign_posn = CHAR_MAX, .n_sign_posn = CHAR_MAX,
		.int_p_cs_precedes = CHAR_MAX, .int_p_sep_by_space = CHAR_MAX, .int_n_cs_precedes = CHAR_MAX,
		.int_n_sep_by_space = CHAR_MAX, .int_p_sign_posn = CHAR_MAX, .int_n_sign_posn = CHAR_MAX,
	};
	static volatile char result; /* each call may write it anew (POSIX 2.9.1) */
	(void)all_locale;
	result = 0;
	return (struct lconv *)&c;
}

/* All locales that a program makes are this one. */
static struct __locale_struct own;

locale_t newlocale(int mask, const char *name, locale_t base)
{
	(void)base;
	if (!name || (mask & ~LC_ALL_MASK) || !is_known(name)) {
		errno = name && !(mask & ~LC_ALL_MASK) ? ENOENT : EINVAL;
		return NULL;
	}
	return &own;
}

locale_t duplocale(locale_t locale)
{
	(void)locale;
	return &own;
}

void freelocale(locale_t locale)
{
	(void)locale;
}

locale_t uselocale(locale_t locale)
{
	static _Thread_local locale_t used;
	locale_t before = used ? used : LC_GLOBAL_LOCALE;
	if (locale)
		used = locale;
	return before;
}

size_t __ctype_get_mb_cur_max(void)
{
	return 1;
}

char *nl_langinfo(nl_item item)
{
	static const char *const days[] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" },
				 *const short_days[] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" },
				 *const months[] = { "January", "February", "March", "April", "May", "June", "July", "August", "September",
						     "October", "November", "December" },
				 *const short_months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	static const struct {
		nl_item item;
		const char *text;
	} others[] = {
		{ CODESET, "ANSI_X3.4-1968" }, { RADIXCHAR, "." }, { AM_STR, "AM" }, { PM_STR, "PM" }, { D_T_FMT, "%a %b %e %H:%M:%S %Y" },
		{ D_FMT, "%m/%d/%y" }, { T_FMT, "%H:%M:%S" }, { T_FMT_AMPM, "%I:%M:%S %p" }, { YESEXPR, "^[yY]" }, { NOEXPR, "^[nN]" },
		{ CRNCYSTR, "-" },
	};
	if (item >= DAY_1 && item <= DAY_7)
		return (char *)days[item - DAY_1];
	if (item >= ABDAY_1 && item <= ABDAY_7)
		return (char *)short_days[item - ABDAY_1];
	if (item >= MON_1 && item <= MON_12)
		return (char *)months[item - MON_1];
	if (item >= ABMON_1 && item <= ABMON_12)
		return (char *)short_months[item - ABMON_1];
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].item == item)
			return (char *)others[i].text;
	return NO_TEXT;
}

/* ---- classes of wide characters: a class is its number, plus one ------------------------------------------------------ */

static const char *const classes[] = { "alnum", "alpha", "blank", "cntrl", "digit", "graph",
				       "lower", "print", "punct", "space", "upper", "xdigit" };

wctype_t wctype(const char *name)
{
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (strcmp(classes[i], name) == 0)
			return i + 1;
	return 0;
}

int iswctype(wint_t c, wctype_t class)
{
	static int (*const functions[])(wint_t) = { iswalnum, iswalpha, iswblank, iswcntrl, iswdigit, iswgraph,
						    iswlower, iswprint, iswpunct, iswspace, iswupper, iswxdigit };
	return class >= 1 && class <= sizeof functions / sizeof *functions && functions[class - 1](c);
}

static const int lower = 0, upper = 0; /* wctrans_t is a pointer */

wctrans_t wctrans(const char *name)
{
	return strcmp(name, "tolower") == 0 ? &lower : strcmp(name, "toupper") == 0 ? &upper : NULL;
}

wint_t towctrans(wint_t c, wctrans_t mapping)
{
	return mapping == &lower ? towlower(c) : mapping == &upper ? towupper(c) : c;
}
