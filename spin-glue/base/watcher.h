/* SPDX-License-Identifier: MIT
 *
 * The process groups that this command and its parts have running, and the process that ends them when the command is killed.  For
 * process.c only.
 */
#ifndef BITSPIN_WATCHER_H
#define BITSPIN_WATCHER_H

/* Tell the watcher, in a new child, not to wait for the child's end. */
void watcher_forget(void);
/* Note that a process group runs, which the process `owner` has started; that a group has ended, with all groups that it has
 * started. */
void watcher_add(int group, int owner);
void watcher_remove(int group);
/* Let a group be asked to end before it is killed, because it has started groups that nobody else knows. */
void watcher_ask(int group);

#endif
