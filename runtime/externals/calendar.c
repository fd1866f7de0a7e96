/* SPDX-License-Identifier: MIT
 *
 * Calendar arithmetic, by the host's library on copies of the program's struct tm.  The local time is UTC.
 */
#include "../state/levels.h"
#include "../symbolic/symbolic.h"
#include "externals.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TM_INTS (offsetof(struct tm, tm_isdst) / sizeof(int) + 1)

/* Return what the host's functions read of a struct tm, without its zone, a pointer that must not come from the program.  A member
 * that is not initialized gets the value `unset`: what the functions do must not depend on it. */
static struct tm read_tm(uint64_t address, int unset)
{
	int members[TM_INTS];
	struct vm_bytes from = vm_access_bits(address, sizeof members, ACCESS_READ);
	vm_levels_read(sizeof members, LEVEL_VALUE);
	if (vm_symbolic_on())
		vm_symbolic_need_bytes(from.bytes, from.shadow, sizeof members, "a struct tm");
	memcpy(members, from.bytes, sizeof members);
	for (size_t i = 0; i < TM_INTS; i++)
		if (!vm_is_set(address + i * sizeof(int), sizeof(int)))
			members[i] = unset;
	struct tm tm = { .tm_zone = "UTC" };
	memcpy(&tm, members, sizeof members);
	return tm;
}

static void refuse_unset(const char *function)
{
	vm_shadow_note(0, IMAGE_NONE);
	vm_refuse_unset("what %s does with a struct tm", function);
}

static void write_tm(uint64_t address, const struct tm *tm)
{
	uint8_t *bytes = vm_access(address, sizeof *tm, ACCESS_WRITE);
	memset(bytes, 0, sizeof *tm);
	memcpy(bytes, tm, offsetof(struct tm, tm_isdst) + sizeof tm->tm_isdst);
}

enum vm_outcome run_gmtime_r(struct vm_call *call)
{
	time_t t = (time_t)vm_load64(call->arguments[0], 8, ACCESS_READ);
	struct tm tm;
	if (!gmtime_r(&t, &tm)) {
		vm_set_errno(EOVERFLOW);
		return CALL_DONE;
	}
	write_tm(call->arguments[1], &tm);
	call->results[0] = call->arguments[1];
	return CALL_DONE;
}

/* Do what timegm() does and, as there is no zone but UTC, mktime(). */
enum vm_outcome run_timegm(struct vm_call *call)
{
	struct tm tm = read_tm(call->arguments[0], 0), other = read_tm(call->arguments[0], 1);
	errno = 0;
	time_t t = timegm(&tm);
	if (t != timegm(&other))
		refuse_unset(call->builtin->name);
	if (t == -1 && errno)
		vm_set_errno(errno);
	else
		write_tm(call->arguments[0], &tm);
	call->results[0] = (uint64_t)t;
	return CALL_DONE;
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

enum vm_outcome run_strftime(struct vm_call *call)
{
	uint64_t to = call->arguments[0], size = call->arguments[1];
	struct tm tm = read_tm(call->arguments[3], 0), other = read_tm(call->arguments[3], 1);
	const char *format = vm_string(call->arguments[2], UINT64_MAX, NULL);
	size_t room = size < 65536 ? size : 65536;
	char *text = vm_scratch(room + 1), *again = vm_scratch(room + 1);
	setenv("TZ", "UTC0", 1); /* %s asks the host for its zone */
	size_t length = room ? strftime(text, room, format, &tm) : 0;
	assert(length < room || room == 0);
	if (room && (strftime(again, room, format, &other) != length || memcmp(text, again, length) != 0))
		refuse_unset("strftime");
	if (length)
		memcpy(vm_access(to, length + 1, ACCESS_WRITE), text, length + 1);
	call->results[0] = length;
	return CALL_DONE;
}

/* Return what strptime() makes of a struct tm with these members, or, if `members` is NULL, with all members equal to `from`. */
static struct tm parse_time(const char *text, const char *format, const int *members, int from, const char **end)
{
	struct tm tm = { .tm_zone = "UTC" };
	int all[TM_INTS];
	for (size_t i = 0; i < TM_INTS; i++)
		all[i] = members ? members[i] : from;
	memcpy(&tm, all, sizeof all);
	*end = strptime(text, format, &tm);
	return tm;
}

static int member(const struct tm *tm, size_t i)
{
	assert(i < TM_INTS);
	int value;
	memcpy(&value, (const char *)tm + i * sizeof value, sizeof value);
	return value;
}

/* Write only some members: those that become the same whatever they were before.  Others, as the day of the week, may be
 * computed from members that the program has set before: these are written if they change. */
enum vm_outcome run_strptime(struct vm_call *call)
{
	const char *text = vm_string(call->arguments[0], UINT64_MAX, NULL),
		   *format = vm_string(call->arguments[1], UINT64_MAX, NULL), *end, *ignored;
	uint64_t to = call->arguments[2];
	int members[TM_INTS];
	struct tm before = read_tm(to, 1), other = read_tm(to, 2);
	setenv("TZ", "UTC0", 1);
	memcpy(members, &before, sizeof members);
	struct tm tm = parse_time(text, format, members, 0, &end);
	memcpy(members, &other, sizeof members);
	struct tm again = parse_time(text, format, members, 0, &ignored), ones = parse_time(text, format, NULL, 1, &ignored),
		  twos = parse_time(text, format, NULL, 2, &ignored);
	for (size_t i = 0; i < TM_INTS; i++) {
		int value = member(&tm, i);
		bool written = value != member(&before, i) || member(&ones, i) == member(&twos, i);
		int unset = value != member(&again, i) ? -1 : 0; /* computed of what is not set */
		if (written)
			vm_write(to + i * sizeof value, &value, &unset, sizeof value, ACCESS_WRITE);
	}
	if (strstr(format, "%z") || strstr(format, "%s"))
		vm_store64(to + offsetof(struct tm, tm_gmtoff), sizeof tm.tm_gmtoff, (uint64_t)tm.tm_gmtoff, ACCESS_WRITE);
	assert(!end || end >= text);
	call->results[0] = end ? call->arguments[0] + (uint64_t)(end - text) : 0;
	return CALL_DONE;
}
