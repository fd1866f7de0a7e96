/* SPDX-License-Identifier: MIT
 *
 * String functions past the end: copying, formatting, a missing NUL, memset, memcpy; what looks for a byte or the first difference
 * stops there, whatever length it is given (8 to 12).
 *
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DCASE=3
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DCASE=4
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DCASE=5
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DCASE=6
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DCASE=7
 * EXPECT: verified
 * RUN: check -O0 -DCASE=8
 * EXPECT: verified
 * RUN: check -O0 -DCASE=9
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DCASE=10
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DCASE=11
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DCASE=12
 * EXPECT: violated out-of-bounds
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

static volatile size_t five = 5;
static char from[16] = "0123";
static char to[4];
static const char ab[2] = { 'a', 'b' }, ac[2] = { 'a', 'c' }, AC[2] = { 'A', 'C' };
static const wchar_t wide[2] = { L'a', L'b' };

int main(void)
{
	size_t n = five;
	switch (CASE) {
	case 1:
		strcpy(to, from); /* ERROR */
		break;
	case 2:
		sprintf(to, "%d", 12345); /* ERROR */
		break;
	case 3:
		memcpy(to, from, n - 1);
		return (int)strlen(to); /* ERROR */
	case 4:
		memset(to, 0, n); /* ERROR */
		break;
	case 5:
		memcpy(to, from, n); /* ERROR */
		break;
	case 6:
		strcpy(to, "ab");
		strcat(to, "cd"); /* ERROR */
		break;
	case 7:
		snprintf(to, sizeof to, "%d", 12345);
		return strcmp(to, "123") != 0;
	case 8:
		if (memchr(ab, 'b', SIZE_MAX) != ab + 1 || memchr(ab + 2, 'b', 0) || strncmp(ab, ac, n) >= 0 ||
		    strncasecmp(AC, ab, n) <= 0 || wcsncmp(wide, L"ac", n) >= 0 || wmemchr(wide, L'b', n) != wide + 1)
			return 1;
		strncat(strcpy(to, ""), ab, 2);
		return snprintf(to, sizeof to, "%.2s%.0s", ab, ab + 2) != 2;
	case 9: return !memchr(ab, 'z', 3); /* ERROR */
	case 10: return memcmp(ab, ac, 3); /* ERROR */
	case 11: return strncmp(ab, "abc", n); /* ERROR */
	case 12: return wmemcmp(wide, L"zzz", 3); /* ERROR */
	}
	return 0;
}
