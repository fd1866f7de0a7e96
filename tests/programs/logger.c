/* SPDX-License-Identifier: MIT
 *
 * A library for log messages: levels and sinks under a read-write lock, formatting with va_list outside of it, messages to a
 * ring under a mutex.  One thread logs while another reconfigures.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DWRITERS=2
 * EXPECT: verified
 * RUN: check -DBUG_EARLY_RETURN
 * EXPECT: violated deadlock
 * RUN: check -DBUG_SINK_AFTER_UNLOCK
 * EXPECT: violated data-race
 * RUN: check -DBUG_LOCK_ORDER
 * EXPECT: violated deadlock
 * RUN: check -DBUG_RING_INDEX
 * EXPECT: violated out-of-bounds
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef WRITERS
#define WRITERS 1
#endif
#define LINE 48
#define RING 2
#define SINKS 2
#define LOG(level, ...) log_write((level), __func__, __LINE__, __VA_ARGS__)

enum level { DEBUG, INFO, ERROR, LEVELS };

static const char *const level_name[LEVELS] = { [DEBUG] = "debug", [INFO] = "info", [ERROR] = "error" };

struct sink {
	int (*write)(struct sink *sink, const char *line, size_t length);
	void (*close)(struct sink *sink);
	union {
		struct {
			char (*lines)[LINE];
			unsigned next, capacity;
		} ring;
		struct {
			unsigned long bytes;
		} counter;
	} u;
};

static struct {
	pthread_rwlock_t lock; /* of all but the mutex */
	enum level threshold;
	struct sink *sinks[SINKS];
	pthread_mutex_t output; /* of what is in the sinks; taken inside the lock */
	unsigned written;
} logger = { .lock = PTHREAD_RWLOCK_INITIALIZER, .output = PTHREAD_MUTEX_INITIALIZER, .threshold = INFO };

static int ring_write(struct sink *sink, const char *line, size_t length)
{
	if (length >= LINE)
		return E2BIG;
	memcpy(sink->u.ring.lines[sink->u.ring.next], line, length + 1); /* ERROR */
#ifdef BUG_RING_INDEX
	if (++sink->u.ring.next > sink->u.ring.capacity)
		sink->u.ring.next = 0;
#else
	sink->u.ring.next = (sink->u.ring.next + 1) % sink->u.ring.capacity;
#endif
	return 0;
}

static void ring_close(struct sink *sink)
{
	free(sink->u.ring.lines);
	free(sink); /* ERROR */
}

static int counter_write(struct sink *sink, const char *line, size_t length)
{
	(void)line;
	sink->u.counter.bytes += length;
	return 0;
}

static void counter_close(struct sink *sink)
{
	free(sink);
}

static struct sink *ring_open(unsigned capacity)
{
	struct sink *sink = malloc(sizeof *sink);
	if (sink == NULL)
		return NULL;
	*sink = (struct sink){ .write = ring_write, .close = ring_close };
	sink->u.ring.capacity = capacity;
	sink->u.ring.lines = calloc(capacity, sizeof *sink->u.ring.lines);
	if (sink->u.ring.lines == NULL) {
		free(sink);
		return NULL;
	}
	return sink;
}

static struct sink *counter_open(void)
{
	struct sink *sink = calloc(1, sizeof *sink);
	if (sink != NULL) {
		sink->write = counter_write;
		sink->close = counter_close;
	}
	return sink;
}

/* 0, or an errno. */
static int log_add(struct sink *sink)
{
	int error = ENOSPC;
	if (sink == NULL)
		return ENOMEM;
	pthread_rwlock_wrlock(&logger.lock);
	for (int i = 0; i < SINKS && error != 0; i++) {
		if (logger.sinks[i] == NULL) {
			logger.sinks[i] = sink;
			error = 0;
		}
	}
	pthread_rwlock_unlock(&logger.lock);
	return error;
}

static void log_remove(int index)
{
#ifdef BUG_LOCK_ORDER
	pthread_mutex_lock(&logger.output);
	pthread_rwlock_wrlock(&logger.lock); /* ERROR */
#else
	pthread_rwlock_wrlock(&logger.lock); /* ERROR */
#endif
	struct sink *sink = logger.sinks[index];
	logger.sinks[index] = NULL; /* ERROR */
	pthread_rwlock_unlock(&logger.lock);
#ifdef BUG_LOCK_ORDER
	pthread_mutex_unlock(&logger.output);
#endif
	if (sink != NULL)
		sink->close(sink);
}

static void log_set_threshold(enum level level)
{
	pthread_rwlock_wrlock(&logger.lock); /* ERROR */
	logger.threshold = level;
	pthread_rwlock_unlock(&logger.lock);
}

static int format_line(char *line, enum level level, const char *function, int number, const char *format, va_list arguments)
{
	int used = snprintf(line, LINE, "%s: %s:%d: ", level_name[level], function, number);
	if (used < 0 || used >= LINE)
		return -1;
	const int rest = vsnprintf(line + used, LINE - (size_t)used, format, arguments);
	return rest < 0 || rest >= LINE - used ? -1 : used + rest;
}

__attribute__((format(printf, 4, 5)))
static int log_write(enum level level, const char *function, int number, const char *format, ...)
{
	char line[LINE];
	va_list arguments;
	int error = 0;
	pthread_rwlock_rdlock(&logger.lock);
	if (level < logger.threshold) {
#ifndef BUG_EARLY_RETURN
		pthread_rwlock_unlock(&logger.lock);
#endif
		return 0;
	}
	va_start(arguments, format);
	const int length = format_line(line, level, function, number, format, arguments);
	va_end(arguments);
	if (length < 0) {
		pthread_rwlock_unlock(&logger.lock);
		return E2BIG;
	}
#ifdef BUG_SINK_AFTER_UNLOCK
	pthread_rwlock_unlock(&logger.lock);
#endif
	pthread_mutex_lock(&logger.output); /* ERROR */
	for (int i = 0; i < SINKS; i++) {
		struct sink *sink = logger.sinks[i]; /* ERROR */
		if (sink != NULL && (error = sink->write(sink, line, (size_t)length)) != 0)
			break;
	}
	logger.written++;
	pthread_mutex_unlock(&logger.output);
#ifndef BUG_SINK_AFTER_UNLOCK
	pthread_rwlock_unlock(&logger.lock);
#endif
	return error;
}

static void *writer(void *argument)
{
	const int id = (int)(intptr_t)argument;
	LOG(DEBUG, "thread %d", id);
	const int error = LOG(INFO, "%s %c %#x", "hello", 'a' + id, 0xbeefu);
	assert(error == 0);
	LOG(ERROR, "%.2f%%", 12.5 * id);
	return NULL;
}

int main(void)
{
	pthread_t threads[WRITERS];
	struct sink *ring = ring_open(RING);
	if (log_add(ring) != 0 || log_add(counter_open()) != 0)
		return EXIT_FAILURE;
	assert(LOG(INFO, "%0100d", 7) == E2BIG);
	for (int i = 0; i < WRITERS; i++)
		pthread_create(&threads[i], NULL, writer, (void *)(intptr_t)i);
	log_set_threshold(ERROR);
	log_remove(1);
	for (int i = 0; i < WRITERS; i++)
		pthread_join(threads[i], NULL); /* ERROR */
	assert(logger.written >= WRITERS && logger.written <= 2 * WRITERS);
	LOG(ERROR, "end");
	assert(strstr(ring->u.ring.lines[logger.written % RING == 0 ? RING - 1 : 0], "end") != NULL);
	log_remove(0);
	return EXIT_SUCCESS;
}
