/* SPDX-License-Identifier: MIT
 *
 * pan's trails.  A step of pan's may be a jump (crew.h), which stands for other steps: these are put in its place where pan writes
 * the trail, so that it says all that has happened, and who replays it need not know of jumps.  Steps that change nothing (fair.h)
 * are left out.
 *
 * A line of a trail is "DEPTH:PROCESS:TRANSITION", of a step of the path from depth 1 on; what is negative is about the model.
 */
#include "../../bitspin_vm.h"
#include "fair.h"
#include "lookahead.h"
#include "options.h"
#include "../reduce/histories.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* pan numbers the statements of a model as they stand there, and an option has three: its step, and in it a guard and the code. */
enum { STATEMENTS = 3 };

struct line {
	unsigned depth;
	int process, transition;
};

/* Is this a line about a step?  Read it into *line then. */
static bool is_step(const void *bytes, size_t count, struct line *line)
{
	char text[64], end;
	if (count >= sizeof text)
		return false;
	memcpy(text, bytes, count);
	text[count] = '\0';
	return *text != '-' && sscanf(text, "%u:%d:%d%c", &line->depth, &line->process, &line->transition, &end) == 4 &&
		end == '\n';
}

static bool write_step(int file, unsigned depth, int process, int transition)
{
	assert(depth > 0 && process >= 0);
	char text[64];
	int count = snprintf(text, sizeof text, "%u:%d:%d\n", depth, process, transition);
	return write(file, text, (size_t)count) == count;
}

/* Write all steps that lead to the end of the last jump, which is the only one of interest.  Return false if they cannot be
 * written. */
static bool write_path(int file, const struct line *jump, unsigned *more)
{
	const struct vm_gift *gift = vm_lookahead_jump(jump->depth);
	for (uint32_t i = 0; gift && i < gift->count; i++) {
		int process = jump->process + gift->steps[i].slot;
		int transition = jump->transition + STATEMENTS * (gift->steps[i].option - VM_JUMP);
		if (!write_step(file, i + 1, process, transition))
			return false;
	}
	*more = gift ? gift->count - jump->depth : 0;
	return true;
}

/* Write the path to a race that was found beside the search's own path (histories.h), in the place of that. */
static bool write_race(int file, const struct line *first, const struct vm_move *moves, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		int process = first->process + moves[i].slot - vm_first_step.slot;
		int transition = first->transition + STATEMENTS * (moves[i].option - vm_first_step.option);
		if (!write_step(file, i + 1, process, transition))
			return false;
	}
	return true;
}

long vm_trail_write(int file, const void *bytes, unsigned long count)
{
	static VM_OWN unsigned more; /* steps than pan knows, so far */
	struct line line;
	if (!is_step(bytes, count, &line))
		return write(file, bytes, count);
	if (line.process > 0 && vm_fair_has_idled(line.depth))
		return (long)count;
	uint32_t moves_count;
	const struct vm_move *moves = vm_histories_path(&moves_count);
	if (moves)
		return line.depth > 1 || write_race(file, &line, moves, moves_count) ? (long)count : -1;
	if (!vm_crew())
		return write(file, bytes, count);
	if (line.depth == 1)
		more = 0;
	if (vm_lookahead_jumped(line.depth))
		return write_path(file, &line, &more) ? (long)count : -1;
	if (!write_step(file, line.depth + more, line.process, line.transition))
		return -1;
	return (long)count;
}
