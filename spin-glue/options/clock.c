/* SPDX-License-Identifier: MIT
 *
 * --clock: does time pass in the checked program, how often may it go forward, and by how much at a look.
 */
#include "options.h"
#include "../base/base.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_MOVES = 2, MOST_MOVES = 1000 };

static const struct unit {
	const char *name, *words;
	uint64_t nanoseconds;
} units[] = {
	{ "ns", "nanosecond", 1 },
	{ "us", "microsecond", 1000 },
	{ "ms", "millisecond", 1000000 },
	{ "s", "second", 1000000000 },
	{ "min", "minute", UINT64_C(60000000000) },
	{ "h", "hour", UINT64_C(3600000000000) },
};
enum { UNITS = sizeof units / sizeof *units, HOUR = UNITS - 1 };

/* Read a number from 1 to `most` at *at, and move *at behind it.  Return false if there is none. */
static bool read_number(const char **at, unsigned long most, unsigned long *number)
{
	char *end;
	errno = 0;
	*number = **at >= '0' && **at <= '9' ? strtoul(*at, &end, 10) : 0;
	if (!*number || errno || *number > most)
		return false;
	*at = end;
	return true;
}

static bool read_step(const char *at, struct clock *clock)
{
	if (!read_number(&at, 1000000, &clock->count))
		return false;
	clock->unit = 0;
	while (clock->unit < UNITS && strcmp(units[clock->unit].name, at) != 0)
		clock->unit++;
	if (clock->unit == UNITS)
		return false;
	clock->step = clock->count * units[clock->unit].nanoseconds;
	assert(clock->step / clock->count == units[clock->unit].nanoseconds); /* it has not overflowed */
	return true;
}

void set_clock(struct options *o, const char *value)
{
	static const char forward[] = "forward";
	const char *at = value + strlen(forward);
	o->clock = (struct clock){ .moves = USUAL_MOVES, .count = 1, .unit = HOUR, .step = units[HOUR].nanoseconds };
	if (strcmp(value, "frozen") == 0) {
		o->clock = (struct clock){ 0 };
		return;
	}
	bool known = strncmp(value, forward, strlen(forward)) == 0;
	if (known && *at == ':') {
		at++;
		known = read_number(&at, MOST_MOVES, &o->clock.moves);
		if (known && *at == ':') {
			known = read_step(at + 1, &o->clock);
			at = "";
		}
	}
	if (!known || *at)
		fail("--clock takes frozen, forward, forward:N or forward:N:STEP, where N is from 1 to %d and STEP is such as 10ms, 1s, "
		     "5min or 1h, not '%s'",
		     MOST_MOVES, value);
}

char *clock_assumption(const struct options *o)
{
	const struct clock *clock = &o->clock;
	assert(clock->moves > 0 && clock->unit < UNITS);
	return text(
		"clocks begin at 2000-01-01 00:00:00 UTC, which is local time, too; they go forward at most %lu time%s on any path"
		" when they are looked at, each time by %lu %s%s, and as often to where a sleep or a wait that times out ends (--clock)",
		clock->moves, clock->moves == 1 ? "" : "s", clock->count, units[clock->unit].words, clock->count == 1 ? "" : "s");
}
