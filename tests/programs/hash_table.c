/* SPDX-License-Identifier: MIT
 *
 * A hash table of strings with striped locks that doubles its buckets when it is full: a writer takes one stripe, the one who
 * resizes takes all of them in order.  Tombstones do not exist: entries are chained, and removed ones are freed.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DWRITERS=2 -DREMOVE
 * EXPECT: verified
 * RUN: check -DBUG_GROW_LOCKED
 * EXPECT: violated deadlock
 * RUN: check -DBUG_FREED_ENTRY -DREMOVE
 * EXPECT: violated data-race
 * RUN: check -DBUG_SIGNED_HASH
 * EXPECT: violated out-of-bounds
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef WRITERS
#define WRITERS 2
#endif
#define STRIPES 2
#define FIRST_BUCKETS 2
#define LOAD 1 /* entries for each bucket before it grows */

struct entry {
	struct entry *next;
	uint32_t hash;
	int value;
	char key[]; /* ends with a zero */
};

struct table {
	pthread_mutex_t stripe[STRIPES];
	struct entry **buckets;
	size_t bucket_count; /* read under any stripe, written under all */
	atomic_size_t entries;
};

typedef bool visit_fn(const struct entry *entry, void *context);

static uint32_t hash_of(const char *key)
{
	uint32_t hash = 2166136261u;
	for (; *key != '\0'; key++)
		hash = (hash ^ (uint8_t)*key) * 16777619u;
	return hash;
}

static inline size_t bucket_of(const struct table *table, uint32_t hash)
{
#ifdef BUG_SIGNED_HASH
	return (size_t)((int)hash % (int)table->bucket_count); /* negative for half of all hashes */
#else
	return hash % table->bucket_count;
#endif
}

/* A stripe serves the same hashes whatever the number of buckets, as that is a multiple of STRIPES. */
static inline pthread_mutex_t *stripe_of(struct table *table, uint32_t hash)
{
	return &table->stripe[hash % STRIPES];
}

static int table_init(struct table *table)
{
	table->buckets = calloc(FIRST_BUCKETS, sizeof *table->buckets);
	if (table->buckets == NULL)
		return ENOMEM;
	table->bucket_count = FIRST_BUCKETS;
	atomic_init(&table->entries, 0);
	for (int i = 0; i < STRIPES; i++)
		pthread_mutex_init(&table->stripe[i], NULL);
	return 0;
}

static void table_grow(struct table *table, size_t seen)
{
	for (int i = 0; i < STRIPES; i++)
		pthread_mutex_lock(&table->stripe[i]); /* ERROR */
	const size_t count = seen * 2;
	struct entry **buckets;
	if (table->bucket_count != seen || (buckets = calloc(count, sizeof *buckets)) == NULL)
		goto unlock; /* somebody else was faster, or we stay as we are */
	for (size_t i = 0; i < seen; i++) {
		for (struct entry *entry = table->buckets[i], *next; entry != NULL; entry = next) {
			next = entry->next;
			struct entry **head = &buckets[entry->hash % count];
			entry->next = *head;
			*head = entry;
		}
	}
	free(table->buckets);
	table->buckets = buckets;
	table->bucket_count = count;
unlock:
	for (int i = STRIPES; i-- > 0;)
		pthread_mutex_unlock(&table->stripe[i]);
}

/* Where the entry of a key hangs, or where a new one would.  The stripe is held. */
static struct entry **table_find(struct table *table, const char *key, uint32_t hash)
{
	struct entry **link = &table->buckets[bucket_of(table, hash)];
	while (*link != NULL && ((*link)->hash != hash || strcmp((*link)->key, key) != 0)) /* ERROR */
		link = &(*link)->next;
	return link;
}

/* 0, or ENOMEM. */
static int table_put(struct table *table, const char *key, int value)
{
	const uint32_t hash = hash_of(key);
	pthread_mutex_t *mutex = stripe_of(table, hash);
	pthread_mutex_lock(mutex); /* ERROR */
	struct entry **link = table_find(table, key, hash);
	if (*link != NULL) {
		(*link)->value = value;
		pthread_mutex_unlock(mutex);
		return 0;
	}
	struct entry *entry = malloc(sizeof *entry + strlen(key) + 1);
	if (entry == NULL) {
		pthread_mutex_unlock(mutex);
		return ENOMEM;
	}
	*entry = (struct entry){ .hash = hash, .value = value };
	strcpy(entry->key, key);
	*link = entry;
	const size_t entries = atomic_fetch_add(&table->entries, 1) + 1, buckets = table->bucket_count;
#ifdef BUG_GROW_LOCKED
	if (entries > buckets * LOAD)
		table_grow(table, buckets);
#endif
	pthread_mutex_unlock(mutex);
	if (entries > buckets * LOAD)
		table_grow(table, buckets);
	return 0;
}

static bool table_get(struct table *table, const char *key, int *value)
{
	const uint32_t hash = hash_of(key);
	pthread_mutex_lock(stripe_of(table, hash));
	const struct entry *entry = *table_find(table, key, hash);
#ifdef BUG_FREED_ENTRY
	pthread_mutex_unlock(stripe_of(table, hash));
	if (entry != NULL)
		*value = entry->value; /* ERROR */
#else
	if (entry != NULL)
		*value = entry->value;
	pthread_mutex_unlock(stripe_of(table, hash));
#endif
	return entry != NULL;
}

static bool table_remove(struct table *table, const char *key)
{
	const uint32_t hash = hash_of(key);
	pthread_mutex_lock(stripe_of(table, hash));
	struct entry **link = table_find(table, key, hash), *entry = *link;
	if (entry != NULL) {
		*link = entry->next;
		atomic_fetch_sub(&table->entries, 1);
	}
	pthread_mutex_unlock(stripe_of(table, hash));
	free(entry); /* ERROR */
	return entry != NULL;
}

/* Not while others write. */
static bool table_each(const struct table *table, visit_fn *visit, void *context)
{
	for (size_t i = 0; i < table->bucket_count; i++)
		for (const struct entry *entry = table->buckets[i]; entry != NULL; entry = entry->next)
			if (!visit(entry, context))
				return false;
	return true;
}

static void table_release(struct table *table)
{
	for (size_t i = 0; i < table->bucket_count; i++) {
		for (struct entry *entry = table->buckets[i], *next; entry != NULL; entry = next) {
			next = entry->next;
			free(entry);
		}
	}
	free(table->buckets);
	for (int i = 0; i < STRIPES; i++)
		pthread_mutex_destroy(&table->stripe[i]);
}

static const char *const words[WRITERS][2] = { { "dog", "shared" }, { "bee", "shared" } };

static void *write_words(void *argument)
{
	struct table *table = argument;
	static atomic_int next;
	const int self = atomic_fetch_add(&next, 1);
	for (int i = 0; i < 2; i++)
		if (table_put(table, words[self][i], self + 1) != 0)
			return strerror(ENOMEM);
#ifdef REMOVE
	table_remove(table, "shared");
#endif
	int value = -1;
	if (table_get(table, "shared", &value))
		assert(value == 1 || value == 2);
	return NULL;
}

static bool add_up(const struct entry *entry, void *context)
{
	assert(hash_of(entry->key) == entry->hash);
	*(int *)context += entry->value;
	return true;
}

int main(void)
{
	struct table table;
	const int error = table_init(&table);
	if (error != 0) {
		fprintf(stderr, "table: %s\n", strerror(error));
		return EXIT_FAILURE;
	}
	pthread_t threads[WRITERS];
	for (int i = 0; i < WRITERS; i++)
		if (pthread_create(&threads[i], NULL, write_words, &table) != 0)
			abort();
	for (int i = 0; i < WRITERS; i++) {
		void *message;
		pthread_join(threads[i], &message); /* ERROR */
		assert(message == NULL);
	}
	int value = 0, sum = 0;
	assert(table_get(&table, "dog", &value) && value == 1);
	assert(table_get(&table, "bee", &value) && value == 2);
	assert(table_each(&table, add_up, &sum));
#ifdef REMOVE
	assert(sum == 3 && table.entries == 2);
#else
	assert((sum == 4 || sum == 5) && table.entries == 3 && table.bucket_count == 4);
#endif
	table_release(&table);
	return EXIT_SUCCESS;
}
