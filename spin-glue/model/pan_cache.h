/* SPDX-License-Identifier: MIT
 *
 * Compiled pans, in the user's cache.  Those that were used last stay, up to so many megabytes as BITSPIN_CACHE_MB says.
 */
#ifndef BITSPIN_PAN_CACHE_H
#define BITSPIN_PAN_CACHE_H

#include <stdbool.h>

/* Return the path of the pan with this key, malloc'ed: a link to it in `directory`, which is made, so that it stays as long as it
 * is needed; or the pan in the cache, where no link can be made.  NULL: there is none. */
char *pan_cache_find(const char *key, const char *directory);

/* Put a pan into the cache for the next time, and remove pans that have not been used for long.  It is no error if that fails. */
void pan_cache_add(const char *key, const char *pan);

#endif
