/* SPDX-License-Identifier: MIT
 *
 * The work directory: private to this run, removed when the command ends, however that comes.
 */
#include "base.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

static char work_path[4096];
static char *base_path; /* where it is */
static bool kept;
static pid_t owner; /* whose it is: a part of the command that runs beside it leaves it alone */

static void remove_work(void)
{
	if (getpid() != owner)
		return;
	if (work_path[0] && !kept)
		remove_tree(work_path);
	else if (work_path[0])
		echo_remark("the files of these commands are left in '%s'", work_path);
	work_path[0] = '\0';
	process_unwatch();
}

char *work_directory(void)
{
	assert(!work_path[0] && !base_path);
	const char *base = getenv("TMPDIR");
	char path[sizeof work_path];
	base_path = text("%s", base && *base ? base : "/tmp");
	snprintf(path, sizeof path, "%s/bitspin.XXXXXX", base_path);
	if (!mkdtemp(path))
		fail("cannot make a temporary directory in '%s': %s; set TMPDIR to a place that can be written", base_path,
		     strerror(errno));
	char *whole = realpath(path, NULL);
	snprintf(work_path, sizeof work_path, "%s", whole ? whole : path);
	free(whole);
	owner = getpid();
	process_watch(work_path);
	atexit(remove_work);
	setenv("TMPDIR", work_path, 1); /* what the tools leave behind goes as well */
	return text("%s", work_path);
}

const char *work_name(const char *path)
{
	size_t n = strlen(work_path);
	return n && strncmp(path, work_path, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
}

const char *work_root(void)
{
	return work_path;
}

void work_keep(void)
{
	assert(work_path[0]);
	kept = true;
}

const char *temporary_directory(void)
{
	assert(base_path);
	return base_path;
}

void check_space(void)
{
	struct statvfs st;
	if (work_path[0] && statvfs(work_path, &st) == 0 && st.f_bavail < 2)
		fail("no space left on the device of '%s'; set TMPDIR to a place with more room", base_path);
}
