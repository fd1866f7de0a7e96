/* SPDX-License-Identifier: MIT
 *
 * See table.h.  Layout: one reserved range of memory, of which the front is the array of buckets and the rest is handed
 * out in chunks, one process taking a chunk at a time.  A ref counts units of 8 bytes from the start of the range, which
 * lets 31 bits reach 16 GiB.
 */
#include "table.h"
#include "limit.h"
#include "machine.h"
#include "nodes.h"
#include "notes.h"
#include "pages.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define UNIT              8u
#define CHUNK             (UINT64_C(64) << 10) /* bytes a process takes at a time; larger blobs get a chunk of their own */
#define MAX_BYTES         (UINT64_C(16) << 30) /* of either table: bit 31 of a ref tells which */
#define BUCKETS           (UINT32_C(1) << 21)
#define TRANSIENT_BYTES   (UINT64_C(256) << 20)
#define TRANSIENT_BUCKETS (UINT32_C(1) << 14)

struct blob {
	vm_ref next;   /* in the bucket's chain */
	uint8_t hash;  /* a part of the hash that did not choose the bucket */
	uint32_t size; /* bytes that follow */
};

/* at the start of the range */
struct shared {
	_Atomic uint64_t used; /* bytes handed out, this struct and the buckets included */
	_Atomic vm_ref buckets[BUCKETS];
};

struct table {
	struct shared *shared;
	uint64_t limit;     /* bytes */
	uint64_t next, end; /* what is left of this process's chunk, offsets in bytes */
	uint64_t unused;    /* bytes of abandoned chunk ends */
};

static VM_OWN struct table table, former;
static VM_OWN uint64_t peak; /* before the table was renewed last */

/* the second table; its buckets count when their round is the current one */
static VM_OWN struct {
	char *blobs;
	uint64_t used; /* bytes */
	uint32_t round;
	uint64_t epoch;
	bool on;
	struct {
		uint32_t round;
		vm_ref head;
	} buckets[TRANSIENT_BUCKETS];
} transient;

static struct blob *blob_at(vm_ref ref)
{
	char *base = vm_is_transient(ref) ? transient.blobs : (char *)table.shared;
	return (struct blob *)(base + (uint64_t)(ref & ~TRANSIENT) * UNIT);
}

/* Forget the chunk of this process: a forked process must not write to the chunk of its parent. */
static void forget_chunk(void)
{
	table.next = table.end = 0;
}

/* Put an empty table of at most `limit` bytes in the place of this one.  Return false if there is no memory. */
static bool begin(uint64_t limit)
{
	void *range = vm_pages_reserve(limit);
	if (!range)
		return false;
	table = (struct table){ .shared = range, .limit = limit };
	atomic_store(&table.shared->used, (sizeof(struct shared) + UNIT - 1) / UNIT * UNIT);
	return true;
}

bool vm_table_open(uint64_t bytes)
{
	uint64_t limit = bytes ? bytes : image_usual_memory();
	if (limit > MAX_BYTES)
		limit = MAX_BYTES;
	if (limit < sizeof(struct shared) + CHUNK)
		limit = sizeof(struct shared) + CHUNK;
	transient.blobs = mmap(NULL, TRANSIENT_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (transient.blobs == MAP_FAILED || !begin(limit) || !vm_nodes_open(limit) ||
	    !vm_notes_open(limit / sizeof(struct vm_node)))
		return false;
	vm_transient_clear(); /* a table may have been open before */
	pthread_atfork(NULL, NULL, forget_chunk);
	return true;
}

void vm_table_close(void)
{
	munmap(table.shared, table.limit);
	munmap(transient.blobs, TRANSIENT_BYTES);
	vm_nodes_close();
	vm_notes_close();
}

/* Make room for `bytes` at table.next.  Return false if there is none.  Nothing is taken until table.next moves. */
static bool reserve(uint64_t bytes)
{
	if (table.end - table.next >= bytes)
		return true;
	uint64_t take = bytes > CHUNK ? bytes : CHUNK;
	uint64_t start = atomic_fetch_add(&table.shared->used, take);
	if (start + take > table.limit || !vm_limit_allows(take)) {
		atomic_fetch_sub(&table.shared->used, take);
		return false;
	}
	table.unused += table.end - table.next;
	table.next = start;
	table.end = start + take;
	return true;
}

/* Return the ref of the blob with `size` bytes `bytes` in the chain from `from` up to, not including, `until`; 0 if there is
 * none. */
static vm_ref find(vm_ref from, vm_ref until, uint8_t hash, const void *bytes, uint32_t size)
{
	for (vm_ref ref = from; ref != until; ref = blob_at(ref)->next) {
		const struct blob *blob = blob_at(ref);
		if (blob->hash == hash && blob->size == size && memcmp(blob + 1, bytes, size) == 0)
			return ref;
	}
	return 0;
}

static uint64_t room_for(uint32_t size)
{
	return (sizeof(struct blob) + size + UNIT - 1) / UNIT * UNIT;
}

static struct blob *write_blob(vm_ref ref, vm_ref next, uint8_t hash, const void *bytes, uint32_t size)
{
	struct blob *blob = blob_at(ref);
	blob->next = next;
	blob->hash = hash;
	blob->size = size;
	memcpy(blob + 1, bytes, size);
	return blob;
}

static vm_ref put_transient(const void *bytes, uint32_t size, uint64_t hash)
{
	uint64_t place = hash & (TRANSIENT_BUCKETS - 1), room = room_for(size);
	uint8_t tag = (uint8_t)(hash >> 56);
	vm_ref head = transient.buckets[place].round == transient.round ? transient.buckets[place].head : 0;
	vm_ref found = find(head, 0, tag, bytes, size);
	if (found || transient.used + room > TRANSIENT_BYTES)
		return found;
	vm_ref ref = (vm_ref)(transient.used / UNIT) | TRANSIENT;
	assert(transient.used >= UNIT && transient.used % UNIT == 0); /* ref 0 is none */
	write_blob(ref, head, tag, bytes, size);
	transient.buckets[place].round = transient.round;
	transient.buckets[place].head = ref;
	transient.used += room;
	return ref;
}

vm_ref vm_transient_put(const void *bytes, uint32_t size)
{
	return put_transient(bytes, size, XXH3_64bits(bytes, size));
}

bool vm_transient_is_on(void)
{
	return transient.on;
}

void vm_transient_begin(void)
{
	assert(!transient.on);
	transient.on = true;
}

void vm_transient_end(void)
{
	assert(transient.on);
	transient.epoch++;
	transient.on = false;
}

uint64_t vm_transient_epoch(void)
{
	return transient.epoch;
}

bool vm_transient_is_crowded(void)
{
	return transient.used > TRANSIENT_BYTES / 2;
}

void vm_transient_clear(void)
{
	transient.used = UNIT;
	transient.epoch++;
	if (++transient.round == 0) { /* once in four billion times */
		memset(transient.buckets, 0, sizeof transient.buckets);
		transient.round = 1;
	}
}

vm_ref vm_table_put(const void *bytes, uint32_t size)
{
	uint64_t hash = XXH3_64bits(bytes, size);
	_Atomic vm_ref *bucket = &table.shared->buckets[hash & (BUCKETS - 1)];
	uint8_t tag = (uint8_t)(hash >> 56);
	vm_ref head = atomic_load_explicit(bucket, memory_order_acquire);
	vm_ref found = find(head, 0, tag, bytes, size);
	if (found)
		return found;
	if (transient.on)
		return put_transient(bytes, size, hash);
	uint64_t room = room_for(size);
	if (!reserve(room))
		return 0;
	vm_ref ref = (vm_ref)(table.next / UNIT);
	assert(ref && !vm_is_transient(ref) && table.next + room <= table.end);
	struct blob *blob = write_blob(ref, head, tag, bytes, size);
	vm_ref known = head;
	while (!atomic_compare_exchange_weak_explicit(bucket, &head, ref, memory_order_acq_rel, memory_order_acquire)) {
		found = find(head, known, tag, bytes, size); /* only what others put in front meanwhile */
		if (found)
			return found;
		known = blob->next = head;
	}
	table.next += room;
	return ref;
}

const void *vm_table_get(vm_ref ref)
{
	assert(ref != 0);
	return blob_at(ref) + 1;
}

uint32_t vm_table_size(vm_ref ref)
{
	assert(ref != 0);
	return blob_at(ref)->size;
}

uint64_t vm_table_bytes(void)
{
	return atomic_load(&table.shared->used) - sizeof(struct shared) - (table.end - table.next) - table.unused +
		vm_nodes_bytes();
}

uint64_t vm_table_peak(void)
{
	uint64_t now = vm_table_bytes();
	return now > peak ? now : peak;
}

bool vm_table_renew(void)
{
	assert(!former.shared && !transient.on);
	struct table before = table;
	peak = vm_table_peak();
	if (!begin(table.limit) || !vm_nodes_renew() || !vm_notes_renew())
		return false;
	former = before;
	vm_transient_clear();
	return true;
}

const void *vm_table_old(vm_ref ref, uint32_t *size)
{
	assert(ref != 0 && !vm_is_transient(ref));
	const struct blob *blob = (const struct blob *)((const char *)former.shared + (uint64_t)ref * UNIT);
	*size = blob->size;
	return blob + 1;
}

/* Count unused bytes, too: they were never written and take no memory here, but reading a file writes them. */
uint64_t vm_table_snapshot_bytes(void)
{
	return atomic_load(&table.shared->used) + vm_nodes_bytes();
}

/* Are the first `size` bytes of blobs equal to `bytes`, which they were before?  Blobs that came later lie behind them. */
static bool has_prefix(const char *bytes, uint64_t size)
{
	return memcmp((const char *)table.shared + sizeof(struct shared), bytes, size) == 0;
}

bool vm_table_snapshot(struct snapshot *snapshot)
{
	uint64_t now = table.next ? table.next : sizeof(struct shared), known = now - sizeof(struct shared);
	uint64_t figures[] = { atomic_load(&table.shared->used), table.next, table.end, table.unused };
	char *before = snapshot->writes ? NULL : malloc(known + 1);
	bool good = (before || snapshot->writes) && vm_snapshot_bytes(snapshot, figures, sizeof figures);
	uint64_t used = figures[0];
	assert(!transient.on);
	if (before)
		memcpy(before, (const char *)table.shared + sizeof(struct shared), known);
	good = good && used >= now && used <= table.limit && vm_snapshot_bytes(snapshot, table.shared, used) &&
		(!before || has_prefix(before, known));
	if (good && !snapshot->writes) {
		table.next = figures[1];
		table.end = figures[2];
		table.unused = figures[3];
		vm_transient_clear();
	}
	free(before);
	return good;
}

void vm_table_drop_old(void)
{
	assert(former.shared);
	munmap(former.shared, former.limit);
	former = (struct table){ 0 };
	vm_nodes_drop_old();
	vm_notes_drop_old();
}
