/* SPDX-License-Identifier: MIT
 *
 * The subcommands.
 */
#ifndef BITSPIN_COMMANDS_H
#define BITSPIN_COMMANDS_H

#include "../native/native.h"
#include "../pan/pan.h"
#include "../report/report.h"
#include "../simulate/simulate.h"

struct command {
	const char *name; /* NULL: the end of the list */
	char letter;      /* in option.def; '\0': it has no options of ours */
	int (*run)(int argc, char **argv);
	const char *help;
};
extern const struct command commands[]; /* main.c */

int command_check(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_generate(int argc, char **argv);
int command_replay(int argc, char **argv);
int command_confirm(int argc, char **argv);
int command_swarm(int argc, char **argv);
int command_simulate(int argc, char **argv);
int command_profile(int argc, char **argv);
int command_audit(int argc, char **argv);
int command_cc(int argc, char **argv); /* argv: of the compiler */
int command_completion(int argc, char **argv);

/* job.c: a run of the command with this letter begins: its options are read, an early end goes to its JSON report; it is over. */
void command_begin(struct job *job, char command, int argc, char **argv);
void command_end(struct job *job);
/* check.c: all that a check does before it reports; the pan that was used last. */
char *check_files(struct job *job, struct list *bitcode, struct formulas *formulas);

/* kept.c: what `check --keep` writes beside the model, so that the native program can be made from the directory;
 * false: it cannot be written. */
bool kept_write(const struct job *job, int argc, char **argv);
/* The options of that check instead of the job's, its files of bitcode, the libraries that it named; ends the command if the
 * directory was not left by check --keep.  The current directory becomes that of the check. */
void kept_read(struct job *job, const char *directory, struct list *bitcode, struct list *linked);
/* Is this the violation that the check has found?  Otherwise the trail is of another program: the end. */
void kept_compare(const char *directory, const char *trail, const json_t *violation);
/* Libraries among the words of a command line: -l and -L. */
void kept_libraries(int argc, char **argv, struct list *linked);
/* replay.c: a directory and a trail in it, from what the user named; the violation to which it leads, or the end. */
void find_trail(const char *named, char **directory, char **trail);
json_t *replay_kept(struct job *job, const char *directory, const char *trail);
/* confirm.c: gdb on the native program of a directory that check --keep has left; its status. */
int debug_kept(struct job *job, const char *directory, const char *trail);

#endif
