/* SPDX-License-Identifier: MIT
 *
 * Past the end of a global array, into the next one.
 *
 * RUN: check
 * EXPECT: violated out-of-bounds
 * RUN: check -DFAR
 * EXPECT: violated out-of-bounds
 * RUN: check -DNEGATIVE
 * EXPECT: violated out-of-bounds
 */
int before[4], middle[4], after[4];
volatile int index_ = 4;

int main(void)
{
	after[0] = before[0] = 1;
#ifdef FAR
	return middle[index_ * 1000]; /* ERROR */
#elif defined NEGATIVE
	return middle[index_ - 5]; /* ERROR */
#else
	return middle[index_]; /* ERROR */
#endif
}
