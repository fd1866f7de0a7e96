/* SPDX-License-Identifier: MIT
 *
 * The subcommands.
 */
#ifndef BITSPIN_COMMANDS_H
#define BITSPIN_COMMANDS_H

#include <jansson.h>
#include <stdbool.h>

struct formulas;
struct job;
struct operations;
struct list;

struct command {
	const char *name; /* NULL: the end of the list */
	char letter;      /* in option.def; '\0': the command has no options there */
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
int command_linearize(int argc, char **argv);
/* plans.c: run linearize for all plans of --operations, and return the exit status. */
int plans_run(struct job *job, int argc, char **argv);
/* linear_progress.c: do all that linearize --progress does before it reports. */
void progress_run(struct job *job, struct operations *operations);
int command_simulate(int argc, char **argv);
int command_profile(int argc, char **argv);
int command_orders(int argc, char **argv);
int command_audit(int argc, char **argv);
int command_cc(int argc, char **argv); /* argv: of the compiler */
int command_completion(int argc, char **argv);
int command_explain(int argc, char **argv);
/* explain.c: call does() for each kind of violation that has a page. */
void explain_each(void (*does)(const char *name, const char *meaning, void *context), void *context);

/* job.c: begin a run of the command with this letter: read its options, and let an early end go to its JSON report.  End it. */
void command_begin(struct job *job, char command, int argc, char **argv);
void command_end(struct job *job);
/* check.c: do all that a check does before it reports.  Return the pan that was used last. */
char *check_files(struct job *job, struct list *bitcode, struct formulas *formulas);

/* kept.c: write what `check --keep` leaves beside the model, so that the native program can be made from the directory.  Return
 * false if that fails. */
bool kept_write(const struct job *job, int argc, char **argv);
/* Read from a directory that `check --keep` has left the options of the check, which replace the job's, its files of bitcode and
 * the libraries that it named, and make its directory the current one.  End the command if check --keep did not leave the
 * directory. */
void kept_read(struct job *job, const char *directory, struct list *bitcode, struct list *linked);
/* End the command if `violation` is not the one that the check has found, because then the trail is of another program. */
void kept_compare(const char *directory, const char *trail, const json_t *violation);
/* List the libraries among the words of a command line: -l and -L. */
void kept_libraries(int argc, char **argv, struct list *linked);
/* replay.c: find a directory and a trail in it from what the user named.  replay_kept: return the violation to which the trail
 * leads, or end the command. */
void find_trail(const char *named, char **directory, char **trail);
json_t *replay_kept(struct job *job, const char *directory, const char *trail);
/* confirm.c: start gdb on the native program of a directory that check --keep has left, and return its exit status. */
int debug_kept(struct job *job, const char *directory, const char *trail);

#endif
