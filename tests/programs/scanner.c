/* SPDX-License-Identifier: MIT
 *
 * Counts a word in all files of a directory: main walks the tree and fills a queue, workers read the files, results are sorted
 * and printed.  The files are those of tests/programs/tree.
 *
 * RUN: check --fs=tests/programs/tree -- -j 2 needle
 * EXPECT: verified
 * RUN: check --fs=tests/programs/tree -- -ij1 NEEDLE .
 * EXPECT: verified
 * RUN: check --fs=tests/programs/tree -DBUG_PLAIN_TOTAL -- -j2 needle
 * EXPECT: violated data-race
 * RUN: check --fs=tests/programs/tree -DBUG_LOST_WAKEUP -- -j2 needle
 * EXPECT: violated deadlock
 * RUN: check --fs=tests/programs/tree -DBUG_PATH_SIZE -- -j1 needle
 * EXPECT: violated out-of-bounds
 */
#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_WORKERS 8
#define FATAL(...) (fprintf(stderr, __VA_ARGS__), exit(EXIT_FAILURE))

struct job {
	struct job *next;
	unsigned lines, hits;
	int error;
	char path[];
};

static struct {
	pthread_mutex_t mutex;
	pthread_cond_t ready;
	struct job *first, **last;
	bool complete;
} queue = { .mutex = PTHREAD_MUTEX_INITIALIZER, .ready = PTHREAD_COND_INITIALIZER, .last = &queue.first };

static struct {
	pthread_mutex_t mutex;
	struct job **jobs;
	size_t count, capacity;
	unsigned hits;
} results = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static struct {
	bool ignore_case;
	int workers;
	const char *word;
} options = { false, 2, NULL };

static void *checked(void *pointer)
{
	if (pointer == NULL)
		FATAL("out of memory\n");
	return pointer;
}

static void queue_add(const char *folder, const char *name)
{
#ifdef BUG_PATH_SIZE
	const size_t length = strlen(folder) + strlen(name) + 1; /* and the slash? */
#else
	const size_t length = strlen(folder) + strlen(name) + 2;
#endif
	struct job *job = checked(malloc(offsetof(struct job, path) + length));
	memset(job, 0, offsetof(struct job, path));
	sprintf(job->path, "%s/%s", folder, name); /* ERROR */
	pthread_mutex_lock(&queue.mutex);
	*queue.last = job;
	queue.last = &job->next;
	pthread_cond_signal(&queue.ready);
	pthread_mutex_unlock(&queue.mutex);
}

static struct job *queue_take(void)
{
#ifdef BUG_LOST_WAKEUP
	pthread_mutex_lock(&queue.mutex);
	const bool empty = queue.first == NULL && !queue.complete;
	pthread_mutex_unlock(&queue.mutex);
	pthread_mutex_lock(&queue.mutex);
	if (empty)
		pthread_cond_wait(&queue.ready, &queue.mutex); /* ERROR */
#else
	pthread_mutex_lock(&queue.mutex);
	while (queue.first == NULL && !queue.complete)
		pthread_cond_wait(&queue.ready, &queue.mutex);
#endif
	struct job *job = queue.first;
	if (job != NULL) {
		queue.first = job->next;
		if (queue.first == NULL)
			queue.last = &queue.first;
	}
	pthread_mutex_unlock(&queue.mutex);
	return job;
}

static void queue_complete(void)
{
	pthread_mutex_lock(&queue.mutex);
	queue.complete = true;
	pthread_cond_broadcast(&queue.ready);
	pthread_mutex_unlock(&queue.mutex);
}

static void result_add(struct job *job)
{
	pthread_mutex_lock(&results.mutex);
	if (results.count == results.capacity) {
		results.capacity = results.capacity == 0 ? 2 : results.capacity * 2;
		results.jobs = checked(realloc(results.jobs, results.capacity * sizeof *results.jobs));
	}
	results.jobs[results.count++] = job;
#ifndef BUG_PLAIN_TOTAL
	results.hits += job->hits;
#endif
	pthread_mutex_unlock(&results.mutex);
#ifdef BUG_PLAIN_TOTAL
	results.hits += job->hits; /* ERROR */
#endif
}

static void lower(char *text)
{
	for (; *text != '\0'; text++)
		*text = (char)tolower((unsigned char)*text);
}

static unsigned count_in(const char *line, const char *word)
{
	unsigned count = 0;
	const size_t length = strlen(word);
	for (const char *at = line; (at = strstr(at, word)) != NULL; at += length) {
		const bool starts = at == line || !isalnum((unsigned char)at[-1]);
		if (starts && !isalnum((unsigned char)at[length]))
			count++;
	}
	return count;
}

static void scan(struct job *job)
{
	char line[80];
	FILE *file = fopen(job->path, "r");
	if (file == NULL) {
		job->error = errno;
		return;
	}
	while (fgets(line, sizeof line, file) != NULL) {
		if (options.ignore_case)
			lower(line);
		job->lines++;
		job->hits += count_in(line, options.word);
	}
	if (ferror(file))
		job->error = EIO;
	fclose(file);
}

static void *worker(void *argument)
{
	(void)argument;
	for (struct job *job; (job = queue_take()) != NULL;) {
		scan(job);
		result_add(job);
	}
	return NULL;
}

static void walk(const char *folder)
{
	DIR *directory = opendir(folder);
	if (directory == NULL)
		FATAL("%s: %s\n", folder, strerror(errno));
	for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
		struct stat status;
		char path[256];
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (stat(path, &status) != 0)
			FATAL("%s: %s\n", path, strerror(errno));
		if (S_ISDIR(status.st_mode))
			walk(path);
		else
			queue_add(folder, entry->d_name);
	}
	closedir(directory);
}

static int by_hits(const void *a, const void *b)
{
	const struct job *one = *(struct job *const *)a, *other = *(struct job *const *)b;
	if (one->hits != other->hits)
		return one->hits < other->hits ? 1 : -1;
	return strcmp(one->path, other->path);
}

static void report(void)
{
	qsort(results.jobs, results.count, sizeof *results.jobs, by_hits);
	for (size_t i = 0; i < results.count; i++) {
		struct job *job = results.jobs[i];
		if (job->error != 0)
			printf("%s: %s\n", job->path, strerror(job->error));
		else
			printf("%4u of %4u %-20s\n", job->hits, job->lines, job->path);
		free(job);
	}
	free(results.jobs);
	printf("%u in all\n", results.hits);
}

static void parse_options(int argc, char *argv[])
{
	for (int option; (option = getopt(argc, argv, "ij:")) != -1;) {
		switch (option) {
		case 'i': options.ignore_case = true; break;
		case 'j': options.workers = atoi(optarg); break;
		default: FATAL("usage: %s [-i] [-j WORKERS] WORD [DIRECTORY]\n", argv[0]);
		}
	}
	if (optind == argc || options.workers < 1 || options.workers > MAX_WORKERS)
		FATAL("usage: %s [-i] [-j WORKERS] WORD [DIRECTORY]\n", argv[0]);
	char *word = argv[optind];
	if (options.ignore_case)
		lower(word);
	options.word = word;
}

int main(int argc, char *argv[])
{
	pthread_t threads[MAX_WORKERS];
	parse_options(argc, argv);
	for (int i = 0; i < options.workers; i++)
		if (pthread_create(&threads[i], NULL, worker, NULL) != 0)
			FATAL("cannot start worker %d\n", i);
	walk(optind + 1 < argc ? argv[optind + 1] : ".");
	queue_complete();
	for (int i = 0; i < options.workers; i++)
		pthread_join(threads[i], NULL); /* ERROR */
	assert(results.count == 3);
	assert(results.hits == (options.ignore_case ? 5 : 4));
	report();
	return EXIT_SUCCESS;
}
