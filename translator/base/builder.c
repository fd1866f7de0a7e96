/* SPDX-License-Identifier: MIT
 *
 * Collects the sections of an image and writes the file.  Also the few containers that the translator needs, on uthash.
 */
#include "builder.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <uthash.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

void *xrealloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p) {
		fputs("bitspin: out of memory\n", stderr);
		exit(2);
	}
	return p;
}

char *xstrdup(const char *s)
{
	return strcpy(xrealloc(NULL, strlen(s) + 1), s);
}

/* ---- maps ---------------------------------------------------------------------------------------------------------- */

struct map {
	const void *key;
	uint32_t value;
	UT_hash_handle hh;
};

void map_put(struct map **map, const void *key, uint32_t value)
{
	struct map *entry;
	assert(key);
	HASH_FIND_PTR(*map, &key, entry);
	if (!entry) {
		entry = xrealloc(NULL, sizeof *entry);
		entry->key = key;
		HASH_ADD_PTR(*map, key, entry);
	}
	entry->value = value;
}

bool map_get(struct map *map, const void *key, uint32_t *value)
{
	struct map *entry;
	HASH_FIND_PTR(map, &key, entry);
	if (entry && value)
		*value = entry->value;
	return entry != NULL;
}

void map_free(struct map **map)
{
	struct map *entry, *next;
	HASH_ITER(hh, *map, entry, next)
	{
		HASH_DEL(*map, entry);
		free(entry);
	}
}

struct interned {
	uint32_t index;
	UT_hash_handle hh;
	char bytes[];
};

static bool find_interned(struct interned *table, const void *bytes, size_t size, uint32_t *index)
{
	struct interned *entry;
	HASH_FIND(hh, table, bytes, size, entry);
	if (entry)
		*index = entry->index;
	return entry != NULL;
}

static uint32_t add_interned(struct interned **table, const void *bytes, size_t size, uint32_t index)
{
	struct interned *entry = xrealloc(NULL, sizeof *entry + size);
	entry->index = index;
	memcpy(entry->bytes, bytes, size);
	HASH_ADD_KEYPTR(hh, *table, entry->bytes, size, entry);
	return index;
}

static void free_interned(struct interned **table)
{
	struct interned *entry, *next;
	HASH_ITER(hh, *table, entry, next)
	{
		HASH_DEL(*table, entry);
		free(entry);
	}
}

/* ---- sections ------------------------------------------------------------------------------------------------------ */

uint32_t builder_add(struct builder *b, enum image_section section, const void *elements, size_t count)
{
	assert(section < IMAGE_SECTIONS);
	struct section *s = &b->sections[section];
	size_t size = image_element_size(section), first = s->count;
	if (count > UINT32_MAX - s->count) { /* numbers have 32 bits */
		fputs("bitspin: the program has more than 4 GB of code or data\n", stderr);
		exit(2);
	}
	if (s->count + count > s->capacity) {
		s->capacity = 2 * (s->count + count) + 16;
		s->bytes = xrealloc(s->bytes, s->capacity * size);
	}
	if (elements)
		memcpy(s->bytes + first * size, elements, count * size);
	else
		memset(s->bytes + first * size, 0, count * size);
	s->count += count;
	return (uint32_t)first;
}

void *builder_at(struct builder *b, enum image_section section, uint32_t index)
{
	assert(index <= b->sections[section].count); /* behind the last: where a list that is empty begins */
	return b->sections[section].bytes + index * image_element_size(section);
}

const char *builder_file_name(struct builder *b, uint32_t file)
{
	const uint32_t *string = builder_at(b, IMAGE_FILES, file);
	return builder_at(b, IMAGE_STRINGS, *string);
}

uint32_t builder_string(struct builder *b, const char *text, size_t length)
{
	uint32_t index;
	char *copy = strndup(text, length);
	size_t size = strlen(copy) + 1;
	if (!find_interned(b->strings, copy, size, &index))
		index = add_interned(&b->strings, copy, size, builder_add(b, IMAGE_STRINGS, copy, size));
	free(copy);
	return index;
}

uint32_t builder_file(struct builder *b, const char *directory, const char *file)
{
	char *path = NULL;
	bool relative = file[0] != '/' && directory && directory[0] && file[0] != '<';
	if (asprintf(&path, "%s%s%s", relative ? directory : "", relative ? "/" : "", file) < 0)
		exit(2);
	uint32_t string = builder_string(b, path, strlen(path)), index;
	free(path);
	if (!find_interned(b->files, &string, sizeof string, &index))
		index = add_interned(&b->files, &string, sizeof string, builder_add(b, IMAGE_FILES, &string, 1));
	return index;
}

uint32_t builder_location(struct builder *b, uint32_t file, unsigned line, unsigned column)
{
	struct image_location location = {
		.file = file,
		.line = line & 0x7fffffff,
		.column = column <= UINT16_MAX ? (uint16_t)column : 0,
	};
	uint32_t index;
	if (!find_interned(b->locations, &location, sizeof location, &index))
		index = add_interned(&b->locations, &location, sizeof location, builder_add(b, IMAGE_LOCATIONS, &location, 1));
	return index;
}

uint32_t builder_constant(struct builder *b, uint64_t low, uint64_t high, unsigned slots)
{
	uint64_t key[3] = { low, high, slots };
	assert(slots == 1 || slots == 2);
	assert(slots == 2 || high == 0); /* else equal constants would have two numbers */
	uint32_t index;
	if (!find_interned(b->constants, key, sizeof key, &index))
		index = add_interned(&b->constants, key, sizeof key, builder_add(b, IMAGE_CONSTANTS, key, slots));
	return index;
}

uint32_t builder_pool(struct builder *b, const uint32_t *words, size_t count)
{
	uint32_t index;
	if (count == 0)
		return 0;
	if (!find_interned(b->pool, words, count * sizeof *words, &index))
		index = add_interned(&b->pool, words, count * sizeof *words, builder_add(b, IMAGE_POOL, words, count));
	return index;
}

void builder_init(struct builder *b)
{
	*b = (struct builder){ 0 };
	uint32_t none = 0, empty = builder_string(b, "", 0), unknown_place = builder_location(b, builder_file(b, "", ""), 0, 0);
	uint32_t unknown_type = builder_add(b, IMAGE_TYPES, NULL, 1);
	uint32_t no_words = builder_pool(b, &none, 1); /* the empty live set, and a start for empty lists */
	assert(empty == 0 && unknown_place == 0 && unknown_type == 0 && no_words == 0);
}

void builder_release(struct builder *b)
{
	for (int i = 0; i < IMAGE_SECTIONS; i++)
		free(b->sections[i].bytes);
	free_interned(&b->strings);
	free_interned(&b->files);
	free_interned(&b->locations);
	free_interned(&b->constants);
	free_interned(&b->pool);
}

int builder_write(struct builder *b, const char *path)
{
	struct image_header header = { .magic = IMAGE_MAGIC, .version = IMAGE_VERSION };
	uint64_t at = sizeof header;
	assert(b->sections[IMAGE_OPTIONS].count == 1);
	for (int i = 0; i < IMAGE_SECTIONS; i++) {
		assert(at % 8 == 0);
		header.sections[i].offset = at;
		header.sections[i].count = b->sections[i].count;
		at += (b->sections[i].count * image_element_size(i) + 7) / 8 * 8;
	}
	char *body = calloc(1, at);
	if (!body)
		return -1;
	for (int i = 0; i < IMAGE_SECTIONS; i++)
		if (b->sections[i].count)
			memcpy(body + header.sections[i].offset, b->sections[i].bytes,
			       b->sections[i].count * image_element_size(i));
	header.checksum = XXH3_64bits(body + sizeof header, at - sizeof header);
	memcpy(body, &header, sizeof header);
	FILE *out = fopen(path, "wbe");
	bool good = out && fwrite(body, 1, at, out) == at;
	if (out && fclose(out) != 0)
		good = false;
	free(body);
	if (!good && out)
		unlink(path);
	return good ? 0 : -1;
}
