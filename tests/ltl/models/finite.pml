/* SPDX-License-Identifier: MIT
 *
 * Two processes that end, or get stuck: the last state lasts for ever. */
byte x, done;

active proctype first()
{
	x = 1;
	if
	:: x = 2
	:: x = 3
	fi;
	done++
}

active proctype second()
{
	x == 3;
	done++
}
