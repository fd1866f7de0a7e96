/* SPDX-License-Identifier: MIT
 *
 * A swarm: many searches of one program, each in its own way.
 */
#ifndef BITSPIN_SWARM_H
#define BITSPIN_SWARM_H

#include "commands.h"

/* one search: a command line, `bitspin check --json - ...` */
struct swarm_search {
	struct list argv;     /* ended by NULL */
	char *way;            /* the words of it that differ from search to search */
	char *output;         /* the file to which its report goes */
	unsigned long number; /* from 1 */
	json_t *report;       /* NULL: it has not ended */
};

/* the words of --engine */
enum engine { ENGINE_LOCAL, ENGINE_PARALLEL, ENGINE_SLURM };

struct swarm {
	struct job *job;
	struct swarm_search *searches;
	size_t count, next; /* next: of those that are started here */
	unsigned long jobs; /* at a time; on each machine */
	enum engine engine;
	const char *sshlogin;
	char *directory, *here; /* of the reports; the current one, for a shell */
	struct child *children; /* the searches that run here, or the engine */
	char *child_errors;     /* file with what the engine says */
	char *complaint;        /* what it has said in the end; NULL: nothing */
	char *given;            /* what all searches have in common, to tell checkpoints apart */
};

char *swarm_command_line(const struct swarm_search *search); /* for a shell, malloc'ed */

/* engine.c: run the searches that have no report; do some still run?  Stop them all. */
void engine_start(struct swarm *swarm);
bool engine_runs(struct swarm *swarm);
void engine_stop(struct swarm *swarm);
/* Why a search has left no report, by the word of whoever ran it; malloc'ed. */
char *engine_complaint(const struct swarm *swarm, const struct swarm_search *search);

/* checkpoint.c: --checkpoint: take over the reports of an earlier run, if there is one and it was of the same program and options,
 * else the end; write those that there are. */
void checkpoint_read(struct swarm *swarm, const char *path);
void checkpoint_write(const struct swarm *swarm, const char *path);

#endif
