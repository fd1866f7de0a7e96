/* SPDX-License-Identifier: MIT
 *
 * The thread that creates the others and joins them.  It comes last, so that theirs are the numbers from 0 on.
 */
active proctype creator()
{
	do
	:: d_step { started < N -> started++ }
	:: d_step { started == N && joined < N && (ended & (1 << joined)) -> joined++ }
	:: d_step { joined == N && started == N -> started = N + 1 } break
	od;
end:	false
}
