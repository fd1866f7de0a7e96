/* SPDX-License-Identifier: MIT
 *
 * See turns.h; the records are in bitspin_vm.h.
 */
#include "turns.h"
#include "record.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* how often a thread has got to a place; columns do not matter */
struct visits {
	uint32_t slot, file, line, count;
	const char *name;
};

/* where it got last */
struct stop {
	uint32_t location, count;
	const char *name;
	bool begun;
};

static VM_SHARED struct visits *table; /* open addressing; no name: free */
static VM_SHARED size_t capacity, used;
static VM_SHARED struct stop stops[VM_MAX_SLOTS];

bool vm_turns_wanted(void)
{
	static VM_SHARED int wanted = -1;
	if (wanted < 0)
		wanted = getenv("BITSPIN_TURNS") != NULL;
	return wanted && vm_tracing && !vm_this.evaluating;
}

static bool is_same(const struct visits *a, const struct visits *b)
{
	return a->slot == b->slot && a->file == b->file && a->line == b->line && strcmp(a->name, b->name) == 0;
}

/* Return where the visits `of` stand in a table of `size` places, or would. */
static struct visits *place_in(struct visits *in, size_t size, const struct visits *of)
{
	assert(size && (size & (size - 1)) == 0 && of->name);
	size_t i = (of->slot * 0x9e3779b1u ^ of->file * 0xc2b2ae3du ^ of->line * 0x85ebca6bu ^ (size_t)of->name[0] * 31) &
		(size - 1);
	while (in[i].name && !is_same(&in[i], of))
		i = (i + 1) & (size - 1);
	return &in[i];
}

static struct visits *visits_of(uint32_t slot, uint32_t location, const char *name)
{
	if (2 * used >= capacity) {
		size_t size = capacity ? 2 * capacity : 1024;
		struct visits *bigger = calloc(size, sizeof *bigger);
		if (!bigger)
			VM_BUG("out of memory");
		for (size_t i = 0; i < capacity; i++)
			if (table[i].name)
				*place_in(bigger, size, &table[i]) = table[i];
		free(table);
		table = bigger;
		capacity = size;
	}
	assert(used < capacity && location < vm_this.image.counts[IMAGE_LOCATIONS]);
	const struct image_location *at = &vm_this.image.locations[location];
	struct visits wanted = { .slot = slot, .file = at->file, .line = at->line, .name = name };
	struct visits *visits = place_in(table, capacity, &wanted);
	if (!visits->name) {
		*visits = wanted;
		used++;
	}
	return visits;
}

void vm_turn_arrives(const struct vm_thread *thread, uint32_t location, const char *name)
{
	uint32_t count = ++visits_of(thread->slot, location, name)->count;
	assert(thread->slot < VM_MAX_SLOTS && count > 0);
	stops[thread->slot] = (struct stop){ .location = location, .count = count, .name = name };
}

void vm_turn_waits(const struct vm_thread *thread)
{
	stops[thread->slot].begun = true;
}

void vm_turn_elsewhere(const struct vm_thread *thread, const char *name)
{
	stops[thread->slot] = (struct stop){ .name = name };
}

void vm_turn_ends(const struct vm_thread *thread, uint32_t position)
{
	assert(thread->slot < VM_MAX_SLOTS);
	stops[thread->slot] = (struct stop){ .name = "exit", .count = position };
}

static json_t *record(const char *type, uint32_t slot)
{
	return json_pack("{s:s, s:i}", "type", type, "thread", (int)slot);
}

void vm_turn_begins(const struct vm_thread *thread, bool born)
{
	for (size_t i = 0; born && i < capacity; i++)
		if (table[i].name && table[i].slot == thread->slot)
			table[i].count = 0; /* the slot was another thread's */
	json_t *turn = record(born ? "born" : "turn", thread->slot);
	if (!born) {
		json_object_set_new(turn, "step", json_integer(vm_this.step));
		json_object_set_new(turn, "choice", json_integer(vm_this.choice));
	}
	vm_record_write(turn);
}

void vm_turn_rests(const struct vm_thread *thread)
{
	const struct stop *stop = &stops[thread->slot];
	json_t *rest = record("rest", thread->slot);
	if (stop->location) {
		json_object_set_new(rest, "file", json_string(image_file(&vm_this.image, stop->location)));
		json_object_set_new(rest, "line", json_integer(image_line(&vm_this.image, stop->location)));
	}
	json_object_set_new(rest, "operation", json_string(stop->name ? stop->name : "start"));
	json_object_set_new(rest, "count", json_integer(stop->count));
	json_object_set_new(rest, "begun", json_boolean(stop->begun));
	vm_record_write(rest);
}

void vm_turn_value(int64_t value)
{
	if (!vm_turns_wanted())
		return;
	json_t *chosen = record("value", vm_this.current->slot);
	json_object_set_new(chosen, "value", json_integer(value));
	vm_record_write(chosen);
}

void vm_turn_given(unsigned argument, const char *bytes, uint64_t length)
{
	if (!vm_turns_wanted())
		return;
	json_t *given = record("given", vm_this.current->slot);
	json_object_set_new(given, "argument", json_integer(argument));
	char *hex = malloc(2 * length + 1); /* JSON has no strings of any bytes */
	if (!hex)
		VM_BUG("out of memory");
	hex[0] = '\0';
	for (uint64_t i = 0; i < length; i++)
		sprintf(hex + 2 * i, "%02x", (unsigned char)bytes[i]);
	json_object_set_new(given, "bytes", json_string(hex));
	free(hex);
	vm_record_write(given);
}

void vm_turn_fails(void)
{
	if (vm_turns_wanted())
		vm_record_write(record("fails", vm_this.current->slot));
}
