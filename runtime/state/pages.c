/* SPDX-License-Identifier: MIT
 *
 * See pages.h.  Large tables are read all over the place, and most reads of another page miss the processor's table of pages.
 * So what is beyond the beginning of an array has pages of 2 MB, where the kernel has some to give: it does that for memory
 * that is not shared, and no more for small searches than they would take.
 */
#include "pages.h"
#include "driver.h"

#include <assert.h>
#include <stddef.h>
#include <sys/mman.h>

#define LATER (UINT64_C(4) << 20) /* bytes in front that have small pages */

void *vm_pages_reserve(uint64_t bytes)
{
	assert(bytes > 0);
	int kind = vm_driver.has_processes ? MAP_SHARED : MAP_PRIVATE;
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	if (kind == MAP_PRIVATE && bytes > LATER)
		madvise(at + LATER, bytes - LATER, MADV_HUGEPAGE); /* a kernel without them does as well */
	return at;
}

void vm_pages_give_back(void *at, uint64_t bytes)
{
	madvise(at, bytes, vm_driver.has_processes ? MADV_REMOVE : MADV_DONTNEED);
}
