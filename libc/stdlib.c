/* SPDX-License-Identifier: MIT
 *
 * stdlib.h and search.h: sorting and searching, division, handlers for the end of the program, the environment.
 */
#include "library.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- sorting and searching ------------------------------------------------------------------------------------------- */

typedef int compare_function(const void *, const void *, void *);

/* A merge sort that compares in the same order as glibc up to 2.36, so that equal elements end up alike. */
static void sort(char *array, size_t count, size_t size, compare_function *compare, void *data, char *spare)
{
	if (count <= 1)
		return;
	size_t half = count / 2, left = half, right = count - half;
	char *a = array, *b = array + half * size, *to = spare;
	sort(a, left, size, compare, data, spare);
	sort(b, right, size, compare, data, spare);
	while (left && right) {
		char **from = compare(a, b, data) <= 0 ? &a : &b;
		if (from == &a)
			left--;
		else
			right--;
		memcpy(to, *from, size);
		*from += size;
		to += size;
	}
	if (left)
		memcpy(to, a, left * size);
	memcpy(array, spare, (count - right) * size);
}

void qsort_r(void *array, size_t count, size_t size, compare_function *compare, void *data)
{
	if (count < 2 || size == 0)
		return;
	char spare[count * size]; /* not from malloc, which may fail: sorting cannot */
	sort(array, count, size, compare, data, spare);
}

struct two_arguments {
	int (*compare)(const void *, const void *);
};

static int compare_two(const void *a, const void *b, void *data)
{
	return ((const struct two_arguments *)data)->compare(a, b);
}

void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	struct two_arguments data = { compare };
	qsort_r(array, count, size, compare_two, &data);
}

void *bsearch(const void *key, const void *array, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		const char *at = (const char *)array + middle * size;
		int order = compare(key, at);
		if (order == 0)
			return (void *)at;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

void *lfind(const void *key, const void *array, size_t *count, size_t size, int (*compare)(const void *, const void *))
{
	const char *at = array;
	for (size_t i = 0; i < *count; i++, at += size)
		if (compare(key, at) == 0)
			return (void *)at;
	return NULL;
}

void *lsearch(const void *key, void *array, size_t *count, size_t size, int (*compare)(const void *, const void *))
{
	void *found = lfind(key, array, count, size, compare);
	return found ? found : memcpy((char *)array + (*count)++ * size, key, size);
}

/* ---- arithmetic ------------------------------------------------------------------------------------------------------ */

div_t div(int a, int b)
{
	return (div_t){ a / b, a % b };
}

ldiv_t ldiv(long a, long b)
{
	return (ldiv_t){ a / b, a % b };
}

lldiv_t lldiv(long long a, long long b)
{
	return (lldiv_t){ a / b, a % b };
}

imaxdiv_t imaxdiv(intmax_t a, intmax_t b)
{
	return (imaxdiv_t){ a / b, a % b };
}

/* ---- the end of the program ------------------------------------------------------------------------------------------ */

/* As in glibc up to 2.40: a handler is taken off the list before it runs.  So one that calls exit() again leaves the rest to that
 * call, and two threads that call it share them.  Destructors are the handler that was there first; what they register runs after
 * all of them. */
enum { HANDLERS = 65 };

/* Made by the translator: it calls the functions with the attribute destructor. */
void __bitspin_destructors(void);

struct handlers {
	int count;
	struct handler {
		void (*plain)(void);
		void (*with_status)(int, void *);
		void *argument;
	} list[HANDLERS];
};

static struct handlers at_exit = { .count = 1, .list[0].plain = __bitspin_destructors }, at_quick_exit_;

static int add_handler(struct handlers *handlers, void (*plain)(void), void (*with_status)(int, void *), void *argument)
{
	LOCKED;
	if (handlers->count == HANDLERS)
		__bitspin_refuse("more than 64 handlers for the end of the program are registered");
	handlers->list[handlers->count].plain = plain;
	handlers->list[handlers->count].with_status = with_status;
	handlers->list[handlers->count++].argument = argument;
	__bitspin_order_before(handlers);
	UNLOCKED;
	return 0;
}

static void run_handlers(struct handlers *handlers, int status)
{
	for (;;) { /* a handler may add another */
		struct handler next = { 0 };
		LOCKED;
		__bitspin_order_after(handlers);
		int i = --handlers->count;
		if (i < 0)
			handlers->count = 0;
		else
			next = handlers->list[i];
		UNLOCKED;
		if (i < 0)
			return;
		if (next.plain)
			next.plain();
		else
			next.with_status(status, next.argument);
	}
}

int atexit(void (*handler)(void))
{
	return add_handler(&at_exit, handler, NULL, NULL);
}

int on_exit(void (*handler)(int, void *), void *argument)
{
	return add_handler(&at_exit, NULL, handler, argument);
}

int at_quick_exit(void (*handler)(void))
{
	return add_handler(&at_quick_exit_, handler, NULL, NULL);
}

/* Only where handlers or destructors can be there; elsewhere it is _exit() (is_left_to_vm() in translator/symbols/functions.c).
 * The last thread of a program runs it, too (runtime/sync/thread.c). */
_Noreturn void exit(int status)
{
	run_handlers(&at_exit, status);
	if (__bitspin_watched_streams)
		__bitspin_flush_buffers();
	_exit(status);
}

_Noreturn void quick_exit(int status)
{
	run_handlers(&at_quick_exit_, status);
	_Exit(status);
}

/* ---- the environment ------------------------------------------------------------------------------------------------- */

enum { VARIABLES = 128 };

static char *variables[VARIABLES + 1];
char **environ = (char **)__bitspin_environment;

/* Nobody locks here: POSIX lets the functions that change the environment race with all others (2.9.1), and in glibc they move the
 * array that getenv reads.  So each change writes `environ`, and what reads the environment orders nothing. */
static void own_environment(void)
{
	if (environ != variables)
		for (int i = 0; i < VARIABLES && environ && (variables[i] = environ[i]); i++)
			;
	environ = variables;
}

static int find_variable(const char *name, size_t length)
{
	int i = 0;
	while (environ && environ[i] && (strncmp(environ[i], name, length) != 0 || environ[i][length] != '='))
		i++;
	return i;
}

char *getenv(const char *name)
{
	size_t length = strlen(name);
	int i = find_variable(name, length);
	if (environ && environ[i])
		return environ[i] + length + 1;
	__bitspin_untried(UNTRIED_VARIABLE, name);
	return NULL;
}

char *secure_getenv(const char *name)
{
	return getenv(name);
}

static int bad_name(const char *name)
{
	if (name && *name && !strchr(name, '='))
		return 0;
	errno = EINVAL;
	return 1;
}

static int put_variable(char *variable, size_t length, int overwrite)
{
	int i = find_variable(variable, length);
	if (i == VARIABLES) {
		errno = ENOMEM;
		return -1;
	}
	if (environ && environ[i] && !overwrite)
		return 0;
	own_environment();
	variables[i] = variable;
	return 0;
}

int setenv(const char *name, const char *value, int overwrite)
{
	if (bad_name(name))
		return -1;
	size_t length = strlen(name), size = length + strlen(value) + 2;
	char *variable = malloc(size);
	if (!variable)
		return -1;
	snprintf(variable, size, "%s=%s", name, value);
	return put_variable(variable, length, overwrite);
}

int putenv(char *variable)
{
	const char *sign = strchr(variable, '=');
	return sign ? put_variable(variable, (size_t)(sign - variable), 1) : unsetenv(variable);
}

int unsetenv(const char *name)
{
	if (bad_name(name))
		return -1;
	own_environment();
	for (int i = find_variable(name, strlen(name)); variables[i]; i++)
		variables[i] = variables[i + 1];
	return 0;
}

int clearenv(void)
{
	own_environment();
	for (int i = 0; variables[i]; i++)
		variables[i] = NULL;
	return 0;
}
