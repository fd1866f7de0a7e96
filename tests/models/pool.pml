/* SPDX-License-Identifier: MIT
 *
 * examples/pool.c by hand: WORKERS threads wait for jobs; main queues one, then stops them.
 *
 *     spin -DWORKERS=4 -a pool.pml
 */
/* at most 8 */
#ifndef WORKERS
#define WORKERS 4
#endif

#define BIT (1 << me)
#define IDLE (queued == 0 && !stopping)

bool locked, stopping;
byte queued, done, ended;
byte asleep; /* one bit a worker */

proctype worker(byte me)
{
	bool idle, over;
	atomic { !locked -> locked = true; idle = IDLE }
	do
	:: over -> break
	:: !over ->
		do
		:: idle ->
			d_step { locked = false; asleep = asleep | BIT }
			atomic { !(asleep & BIT) && !locked -> locked = true; idle = IDLE }
		:: !idle -> break
		od;
		if
		:: queued == 0 -> over = true
		:: else ->
			d_step { queued--; locked = false }
			atomic { !locked -> locked = true; done++; idle = IDLE }
		fi
	od;
	locked = false;
	ended++
}

init {
	byte i;
	do
	:: i < WORKERS -> atomic { run worker(i); i++ }
	:: i == WORKERS -> break
	od;
	atomic { !locked -> locked = true; queued++ }
	atomic { /* signal: any one that sleeps */
		if
		:: asleep == 0
		:: asleep & 1 -> asleep = asleep & 254
		:: asleep & 2 -> asleep = asleep & 253
		:: asleep & 4 -> asleep = asleep & 251
		:: asleep & 8 -> asleep = asleep & 247
		:: asleep & 16 -> asleep = asleep & 239
		:: asleep & 32 -> asleep = asleep & 223
		:: asleep & 64 -> asleep = asleep & 191
		:: asleep & 128 -> asleep = asleep & 127
		fi
	}
	locked = false;
	atomic { !locked -> locked = true; stopping = true }
	asleep = 0;
	locked = false;
	ended == WORKERS;
	assert(queued == 0 && done == 1)
}
