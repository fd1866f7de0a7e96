/* SPDX-License-Identifier: MIT
 *
 * See several.h.
 *
 * pan asks for shared memory of System V's kind, which stays behind in the system when its processes are killed, and of which there
 * may be little.  The model has it ask us instead: all of it is mapped before pan forks, so it is ordinary shared memory.
 */
#include "several.h"

#include "../../state/limit.h"
#include "crew.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

enum { EARLY = 71, DIED = 72 };   /* exit status: see vm_several_end(); a process has died */
enum { GRACE = 5 };               /* seconds that pan has to end after a violation */
enum { TALLIES = 64 };            /* more processes than this share them */
#define WORDS (UINT64_C(1) << 26) /* a bit for each ref */

/* The states that one process was the first to reach, and to expand: no other process writes to this line of the cache. */
struct tally {
	alignas(64) _Atomic uint64_t reached, expanded;
};

/* at the start of memory that the processes share */
struct census {
	_Atomic unsigned processes; /* that have a tally */
	_Atomic bool violated;
	struct tally tallies[TALLIES];
	_Atomic uint64_t is_reached[WORDS], is_expanded[WORDS];
};

static VM_SHARED struct census *census; /* NULL: there is one process */
static VM_SHARED struct tally *own;     /* this process's; NULL: it has none yet */

bool vm_several(void)
{
	return census != NULL;
}

static void forget_tally(void)
{
	own = NULL;
}

static struct tally *tally(void)
{
	assert(census);
	if (!own)
		own = &census->tallies[atomic_fetch_add(&census->processes, 1) % TALLIES];
	return own;
}

/* Note a state; false: it was. */
static bool is_new(_Atomic uint64_t *bits, vm_ref state)
{
	assert(state >> 6 < WORDS);
	uint64_t bit = UINT64_C(1) << (state & 63);
	_Atomic uint64_t *word = &bits[state >> 6];
	return !(atomic_load_explicit(word, memory_order_relaxed) & bit) && !(atomic_fetch_or(word, bit) & bit);
}

void vm_census_reached(vm_ref state)
{
	if (census && is_new(census->is_reached, state))
		atomic_fetch_add(&tally()->reached, 1);
}

void vm_census_expanded(vm_ref state)
{
	if (census && is_new(census->is_expanded, state))
		atomic_fetch_add(&tally()->expanded, 1);
}

uint64_t vm_census_states(void)
{
	assert(census);
	uint64_t states = 0;
	for (unsigned i = 0; i < TALLIES; i++)
		states += atomic_load(&census->tallies[i].reached);
	return states;
}

uint64_t vm_census_left(void)
{
	uint64_t expanded = 0; /* counted first, as others go on meanwhile, and reach states before they expand them */
	for (unsigned i = 0; i < TALLIES; i++)
		expanded += atomic_load(&census->tallies[i].expanded);
	uint64_t reached = vm_census_states();
	return reached > expanded ? reached - expanded : 0;
}

void vm_several_violated(void)
{
	if (census)
		atomic_store(&census->violated, true);
	vm_crew_call_off();
}

_Noreturn void vm_several_end(void)
{
	vm_crew_call_off();
	vm_crew_leave();
	_exit(EARLY);
}

/* Act on the end of another process, in the first one, with what a signal handler may do.  Whoever has started the search kills
 * the others then. */
static void on_child(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	static const char text[] = "bitspin: a process of the search was killed\n";
	if (atomic_load(&census->violated)) {
		alarm(GRACE);
	} else if (info->si_code == CLD_EXITED && info->si_status == EARLY) {
		_exit(EARLY);
	} else if (info->si_code != CLD_EXITED) {
		ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
		(void)written;
		_exit(DIED);
	}
}

void vm_several_open(void)
{
	const char *cores = getenv("BITSPIN_CORES");
	unsigned long processes = cores ? strtoul(cores, NULL, 10) : 0;
	if (processes < 2)
		return;
	void *range = mmap(NULL, sizeof *census, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert(!census && !own);
	if (range == MAP_FAILED)
		return;
	census = range;
	pthread_atfork(NULL, NULL, forget_tally);
	vm_limit_processes((unsigned)processes);
	struct sigaction action = { .sa_sigaction = on_child, .sa_flags = SA_SIGINFO | SA_NOCLDSTOP | SA_RESTART };
	sigemptyset(&action.sa_mask);
	sigaction(SIGCHLD, &action, NULL);
}

/* ---- shared memory ---------------------------------------------------------------------------------------------------- */

enum { SEGMENTS = 256 };
#define MOST_SHARED (UINT64_C(64) << 30) /* bytes of address space in a segment; pan tries how much it can get */

static VM_SHARED struct segment {
	key_t key;
	size_t size;
	void *at; /* NULL: removed */
	bool attached;
} segments[SEGMENTS];
static VM_SHARED int nsegments;

key_t vm_ftok(const char *path, int number);
int vm_shmget(key_t key, size_t size, int flags);
void *vm_shmat(int segment, const void *at, int flags);
int vm_shmdt(const void *at);
/* Mark what is attached for removal, no more; it goes with the processes anyway. */
int vm_shmctl(int segment, int what, struct shmid_ds *buffer);

/* Return a key of shared memory that only this process and its children use. */
key_t vm_ftok(const char *path, int number)
{
	(void)path;
	return (key_t)number + 1;
}

int vm_shmget(key_t key, size_t size, int flags)
{
	for (int i = 0; i < nsegments; i++)
		if (segments[i].at && segments[i].key == key)
			return i;
	int free = 0;
	while (free < nsegments && segments[free].at)
		free++;
	errno = free == SEGMENTS ? ENOSPC : ENOENT;
	if (!(flags & IPC_CREAT) || free == SEGMENTS || size > MOST_SHARED)
		return -1;
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return -1;
	segments[free] = (struct segment){ .key = key, .size = size, .at = at };
	nsegments = free == nsegments ? free + 1 : nsegments;
	return free;
}

void *vm_shmat(int segment, const void *at, int flags)
{
	assert(segment >= 0 && segment < nsegments && segments[segment].at);
	(void)at;
	(void)flags;
	segments[segment].attached = true;
	return segments[segment].at;
}

int vm_shmdt(const void *at)
{
	(void)at;
	return 0;
}

int vm_shmctl(int segment, int what, struct shmid_ds *buffer)
{
	assert(segment < nsegments);
	(void)buffer;
	if (what == IPC_RMID && segment >= 0 && segments[segment].at && !segments[segment].attached) {
		munmap(segments[segment].at, segments[segment].size);
		segments[segment].at = NULL;
	}
	return 0;
}
