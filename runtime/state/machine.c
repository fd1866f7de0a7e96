/* SPDX-License-Identifier: MIT
 *
 * See machine.h.
 */
#include "machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static bool read_number(const char *path, uint64_t *number)
{
	unsigned long long bytes;
	FILE *in = fopen(path, "re");
	bool is_number = in && fscanf(in, "%llu", &bytes) == 1;
	if (in)
		fclose(in);
	*number = is_number ? bytes : 0;
	return is_number;
}

/* Return the number in the line of the file `path` that has this format; 0 if there is none. */
static uint64_t figure(const char *path, const char *format)
{
	char line[200];
	unsigned long long number = 0;
	FILE *in = fopen(path, "re");
	while (in && fgets(line, sizeof line, in) && sscanf(line, format, &number) != 1)
		number = 0;
	if (in)
		fclose(in);
	return number;
}

/* Return the bytes that the control group of this process may still take: no limit if there is no such file, or it says "max". */
static uint64_t group_left(void)
{
	static const char *const files[][3] = {
		{ "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat" },
		{ "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes",
		  "/sys/fs/cgroup/memory/memory.stat" },
	};
	uint64_t least = UINT64_MAX;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		uint64_t limit, used;
		if (!read_number(files[i][0], &limit))
			continue;
		read_number(files[i][1], &used);
		uint64_t cached = figure(files[i][2], "inactive_file %llu");
		used -= smaller(used, cached);
		if (limit - smaller(used, limit) < least)
			least = limit - smaller(used, limit);
	}
	return least;
}

uint64_t image_usual_memory(void)
{
	uint64_t physical = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t available = figure("/proc/meminfo", "MemAvailable: %llu kB") << 10;
	return smaller(smaller(physical, group_left()), available ? available : UINT64_MAX) / 5 * 4;
}
