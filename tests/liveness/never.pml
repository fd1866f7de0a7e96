/* SPDX-License-Identifier: MIT */
never { /* a request that is never answered; in the form that spin -f prints */
T0_init:
	do
	:: ({requests > 0} && !{answers > 0}) -> goto accept_S4
	:: (1) -> goto T0_init
	od;
accept_S4:
	do
	:: (!{answers > 0}) -> goto accept_S4
	od;
}
