/* SPDX-License-Identifier: MIT
 *
 * String functions past the end: copying, formatting, a missing NUL, memset, memcpy.
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
 */
#include <stdio.h>
#include <string.h>

static volatile size_t five = 5;
static char from[16] = "0123";
static char to[4];

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
	}
	return 0;
}
