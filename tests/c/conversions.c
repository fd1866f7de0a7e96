/* SPDX-License-Identifier: MIT
 *
 * strtol and friends: values, end pointers, bases.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *volatile numbers = "  -12 0x1f 077 99x";

int main(void)
{
	const char *text = numbers;
	char *end;
	assert(atoi("42") == 42 && atoi("-7x") == -7 && atol("5000000000") == 5000000000 && atof("2.5") == 2.5);
	assert(strtol(text, &end, 10) == -12 && end == text + 5);
	assert(strtol(end, &end, 16) == 0x1f && end == text + 10);
	assert(strtoul(end, &end, 0) == 077 && end == text + 14);
	assert(strtoll(end, &end, 10) == 99 && *end == 'x');
	assert(strtol(end, &end, 10) == 0 && *end == 'x');
	assert(strtod("1e3rest", &end) == 1000 && !strcmp(end, "rest"));
	assert(strtoull("18446744073709551615", NULL, 10) == 18446744073709551615u);
	return 0;
}
