/* SPDX-License-Identifier: MIT
 *
 * What a program may ask of its system: only what holds natively, too.  Compared with the same program run natively, see
 * tests/libc.sh.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	char text[100];
	struct rusage usage;
	struct timespec none = { 0, 1 };
	printf("%ld %d %ld\n", sysconf(_SC_PAGESIZE), getpagesize(), sysconf(_SC_CLK_TCK));
	printf("%d %d %d\n", sysconf(_SC_NPROCESSORS_ONLN) > 0, get_nprocs() > 0, get_nprocs_conf() > 0);
	errno = 0;
	printf("%ld", sysconf(-5));
	printf(" %d\n", errno);
	printf("%d %d\n", getpid() > 0, getppid() >= 0);
	printf("%d %d\n", getuid() == geteuid(), getgid() == getegid());
	printf("%d", getcwd(text, sizeof text) == text);
	printf(" %d\n", text[0] == '/');
	printf("%d", getcwd(text, 1) == NULL);
	printf(" %d\n", errno);
	printf("%d %d\n", gethostname(text, sizeof text), getrusage(RUSAGE_SELF, &usage));
	printf("%d %d %u\n", usleep(1), nanosleep(&none, NULL), sleep(0));
	volatile uint32_t word = 0x01020304;
	printf("%x %x %x %x\n", htonl(word), ntohl(word + 1), htons((uint16_t)word), ntohs((uint16_t)(word << 4)));
	return 0;
}
