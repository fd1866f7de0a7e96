/* SPDX-License-Identifier: MIT
 *
 * A test-and-set lock: whoever comes first when it is free.  LAST: process 0 goes round that often only.  SLEEPER: process 1
 * may stop for good in its critical section. */
#ifndef N
#define N 2
#endif
bool locked, want[N], in[N];
byte inside;

active [N] proctype process()
{
end:	do
	:: want[_pid] = true;
	   atomic { !locked -> locked = true; want[_pid] = false; in[_pid] = true; inside++ }
#ifdef SLEEPER
	   if
	   :: true
	   :: _pid == 1 -> false
	   fi;
#endif
	   d_step { in[_pid] = false; inside--; locked = false }
	od
}
