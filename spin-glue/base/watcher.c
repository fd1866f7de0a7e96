/* SPDX-License-Identifier: MIT
 *
 * See watcher.h.  The watcher does nothing but read from a pipe; we have the other end.  When that is closed, and we have not
 * said that all is well, it kills all groups and removes the directory.
 *
 * The groups are in a table that is shared by all processes of the command: each child puts in its own, so there is no time in
 * which one runs and is not known.
 */
#include "watcher.h"
#include "base.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_GROUPS = 1024, ALL_IS_WELL = 1 };

/* a free row has group 0 */
static struct row {
	_Atomic int group, owner;
	_Atomic bool asked; /* it is to be asked first */
} * table;                  /* NULL: there is no watcher */

static int watcher = -1; /* where it reads: ALL_IS_WELL, or nothing */
static pid_t watching;   /* the watcher */

void watcher_forget(void)
{
	if (watcher >= 0)
		close(watcher);
	watcher = -1;
}

void watcher_add(int group, int owner)
{
	assert(group > 0 && owner > 0);
	for (struct row *row = table; row && row < table + MOST_GROUPS; row++) {
		int none = 0;
		if (atomic_compare_exchange_strong(&row->group, &none, group)) {
			atomic_store(&row->owner, owner);
			return;
		}
	}
}

void watcher_remove(int group)
{
	assert(group > 0); /* a free row has none */
	for (struct row *row = table; row && row < table + MOST_GROUPS; row++) {
		int its = atomic_load(&row->group);
		bool orphan = its > 0 && atomic_load(&row->owner) == group;
		if (!orphan && its != group)
			continue;
		atomic_store(&row->owner, 0);
		atomic_store(&row->asked, false);
		atomic_store(&row->group, 0);
		if (orphan) {
			kill(-its, SIGKILL);
			watcher_remove(its);
		}
	}
}

void watcher_ask(int group)
{
	assert(group > 0);
	for (struct row *row = table; row && row < table + MOST_GROUPS; row++)
		if (atomic_load(&row->group) == group)
			atomic_store(&row->asked, true);
}

/* Ask the processes to end.  Return whether one was asked before, and has not ended. */
static bool ask_some(void)
{
	bool any = false;
	for (struct row *row = table; row && row < table + MOST_GROUPS; row++)
		any |= atomic_load(&row->asked) && kill(atomic_load(&row->group), SIGTERM) == 0;
	return any;
}

/* Kill all processes.  Return whether there were any. */
static bool kill_all(void)
{
	bool any = false;
	for (struct row *row = table; row && row < table + MOST_GROUPS; row++) {
		int group = atomic_load(&row->group);
		any |= group > 0 && kill(-group, SIGKILL) == 0;
	}
	return any;
}

static _Noreturn void watch(int from, const char *directory)
{
	char word = 0;
	setsid(); /* what is sent to our group is not for it */
	int null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd); /* who reads what we print is not to wait for it */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	if (read(from, &word, 1) == 1 && word == ALL_IS_WELL)
		_exit(0);
	for (unsigned i = 0; ask_some() && i < 20; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
	for (unsigned i = 0; kill_all() && i < 50; i++) /* the death of a large process takes its time */
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	for (unsigned i = 0; i < 100; i++) { /* what the killed have started may write there for a moment */
		remove_tree(directory);
		if (access(directory, F_OK) < 0)
			break;
		nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	}
	_exit(0);
}

void process_watch(const char *directory)
{
	assert(!table && watcher < 0); /* once */
	int ends[2];
	void *shared = mmap(NULL, MOST_GROUPS * sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return; /* it is a precaution only */
	if (pipe2(ends, O_CLOEXEC) < 0)
		return;
	table = shared;
	fflush(NULL);
	watching = fork();
	if (watching == 0) {
		close(ends[1]);
		watch(ends[0], directory);
	}
	close(ends[0]);
	if (watching < 0)
		close(ends[1]);
	else
		watcher = ends[1];
}

void process_unwatch(void)
{
	const char word = ALL_IS_WELL;
	if (watcher < 0)
		return;
	if (write(watcher, &word, 1) < 0)
		watching = 0;
	close(watcher);
	watcher = -1;
	if (watching)
		waitpid(watching, NULL, 0);
}
