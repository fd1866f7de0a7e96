/* SPDX-License-Identifier: MIT
 *
 * Under the SV-COMP profile, a verdict is inconclusive only where an input has values that count and were not tried.
 *
 * RUN: check --profile svcomp '-DBODY=quick_exit(0);'
 * EXPECT: verified
 * RUN: check --profile svcomp '-DBODY=return(rand()<0);'
 * EXPECT: verified
 * RUN: check --profile svcomp '-DBODY=tell(3);'
 * EXPECT: verified
 * RUN: check --profile svcomp '-DBODY=number();'
 * EXPECT: verified
 * RUN: check --profile svcomp '-DBODY=scanf("%d",&x);'
 * EXPECT: verified for empty standard input
 * RUN: check --profile svcomp '-DBODY=if(__VERIFIER_nondet_int()){x=1;}'
 * EXPECT: verified
 * RUN: check --profile svcomp '-DBODY={truth=__VERIFIER_nondet_uint();}'
 * EXPECT: verified
 * RUN: check --profile svcomp '-DBODY=while(__VERIFIER_nondet_int()){x=!x;}'
 * EXPECT: verified
 * RUN: check --profile svcomp '-DBODY=if(!number()){x=1;}'
 * EXPECT: verified
 * RUN: check --profile svcomp '-DBODY=x=question();'
 * EXPECT: verified
 * RUN: check --profile svcomp '-DBODY=suppose(__VERIFIER_nondet_int());'
 * EXPECT: verified
 * RUN: check --profile svcomp '-DBODY=if(outside){x=1;}'
 * EXPECT: verified
 * RUN: check --profile svcomp '-DBODY=if(outside){reach_error();}'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp '-DBODY=if(!outside){reach_error();}'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp '-DBODY=if(number()){reach_error();}'
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp '-DBODY=if(outside==7){reach_error();}'
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp '-DBODY=if(number()==7){reach_error();}'
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp '-DBODY=if(table[1]){reach_error();}'
 * EXPECT: inconclusive: no violation found, but only a few values were tried of the undefined variable table
 * RUN: check -O0 --profile svcomp '-DBODY=if(own){reach_error();}'
 * EXPECT: inconclusive: no violation found, but only a few values were tried of the undefined variable own
 * RUN: check -O0 --profile svcomp '-DBODY=x=__VERIFIER_nondet_int();'
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp '-DBODY=if(__VERIFIER_nondet_int()>5){reach_error();}'
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp '-DBODY=if(((char)number())){x=1;}'
 * EXPECT: verified
 * RUN: check --inputs few -O0 --profile svcomp '-DBODY=pointer=number;if(pointer()){x=1;}'
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what number returns
 * RUN: check -O0 --profile svcomp '-DBODY=pointer=number;if(pointer()){x=1;}'
 * EXPECT: verified
 * RUN: check --profile svcomp --nondet int=0..1 '-DBODY=if(__VERIFIER_nondet_int()){x=1;}'
 * EXPECT: verified
 * RUN: check --profile svcomp --nondet int=1..2 -O0 '-DBODY=if(__VERIFIER_nondet_int()){x=1;}'
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --profile svcomp --extern number=choose:7..7 '-DBODY=if(number()==7){reach_error();}'
 * EXPECT: violated assertion
 */
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void tell(int);
extern int number(void);
extern _Bool question(void);
extern int outside, table[4];
extern __thread int own;

static int x;
static _Bool truth;
static int (*volatile pointer)(void);

static void suppose(int condition)
{
	if (!condition)
		abort();
}

int main(void)
{
	(void)x, (void)truth, (void)pointer;
	BODY /* ERROR */
	if (0)
		suppose(0);
	return 0;
}
