/* SPDX-License-Identifier: MIT
 *
 * Attribute objects: pthread_attr_t, pthread_mutexattr_t and so on.
 */
#ifndef BITSPIN_ATTRIBUTES_H
#define BITSPIN_ATTRIBUTES_H

#include "sync.h"

/* Where an attribute is kept in its object: as rows of sync.def write it, "OFFSET BYTES SHIFT WIDTH LOWEST HIGHEST". */
#define THREAD_ATTRIBUTE_DETACHED "0 4 0 1 0 1"
#define THREAD_ATTRIBUTE_STACK    "16 8 0 64 16384 18446744073709551615"
#define MUTEX_ATTRIBUTE_TYPE      "0 4 0 2 0 3"
#define MUTEX_ATTRIBUTE_ROBUST    "0 4 2 1 0 1"
#define RWLOCK_ATTRIBUTE_KIND     "0 4 0 2 0 2"

/* The value of an attribute. */
uint64_t vm_attribute(uint64_t object, const char *where);

#endif
