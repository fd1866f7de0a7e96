/* SPDX-License-Identifier: MIT
 *
 * From a program's threads and formula to a model in Promela (model.c), and from the model to a pan (verifier.c).
 */
#ifndef BITSPIN_MODEL_H
#define BITSPIN_MODEL_H

#include <stdbool.h>

struct program;

/* Return the text of the model for `threads` processes, malloc'ed. */
char *model_text(const struct program *program, unsigned threads);
/* Does the VM keep the set of visited states for the pan of the program?  See VM_VISITED in bitspin_vm.h. */
bool model_keeps_visited(const struct program *program);
/* Is the pan of the program one of a crew, which shares that set? */
bool model_is_of_crew(const struct program *program);

/* Leave for replays the formula of the model's claim beside the model, in `directory`. */
bool keep_formula(const struct program *program, const char *directory);

/* Return the path of a pan for the model, malloc'ed: from the cache if it was made before.  `seconds`: how long the last search
 * of the program took. */
char *pan_for(struct program *program, unsigned threads, double seconds);
const char *pan_compiler(void);

#endif
