/* SPDX-License-Identifier: MIT */
never { /* the thread is in server() when there is an answer */
	do
	:: ({answers > 0} && in(server, 1)) -> break
	:: else
	od;
}
