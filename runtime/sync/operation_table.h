/* SPDX-License-Identifier: MIT
 *
 * The table of results in one piece (image/operations.h), as the monitors of operations.c and periods.c read it from the constant
 * array at address `table`.
 */
#ifndef BITSPIN_OPERATION_TABLE_H
#define BITSPIN_OPERATION_TABLE_H

#include "../image/operations.h"
#include "sync.h"
#include "operations.h"

static inline uint32_t operation_word(uint64_t table, uint64_t number)
{
	uint32_t word;
	const uint8_t *bytes = vm_peek(table + number * sizeof word, sizeof word);
	if (!bytes)
		VM_BUG("the table of operations ends too early");
	memcpy(&word, bytes, sizeof word);
	return word;
}

static inline uint32_t operation_edges_begin(uint64_t table, uint32_t node)
{
	return operation_word(table, OPERATION_FIRST + node);
}

static inline struct operation_edge operation_edge_at(uint64_t table, uint32_t number)
{
	uint64_t at = OPERATION_FIRST + operation_word(table, OPERATION_NODES) + 1 + (uint64_t)number * 3;
	return (struct operation_edge){ operation_word(table, at), operation_word(table, at + 1), operation_word(table, at + 2) };
}

static inline struct operation_result operation_result_at(uint64_t table, uint32_t number)
{
	enum { WORDS = sizeof(struct operation_result) / sizeof(uint32_t) };
	uint32_t nodes = operation_word(table, OPERATION_NODES);
	uint64_t at = OPERATION_FIRST + nodes + 1 + (uint64_t)operation_edges_begin(table, nodes) * 3 + (uint64_t)number * WORDS;
	uint32_t words[WORDS];
	struct operation_result result;
	for (unsigned i = 0; i < WORDS; i++)
		words[i] = operation_word(table, at + i);
	memcpy(&result, words, sizeof result);
	return result;
}

/* Return the number of the result in the table; OPERATION_STUCK if it is not there. */
static inline uint32_t operation_find_result(uint64_t table, const struct operation_result *result)
{
	for (uint32_t i = 0; i < operation_word(table, OPERATION_RESULTS); i++) {
		struct operation_result other = operation_result_at(table, i);
		if (memcmp(&other, result, sizeof other) == 0)
			return i;
	}
	return OPERATION_STUCK;
}

/* periods.c: the monitor of the other conditions, in the words behind those that announce calls.  A call; a return, after which
 * `false` says that nothing explains the results; is each operation that is under way, as the announcing words say, too, stuck?
 * vm_period_words: return how many words it has. */
void vm_period_call(uint64_t table, uint16_t *words);
bool vm_period_return(uint64_t table, uint16_t *words, uint32_t thread, uint32_t result);
bool vm_period_is_stuck(uint64_t table, const uint16_t *words, uint32_t thread);

#endif
