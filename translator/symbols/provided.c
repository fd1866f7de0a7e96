/* SPDX-License-Identifier: MIT
 *
 * What the translator provides: which functions of the C library it writes itself (lower/provided_bodies.c), and the memory that
 * functions of the runtime need in the program's state.
 */
#include "symbols.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

/* What functions of the runtime remember in the program's state: zero bytes, which the runtime finds by name. */
static const struct memory {
	const char *name, *functions[2];
	uint64_t size;
	uint32_t flags;
	bool forward; /* only if the clock goes forward */
} memories[] = {
	{ "thread-specific keys", { "pthread_key_create", "tss_create" }, PTHREAD_KEYS_MAX * 8, 0, false },
	{ "thread-specific values", { "pthread_key_create", "tss_create" }, PTHREAD_KEYS_MAX * 8, GLOBAL_THREAD_LOCAL, false },
	{ "named semaphores", { "sem_open" }, 8 * 96, 0, false },
	{ "names of threads", { "pthread_getname_np" }, 256 * 16, 0, false },
	{ "signals of threads", { "__bitspin_signal_get" }, 258 * 16, 0, false },
	{ "memory that is protected", { "__bitspin_protect" }, 16 * 24, 0, false },
	{ "ends of threads", { "__bitspin_destructors" }, 8, 0, false },
	{ "the clock", { "__bitspin_clock_read" }, 16, 0, true },
};

/* Make the disk of --fs-write (libc/disk.h): its nodes, then what is in each file. */
static void provide_disk(struct translation *t)
{
	enum { PARTS = 1 + 16, NODES = 2048, BYTES = 16384 };
	static const uint8_t zero[BYTES];
	uint32_t index;
	if (!t->request->options.fs_write || map_get(t->globals, zero, &index))
		return;
	for (unsigned i = 0; i < PARTS; i++) {
		char name[40];
		snprintf(name, sizeof name, "part %u of the disk", i);
		index = make_global(t, name, zero, i ? BYTES : NODES, GLOBAL_PROVIDED | GLOBAL_INTERNAL);
	}
	map_put(&t->globals, zero, index);
}

uint32_t provide(struct translation *t, const void *key, const char *name, const void *bytes, uint64_t size, uint32_t flags)
{
	uint32_t index;
	if (map_get(t->globals, key, &index))
		return index;
	index = make_global(t, name, bytes, size, flags | GLOBAL_INTERNAL);
	if (flags & GLOBAL_THREAD_LOCAL)
		((struct image_global *)builder_at(&t->builder, IMAGE_GLOBALS, index))->tls = t->ntls++;
	map_put(&t->globals, key, index);
	return index;
}

void provide_memory(struct translation *t, const char *function)
{
	if (strcmp(function, "__bitspin_disk") == 0)
		provide_disk(t);
	for (const struct memory *m = memories; m < memories + sizeof memories / sizeof *memories; m++) {
		bool uses = strcmp(function, m->functions[0]) == 0 || (m->functions[1] && strcmp(function, m->functions[1]) == 0);
		if (m->forward && !t->request->options.clock_step)
			continue;
		if (!uses)
			continue;
		uint8_t *zero = calloc(m->size, 1);
		provide(t, m, m->name, zero, m->size, m->flags | GLOBAL_PROVIDED);
		free(zero);
	}
}

bool is_provided(const char *name)
{
	static const char *const names[] = { "__errno_location", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc" };
	return IS_AMONG(name, names);
}

bool translator_provides(const char *name)
{
	return is_provided(name);
}
