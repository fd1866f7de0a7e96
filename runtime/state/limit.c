/* SPDX-License-Identifier: MIT
 *
 * See limit.h.
 *
 * Memory is what the process has resident, by the kernel's word: the table, pan's hash table and its stack, the caches.  It
 * is looked at whenever the table or the scratch memory grows, and now and then between steps, as pan's part grows there.
 *
 * pan's own handler of SIGINT prints statistics and exits at once, perhaps from the middle of a malloc of ours.  Ours takes
 * its place when the search has begun, and calls it where that is safe.
 */
#include "limit.h"
#include "../bitspin_vm.h"
#include "machine.h"
#include "../trace/report.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Weak: only a pan has them. */
extern void stopped(int signal) __attribute__((weak)); /* print the statistics and exit */
extern void wrapup(void) __attribute__((weak));        /* the same, but for saying that it was interrupted */

enum { MOST_REASONS = 64, OFTEN = 1024 };

volatile sig_atomic_t vm_limit_stopping;

static uint64_t most_memory;
static bool searching;     /* pan's search has begun: it can be ended by its own functions */
static struct timespec began; /* the run of steps under way */
static struct { /* what has cut paths */
	const char *limits[MOST_REASONS];
	uint32_t locations[MOST_REASONS];
	unsigned count;
	uint64_t paths;
} cut;

/* ---- being stopped ------------------------------------------------------------------------------------------------- */

static void on_interrupt(int signal)
{
	(void)signal;
	vm_limit_stopping = 1;
}

static void begin_search(void)
{
	searching = true;
	struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART | SA_RESETHAND }; /* twice: at once */
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
}

_Noreturn void vm_limit_interrupt(void)
{
	static bool said;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	char reason[100];
	snprintf(reason, sizeof reason, "thread %u was in one run of steps for %ld seconds",
		 vm_this.current ? vm_this.current->slot : 0, (long)(now.tv_sec - began.tv_sec));
	if (!said && now.tv_sec > began.tv_sec + 1)
		vm_report_inconclusive("stopped", reason, vm_this.location);
	said = true;
	vm_inconclusive("stopped", "the search was stopped");
}

/* ---- memory -------------------------------------------------------------------------------------------------------- */

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

/* ---- ending -------------------------------------------------------------------------------------------------------- */

_Noreturn void vm_limit_end(const char *limit, const char *reason, uint32_t location)
{
	vm_report_inconclusive(limit, reason, location);
	if (!searching) {
		fprintf(stderr, "bitspin: %s\n", reason);
		exit(2);
	}
	wrapup();
	exit(0);
}

void vm_limit_at_rest(void)
{
	static unsigned times;
	if (!searching)
		begin_search();
	clock_gettime(CLOCK_MONOTONIC_COARSE, &began);
	if (vm_limit_stopping) {
		stopped(SIGINT);
		exit(0);
	}
	if (++times % OFTEN == 0 && !vm_limit_allows(0))
		vm_limit_end("memory", "the memory limit is reached", 0);
}

/* ---- cutting paths ------------------------------------------------------------------------------------------------- */

/* False if this limit has been met at this place before, or so many others have that it does not matter. */
static bool is_news(const char *limit, uint32_t location)
{
	for (unsigned i = 0; i < cut.count; i++)
		if (cut.locations[i] == location && strcmp(cut.limits[i], limit) == 0)
			return false;
	if (cut.count == MOST_REASONS)
		return false;
	cut.limits[cut.count] = limit;
	cut.locations[cut.count++] = location;
	return true;
}

/* The glue asks for this: it has models with more threads.  And what the search believed of pointers was not so. */
static bool is_another_models(const char *limit)
{
	if (strcmp(limit, "hidden pointers") == 0) {
		printf("bitspin: %s; make the model with --hidden-pointers\n", vm_this.ending.message);
		return true;
	}
	const char *more = getenv("BITSPIN_MORE_THREADS");
	return strcmp(limit, "threads") == 0 && more && *more;
}

void vm_limit_cut(void)
{
	const struct vm_ending *ending = &vm_this.ending;
	if (vm_limit_stopping)
		vm_limit_at_rest();
	if (strcmp(ending->limit, "memory") == 0 || is_another_models(ending->limit))
		vm_limit_end(ending->limit, ending->message, ending->location);
	cut.paths++;
	if (is_news(ending->limit, ending->location))
		vm_report_inconclusive(ending->limit, ending->message, ending->location);
}

uint64_t vm_limit_paths(void)
{
	return cut.paths;
}

unsigned vm_limit_reasons(void)
{
	return cut.count;
}
