/* SPDX-License-Identifier: MIT
 *
 * ctype.h, wctype.h and integers: every value of a character.  Compared with the same program run natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wctype.h>
#undef isalnum
#undef isalpha
#undef isascii
#undef isblank
#undef iscntrl
#undef isdigit
#undef isgraph
#undef islower
#undef isprint
#undef ispunct
#undef isspace
#undef isupper
#undef isxdigit
#undef toupper
#undef tolower
#undef toascii
#undef iswalnum
#undef iswalpha
#undef iswblank
#undef iswcntrl
#undef iswdigit
#undef iswgraph
#undef iswlower
#undef iswprint
#undef iswpunct
#undef iswspace
#undef iswupper
#undef iswxdigit
#undef towupper
#undef towlower
#undef abs
#undef labs
#undef llabs
#undef ffs
#undef ffsl
#undef ffsll
#undef imaxabs

#define CLASSES(name) { int (*volatile f)(int) = name; printf(#name); for (int i = -1; i < 128; i++) putchar(f(i) ? '1' : \
	'0'); putchar('\n'); }
#define WIDE(name) { int (*volatile f)(wint_t) = name; printf(#name); for (wint_t i = 0; i < 128; i++) putchar(f(i) ? '1' \
	: '0'); putchar('\n'); }
#define MAPS(name) { int (*volatile f)(int) = name; printf(#name); for (int i = 0; i < 128; i++) printf(" %d", f(i)); \
	putchar('\n'); }
#define MAPSW(name) { wint_t (*volatile f)(wint_t) = name; printf(#name); for (wint_t i = 0; i < 128; i++) printf(" %u", \
	f(i)); putchar('\n'); }

int main(void)
{
	CLASSES(isalnum)
	CLASSES(isalpha)
	CLASSES(isascii)
	CLASSES(isblank)
	CLASSES(iscntrl)
	CLASSES(isdigit)
	CLASSES(isgraph)
	CLASSES(islower)
	CLASSES(isprint)
	CLASSES(ispunct)
	CLASSES(isspace)
	CLASSES(isupper)
	CLASSES(isxdigit)
	WIDE(iswalnum)
	WIDE(iswalpha)
	WIDE(iswblank)
	WIDE(iswcntrl)
	WIDE(iswdigit)
	WIDE(iswgraph)
	WIDE(iswlower)
	WIDE(iswprint)
	WIDE(iswpunct)
	WIDE(iswspace)
	WIDE(iswupper)
	WIDE(iswxdigit)
	MAPS(toupper)
	MAPS(tolower)
	MAPS(toascii)
	MAPSW(towupper)
	MAPSW(towlower)
	int (*volatile abs_)(int) = abs, (*volatile ffs_)(int) = ffs, (*volatile ffsl_)(long) = ffsl, (*volatile ffsll_)(long
		long) = ffsll;
	long (*volatile labs_)(long) = labs;
	long long (*volatile llabs_)(long long) = llabs;
	intmax_t (*volatile imaxabs_)(intmax_t) = imaxabs;
	printf("%d %ld %lld %jd %d %d %d %d\n", abs_(-7), labs_(-1L << 40), llabs_(-8), imaxabs_(-9), ffs_(0), ffs_(8),
		ffsl_(1L << 40), ffsll_(1LL << 50));
	div_t d = div(-17, 5);
	ldiv_t l = ldiv(1L << 40, -7);
	lldiv_t ll = lldiv(99, 10);
	imaxdiv_t m = imaxdiv(-99, 10);
	printf("%d %d %ld %ld %lld %lld %jd %jd\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem, m.quot, m.rem);
	return 0;
}
