/* SPDX-License-Identifier: MIT
 *
 * POSIX semaphores.  The bytes of a sem_t hold the value, where glibc has it, and a mark of one that was initialised.
 *
 * Named ones live in a table that the translator provides, in the order they were first opened.  A name that was unlinked
 * can be opened anew while the old semaphore is still in use; a row is free when it has no name and nobody has it open.
 */
#include "../memory/records.h"
#include "../trace/history.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

enum { SEMAPHORE_SIZE = sizeof(sem_t), OFFSET_VALUE = 0, OFFSET_MARK = 16, OFFSET_INIT = 20 };
enum { MARK_READY = 0x73656d, MARK_DESTROYED = 0xdead };

#define NAMED "named semaphores"

enum { ROWS = 8, NAME_SIZE = 60, ROW_SIZE = 96, OFFSET_OPEN = 32, OFFSET_NAME = 36 }; /* a row: sem_t, opens, name */

/* Return what a semaphore is called: its variable, or the name in the table. */
static const char *describe(uint64_t address)
{
	static VM_OWN char text[NAME_SIZE + 3];
	uint64_t table = vm_provided(NAMED);
	const uint8_t *row = table && address - table < ROWS * ROW_SIZE ? vm_peek(address, ROW_SIZE) : NULL;
	if (!row)
		return vm_describe(address);
	snprintf(text, sizeof text, "\"%.*s\"", (int)NAME_SIZE, (const char *)row + OFFSET_NAME);
	return text;
}

static const char *number(uint32_t value)
{
	char *text = vm_text();
	snprintf(text, VM_TEXT, "%u", value);
	return text;
}

static void write_word(uint64_t address, unsigned offset, uint32_t value, enum vm_access access)
{
	memcpy(vm_access(address + offset, sizeof value, access), &value, sizeof value);
}

static uint32_t semaphore_read(uint64_t address)
{
	const uint8_t *bytes = vm_access_initialised(address, SEMAPHORE_SIZE, ACCESS_SYNC_READ, "sem_init");
	uint32_t value, mark;
	memcpy(&value, bytes + OFFSET_VALUE, sizeof value);
	memcpy(&mark, bytes + OFFSET_MARK, sizeof mark);
	if (mark != MARK_READY)
		vm_violation(VIOLATION_MUTEX_MISUSE,
			     mark == MARK_DESTROYED ? "%s has been destroyed" : "%s is used without sem_init", describe(address));
	return value;
}

bool vm_semaphore_free(uint64_t address, const struct vm_thread *thread)
{
	const uint8_t *bytes = vm_peek(address, SEMAPHORE_SIZE);
	uint32_t value, mark;
	(void)thread;
	if (!bytes)
		return true; /* the thread goes on, into a violation */
	memcpy(&value, bytes + OFFSET_VALUE, sizeof value);
	memcpy(&mark, bytes + OFFSET_MARK, sizeof mark);
	return value > 0 || mark != MARK_READY;
}

void vm_semaphore_explain(char *text, size_t size, const struct vm_thread *thread)
{
	snprintf(text, size, "waits for semaphore %s, which is 0", describe(thread->header.address));
}

void prepare_semaphore_wait(struct vm_call *call)
{
	vm_wait_for(call, WAIT_SEMAPHORE);
}

enum vm_outcome run_semaphore_wait(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	bool tries = vm_only_tries(call);
	if (!tries && vm_cancel_due(call->thread))
		return vm_unwind(call->thread, (uint64_t)PTHREAD_CANCELED);
	vm_order_attempt(address, vm_semaphore_free(address, call->thread), "wait", "failed attempt to wait");
	uint32_t value = semaphore_read(address);
	if (value == 0) {
		int error = tries ? EAGAIN : vm_timed_out(call);
		vm_fail(call, error);
		vm_event_about(ACTION_WAIT, VM_ABOUT(.address = address, .name = describe(address), .reads = true), "for %s %s",
			       describe(address), tries ? "would block" : "times out");
		return CALL_DONE;
	}
	write_word(address, OFFSET_VALUE, value - 1, ACCESS_SYNC_WRITE);
	vm_order_taken(address, "wait");
	vm_event_about(ACTION_WAIT,
		       VM_ABOUT(.address = address, .name = describe(address), .value = number(value - 1), .writes = true),
		       "for %s is over: it becomes %u", describe(address), value - 1);
	return CALL_DONE;
}

enum vm_outcome run_semaphore_post(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	uint32_t value = semaphore_read(address);
	if (value == SEM_VALUE_MAX) {
		vm_fail(call, EOVERFLOW);
		return CALL_DONE;
	}
	write_word(address, OFFSET_VALUE, value + 1, ACCESS_SYNC_WRITE);
	vm_order_write(address, true, true, "post");
	vm_event_about(ACTION_SIGNAL,
		       VM_ABOUT(.address = address, .name = describe(address), .value = number(value + 1), .writes = true),
		       "%s: it becomes %u", describe(address), value + 1);
	return CALL_DONE;
}

enum vm_outcome run_semaphore_value(struct vm_call *call)
{
	vm_order_refused(call->arguments[0], "attempt to tell its value");
	uint64_t address = call->arguments[0];
	uint32_t value = semaphore_read(address);
	vm_store64(call->arguments[1], sizeof(int), value, ACCESS_WRITE);
	vm_event_about(ACTION_READ,
		       VM_ABOUT(.address = address, .name = describe(address), .bytes = SEMAPHORE_SIZE, .value = number(value)),
		       "%s is %u", describe(address), value);
	return CALL_DONE;
}

static void check_nobody_waits(uint64_t address, const char *what)
{
	for (unsigned i = 0; i < vm_this.slots; i++) {
		const struct vm_thread *thread = vm_thread_load(i);
		if (thread->header.wait == WAIT_SEMAPHORE && thread->header.address == address &&
		    !vm_semaphore_free(address, thread))
			vm_violation(VIOLATION_MUTEX_MISUSE, "%s is %s while thread %u waits for it", describe(address), what, i);
	}
}

static void set(uint64_t address, uint32_t value, uint32_t mark, enum vm_access access)
{
	memset(vm_access(address, SEMAPHORE_SIZE, access), 0, SEMAPHORE_SIZE);
	write_word(address, OFFSET_VALUE, value, access);
	write_word(address, OFFSET_MARK, mark, access);
	write_word(address, OFFSET_INIT, mark == MARK_READY ? vm_init_mark(address) : 0, access);
}

enum vm_outcome run_semaphore_init(struct vm_call *call)
{
	uint32_t value = (uint32_t)call->arguments[2];
	if (value > SEM_VALUE_MAX) {
		vm_fail(call, EINVAL);
		return CALL_DONE;
	}
	vm_refuse_second_init(call->arguments[0], SEMAPHORE_SIZE, OFFSET_INIT);
	set(call->arguments[0], value, MARK_READY, ACCESS_WRITE);
	return CALL_DONE;
}

enum vm_outcome run_semaphore_destroy(struct vm_call *call)
{
	semaphore_read(call->arguments[0]);
	check_nobody_waits(call->arguments[0], "destroyed");
	set(call->arguments[0], 0, MARK_DESTROYED, ACCESS_WRITE);
	return CALL_DONE;
}

/* ---- named semaphores ---------------------------------------------------------------------------------------------- */

struct row {
	uint64_t address;
	uint32_t open; /* times */
	char name[NAME_SIZE + 1];
};

static struct row row_at(unsigned index)
{
	assert(index < ROWS);
	struct row row = { .address = vm_provided(NAMED) + index * ROW_SIZE };
	const uint8_t *bytes = vm_access(row.address, ROW_SIZE, ACCESS_SYNC_READ);
	memcpy(&row.open, bytes + OFFSET_OPEN, sizeof row.open);
	memcpy(row.name, bytes + OFFSET_NAME, NAME_SIZE);
	return row;
}

/* Write a row's name and count; forget the semaphore when neither is left. */
static void row_write(const struct row *row)
{
	assert(strlen(row->name) <= NAME_SIZE);
	uint8_t *bytes = vm_access(row->address, ROW_SIZE, ACCESS_SYNC_WRITE);
	if (row->open == 0 && row->name[0] == '\0')
		memset(bytes, 0, ROW_SIZE);
	memcpy(bytes + OFFSET_OPEN, &row->open, sizeof row->open);
	memset(bytes + OFFSET_NAME, 0, NAME_SIZE);
	memcpy(bytes + OFFSET_NAME, row->name, strlen(row->name));
}

/* Fill in the row that has the name, or the first free one if `name` is empty.  Return false if there is none. */
static bool find_row(const char *name, struct row *row)
{
	for (unsigned i = 0; i < ROWS; i++) {
		*row = row_at(i);
		if (strcmp(row->name, name) == 0 && (name[0] || row->open == 0))
			return true;
	}
	return false;
}

static const char *name_at(uint64_t address)
{
	uint64_t length;
	const char *name = vm_string(address, UINT64_MAX, &length);
	if (length >= NAME_SIZE)
		vm_inconclusive(LIMIT_NAME, "the name of a semaphore has more than %d characters", (int)NAME_SIZE - 1);
	return name;
}

static void semaphore_create(struct vm_call *call, const char *name, struct row *row)
{
	uint64_t mode = call->arguments[3] + (uint32_t)call->arguments[4]; /* its general register, see IMAGE_AREA_OPERANDS */
	uint32_t value = (uint32_t)vm_load64(mode + 8, 4, ACCESS_READ);
	if (value > SEM_VALUE_MAX) {
		vm_fail(call, EINVAL);
		return;
	}
	if (!find_row("", row))
		vm_inconclusive(LIMIT_NAMED_SEMAPHORES, "the program has more than %d named semaphores", (int)ROWS);
	assert(strlen(name) < NAME_SIZE && row->open == 0);
	strcpy(row->name, name);
	row->open = 1;
	set(row->address, value, MARK_READY, ACCESS_SYNC_WRITE);
	row_write(row);
	call->results[0] = row->address;
}

/* Order the look-up after the one before it: the table of names is locked while it is searched. */
static void order_table(void)
{
	uint64_t table = vm_provided(NAMED);
	if (table) {
		vm_order_read(table, true, "look-up of a name");
		vm_order_write(table, true, true, "look-up of a name");
	}
}

enum vm_outcome run_semaphore_open(struct vm_call *call)
{
	order_table();
	struct row row;
	uint64_t flags = call->arguments[1];
	const char *name = name_at(call->arguments[0]);
	bool exists = find_row(name, &row);
	if (name[0] == '\0' || (name[0] == '/' && name[1] == '\0')) {
		vm_fail(call, EINVAL);
	} else if (exists && (flags & O_CREAT) && (flags & O_EXCL)) {
		vm_fail(call, EEXIST);
	} else if (exists) {
		row.open++;
		row_write(&row);
		call->results[0] = row.address;
	} else if (flags & O_CREAT) {
		semaphore_create(call, name, &row);
	} else {
		vm_fail(call, ENOENT);
	}
	if (call->results[0] == UINT64_MAX)
		call->results[0] = (uint64_t)(uintptr_t)SEM_FAILED;
	return CALL_DONE;
}

enum vm_outcome run_semaphore_close(struct vm_call *call)
{
	uint64_t table = vm_provided(NAMED), address = call->arguments[0];
	order_table();
	if (!table || address - table >= ROWS * ROW_SIZE || (address - table) % ROW_SIZE)
		vm_violation(VIOLATION_MUTEX_MISUSE, "%s is closed, which sem_open did not return", describe(address));
	struct row row = row_at((unsigned)((address - table) / ROW_SIZE));
	if (row.open == 0)
		vm_violation(VIOLATION_MUTEX_MISUSE, "a semaphore is closed that is not open");
	if (--row.open == 0)
		check_nobody_waits(address, "closed");
	row_write(&row);
	return CALL_DONE;
}

enum vm_outcome run_semaphore_unlink(struct vm_call *call)
{
	struct row row;
	const char *name = name_at(call->arguments[0]);
	order_table();
	if (name[0] == '\0' || !vm_provided(NAMED) || !find_row(name, &row)) {
		vm_fail(call, ENOENT);
		return CALL_DONE;
	}
	row.name[0] = '\0';
	row_write(&row);
	return CALL_DONE;
}
