/* SPDX-License-Identifier: MIT
 *
 * The two-phase barrier of examples/barrier.c, by hand: main creates N - 1 threads, works with them, and joins them.
 * One transition is one operation on the mutex or the condition variable, with all that follows it up to the next
 * one.
 *
 *     spin -DN=3 -DSTEPS=1 -a barrier.pml
 */
#ifndef N
#define N 3
#endif
#ifndef STEPS
#define STEPS 1
#endif

#define BIT (1 << me)

bool locked;
byte count, phase;
byte asleep; /* one bit a thread: waits on the condition variable */
byte ended;  /* one bit a thread */

/* One phase: `mine` is its number, `done` what count is when the last one has come, `change` what each adds to it. */
inline pass(mine, done, change)
{
	atomic {
		!locked -> locked = true;
		count = count + change;
		if
		:: count == done -> phase = 1 - mine; last = true
		:: else -> last = false
		fi;
		stay = !last && phase == mine
	}
	if
	:: last -> asleep = 0
	:: else ->
		do
		:: !stay -> break
		:: stay ->
			d_step { locked = false; asleep = asleep | BIT }
			atomic { !(asleep & BIT) && !locked -> locked = true; stay = phase == mine }
		od
	fi;
	atomic { locked = false; last = false; stay = false }
}

inline work()
{
	do
	:: round < STEPS ->
		pass(0, N, 1);
		pass(1, 0, -1);
		round++
	:: round == STEPS -> break
	od
}

proctype thread(byte me)
{
	byte round;
	bool last, stay;
	work();
	ended = ended | BIT
}

init {
	byte me = 0, i = 1, round;
	bool last, stay;
	do
	:: i < N -> atomic { run thread(i); i++ }
	:: i == N -> break
	od;
	work();
	do
	:: i > 1 -> atomic { ended & (1 << (i - 1)) -> i-- }
	:: i == 1 -> break
	od;
	assert(count == 0 && phase == 0)
}
