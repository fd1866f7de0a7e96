/* SPDX-License-Identifier: MIT
 *
 * A _Bool that holds neither 0 nor 1 is read.
 *
 * RUN: check -O0 -DSET
 * EXPECT: violated invalid-bool
 * RUN: check -O0 -DUNION
 * EXPECT: violated invalid-bool
 * RUN: check -O0 -DMEMBER
 * EXPECT: violated invalid-bool
 * RUN: check -O0 -DWRITTEN
 * EXPECT: verified
 * RUN: check -O0 -DFIELDS
 * EXPECT: verified
 * RUN: check -O0 -DCOPIED
 * EXPECT: verified
 * RUN: check -O0 -DUNSET
 * EXPECT: violated uninitialized-read
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct fields {
	bool a : 1, b : 1;
	unsigned rest : 6;
	bool whole;
};

static bool flag;
static atomic_bool atomic;
static union { unsigned char byte; bool truth; } both;
static struct fields fields;

int main(void)
{
	(void)flag, (void)both, (void)fields, (void)atomic;
#if defined SET
	memset(&flag, 0xff, sizeof flag);
	return flag ? 1 : 0; /* ERROR */
#elif defined UNION
	both.byte = 2;
	return both.truth; /* ERROR */
#elif defined MEMBER
	memset(&fields, 0x7f, sizeof fields);
	return fields.whole; /* ERROR */
#elif defined WRITTEN
	int n = 4;
	flag = n;
	atomic = n + 1;
	both.truth = n & 2;
	return flag && atomic && !both.truth ? 0 : 1;
#elif defined FIELDS
	memset(&fields, 0xff, 1);
	fields.b = 0;
	return fields.a && !fields.b && fields.rest == 63 && !fields.whole ? 0 : 1;
#elif defined COPIED
	memset(&fields, 0x7f, sizeof fields);
	struct fields copy = fields;
	return copy.a ? 0 : 1;
#elif defined UNSET
	bool *p = malloc(1);
	if (*p) /* ERROR */
		return 1;
	return 0;
#endif
}
