/* SPDX-License-Identifier: MIT
 *
 * Dekker's algorithm: the one whose turn it is not steps back. */
bool want[2], in[2];
byte turn, inside;

active [2] proctype process()
{
	do
	:: want[_pid] = true;
	   do
	   :: !want[1 - _pid] -> break
	   :: want[1 - _pid] && turn == _pid -> skip
	   :: want[1 - _pid] && turn != _pid ->
		want[_pid] = false;
		(turn == _pid);
		want[_pid] = true
	   od;
	   in[_pid] = true;
	   inside++;
	   inside--;
	   in[_pid] = false;
	   turn = 1 - _pid;
	   want[_pid] = false
	od
}
