/* SPDX-License-Identifier: MIT
 *
 * See machine.h.
 */
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The limit of the control group that we are in; none if there is no such file, or the file says "max". */
static uint64_t group_limit(void)
{
	static const char *const files[] = { "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes" };
	uint64_t least = UINT64_MAX;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		unsigned long long bytes;
		FILE *in = fopen(files[i], "re");
		if (in && fscanf(in, "%llu", &bytes) == 1 && bytes < least)
			least = bytes;
		if (in)
			fclose(in);
	}
	return least;
}

static uint64_t available(void)
{
	char line[200];
	unsigned long long kilobytes;
	uint64_t bytes = UINT64_MAX;
	FILE *in = fopen("/proc/meminfo", "re");
	while (in && fgets(line, sizeof line, in))
		if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
			bytes = kilobytes << 10;
	if (in)
		fclose(in);
	return bytes;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t image_usual_memory(void)
{
	uint64_t physical = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	return smaller(smaller(physical, group_limit()) / 2, available() / 5 * 4);
}
