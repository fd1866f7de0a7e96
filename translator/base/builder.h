/* SPDX-License-Identifier: MIT
 *
 * What an image is collected in, and the containers that all files of the translator use.
 */
#ifndef BITSPIN_TRANSLATOR_BUILDER_H
#define BITSPIN_TRANSLATOR_BUILDER_H

#include "../../runtime/image/image.h"

void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);

/* A growing array of the elements of one section. */
struct section {
	char *bytes;
	size_t count, capacity; /* elements */
};

struct map; /* pointer -> uint32_t */
void map_put(struct map **map, const void *key, uint32_t value);
bool map_get(struct map *map, const void *key, uint32_t *value);
void map_free(struct map **map);

struct interned; /* bytes -> uint32_t */

struct builder {
	struct section sections[IMAGE_SECTIONS];
	struct interned *strings, *files, *locations, *constants, *pool;
};

void builder_init(struct builder *b);
void builder_release(struct builder *b);
/* Append `count` elements to `section`.  Return the index of the first. */
uint32_t builder_add(struct builder *b, enum image_section section, const void *elements, size_t count);
void *builder_at(struct builder *b, enum image_section section, uint32_t index);
/* Return the name of a file that locations have. */
const char *builder_file_name(struct builder *b, uint32_t file);
/* Add a file, a string, a location, a constant or words of the pool, and return the index.  Equal contents get equal indices. */
uint32_t builder_string(struct builder *b, const char *text, size_t length);
uint32_t builder_file(struct builder *b, const char *directory, const char *file);
uint32_t builder_location(struct builder *b, uint32_t file, unsigned line, unsigned column);
uint32_t builder_constant(struct builder *b, uint64_t low, uint64_t high, unsigned slots);
uint32_t builder_pool(struct builder *b, const uint32_t *words, size_t count);
/* Write the image to the file `path`.  Return 0, or -1 with errno set. */
int builder_write(struct builder *b, const char *path);

#endif
