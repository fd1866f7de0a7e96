/* SPDX-License-Identifier: MIT
 *
 * What glibc has beside functions: the names of the program, the environment, constants of networks; system calls by number; lists
 * of callers, which are empty.
 *
 * RUN: check
 * EXPECT: verified for three results of getrandom()
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <error.h>
#include <execinfo.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;
extern char *__progname;

int main(int argc, char **argv)
{
	struct in6_addr any = in6addr_any, loop = IN6ADDR_LOOPBACK_INIT;
	void *callers[4];
	unsigned char bytes[4];
	assert(argc == 1 && strcmp(program_invocation_name, argv[0]) == 0);
	const char *slash = strrchr(argv[0], '/');
	assert(strcmp(program_invocation_short_name, slash ? slash + 1 : argv[0]) == 0);
	assert(strcmp(__progname, program_invocation_short_name) == 0);
	assert(environ && any.s6_addr[15] == 0 && memcmp(&loop, &in6addr_loopback, sizeof loop) == 0);
	assert(backtrace(callers, 4) == 0);
	free(backtrace_symbols(callers, 0));
	backtrace_symbols_fd(callers, 0, 2);
	error(0, ENOENT, "nothing for %d", 1);
	error_at_line(0, 0, "file", 7, "nothing");
	assert(error_message_count == 2);
	assert(syscall(SYS_set_robust_list, callers, 24) == 0);
	assert(syscall(SYS_getrandom, bytes, sizeof bytes, 0) == sizeof bytes && bytes[0] == bytes[3]);
	char *page = (char *)syscall(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(page[4095] == 0 && syscall(SYS_munmap, page, 4096) == 0);
	return 0;
}
