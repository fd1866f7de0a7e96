/* SPDX-License-Identifier: MIT
 *
 * A stored thread, see state.h.
 */
#ifndef BITSPIN_THREAD_PARTS_H
#define BITSPIN_THREAD_PARTS_H

#include "../../state/state.h"

#include <assert.h>
#include <string.h>

/* Words of a thread's bytes that may name objects, one by one: how many there are, and where. */
struct thread_parts {
	_Alignas(8) vm_stored_header header;
	uint32_t ranges, registers, size; /* where these are, bytes from the beginning */
};

static inline struct thread_parts vm_thread_parts(const uint8_t *bytes, uint32_t size)
{
	struct thread_parts parts = { .ranges = sizeof parts.header, .size = size };
	memcpy(&parts.header, bytes, sizeof parts.header);
	parts.registers = parts.ranges + parts.header.ranges * (uint32_t)sizeof(struct vm_range) +
		parts.header.frames * 2 * (uint32_t)sizeof(uint32_t);
	assert(parts.registers <= size);
	return parts;
}

#endif
