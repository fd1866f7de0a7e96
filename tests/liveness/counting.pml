/* SPDX-License-Identifier: MIT */
never { /* x is 1 for two steps in a row; not closed under stuttering */
T0_init:
	do
	:: ({x == 1}) -> goto T0_again
	:: (1) -> goto T0_init
	od;
T0_again:
	do
	:: ({x == 1}) -> goto accept_all
	od;
accept_all:
	skip
}
