/* SPDX-License-Identifier: MIT
 *
 * Ranges that the user gives of functions without a body, and of those of the C library, as sets.  1: a number of the
 * range.  2: none beyond it.  3: the time; 4: a random number, of which one of a hundred is not expected.  5: a range of
 * one number.  6: no integer. 7: a range that is wider than the type.
 *
 * RUN: check --inputs sets --extern number=choose:-5..1000000 -DCASE=1
 * EXPECT: violated assertion
 * RUN: check --inputs sets --extern number=choose:-5..1000000 -DCASE=2
 * EXPECT: verified
 * RUN: check --inputs sets --extern time=choose:0..4000000000 -DCASE=3
 * EXPECT: violated assertion
 * RUN: check --inputs sets --extern rand=choose:0..2147483647 -DCASE=4
 * EXPECT: violated assertion
 * RUN: check --inputs sets --extern rand=choose:0..2147483647 -DCASE=8
 * EXPECT: verified
 * RUN: check --inputs sets --extern number=choose:7..7 -DCASE=5
 * EXPECT: verified
 * RUN: check --inputs sets --extern real=choose:0..3 -DCASE=6
 * EXPECT: violated assertion
 * RUN: check --inputs sets --extern small=choose:-100000..100000 -DCASE=7
 * EXPECT: violated assertion
 * RUN: check --extern number=any -DCASE=1
 * EXPECT: violated assertion
 * RUN: check --extern rand=any -DCASE=4
 * EXPECT: violated assertion
 * RUN: check --extern rand=any -DCASE=8
 * EXPECT: verified
 * RUN: check --extern time=any -DCASE=3
 * EXPECT: violated assertion
 * RUN: check --extern small=any -DCASE=7
 * EXPECT: violated assertion
 * RUN: check --extern real=any -DCASE=6
 * EXPECT: inconclusive: the values of real are too many to explore
 * RUN: check --inputs sets --nondet int=0..99999 -DCASE=9
 * EXPECT: violated assertion
 * RUN: check --inputs sets --nondet int=0..99998 -DCASE=9
 * EXPECT: verified
 */
#include "bitspin.h"

#include <stdlib.h>
#include <time.h>

int number(void);
short small(void);
double real(void);

static void fail_if(int condition)
{
	if (condition)
		bitspin_error("found"); /* ERROR */
}

int main(void)
{
	int n;
	switch (CASE) {
	case 1: fail_if(number() / 7 == 142857); break;
	case 2:
		n = number();
		fail_if(n < -5 || n > 1000000);
		break;
	case 3: fail_if(time(NULL) / 86400 == 40000); break;
	case 4: fail_if(rand() % 100 == 37); break;
	case 5: fail_if(number() != 7); break;
	case 6: fail_if(real() > 2.5); break;
	case 7: fail_if(small() == -32768); break;
	case 8: fail_if(rand() < 0); break;
	default: fail_if(bitspin_nondet_int() == 99999);
	}
	return 0;
}
