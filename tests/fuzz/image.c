/* SPDX-License-Identifier: MIT
 *
 * libFuzzer's target for the image loader: whatever bytes an image has, loading it says what is wrong or gives an image that
 * can be printed and run.  The checksum is made right first, or nothing else would be looked at.  Each input is run
 * in a process of its own for some steps, along the first thread that can go on: a crash there is a check that the loader
 * lacks.
 */
#include "../../runtime/bitspin_vm.h"
#include "../../runtime/builtin.h"
#include "../../runtime/proposition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_STEPS = 60, SECONDS = 2 };

/* What pan would provide. */
static void ignore(char *message) { (void)message; }
void (*uerror)(char *) = ignore;
int readtrail;
int vm_depth_first = 1;
long depth;

/* Registered last it runs first: the VM's own handler looks at the image, and libFuzzer's takes exit() for a crash. */
static void leave(void)
{
	_exit(0);
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
	builtin_resolve();
	vm_properties_init();
	vm_state_init();
	int state = 0;
	for (unsigned step = 0; step < MOST_STEPS && !vm_terminated(state); step++)
		for (unsigned thread = 0; thread <= options.max_threads; thread++) {
			if (thread == options.max_threads)
				_exit(0);
			if (vm_allowed(state, 0, 0, (int)thread, 0)) {
				unsigned char last = 0, used = 0;
				vm_take(&state, &last, &used, (int)thread, 0);
				break;
			}
		}
	_exit(0);
}

static void run_apart(void)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		struct rlimit second = { SECONDS, SECONDS };
		setrlimit(RLIMIT_CPU, &second);
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(0);
		run();
	}
	waitpid(child, &status, 0);
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGXCPU && WTERMSIG(status) != SIGKILL)
		abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return atexit(leave);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static FILE *nowhere;
	char path[64], error[4400];
	int fd = memfd_create("image", MFD_CLOEXEC);
	struct image_header header;
	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	if (fd < 0 || !nowhere)
		abort();
	if (size < sizeof header || write(fd, bytes, size) != (ssize_t)size) {
		close(fd);
		return 0;
	}
	memcpy(&header, bytes, sizeof header);
	header.checksum = XXH3_64bits(bytes + sizeof header, size - sizeof header);
	if (pwrite(fd, &header, sizeof header, 0) != sizeof header)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (image_load(&vm_this.image, path, error, sizeof error) == 0) {
		image_print(&vm_this.image, nowhere);
		run_apart();
		image_release(&vm_this.image);
	}
	close(fd);
	return 0;
}
