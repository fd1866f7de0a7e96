/* SPDX-License-Identifier: MIT
 *
 * Attribute objects: pthread_attr_t, pthread_mutexattr_t and so on.
 */
#ifndef BITSPIN_ATTRIBUTES_H
#define BITSPIN_ATTRIBUTES_H

#include "sync.h"

/* A row of attribute.def. */
struct vm_attribute {
	bool by_address;
	unsigned offset, bytes, shift, width;
	uint64_t lowest, highest;
};

#define ATTRIBUTE(name, takes, offset, bytes, shift, width, lowest, highest) extern const struct vm_attribute vm_attribute_##name;
#include "attribute.def"
#undef ATTRIBUTE

/* Return the value of an attribute of the object at address `object`. */
uint64_t vm_attribute_value(uint64_t object, const struct vm_attribute *attribute);

/* Make the object at address `object` the attributes of a running thread with a stack of `stack` bytes. */
void vm_attributes_of_thread(uint64_t object, bool detached, uint64_t stack);

#endif
