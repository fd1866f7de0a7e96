/* SPDX-License-Identifier: MIT
 *
 * What tells programs apart, and versions of one: for files that are of use with one program only.
 */
#include "program.h"
#include "../base/base.h"
#include "../options/options.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

char *program_identity(const struct program *program)
{
	XXH3_state_t *state = XXH3_createState();
	const struct options *o = &program->inputs->options;
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

/* Blank the name of the work directory, which is another in each run: a file that was made there is named in the image. */
static void blank_names(char *bytes, size_t size)
{
	const char *root = work_root();
	size_t length = strlen(root);
	char *at = bytes, *end = bytes + size;
	while (length && (at = memmem(at, (size_t)(end - at), root, length))) {
		memset(at, 0, length);
		at += length;
	}
}

/* Blank how much memory there is: with more of it, the same search goes further. */
static void blank_memory(char *bytes, size_t size)
{
	const struct image_header *header = (const struct image_header *)bytes;
	uint64_t offset = header->sections[IMAGE_OPTIONS].offset;
	if (offset + sizeof(struct image_options) <= size)
		((struct image_options *)(bytes + offset))->max_memory = 0;
}

/* Return what identifies the image.  Its header has a checksum of the rest, including names. */
char *image_identity(const struct program *program)
{
	assert(program->image);
	char *library = data_file("libbitspin-vm.a");
	const char *const paths[] = { program->image, library };
	XXH3_state_t *state = XXH3_createState();
	XXH3_128bits_reset(state);
	XXH3_128bits_update(state, BITSPIN_VERSION, sizeof BITSPIN_VERSION);
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		size_t size = 0, skipped = i == 0 ? sizeof(struct image_header) : 0;
		char *bytes = read_file(paths[i], &size);
		if (!bytes || size < skipped)
			fail("cannot read '%s': %s", paths[i], strerror(errno));
		blank_names(bytes, size);
		if (i == 0)
			blank_memory(bytes, size);
		XXH3_128bits_update(state, bytes + skipped, size - skipped);
		free(bytes);
	}
	XXH128_hash_t hash = XXH3_128bits_digest(state);
	XXH3_freeState(state);
	free(library);
	return text("%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}
