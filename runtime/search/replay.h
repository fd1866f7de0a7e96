/* SPDX-License-Identifier: MIT
 *
 * A step of a replay: the states of the search are followed, and the program's own steps are told.
 */
#ifndef BITSPIN_REPLAY_H
#define BITSPIN_REPLAY_H

/* Do what vm_step() does, with an option of a trail, and tell each step. */
int vm_replay_step(int state, int thread, int option);

#endif
