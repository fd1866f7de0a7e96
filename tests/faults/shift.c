/* SPDX-License-Identifier: MIT
 *
 * Shifts by the width or more, by a negative number.
 *
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated invalid-shift
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated invalid-shift
 * RUN: check -O0 -DCASE=3
 * EXPECT: violated invalid-shift
 * RUN: check -O0 -DCASE=4
 * EXPECT: verified
 */
volatile int n = 32;

int main(void)
{
	switch (CASE) {
	case 1:
		return 1 << n; /* ERROR */
	case 2:
		return (int)(1u >> n); /* ERROR */
	case 3:
		return 1 << (n - 33); /* ERROR */
	case 4:
		return (1ll << n) == 0;
	}
	return 0;
}
