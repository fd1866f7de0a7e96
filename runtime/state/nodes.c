/* SPDX-License-Identifier: MIT
 *
 * See nodes.h.  Nodes lie one behind the other; the ref is the number.  An index finds them: a hash table with linear probing, of
 * refs and, apart from them, of tags, so that a node that is not there costs one line of the cache and no look at other nodes.
 *
 * When an index is three quarters full, there is a larger one.  If there is one process, what is in the old index moves there.
 * Several cannot agree on that without locks.  For them, indexes stay, and a node is looked for in all, the last one first.  When
 * an index is being opened, two processes may enter the same node, one in the old index, one in the new.  Then it has two refs,
 * and states of which it is a part are visited twice, which is all.
 */
#include "nodes.h"
#include "limit.h"
#include "pages.h"
#include "driver.h"

#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define FIRST        (UINT32_C(1) << 14) /* places in the first index */
#define FIRST_SHARED (UINT32_C(1) << 20) /* the same for several processes, as it stays */
#define MOST         (UINT32_C(1) << 31) /* nodes */
#define MOST_INDEXES 32u
#define PLACE        (sizeof(vm_ref) + 1) /* bytes of a place in an index */
#define RUN          256u                 /* refs that one of several processes takes at a time */
#define FLUSH        64u
#define LINE         64

/* When there is no memory for a larger index, the last one is filled up to this much. */
#define CROWDED(size) ((size) - (size) / 16)

struct index {
	uint64_t begin; /* where its refs begin among all, and its tags */
	uint32_t size;  /* places; a power of two */
};

/* What is written again and again does not lie in a line of the cache with what all processes read. */
struct shared {
	_Atomic uint32_t first, indexes; /* those in use: from first to indexes - 1 */
	atomic_flag opening;             /* somebody is at it */
	struct index index[MOST_INDEXES];
	alignas(LINE) _Atomic uint32_t used[MOST_INDEXES]; /* places of an index; each process may be FLUSH behind */
	alignas(LINE) _Atomic uint32_t count;              /* refs handed out, 0 included, which is none */
};

struct table {
	struct shared *shared;
	struct vm_node *nodes;
	_Atomic vm_ref *refs;  /* of all indexes; 0: free */
	_Atomic uint8_t *tags; /* of all indexes; 0: free, or not written yet */
	uint64_t most;         /* nodes that there is address space for */
	uint64_t places;       /* the same for places */
};

static VM_OWN struct table table, former;

/* Of this process: refs that it may give to nodes, so that nodes that come about together lie together; and places that it has
 * taken in the last index, and not told the others of. */
static VM_OWN struct {
	uint32_t next, end;
	uint32_t taken, index;
} own;

static uint64_t hash_of(const struct vm_node *node)
{
	return XXH3_64bits(node, sizeof *node);
}

static bool is_same(vm_ref ref, const struct vm_node *node)
{
	return memcmp(&table.nodes[ref], node, sizeof *node) == 0;
}

static uint8_t tag_of(uint64_t hash)
{
	return (uint8_t)(hash >> 56 | 1);
}

/* ---- memory ---------------------------------------------------------------------------------------------------------- */

static void add_index(uint32_t number, uint64_t begin, uint32_t size)
{
	assert(number < MOST_INDEXES && size && (size & (size - 1)) == 0);
	struct index *index = &table.shared->index[number];
	index->begin = begin;
	index->size = size;
	atomic_store(&table.shared->used[number], 0);
	atomic_store_explicit(&table.shared->indexes, number + 1, memory_order_release);
}

/* Forget the refs of this process: a forked process must not give those of its parent. */
static void forget_own(void)
{
	memset(&own, 0, sizeof own);
}

bool vm_nodes_open(uint64_t bytes)
{
	uint32_t first = vm_driver.has_processes ? FIRST_SHARED : FIRST;
	table.most = bytes / sizeof *table.nodes;
	table.most = table.most < first ? first : table.most > MOST ? MOST : table.most;
	table.places = 4 * table.most;
	table.shared = vm_pages_reserve(sizeof *table.shared);
	table.nodes = vm_pages_reserve(table.most * sizeof *table.nodes);
	table.refs = vm_pages_reserve(table.places * sizeof *table.refs);
	table.tags = vm_pages_reserve(table.places);
	if (!table.shared || !table.nodes || !table.refs || !table.tags)
		return false;
	atomic_store(&table.shared->count, 1);
	atomic_flag_clear(&table.shared->opening);
	add_index(0, 0, first);
	forget_own();
	if (vm_driver.has_processes)
		pthread_atfork(NULL, NULL, forget_own);
	return true;
}

static void close_table(const struct table *it)
{
	munmap(it->nodes, it->most * sizeof *it->nodes);
	munmap(it->refs, it->places * sizeof *it->refs);
	munmap(it->tags, it->places);
	munmap(it->shared, sizeof *it->shared);
}

void vm_nodes_close(void)
{
	close_table(&table);
}

bool vm_nodes_renew(void)
{
	assert(!former.nodes && !vm_driver.has_processes);
	former = table;
	return vm_nodes_open(former.most * sizeof *former.nodes);
}

const struct vm_node *vm_nodes_old(void)
{
	return former.nodes;
}

void vm_nodes_drop_old(void)
{
	assert(former.nodes);
	close_table(&former);
	former = (struct table){ 0 };
}

/* Write or read the refs and the tags of `index`. */
static bool index_snapshot(struct snapshot *snapshot, const struct index *index)
{
	bool fits = index->begin + index->size <= table.places;
	return fits && vm_snapshot_bytes(snapshot, (void *)&table.refs[index->begin], index->size * sizeof *table.refs) &&
		vm_snapshot_bytes(snapshot, (void *)&table.tags[index->begin], index->size);
}

bool vm_nodes_snapshot(struct snapshot *snapshot)
{
	struct shared *shared = table.shared;
	uint32_t known = atomic_load(&shared->count);
	struct vm_node *before = snapshot->writes ? NULL : malloc(known * sizeof *before);
	if (before)
		memcpy(before, table.nodes, known * sizeof *before);
	bool good = (before || snapshot->writes) && vm_snapshot_bytes(snapshot, shared, sizeof *shared);
	uint64_t count = atomic_load(&shared->count);
	good = good && count >= known && count <= table.most && atomic_load(&shared->indexes) <= MOST_INDEXES &&
		vm_snapshot_bytes(snapshot, table.nodes, count * sizeof *table.nodes) &&
		(!before || memcmp(table.nodes, before, known * sizeof *before) == 0);
	for (uint32_t i = atomic_load(&shared->first); good && i < atomic_load(&shared->indexes); i++)
		good = index_snapshot(snapshot, &shared->index[i]);
	free(before);
	return good;
}

uint32_t vm_nodes_count(void)
{
	return atomic_load(&table.shared->count);
}

uint64_t vm_nodes_bytes(void)
{
	uint64_t bytes = atomic_load(&table.shared->count) * sizeof *table.nodes;
	for (uint32_t i = atomic_load(&table.shared->first); i < atomic_load(&table.shared->indexes); i++)
		bytes += table.shared->index[i].size * PLACE;
	return bytes;
}

/* ---- an index -------------------------------------------------------------------------------------------------------- */

/* Return the ref of `node` in `index`; or 0, and in `place` where the search for the node ended. */
static vm_ref find_in(const struct index *index, const struct vm_node *node, uint64_t hash, uint64_t *place)
{
	uint32_t mask = index->size - 1, at = (uint32_t)hash & mask;
	uint8_t wanted = tag_of(hash), tag;
	while ((tag = atomic_load_explicit(&table.tags[index->begin + at], memory_order_acquire))) {
		if (tag == wanted) {
			vm_ref ref = atomic_load_explicit(&table.refs[index->begin + at], memory_order_relaxed);
			if (is_same(ref, node))
				return ref;
		}
		at = (at + 1) & mask;
	}
	*place = index->begin + at;
	return 0;
}

static void take_place(uint32_t number)
{
	own.taken = own.index == number ? own.taken + 1 : 1;
	own.index = number;
	if (vm_driver.has_processes && own.taken < FLUSH)
		return;
	atomic_fetch_add_explicit(&table.shared->used[number], own.taken, memory_order_relaxed);
	own.taken = 0;
}

/* Enter `ref` at the first free place of the index `number`, from `place` on; or find that another process has just entered an
 * equal node.  Return the ref that is there then. */
static vm_ref enter(uint32_t number, uint64_t place, vm_ref ref, uint64_t hash)
{
	const struct index *index = &table.shared->index[number];
	assert(ref && place >= index->begin && place - index->begin < index->size);
	for (;;) {
		vm_ref there = 0;
		if (atomic_compare_exchange_strong(&table.refs[place], &there, ref)) {
			atomic_store_explicit(&table.tags[place], tag_of(hash), memory_order_release);
			take_place(number);
			return ref;
		}
		if (is_same(there, &table.nodes[ref]))
			return there;
		place = index->begin + ((place - index->begin + 1) & (index->size - 1));
	}
}

/* Move all that is in the index before `number` to that index.  For one process: others could be looking for a node. */
static void take_over(uint32_t number)
{
	assert(!vm_driver.has_processes && number > 0 && own.next == own.end);
	struct index *old = &table.shared->index[number - 1], *new = &table.shared->index[number];
	vm_ref count = atomic_load(&table.shared->count);
	for (vm_ref ref = 1; ref < count; ref++) {
		uint64_t hash = hash_of(&table.nodes[ref]), place = (uint32_t)hash & (new->size - 1);
		while (atomic_load_explicit(&table.tags[new->begin + place], memory_order_relaxed))
			place = (place + 1) & (new->size - 1);
		atomic_store_explicit(&table.refs[new->begin + place], ref, memory_order_relaxed);
		atomic_store_explicit(&table.tags[new->begin + place], tag_of(hash), memory_order_relaxed);
	}
	atomic_store(&table.shared->used[number], count - 1);
	atomic_store(&table.shared->first, number);
	vm_pages_give_back((void *)&table.refs[old->begin], old->size * sizeof *table.refs);
	vm_pages_give_back((void *)&table.tags[old->begin], old->size);
}

/* Open an index behind the index `number`, unless another process does.  Return false if there is no memory. */
static bool open_index(uint32_t number)
{
	struct shared *shared = table.shared;
	if (atomic_load(&shared->indexes) > number + 1 || atomic_flag_test_and_set(&shared->opening))
		return true;
	const struct index *last = &shared->index[number];
	uint64_t size = (vm_driver.has_processes ? 4 : 2) * (uint64_t)last->size, begin = last->begin + last->size;
	bool room = number + 1 < MOST_INDEXES && begin + size <= table.places && vm_limit_allows(size * PLACE);
	if (room && atomic_load(&shared->indexes) == number + 1) {
		add_index(number + 1, begin, (uint32_t)size);
		if (!vm_driver.has_processes)
			take_over(number + 1);
	}
	atomic_flag_clear(&shared->opening);
	return room;
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------- */

/* Return the ref of `node` in the first `indexes` indexes; or 0, and in `place` where the search ended in the last of them. */
static vm_ref find(const struct vm_node *node, uint64_t hash, uint32_t indexes, uint64_t *place)
{
	vm_ref ref = find_in(&table.shared->index[indexes - 1], node, hash, place);
	uint64_t other;
	for (uint32_t i = indexes - 1; ref == 0 && i-- > atomic_load_explicit(&table.shared->first, memory_order_relaxed);)
		ref = find_in(&table.shared->index[i], node, hash, &other);
	return ref;
}

static uint32_t indexes(void)
{
	return atomic_load_explicit(&table.shared->indexes, memory_order_acquire);
}

/* Take refs for new nodes.  If there is no room, return false; one process gives the refs back then, because take_over() relies
 * on a node behind each ref. */
static bool take_refs(void)
{
	enum { BLOCK = 4096 }; /* so often the limit is asked */
	uint32_t refs = vm_driver.has_processes ? RUN : 1;
	uint32_t first = atomic_fetch_add_explicit(&table.shared->count, refs, memory_order_relaxed);
	bool asked = first / BLOCK == (first + refs) / BLOCK;
	if ((uint64_t)first + refs > table.most || (!asked && !vm_limit_allows(BLOCK * sizeof *table.nodes))) {
		if (!vm_driver.has_processes)
			atomic_fetch_sub(&table.shared->count, refs);
		return false;
	}
	own.next = first;
	own.end = first + refs;
	return true;
}

/* Append a copy of `node`, and return its ref; 0 if there is no room. */
static vm_ref append(const struct vm_node *node)
{
	if (own.next == own.end && !take_refs())
		return 0;
	assert(own.next && own.next < own.end && own.end <= table.most);
	table.nodes[own.next] = *node;
	return own.next++;
}

vm_ref vm_node_put(const struct vm_node *node)
{
	assert(node->words[0] | node->words[1] | node->words[2] | node->words[3]);
	uint64_t hash = hash_of(node), place;
	uint32_t last = indexes() - 1;
	vm_ref known = find(node, hash, last + 1, &place);
	if (known)
		return known;
	uint32_t size = table.shared->index[last].size;
	uint32_t used = atomic_load_explicit(&table.shared->used[last], memory_order_relaxed);
	if (used >= size / 4 * 3) {
		if (!open_index(last) && used >= CROWDED(size))
			return 0;
		last = indexes() - 1;
		known = find(node, hash, last + 1, &place); /* opening takes long: somebody may have entered it where it was not */
		if (known)
			return known;
	}
	vm_ref ref = append(node);
	return ref ? enter(last, place, ref, hash) : 0;
}

const struct vm_node *vm_node_get(vm_ref ref)
{
	assert(ref && !vm_is_transient(ref));
	return &table.nodes[ref];
}

const struct vm_node *vm_nodes(void)
{
	return table.nodes;
}
