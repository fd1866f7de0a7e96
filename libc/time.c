/* SPDX-License-Identifier: MIT
 *
 * time.h and what a program may ask of its system.  All clocks tell one time.  It begins at 2000-01-01 00:00:00 UTC and stands
 * still, as a clock that moved would make every state new; unless --clock lets it go forward so many times.  Calendar arithmetic
 * is the VM's (runtime/externals/calendar.c).
 */
#include "library.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { NOW = 946684800, NANOSECONDS = 1000000000 };

/* Nanoseconds since the start. */
static long passed(void)
{
	__bitspin_untried(UNTRIED_CLOCK, "");
	return __bitspin_clock_step ? __bitspin_clock_read() : 0;
}

static struct timespec now(void)
{
	long time = passed();
	return (struct timespec){ .tv_sec = NOW + time / NANOSECONDS, .tv_nsec = time % NANOSECONDS };
}

time_t time(time_t *to)
{
	time_t seconds = now().tv_sec;
	if (to)
		*to = seconds;
	return seconds;
}

/* Of the processor: as if the program had it all the time. */
clock_t clock(void)
{
	return passed() / (NANOSECONDS / CLOCKS_PER_SEC);
}

double difftime(time_t later, time_t earlier)
{
	return (double)(later - earlier);
}

int gettimeofday(struct timeval *to, void *zone)
{
	(void)zone;
	struct timespec time = now();
	*to = (struct timeval){ .tv_sec = time.tv_sec, .tv_usec = time.tv_nsec / 1000 };
	return 0;
}

static int bad_clock(clockid_t id)
{
	if (id >= 0 && id <= CLOCK_TAI && id != 10)
		return 0;
	errno = EINVAL;
	return 1;
}

int clock_gettime(clockid_t id, struct timespec *to)
{
	if (bad_clock(id))
		return -1;
	*to = now();
	return 0;
}

int clock_getres(clockid_t id, struct timespec *to)
{
	if (bad_clock(id))
		return -1;
	if (to)
		*to = (struct timespec){ .tv_nsec = 1 };
	return 0;
}

int timespec_get(struct timespec *to, int base)
{
	if (base != TIME_UTC)
		return 0;
	*to = now();
	return base;
}

/* ---- calendar time: one result for all threads, as POSIX allows ------------------------------------------------------ */

static struct tm broken_down;
static char line[26];

struct tm *gmtime(const time_t *t) { return gmtime_r(t, &broken_down); }
struct tm *localtime(const time_t *t) { return gmtime_r(t, &broken_down); }
struct tm *localtime_r(const time_t *t, struct tm *to) { return gmtime_r(t, to); }
char *ctime_r(const time_t *t, char *to) { struct tm tm; return gmtime_r(t, &tm) ? asctime_r(&tm, to) : NULL; }
char *asctime(const struct tm *tm) { return asctime_r(tm, line); }
char *ctime(const time_t *t) { return ctime_r(t, line); }

char *asctime_r(const struct tm *tm, char *to)
{
	return strftime(to, 26, "%a %b %e %H:%M:%S %Y\n", tm) ? to : NULL;
}

/* ---- the system ------------------------------------------------------------------------------------------------------ */

enum { PROCESSORS = 4, PAGE = 4096, PROCESS = 1000 };

long sysconf(int name)
{
	if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
		__bitspin_untried(UNTRIED_PROCESSORS, "");
	switch (name) {
	case _SC_NPROCESSORS_ONLN: case _SC_NPROCESSORS_CONF: return PROCESSORS;
	case _SC_PAGESIZE: return PAGE;
	case _SC_PHYS_PAGES: case _SC_AVPHYS_PAGES: return 1 << 18;
	case _SC_CLK_TCK: return 100;
	case _SC_OPEN_MAX: return 1024;
	case _SC_ARG_MAX: return 2097152;
	case _SC_NGROUPS_MAX: return 65536;
	case _SC_HOST_NAME_MAX: return 64;
	case _SC_IOV_MAX: return 1024;
	case _SC_THREADS: case _SC_VERSION: case _SC_THREAD_SAFE_FUNCTIONS: case _SC_THREAD_PROCESS_SHARED:
	case _SC_THREAD_ATTR_STACKSIZE: case _SC_THREAD_ATTR_STACKADDR: case _SC_BARRIERS: case _SC_SPIN_LOCKS:
	case _SC_READER_WRITER_LOCKS: case _SC_SEMAPHORES: case _SC_TIMEOUTS: case _SC_TIMERS: case _SC_MONOTONIC_CLOCK:
	case _SC_CLOCK_SELECTION: case _SC_REALTIME_SIGNALS: case _SC_MESSAGE_PASSING: case _SC_MAPPED_FILES:
		return 200809;
	case _SC_THREAD_KEYS_MAX: return 1024;
	case _SC_THREAD_STACK_MIN: return 16384;
	case _SC_THREAD_DESTRUCTOR_ITERATIONS: return 4;
	case _SC_THREAD_THREADS_MAX: case _SC_SEM_NSEMS_MAX: case _SC_TIMER_MAX: case _SC_MQ_OPEN_MAX: return -1; /* no limit */
	case _SC_SEM_VALUE_MAX: case _SC_DELAYTIMER_MAX: return 2147483647;
	case _SC_MQ_PRIO_MAX: return 32768;
	case _SC_RTSIG_MAX: return 32;
	case _SC_MINSIGSTKSZ: return 2048;
	case _SC_SIGSTKSZ: return 8192;
	case _SC_LINE_MAX: return 2048;
	case _SC_LOGIN_NAME_MAX: return 256;
	case _SC_TTY_NAME_MAX: return 32;
	case _SC_GETPW_R_SIZE_MAX: case _SC_GETGR_R_SIZE_MAX: return 1024;
	case _SC_STREAM_MAX: return 16;
	case _SC_LEVEL1_DCACHE_LINESIZE: return 64;
	default:
		if (name >= 0 && name <= _SC_SIGSTKSZ)
			__bitspin_refuse("sysconf() is asked for what is not modelled");
		errno = EINVAL;
		return -1;
	}
}

int getpagesize(void) { return PAGE; }
int get_nprocs(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }
int get_nprocs_conf(void) { return (int)sysconf(_SC_NPROCESSORS_CONF); }

static int one_of(int kind, int value)
{
	__bitspin_untried(kind, "");
	return value;
}

pid_t getpid(void) { return one_of(UNTRIED_PROCESS, PROCESS); }
pid_t getppid(void) { return one_of(UNTRIED_PROCESS, 1); }
uid_t getuid(void) { return (uid_t)one_of(UNTRIED_USER, PROCESS); }
uid_t geteuid(void) { return getuid(); }
gid_t getgid(void) { return getuid(); }
gid_t getegid(void) { return getuid(); }

char *getcwd(char *to, size_t size)
{
	if (!to || size < 2) {
		errno = to ? ERANGE : EINVAL;
		return NULL;
	}
	return strcpy(to, "/");
}

int gethostname(char *to, size_t size)
{
	strncpy(to, "bitspin", size);
	return 0;
}

int getrusage(int who, struct rusage *to)
{
	(void)who;
	memset(to, 0, sizeof *to);
	return 0;
}
