/* SPDX-License-Identifier: MIT
 *
 * From a program's threads and formula to a model in Promela (model.c), and from the model to a pan (verifier.c).
 */
#ifndef BITSPIN_MODEL_H
#define BITSPIN_MODEL_H

#include "../program/program.h"

/* The model's text for so many processes, malloc'ed. */
char *model_text(const struct job *job, unsigned threads);
/* Is the pan that the job wants one whose set of visited states the VM keeps?  See VM_VISITED in bitspin_vm.h. */
bool model_keeps_visited(const struct job *job);
bool model_is_of_crew(const struct job *job); /* ... of several processes that share it? */

/* For replay: leave the formula that the model's claim is for beside the model, in `directory`. */
bool keep_formula(const struct job *job, const char *directory);

/* A pan for the model, from the cache if it was made before; its path, malloc'ed. */
char *pan_for(struct job *job, unsigned threads);
const char *pan_compiler(void);

#endif
