/* SPDX-License-Identifier: MIT
 *
 * Peterson's algorithm: two processes, each waits where it wants in too and has been let first. */
bool want[2], in[2];
byte turn, inside;

active [2] proctype process()
{
	do
	:: true; /* rests for as long as it likes, but not for ever under weak fairness */
	   want[_pid] = true;
	   turn = 1 - _pid;
	   (!want[1 - _pid] || turn == _pid);
	   in[_pid] = true;
	   inside++;
	   inside--;
	   in[_pid] = false;
	   want[_pid] = false
	od
}
