/* SPDX-License-Identifier: MIT
 *
 * A swarm: many searches of one program, each in its own way.
 */
#ifndef BITSPIN_SWARM_H
#define BITSPIN_SWARM_H

#include "../base/base.h"

#include <jansson.h>

struct job;

/* One search: a command line, `bitspin check --json - ...`. */
struct swarm_search {
	struct list argv;
	char *way;            /* the words of the command line that differ from search to search */
	char *output;         /* the file to which the report goes */
	unsigned long number; /* from 1 */
	json_t *report;       /* NULL: the search has not ended */
};

/* The words of --engine. */
enum engine { ENGINE_LOCAL, ENGINE_PARALLEL, ENGINE_SLURM };

struct swarm {
	struct job *job;
	struct swarm_search *searches;
	size_t count, next; /* next: the search to be started next, where the command itself starts them */
	unsigned long jobs; /* searches at a time, on each machine */
	enum engine engine;
	const char *sshlogin;
	char *directory;        /* of the reports */
	char *here;             /* the current directory, quoted for a shell */
	struct child *children; /* the searches that run here, or the engine */
	char *child_errors;     /* the file with what the engine says on standard error */
	char *complaint;        /* what the engine has said in the end; NULL: nothing */
	char *given;            /* what all searches have in common, to tell checkpoints apart */
};

char *swarm_command_line(const struct swarm_search *search); /* for a shell, malloc'ed */

/* engine.c: start the searches that have no report; do some still run?  Stop them all. */
void engine_start(struct swarm *swarm);
bool engine_runs(struct swarm *swarm);
void engine_stop(struct swarm *swarm);
/* Say why a search has left no report, as the engine has it, malloc'ed. */
char *engine_complaint(const struct swarm *swarm, const struct swarm_search *search);

/* checkpoint.c: --checkpoint.  Take over the reports of an earlier run, if there is a file; end the command if it is of another
 * program or other options.  checkpoint_write: write the reports so far. */
void checkpoint_read(struct swarm *swarm, const char *path);
void checkpoint_write(const struct swarm *swarm, const char *path);

#endif
