/* SPDX-License-Identifier: MIT
 *
 * Two readers and a writer; readers go in while others read, so that they can keep the writer out. */
byte readers;
bool writing, waiting, reading[2];

active [2] proctype reader()
{
	do
	:: atomic { !writing -> readers++; reading[_pid] = true }
	   d_step { readers--; reading[_pid] = false }
	od
}

active proctype writer()
{
	do
	:: waiting = true;
	   atomic { !writing && readers == 0 -> writing = true; waiting = false }
	   writing = false
	od
}
