/* SPDX-License-Identifier: MIT
 *
 * A ticket lock; tickets are counted modulo the number of processes. */
#ifndef N
#define N 2
#endif
byte next_ticket, serving, inside;
bool want[N], in[N];

active [N] proctype process()
{
	byte mine;
	do
	:: d_step { want[_pid] = true; mine = next_ticket; next_ticket = (next_ticket + 1) % (N + 1) }
	   d_step { serving == mine -> want[_pid] = false; in[_pid] = true; inside++ }
	   d_step { in[_pid] = false; inside--; serving = (serving + 1) % (N + 1) }
	od
}
