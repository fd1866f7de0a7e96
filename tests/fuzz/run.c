/* SPDX-License-Identifier: MIT
 *
 * See run.h.
 */
#include "run.h"
#include "../../runtime/search/step/start.h"

#include "../../runtime/bitspin_vm.h"
#include "../../runtime/search/bound/allowed.h"
#include "../../runtime/search/base/search.h"
#include "../../runtime/state/driver.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_STEPS = 60, MILLISECONDS = 200 };

/* Registered last it runs first: the VM's own handler looks at the image, and libFuzzer's takes exit() for a crash. */
static void leave(void)
{
	_exit(0);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	vm_driver.depth_first = true;
	vm_start();
	return atexit(leave);
}

static void run(void)
{
	atexit(leave);
	struct image_options options = *vm_this.image.options;
	if (options.max_threads > 8) /* the memory for more is no news */
		options.max_threads = 8;
	vm_this.image.options = &options;
	if (!vm_table_open(64 << 20))
		_exit(0);
	vm_begin();
	int state = 0;
	for (unsigned step = 0; step < MOST_STEPS && !vm_terminated(state); step++)
		for (unsigned thread = 0; thread <= options.max_threads; thread++) {
			if (thread == options.max_threads)
				_exit(0);
			int choice = vm_allowed(state, 0, (int)thread, VM_TRANSACTION) ? VM_TRANSACTION :
				vm_allowed(state, 0, (int)thread, VM_SECTIONS)         ? VM_SECTIONS :
											 0;
			if (vm_allowed(state, 0, (int)thread, choice)) {
				int place = 0;
				vm_follow(&state, &place, (int)thread, choice);
				break;
			}
		}
	_exit(0);
}

void run_apart(void)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		signal(SIGPROF, SIG_DFL);
		setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_usec = MILLISECONDS * 1000 }, NULL);
		if (!getenv("FUZZ_TALK") && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
			_exit(0);
		run();
	}
	waitpid(child, &status, 0);
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGPROF && WTERMSIG(status) != SIGKILL)
		abort();
}

int file_of(const void *bytes, size_t size, char path[64])
{
	int fd = memfd_create("input", MFD_CLOEXEC);
	if (fd < 0 || (size && write(fd, bytes, size) != (ssize_t)size))
		abort();
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

FILE *nowhere(void)
{
	static FILE *file;
	if (!file)
		file = fopen("/dev/null", "w");
	if (!file)
		abort();
	return file;
}
