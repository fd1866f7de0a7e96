/* SPDX-License-Identifier: MIT
 *
 * See limit.h.
 *
 * Memory is what the process has resident, by the kernel's word: the table, pan's hash table and its stack, the caches.  It is read
 * whenever the table or the scratch memory grows, and now and then between steps, when pan's part grows.
 */
#include "limit.h"
#include "machine.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

VM_SHARED volatile sig_atomic_t vm_limit_stopping;
VM_SHARED struct vm_interrupted vm_interrupted;

static VM_SHARED uint64_t most_memory;
static VM_SHARED const volatile uint64_t *allotted; /* what the command allots to this process just now; NULL: it does not */
static VM_SHARED unsigned processes = 1;

_Noreturn void vm_limit_interrupt(void)
{
	vm_interrupted = (struct vm_interrupted){
		.happened = true,
		.slot = vm_this.current ? vm_this.current->slot : 0,
		.location = vm_this.location,
	};
	vm_inconclusive(LIMIT_STOPPED, "the search was stopped");
}

/* Map the file that BITSPIN_MEMORY names.  The number in the file may change, because several searches share the memory. */
static void open_allotment(void)
{
	const char *path = getenv("BITSPIN_MEMORY");
	int file = path && *path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *allotted, PROT_READ, MAP_SHARED, file, 0);
	if (file >= 0)
		close(file);
	allotted = page == MAP_FAILED ? NULL : page;
}

void vm_limit_memory(uint64_t bytes)
{
	most_memory = bytes ? bytes : image_usual_memory();
	if (!allotted)
		open_allotment();
}

void vm_limit_processes(unsigned count)
{
	assert(count > 0);
	processes = count;
}

uint64_t vm_limit_resident(void)
{
	char line[100];
	unsigned long long whole, pages = 0, shared = 0;
	int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC); /* each time: pan may have forked */
	ssize_t n = file < 0 ? -1 : read(file, line, sizeof line - 1);
	if (file >= 0)
		close(file);
	line[n < 0 ? 0 : n] = '\0';
	if (sscanf(line, "%llu %llu %llu", &whole, &pages, &shared) != 3 || pages < shared)
		return 0;
	return (shared + processes * (pages - shared)) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t vm_limit_most(void)
{
	return allotted && *allotted < most_memory ? *allotted : most_memory;
}

bool vm_limit_allows(uint64_t bytes)
{
	return vm_limit_resident() + bytes <= vm_limit_most();
}

uint64_t vm_limit_peak(void)
{
	struct rusage usage;
	uint64_t now = vm_limit_resident();
	getrusage(RUSAGE_SELF, &usage);
	uint64_t peak = (uint64_t)usage.ru_maxrss << 10;
	return peak > now ? peak : now;
}
