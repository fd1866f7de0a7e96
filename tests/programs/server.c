/* SPDX-License-Identifier: MIT
 *
 * A server of HTTP-like requests: main puts raw requests into a bounded queue, a pool of workers parses and answers them.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DWORKERS=1 -DREQUESTS=6
 * EXPECT: verified
 * RUN: check -DBUG_SIGNAL_ONE
 * EXPECT: violated deadlock
 * RUN: check -DBUG_IF_FOR_WHILE -DQUEUE=2 -DREQUESTS=3
 * EXPECT: violated assertion
 * RUN: check -DBUG_LENGTH -DWORKERS=1 -DREQUESTS=6
 * EXPECT: violated out-of-bounds
 */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef REQUESTS
#define REQUESTS 3
#endif
#ifndef QUEUE
#define QUEUE 1
#endif
#define BODY_MAX 16

enum method { METHOD_GET, METHOD_PUT, METHOD_UNKNOWN };

enum status { OK = 200, CREATED = 201, BAD_REQUEST = 400, NOT_FOUND = 404, TOO_LARGE = 413, NOT_IMPLEMENTED = 501 };

struct request {
	enum method method;
	char path[12];
	unsigned keep_alive : 1, has_body : 1;
	long length;
	char body[BODY_MAX];
};

struct response {
	enum status status;
	char text[64];
};

static const struct {
	const char *name;
	enum method method;
} methods[] = { { "GET", METHOD_GET }, { "PUT", METHOD_PUT } };

static const struct {
	enum status status;
	const char *reason;
} reasons[] = {
	{ OK, "OK" }, { CREATED, "Created" }, { BAD_REQUEST, "Bad Request" }, { NOT_FOUND, "Not Found" },
	{ TOO_LARGE, "Content Too Large" }, { NOT_IMPLEMENTED, "Not Implemented" },
};

static const char *const raw[] = {
	"GET /index HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
	"PUT /index HTTP/1.0\r\nContent-Length:  5\r\n\r\nhello",
	"GET /nowhere HTTP/1.0\r\n\r\n",
	"PUT /index HTTP/1.0\r\ncontent-length: -7\r\n\r\nhello",
	"BREW /coffee HTTP/1.0\r\n\r\n",
	"PUT /index HTTP/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n",
};

static const enum status wanted[] = { OK, CREATED, NOT_FOUND, BAD_REQUEST, NOT_IMPLEMENTED, TOO_LARGE };

static struct {
	pthread_mutex_t mutex;
	pthread_cond_t not_empty, not_full;
	int job[QUEUE];
	unsigned head, count;
	bool closed;
} queue = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, { 0 }, 0, 0, false };

static struct response responses[REQUESTS];

static void queue_put(int job)
{
	pthread_mutex_lock(&queue.mutex);
	while (queue.count == QUEUE)
		pthread_cond_wait(&queue.not_full, &queue.mutex);
	queue.job[(queue.head + queue.count++) % QUEUE] = job;
	pthread_cond_signal(&queue.not_empty);
	pthread_mutex_unlock(&queue.mutex);
}

/* False when the queue is closed and empty. */
static bool queue_get(int *job)
{
	pthread_mutex_lock(&queue.mutex);
#ifdef BUG_IF_FOR_WHILE
	if (queue.count == 0 && !queue.closed)
#else
	while (queue.count == 0 && !queue.closed)
#endif
		pthread_cond_wait(&queue.not_empty, &queue.mutex);
#ifdef BUG_IF_FOR_WHILE
	const bool some = !queue.closed || queue.count > 0;
#else
	const bool some = queue.count > 0;
#endif
	if (some) {
		*job = queue.job[queue.head];
		queue.head = (queue.head + 1) % QUEUE;
		queue.count--;
		pthread_cond_signal(&queue.not_full);
	}
	pthread_mutex_unlock(&queue.mutex);
	return some;
}

static void queue_close(void)
{
	pthread_mutex_lock(&queue.mutex);
	queue.closed = true;
#ifdef BUG_SIGNAL_ONE
	pthread_cond_signal(&queue.not_empty);
#else
	pthread_cond_broadcast(&queue.not_empty);
#endif
	pthread_mutex_unlock(&queue.mutex);
}

/* The end of the line at text, where a carriage return and a line feed stand; NULL if there is none. */
static inline const char *line_end(const char *text)
{
	return strstr(text, "\r\n");
}

static enum method method_of(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
		if (strlen(methods[i].name) == length && strncmp(methods[i].name, name, length) == 0)
			return methods[i].method;
	return METHOD_UNKNOWN;
}

static enum status parse_length(const char *text, long *length)
{
	char *end;
	errno = 0;
	const long value = strtol(text, &end, 10);
	if (end == text || (*end != '\r' && !isspace((unsigned char)*end)))
		return BAD_REQUEST;
	if (errno == ERANGE)
		return TOO_LARGE;
#ifndef BUG_LENGTH
	if (value < 0)
		return BAD_REQUEST;
#endif
	if (value >= BODY_MAX)
		return TOO_LARGE;
	*length = value;
	return OK;
}

static enum status parse_header(struct request *request, const char *line, const char *end)
{
	const char *colon = memchr(line, ':', (size_t)(end - line));
	if (colon == NULL)
		return BAD_REQUEST;
	const size_t name = (size_t)(colon - line);
	const char *value = colon + 1;
	while (isblank((unsigned char)*value))
		value++;
	if (name == strlen("Content-Length") && strncasecmp(line, "Content-Length", name) == 0) {
		request->has_body = 1;
		return parse_length(value, &request->length);
	}
	if (name == strlen("Connection") && strncasecmp(line, "Connection", name) == 0)
		request->keep_alive = strncasecmp(value, "keep-alive", strlen("keep-alive")) == 0;
	return OK;
}

static enum status parse(struct request *request, const char *text)
{
	memset(request, 0, sizeof *request);
	const char *end = line_end(text), *space = strchr(text, ' ');
	if (end == NULL || space == NULL || space > end)
		return BAD_REQUEST;
	request->method = method_of(text, (size_t)(space - text));
	if (sscanf(space, " %11[^ ]", request->path) != 1)
		return BAD_REQUEST;
	for (const char *line = end + 2; (end = line_end(line)) != line; line = end + 2) {
		if (end == NULL)
			return BAD_REQUEST;
		const enum status status = parse_header(request, line, end);
		if (status != OK)
			return status;
	}
	if (request->has_body)
		memcpy(request->body, end + 2, (size_t)request->length); /* ERROR */
	return OK;
}

static enum status handle_get(const struct request *request)
{
	return strcmp(request->path, "/index") == 0 ? OK : NOT_FOUND;
}

static enum status handle_put(const struct request *request)
{
	assert(strlen(request->body) == (size_t)request->length);
	return CREATED;
}

static enum status (*const handlers[METHOD_UNKNOWN])(const struct request *) = { handle_get, handle_put };

static const char *reason_of(enum status status)
{
	for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
		if (reasons[i].status == status)
			return reasons[i].reason;
	return "?";
}

static int respond(struct response *response, enum status status, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int used = snprintf(response->text, sizeof response->text, "HTTP/1.0 %d %s\r\n", (int)status, reason_of(status));
	if (used >= 0 && (size_t)used < sizeof response->text)
		used += vsnprintf(response->text + used, sizeof response->text - (size_t)used, format, arguments);
	va_end(arguments);
	response->status = status;
	return used;
}

static void serve(int job)
{
	struct request request;
	enum status status = parse(&request, raw[job]);
	if (status == OK)
		status = request.method == METHOD_UNKNOWN ? NOT_IMPLEMENTED : handlers[request.method](&request);
	assert(responses[job].status == 0); /* ERROR */
	respond(&responses[job], status, "Connection: %s\r\n", request.keep_alive ? "keep-alive" : "close");
}

static void *worker(void *argument)
{
	int *served = argument, job;
	for (*served = 0; queue_get(&job); ++*served)
		serve(job);
	return NULL;
}

int main(void)
{
	pthread_t threads[WORKERS];
	int served[WORKERS], total = 0;
	for (int i = 0; i < WORKERS; i++)
		if (pthread_create(&threads[i], NULL, worker, &served[i]) != 0)
			return EXIT_FAILURE;
	for (int i = 0; i < REQUESTS; i++)
		queue_put(i);
	queue_close();
	for (int i = 0; i < WORKERS; i++) {
		pthread_join(threads[i], NULL); /* ERROR */
		total += served[i];
	}
	assert(total == REQUESTS);
	for (int i = 0; i < REQUESTS; i++) {
		assert(responses[i].status == wanted[i]);
		assert(strtol(strchr(responses[i].text, ' '), NULL, 10) == (long)wanted[i]);
		puts(responses[i].text);
	}
	return EXIT_SUCCESS;
}
