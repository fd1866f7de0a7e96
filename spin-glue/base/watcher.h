/* SPDX-License-Identifier: MIT
 *
 * The process groups that this command and its parts have running, and the process that ends them when the command is killed.  For
 * process.c only.
 */
#ifndef BITSPIN_WATCHER_H
#define BITSPIN_WATCHER_H

#include "base.h"

/* In a new child: it is none whose end the watcher waits for. */
void watcher_forget(void);
/* A group runs, started by the process `owner`.  It has ended, and with it end all groups that it has started itself. */
void watcher_add(int group, int owner);
void watcher_remove(int group);
/* It is asked to end before it is killed, as it has started groups of which nobody else knows. */
void watcher_ask(int group);

#endif
