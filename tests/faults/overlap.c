/* SPDX-License-Identifier: MIT
 *
 * Functions that copy between ranges that overlap, which they may not.
 *
 * RUN: check -O0 '-DCALL=memcpy(text,text+1,3)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=memcpy(text+3,text,4)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=copy(text+3,text,4)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=mempcpy(text+3,text,4)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=strcpy(text,text+1)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=strcpy(text,text)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=strcpy(text,text+6)'
 * EXPECT: verified
 * RUN: check -O0 '-DCALL=stpcpy(text+4,text)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=strncpy(text+4,text,5)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=strncpy(text+4,text,4)'
 * EXPECT: verified
 * RUN: check -O0 '-DCALL=strncpy(text,text+6,7)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=strcat(text,text)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=strcat(text,text+4)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=strncat(text,text+4,7)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=strncat(text,text+4,1)'
 * EXPECT: verified
 * RUN: check -O0 '-DCALL=strncat(text,text,0)'
 * EXPECT: verified
 * RUN: check -O0 '-DCALL=sprintf(text,"%s!",text)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=snprintf(text,sizeof(text),"%d%s",3,text+2)'
 * EXPECT: violated overlap
 * RUN: check -O0 '-DCALL=snprintf(text,3,"%s",text+8)'
 * EXPECT: verified
 * RUN: check -O0 '-DCALL=snprintf(text,0,"%s",text)'
 * EXPECT: verified
 * RUN: check -O0 '-DCALL=sprintf(text,text)'
 * EXPECT: violated overlap
 * RUN: check -O0 -DASSIGN
 * EXPECT: violated overlap
 * RUN: check '-DCALL=memmove(text,text+1,9)'
 * EXPECT: verified
 * RUN: check '-DCALL=memcpy(text,text+4,4)'
 * EXPECT: verified
 * RUN: check '-DCALL=memcpy(text,text+1,0)'
 * EXPECT: verified
 * RUN: check -DASSIGN_SAME
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

struct large {
	int numbers[20];
};

static char text[40] = "abcdefghij";
static union {
	struct large whole;
	struct {
		int first;
		struct large shifted;
	} parts;
} both;
static void *(*volatile copy)(void *restrict, const void *restrict, size_t) = memcpy;

int main(void)
{
	struct large *p = &both.whole, *q = &both.parts.shifted;
	(void)p, (void)q, (void)copy, (void)text;
#if defined ASSIGN
	*p = *q; /* ERROR */
#elif defined ASSIGN_SAME
	q = p;
	*p = *q;
#else
	CALL; /* ERROR */
#endif
	return 0;
}
