/* SPDX-License-Identifier: MIT
 *
 * See schedule.h.
 */
#include "schedule.h"
#include "../../bitspin_vm.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void schedule_add(struct schedule *schedule, unsigned slot, unsigned choice)
{
	assert(slot < VM_MAX_SLOTS && choice <= UINT8_MAX);
	schedule->steps = vm_grow(schedule->steps, &schedule->capacity, (uint64_t)schedule->count + 1, sizeof *schedule->steps);
	schedule->steps[schedule->count++] = (struct schedule_step){ (unsigned char)slot, (unsigned char)choice };
}

void schedule_release(struct schedule *schedule)
{
	free(schedule->steps);
	*schedule = (struct schedule){ 0 };
}

bool schedule_is_better(const struct schedule_cost *a, const struct schedule_cost *b)
{
	assert(a->switches >= a->preemptions && b->switches >= b->preemptions); /* each preemption is a switch */
	if (a->preemptions != b->preemptions)
		return a->preemptions < b->preemptions;
	return a->switches != b->switches ? a->switches < b->switches : a->steps < b->steps;
}

/* ---- files --------------------------------------------------------------------------------------------------------- */

/* Read a line of a schedule.  Return false if it is none. */
static bool read_line(struct schedule *schedule, const char *line)
{
	unsigned slot, choice, times = 1;
	char more;
	line += strspn(line, " \t\r\n");
	if (*line == '#' || *line == '\0')
		return true;
	int fields = sscanf(line, "%u %u %u %c", &slot, &choice, &times, &more);
	if (fields < 2 || fields > 3 || slot >= VM_MAX_SLOTS || choice >= VM_CHOICES)
		return false;
	assert(VM_CHOICES <= UINT8_MAX + 1 && VM_MAX_SLOTS <= UINT8_MAX + 1); /* what a step has room for */
	for (unsigned i = 0; i < times; i++)
		schedule_add(schedule, slot, choice);
	return true;
}

bool schedule_read(struct schedule *schedule, const char *path, char *error, size_t size)
{
	char *line = NULL;
	size_t capacity = 0, number = 0;
	bool good = true;
	FILE *in = fopen(path, "re");
	if (!in) {
		snprintf(error, size, "cannot read '%s': %s", path, strerror(errno));
		return false;
	}
	while (good && getline(&line, &capacity, in) >= 0) {
		number++;
		good = read_line(schedule, line);
	}
	if (!good)
		snprintf(error, size, "%s:%zu: this line is not 'THREAD OUTCOME TIMES'", path, number);
	free(line);
	fclose(in);
	return good;
}

bool schedule_write(const struct schedule *schedule, const char *path)
{
	FILE *out = fopen(path, "we");
	if (!out)
		return false;
	for (uint32_t i = 0, n; i < schedule->count; i += n) {
		const struct schedule_step *step = &schedule->steps[i];
		for (n = 1; i + n < schedule->count && step[n].slot == step->slot && step[n].choice == step->choice;)
			n++;
		fprintf(out, "%u %u %u\n", (unsigned)step->slot, (unsigned)step->choice, (unsigned)n);
	}
	return fclose(out) == 0;
}

static VM_OWN struct {
	FILE *file;
	unsigned slot, choice, times;
} noted;

static void write_noted(void)
{
	assert(noted.file);
	if (noted.times)
		fprintf(noted.file, "%u %u %u\n", noted.slot, noted.choice, noted.times);
	noted.times = 0;
}

void vm_schedule_open(const char *path)
{
	assert(!noted.file);
	if (path && *path)
		noted.file = fopen(path, "we");
}

void vm_schedule_note(unsigned slot, unsigned choice)
{
	assert(slot < VM_MAX_SLOTS && choice < VM_CHOICES);
	if (!noted.file || !vm_tracing)
		return;
	if (slot != noted.slot || choice != noted.choice)
		write_noted();
	noted.slot = slot;
	noted.choice = choice;
	noted.times++;
}

void vm_schedule_close(void)
{
	if (!noted.file)
		return;
	write_noted();
	fclose(noted.file);
	noted.file = NULL;
}
