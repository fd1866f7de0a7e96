/* SPDX-License-Identifier: MIT
 *
 * Which threads run which functions, and what runs before there is a second thread.
 *
 * A *site* is a call of pthread_create(), or thrd_create(), in the code.  It is *single* if it is reached at most once: it lies in
 * no loop of a function that runs at most once.  The threads that a single site creates are one thread.  So a function may be run
 * by main, by the threads of some single sites, and by EXECUTOR_SEVERAL: threads of other sites, and what the runtime calls in any
 * thread, such as handlers and destructors.
 *
 * An instruction is *early* if no thread can have been created when it is reached.
 */
#ifndef BITSPIN_TRANSLATOR_EXECUTORS_H
#define BITSPIN_TRANSLATOR_EXECUTORS_H

#include "points_to.h"

enum { EXECUTOR_MAIN = 1 };
#define EXECUTOR_SEVERAL (UINT32_C(1) << 31)

struct executors {
	uint32_t *threads; /* of each function: a bit for main, for each single site, and EXECUTOR_SEVERAL */
	bool *begins_late; /* of each function: it may be called when there is a second thread */
	bool *late;        /* of each instruction: its function may have created a thread before */
};

/* Find them out for all functions, from `start` on.  The runtime enters `exit`, or IMAGE_NONE, at the end of the last thread: an
 * exit handler may create another, which is the last one in turn.  `p` is complete and not wild.  Return false if it is not known,
 * as functions may return twice. */
bool executors_find(struct executors *e, struct points *p, uint32_t start, uint32_t exit);
void executors_release(struct executors *e);

/* Is instruction `insn` of the image, in `function`, early? */
bool executors_is_early(const struct executors *e, uint32_t function, uint32_t insn);

/* Is `threads` one thread? */
bool executors_is_one(uint32_t threads);

#endif
