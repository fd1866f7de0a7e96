/* SPDX-License-Identifier: MIT
 *
 * The alternating bit protocol over channels that lose messages.  The sender sends 0, 1, 2, 0, ...; `fetched` and `delivered`
 * say which message was the last one. */
chan data = [1] of { byte, bit };
chan acknowledgement = [1] of { bit };
byte fetched, delivered = 2;
bool lost;

active proctype sender()
{
	bit b, got;
	do
	:: data ! fetched, b
	:: acknowledgement ? got ->
		if
		:: got == b -> d_step { b = 1 - b; fetched = (fetched + 1) % 3 }
		:: got != b
		fi
	od
}

active proctype receiver()
{
	byte message;
	bit b, expected;
	do
	:: data ? message, b ->
		if
		:: b == expected -> d_step { delivered = message; expected = 1 - expected }
		:: b != expected
		fi;
		acknowledgement ! b
	od
}

active proctype thief()
{
	byte message;
	bit b;
	do
	:: d_step { data ? message, b -> lost = true }
	:: d_step { acknowledgement ? b -> lost = true }
	:: lost = false
	od
}
