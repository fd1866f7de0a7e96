/* SPDX-License-Identifier: MIT
 *
 * Large parts of pan's memory.
 */
#include "../../bitspin_vm.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *vm_clear(void *to, int byte, unsigned long size)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)to, end = from + size;
	uintptr_t first = (from + page - 1) / page * page, last = end / page * page;
	/* Private pages that are given back read as zero. */
	if (byte || first >= last || madvise((void *)first, last - first, MADV_DONTNEED) < 0)
		return memset(to, byte, size);
	memset(to, 0, first - from);
	memset((void *)last, 0, end - last);
	return to;
}
