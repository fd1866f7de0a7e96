/* SPDX-License-Identifier: MIT
 *
 * What tells programs apart, and versions of one: for files that are of use with one program only.
 */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

char *program_identity(const struct job *job)
{
	XXH3_state_t *state = XXH3_createState();
	const struct options *o = &job->options;
	XXH3_64bits_reset(state);
	for (size_t i = 0; i < o->files.count; i++) {
		size_t size = 0;
		char *bytes = read_file(o->files.items[i], &size);
		XXH3_64bits_update(state, &size, sizeof size);
		XXH3_64bits_update(state, bytes ? bytes : "", bytes ? size : 0);
		free(bytes);
	}
	for (size_t i = 0; i < o->flags.clang.count; i++)
		XXH3_64bits_update(state, o->flags.clang.items[i], strlen(o->flags.clang.items[i]) + 1);
	char *name = text("%016llx", (unsigned long long)XXH3_64bits_digest(state));
	XXH3_freeState(state);
	return name;
}
