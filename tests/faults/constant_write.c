/* SPDX-License-Identifier: MIT
 *
 * A write to a string literal, and to a constant.
 *
 * RUN: check -O0
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DCONSTANT
 * EXPECT: violated out-of-bounds
 */
static const int constants[2] = {1, 2};
static char *text = "literal";

int main(void)
{
#ifdef CONSTANT
	int *p = (int *)constants;
	p[1] = 3; /* ERROR */
#else
	text[0] = 'L'; /* ERROR */
#endif
	return 0;
}
