/* SPDX-License-Identifier: MIT
 *
 * Arguments of scanf that are not what the format asks for, and conversions that nobody knows.
 *
 * RUN: check -O0 '-DFORMAT="%d %d"' '-DARGUMENTS=&number'
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 '-DFORMAT="%2$d"' '-DARGUMENTS=&number'
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 '-DFORMAT="%ld"' '-DARGUMENTS=&number'
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 '-DFORMAT="%lf"' '-DARGUMENTS=&number'
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 '-DFORMAT="%*d%s"' -DARGUMENTS=two
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 '-DFORMAT="%*d %l[a-z]"' -DARGUMENTS=wide
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 '-DFORMAT="%*d%5c"' -DARGUMENTS=two
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 '-DFORMAT="%d%ms"' '-DARGUMENTS=&number,&new' -DSHORT
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 '-DFORMAT="%y"' '-DARGUMENTS=&number'
 * EXPECT: inconclusive: the conversion %y of scanf is not modelled
 * RUN: check -O0 '-DFORMAT="%d %lms"' '-DARGUMENTS=&number,&new'
 * EXPECT: inconclusive: the conversion %m of scanf is not modelled
 * RUN: check -O0 '-DFORMAT="%*d %[a-z"' -DARGUMENTS=two
 * EXPECT: inconclusive: scanf: a format has [ without ], which C does not define
 * RUN: check -O0 '-DFORMAT="%"' '-DARGUMENTS=&number'
 * EXPECT: inconclusive: scanf: a format ends within a conversion, which C does not define
 * RUN: check '-DFORMAT="%hhd %1s%2ls%n"' '-DARGUMENTS=two,two,wide,&number'
 * EXPECT: verified
 * RUN: check '-DFORMAT="%2$d%1$ms"' '-DARGUMENTS=&new,&number'
 * EXPECT: verified
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static char two[2];
static wchar_t wide[3];
static int number;
static char *new;

int main(void)
{
	(void)two, (void)wide, (void)number;
	sscanf("12 text", FORMAT, ARGUMENTS); /* ERROR */
	if (new) {
#ifdef SHORT
		new[5] = 0; /* ERROR */
#endif
		assert(new[0] == 't');
	}
	free(new);
	return 0;
}
