/* SPDX-License-Identifier: MIT
 *
 * What the user asks about the program, in the image: properties, what does not distinguish states, and what is not reported.
 */
#ifndef BITSPIN_TRANSLATOR_REQUEST_H
#define BITSPIN_TRANSLATOR_REQUEST_H

#include "../base/translation.h"

/* Add the propositions and invariants of the request to the image. */
void add_properties(struct translation *t);
/* property_reads.c: put what `function`, which computes `property`, may read into `reads` and `nreads` of the property. */
void property_reads(struct translation *t, LLVMValueRef function, struct image_property *property);

/* Add the masks and abstractions of the request to the image. */
void add_views(struct translation *t);

/* Put the faults that are not to be reported into the image, and switch off in `options` the reductions that do not go with them.
 * */
void add_suppressions(struct translation *t, struct image_options *options);

#endif
