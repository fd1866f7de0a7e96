/* SPDX-License-Identifier: MIT
 *
 * Which states of a program behave alike and yet differ?  Enumerates the states, finds the coarsest partition in which
 * states of a class have the same moves into the same classes (bisimulation; a move's label is the thread, where it is, the
 * outcome, and whether it ends the program, violates something or is cut), and says by which parts the states of a class
 * differ.  Not all of that is waste: data that decide nothing any more also make states differ.  What the VM could forget is
 * what no instruction can read again, and numbers that only name things.
 *
 *     usage: BITSPIN_IMAGE=FILE canonical [-r] [-v]
 *
 * -r: with the image's reductions (without any, otherwise); -v: with an example of each difference.  The first line is
 * "STATES CLASSES"; then one for each set of parts that differ: how many states differ from the first of their class so.
 */
#include "../../runtime/bitspin_vm.h"
#include "../../runtime/memory/holders.h"
#include "../../runtime/search/step/start.h"
#include "../../runtime/search/step/single.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_STATES = 300000 };

/* ---- the graph ----------------------------------------------------------------------------------------------------- */

struct edge { uint64_t label; uint32_t to; };
struct node { int state; uint32_t first, count; uint64_t class; };

static struct node *nodes;
static struct edge *edges;
static uint32_t nnodes, nedges, *table, table_size; /* table: node + 1, by state */

static uint32_t node_of(int state)
{
	if (2 * nnodes >= table_size) {
		free(table);
		table_size = table_size ? 4 * table_size : 4096;
		table = calloc(table_size, sizeof *table);
		nodes = realloc(nodes, table_size * sizeof *nodes);
		for (uint32_t i = 0; i < nnodes; i++) {
			uint32_t at = (uint32_t)nodes[i].state * 2654435761u & (table_size - 1);
			while (table[at])
				at = (at + 1) & (table_size - 1);
			table[at] = i + 1;
		}
	}
	uint32_t at = (uint32_t)state * 2654435761u & (table_size - 1);
	for (; table[at]; at = (at + 1) & (table_size - 1))
		if (nodes[table[at] - 1].state == state)
			return table[at] - 1;
	nodes[nnodes] = (struct node){ .state = state };
	table[at] = ++nnodes;
	return nnodes - 1;
}

static uint64_t place_of(int state, int slot)
{
	vm_state_load(vm_ref_of(state));
	const struct vm_thread *thread = vm_thread_load((unsigned)slot);
	if (thread->header.frames == 0)
		return 0;
	const struct vm_frame *top = &thread->frames[thread->header.frames - 1];
	return (uint64_t)top->function << 32 | top->pc;
}

static void expand(uint32_t n)
{
	int state = nodes[n].state;
	nodes[n].first = nedges;
	for (int thread = 0; thread < (int)vm_this.max_threads; thread++)
		for (int choice = 0; choice < VM_CHOICES && vm_enabled(state, thread, choice); choice++) {
			uint64_t label[] = { (uint64_t)thread, (uint64_t)choice, place_of(state, thread) };
			uint32_t to = node_of(vm_step(state, thread, choice));
			edges = realloc(edges, (nedges + 1) * sizeof *edges);
			edges[nedges++] = (struct edge){ XXH3_64bits(label, sizeof label), to };
		}
	nodes[n].count = nedges - nodes[n].first;
}

/* ---- the partition ------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static uint32_t count_classes(const uint64_t *class)
{
	uint64_t *sorted = malloc(nnodes * sizeof *sorted);
	uint32_t n = 0;
	memcpy(sorted, class, nnodes * sizeof *sorted);
	qsort(sorted, nnodes, sizeof *sorted, by_value);
	for (uint32_t i = 0; i < nnodes; i++)
		n += i == 0 || sorted[i] != sorted[i - 1];
	free(sorted);
	return n;
}

/* Refine until no class splits: by 64-bit hashes, which will do for a yardstick. */
static uint32_t refine(void)
{
	uint64_t *class = calloc(nnodes, sizeof *class), moves[256];
	for (uint32_t i = 0; i < nnodes; i++)
		nodes[i].class = vm_state_words(vm_ref_of(nodes[i].state))[0]; /* ended, violated or cut */
	for (uint32_t before = 0, now;; before = now) {
		for (uint32_t i = 0; i < nnodes; i++) {
			uint32_t n = 0;
			for (uint32_t k = 0; k < nodes[i].count && n < 255; k++) {
				uint64_t move[] = { edges[nodes[i].first + k].label, nodes[edges[nodes[i].first + k].to].class };
				moves[n++] = XXH3_64bits(move, sizeof move);
			}
			qsort(moves, n, sizeof *moves, by_value);
			moves[n++] = vm_state_words(vm_ref_of(nodes[i].state))[0];
			class[i] = XXH3_64bits(moves, n * sizeof *moves);
		}
		for (uint32_t i = 0; i < nnodes; i++)
			nodes[i].class = class[i];
		now = count_classes(class);
		if (now == before) {
			free(class);
			return now;
		}
	}
}

/* ---- the parts of a state ------------------------------------------------------------------------------------------ */

struct part { char name[100]; char value[400]; };
struct parts { struct part *items; uint32_t count; };

static void add(struct parts *parts, const char *name, const char *value)
{
	parts->items = realloc(parts->items, (parts->count + 1) * sizeof *parts->items);
	struct part *part = &parts->items[parts->count++];
	snprintf(part->name, sizeof part->name, "%s", name);
	snprintf(part->value, sizeof part->value, "%s", value);
}

static void add_object(struct parts *parts, const char *name, const struct vm_object *object)
{
	char value[400];
	int n = snprintf(value, sizeof value, "%u bytes, flags %u, depth %u, order %u:", object->header.size, object->header.flags,
			 object->header.depth, object->header.order);
	for (uint32_t i = 0; i < object->header.size && n < 380; i++)
		n += snprintf(value + n, sizeof value - (size_t)n, "%s%02x", i % 8 ? "" : " ", object->bytes[i]);
	add(parts, name, value);
}

static void add_map(struct parts *parts, unsigned slot, const char *what, struct vm_map *map)
{
	for (uint32_t i = 0; i < map->count; i++) {
		char name[100];
		const struct vm_object *object = vm_map_find(map, i);
		snprintf(name, sizeof name, "thread %u %s %u", slot, what, i);
		if (object)
			add_object(parts, name, object);
	}
}

static void add_frames(struct parts *parts, const struct vm_thread *thread)
{
	const struct image *image = &vm_this.image;
	char name[100], value[400];
	for (uint32_t i = 0; i < thread->header.frames; i++) {
		const struct vm_frame *frame = &thread->frames[i];
		const struct image_function *f = &image->functions[frame->function];
		const uint32_t *live = vm_frame_live(frame);
		unsigned line = image_line(image, image->code[f->code + frame->pc].location);
		snprintf(name, sizeof name, "thread %u frame %u", thread->slot, i);
		snprintf(value, sizeof value, "%s:%u", image_string(image, f->name), line);
		add(parts, name, value);
		for (uint32_t k = 1; k <= live[0]; k++) {
			snprintf(name, sizeof name, "thread %u %s:%u register %u", thread->slot, image_string(image, f->name), line, live[k]);
			snprintf(value, sizeof value, "%#llx", (unsigned long long)thread->registers[frame->base + live[k]]);
			add(parts, name, value);
		}
	}
}

static void add_thread(struct parts *parts, struct vm_thread *thread)
{
	char name[100], value[400] = "";
	const struct vm_thread_header *h = &thread->header;
	int n = 0;
	snprintf(name, sizeof name, "thread %u header", thread->slot);
	snprintf(value, sizeof value,
		 "status %u, detached %u, wait %u, woken %u, atomic %u, address %#llx, other %#llx, result %#llx, %u+%u",
		 h->status, h->detached, h->wait, h->woken, h->atomic, (unsigned long long)h->address, (unsigned long long)h->other,
		 (unsigned long long)h->result, h->low, h->count);
	add(parts, name, value);
	value[0] = '\0';
	for (uint32_t i = 0; i < h->ranges && n < 340; i++)
		n += snprintf(value + n, sizeof value - (size_t)n, "%s %s+%u..%u ", thread->ranges[i].write ? "write" : "read",
			      vm_describe(image_address(thread->ranges[i].object, 0)), thread->ranges[i].low, thread->ranges[i].high);
	snprintf(name, sizeof name, "thread %u segment", thread->slot);
	add(parts, name, value);
	add_frames(parts, thread);
	add_map(parts, thread->slot, "local", &thread->locals);
	add_map(parts, thread->slot, "heap", &thread->heap);
}

static int add_set(char *value, size_t size, const struct vm_holders *set)
{
	int n = 0;
	for (uint32_t i = 0; i < set->count && n < (int)size - 40; i++)
		n += snprintf(value + n, size - (size_t)n, " %u:%llx", (unsigned)(set->items[i] >> 60),
			      (unsigned long long)(set->items[i] & (UINT64_MAX >> 4)));
	return n;
}

/* Records, and older values: class and number of each holder that knows of them. */
static void add_records(struct parts *parts)
{
	const struct vm_records *records = vm_records_loaded();
	char name[100], value[400];
	for (uint32_t i = 0; i < records->count; i++) {
		const struct vm_record *r = &records->items[i];
		snprintf(name, sizeof name, "record %s+%u..%u kind %u", vm_describe(image_address(r->object, 0)), r->low, r->high, r->kind);
		value[0] = '\0';
		add_set(value, sizeof value, &records->sets[r->set]);
		add(parts, name, value);
	}
	for (uint32_t i = 0; i < records->message_count; i++) {
		const struct vm_message *m = &records->messages[i];
		snprintf(name, sizeof name, "store %u", i);
		int n = snprintf(value, sizeof value, "%s replaces %llx, attached %u", vm_describe(image_address(m->object, m->low)),
				 (unsigned long long)m->value[0], m->attached);
		for (unsigned k = 0; k < MESSAGE_SETS && n < 300; k++)
			if (m->set[k] != IMAGE_NONE) {
				n += snprintf(value + n, sizeof value - (size_t)n, ", %u:", k);
				n += add_set(value + n, sizeof value - (size_t)n, &records->sets[m->set[k]]);
			}
		add(parts, name, value);
	}
}

static struct parts parts_of(int state)
{
	struct parts parts = { 0 };
	struct vm *vm = &vm_this;
	vm_state_load(vm_ref_of(state));
	for (uint32_t g = 0; g < vm->image.counts[IMAGE_GLOBALS]; g++)
		if (vm->global_index[g] != IMAGE_NONE) {
			char name[100];
			snprintf(name, sizeof name, "%s", image_string(&vm->image, vm->image.globals[g].name));
			add_object(&parts, name, vm_map_find(&vm->globals, vm->global_index[g]));
		}
	for (unsigned i = 0; i < vm->slots; i++)
		if (vm_thread_load(i)->header.status != THREAD_UNUSED)
			add_thread(&parts, &vm->threads[i]);
	add_records(&parts);
	return parts;
}

static const char *value_of(const struct parts *parts, const char *name)
{
	for (uint32_t i = 0; i < parts->count; i++)
		if (strcmp(parts->items[i].name, name) == 0)
			return parts->items[i].value;
	return NULL;
}

/* ---- the differences ----------------------------------------------------------------------------------------------- */

struct difference { char what[600], example[1600]; uint32_t count; };
static struct difference *differences;
static uint32_t ndifferences;

static void note_part(struct difference *d, const char *name, const char *a, const char *b)
{
	size_t n = strlen(d->what), e = strlen(d->example);
	snprintf(d->what + n, sizeof d->what - n, "%s%s", n ? ", " : "", name);
	snprintf(d->example + e, sizeof d->example - e, "    %s: %s | %s\n", name, a ? a : "-", b ? b : "-");
}

static void note(int first, int other)
{
	struct parts a = parts_of(first), b = parts_of(other);
	struct difference d = { .count = 1 };
	for (uint32_t i = 0; i < a.count; i++) {
		const char *value = value_of(&b, a.items[i].name);
		if (!value || strcmp(value, a.items[i].value) != 0)
			note_part(&d, a.items[i].name, a.items[i].value, value);
	}
	for (uint32_t i = 0; i < b.count; i++)
		if (!value_of(&a, b.items[i].name))
			note_part(&d, b.items[i].name, NULL, b.items[i].value);
	free(a.items);
	free(b.items);
	for (uint32_t i = 0; i < ndifferences; i++)
		if (strcmp(differences[i].what, d.what) == 0) {
			differences[i].count++;
			return;
		}
	differences = realloc(differences, (ndifferences + 1) * sizeof *differences);
	differences[ndifferences++] = d;
}

struct member { uint64_t class; uint32_t node; };

static int by_class(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	return x->class != y->class ? x->class < y->class ? -1 : 1 : x->node < y->node ? -1 : x->node > y->node;
}

static int by_count(const void *a, const void *b)
{
	const struct difference *x = a, *y = b;
	return x->count != y->count ? x->count > y->count ? -1 : 1 : strcmp(x->what, y->what);
}

/* Final states have nothing before them, so nothing is lost by what they keep. */
static void find_differences(void)
{
	struct member *members = calloc(nnodes, sizeof *members);
	uint32_t n = 0, first = 0;
	for (uint32_t i = 0; i < nnodes; i++)
		if (nodes[i].count)
			members[n++] = (struct member){ nodes[i].class, i };
	qsort(members, n, sizeof *members, by_class);
	for (uint32_t i = 1; i < n; i++)
		if (members[i].class == members[first].class)
			note(nodes[members[first].node].state, nodes[members[i].node].state);
		else
			first = i;
	free(members);
	qsort(differences, ndifferences, sizeof *differences, by_count);
}

int main(int argc, char **argv)
{
	static struct image_options options;
	bool reduced = false, verbose = false;
	for (int c; (c = getopt(argc, argv, "rv")) != -1;) {
		if (c == '?')
			return 2;
		*(c == 'r' ? &reduced : &verbose) = true;
	}
	vm_start();
	options = *vm_this.image.options;
	options.reductions = reduced ? options.reductions : 0;
	vm_this.image.options = &options;
	node_of(0);
	for (uint32_t i = 0; i < nnodes && nnodes < MOST_STATES; i++)
		expand(i);
	uint32_t classes = refine();
	find_differences();
	printf("%u %u%s\n", nnodes, classes, nnodes < MOST_STATES ? "" : " (not all)");
	for (uint32_t i = 0; i < ndifferences && i < 20; i++)
		printf("  %6u differ in %s\n%s", differences[i].count, differences[i].what, verbose ? differences[i].example : "");
	return 0;
}
