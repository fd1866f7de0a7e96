/* SPDX-License-Identifier: MIT
 *
 * See limit.h.
 *
 * Memory is what the process has resident, by the kernel's word: the table, pan's hash table and its stack, the caches.  It is read
 * whenever the table or the scratch memory grows, and now and then between steps, when pan's part grows.
 */
#include "limit.h"
#include "machine.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

VM_SHARED volatile sig_atomic_t vm_limit_stopping;
VM_SHARED struct vm_interrupted vm_interrupted;

static VM_SHARED uint64_t most_memory;

_Noreturn void vm_limit_interrupt(void)
{
	vm_interrupted = (struct vm_interrupted){
		.happened = true,
		.slot = vm_this.current ? vm_this.current->slot : 0,
		.location = vm_this.location,
	};
	vm_inconclusive(LIMIT_STOPPED, "the search was stopped");
}

void vm_limit_memory(uint64_t bytes)
{
	most_memory = bytes ? bytes : image_usual_memory();
}

static uint64_t resident(void)
{
	char line[100];
	unsigned long long whole, pages = 0;
	int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC); /* each time: pan may have forked */
	ssize_t n = file < 0 ? -1 : read(file, line, sizeof line - 1);
	if (file >= 0)
		close(file);
	line[n < 0 ? 0 : n] = '\0';
	return sscanf(line, "%llu %llu", &whole, &pages) == 2 ? pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

bool vm_limit_allows(uint64_t bytes)
{
	return resident() + bytes <= most_memory;
}

uint64_t vm_limit_peak(void)
{
	struct rusage usage;
	uint64_t now = resident();
	getrusage(RUSAGE_SELF, &usage);
	uint64_t peak = (uint64_t)usage.ru_maxrss << 10;
	return peak > now ? peak : now;
}
