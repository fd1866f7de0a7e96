/* SPDX-License-Identifier: MIT
 *
 * Inputs of any value, without a profile: results of bitspin_any_TYPE.  The verdicts are derived by hand.  1: one value of many;
 * 2: an index.  3 to 7: the ends of types.  8: the address of the function is taken.  9: two that are compared.  10: 0 and 1.
 * 11: for one value, a thread waits for ever.
 *
 * RUN: check -DCASE=1
 * EXPECT: violated assertion
 * RUN: check --inputs few -DCASE=1
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what bitspin_any_int returns
 * RUN: check -DCASE=1 --ltl '[] {other == 0}'
 * EXPECT: violated assertion
 * RUN: check -DCASE=2
 * EXPECT: verified
 * RUN: check -DCASE=3
 * EXPECT: violated assertion
 * RUN: check -DCASE=4
 * EXPECT: violated assertion
 * RUN: check -DCASE=5
 * EXPECT: violated assertion
 * RUN: check -DCASE=6
 * EXPECT: verified
 * RUN: check -DCASE=7
 * EXPECT: violated assertion
 * RUN: check -DCASE=8
 * EXPECT: violated assertion
 * RUN: check -DCASE=9
 * EXPECT: violated assertion
 * RUN: check -DCASE=10
 * EXPECT: verified
 * RUN: check -DCASE=11
 * EXPECT: violated deadlock
 */
#include "bitspin.h"
#include "inputs.h"

static int number_of(int (*function_of)(void))
{
	return function_of();
}

static void *wait_for_one(void *unused)
{
	while (atomic != 1) /* ERROR */
		;
	return unused;
}

static void fail_if(int condition)
{
	if (condition)
		bitspin_error("found"); /* ERROR */
}

int main(void)
{
	int all[10] = { 0 }, n;
	pthread_t thread;
	switch (CASE) {
	case 1:
		n = bitspin_any_int();
		fail_if(n % 100 == 45 && n > 12300);
		break;
	case 2:
		n = bitspin_any_int();
		bitspin_assume(n >= 0 && n < 10);
		fail_if(all[n]);
		break;
	case 3: fail_if(bitspin_any_unsigned() / 2 > 2147483000); break;
	case 4: fail_if(bitspin_any_long() / 3 < -3000000000); break;
	case 5: fail_if(bitspin_any_uchar() * 3 == 765); break;
	case 6: fail_if(bitspin_any_uchar() * 3 > 765 || bitspin_any_char() * 2 < -256 || bitspin_any_ushort() * 2 > 131070); break;
	case 7: fail_if(bitspin_any_short() * 2 == -65536 && bitspin_any_ulong() / 5 == 3689348814741910323); break;
	case 8: fail_if(number_of(bitspin_any_int) / 7 == 11); break;
	case 9:
		n = bitspin_any_int();
		fail_if(n > 1000000 && bitspin_any_int() == n - 7);
		break;
	case 10: fail_if((bitspin_any_bool() | 1) != 1); break;
	default:
		pthread_create(&thread, NULL, wait_for_one, NULL);
		n = bitspin_any_int();
		atomic = n * 2 != 84;
		pthread_join(thread, NULL);
	}
	return 0;
}
