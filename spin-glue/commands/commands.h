/* SPDX-License-Identifier: MIT
 *
 * The subcommands.
 */
#ifndef BITSPIN_COMMANDS_H
#define BITSPIN_COMMANDS_H

#include "../pan/pan.h"
#include "../report/report.h"

int command_check(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_generate(int argc, char **argv);
int command_replay(int argc, char **argv);
int command_audit(int argc, char **argv);
int command_cc(int argc, char **argv); /* argv: of the compiler */

/* job.c: a run of the command with this letter begins: its options are read, an early end goes to its JSON report; it is over. */
void command_begin(struct job *job, char command, int argc, char **argv);
void command_end(struct job *job);
/* Before the work, not after it: can the files that were asked for be written? */
void check_output_files(struct options *options);

#endif
