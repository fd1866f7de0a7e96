/* SPDX-License-Identifier: MIT
 *
 * See crew.h.  There is one box, as steps are given away seldom: what is nearest to the first state has most behind it.
 *
 * The search is over when all processes have nothing to do and the box is empty.  Who gives a step away is not without work
 * then, so a step in the box is seen by whoever is the last; and who has gone counts as without work for ever.
 */
#include "crew.h"

#include "../../bitspin_vm.h"
#include "../../state/limit.h"
#include "../base/limits.h"
#include "pan.h"
#include "several.h"

#include <assert.h>
#include <fcntl.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_STEPS (UINT32_C(1) << 22) /* of a path */

enum box_state { BOX_EMPTY, BOX_FILLING, BOX_FULL, BOX_EMPTYING };

/* what the processes share */
struct crew {
	_Atomic unsigned processes;
	bool eager; /* for tests, BITSPIN_CREW=eager: steps are given away all the time */
	alignas(64) _Atomic unsigned idle;
	_Atomic int box; /* enum box_state */
	_Atomic bool off;
	struct vm_gift gift; /* its steps: */
	struct vm_link steps[MOST_STEPS];
};

static VM_SHARED struct crew *crew; /* NULL: there is none */
/* this process */
static VM_SHARED struct {
	bool is_other; /* it is not the first */
	bool idle;     /* it counts as without work */
	struct vm_gift given;
	struct vm_link *steps; /* of `given` */
	uint32_t capacity;
} own;

bool vm_crew(void)
{
	return crew != NULL;
}

bool vm_crew_is_first(void)
{
	return !own.is_other;
}

/* Begin process `number` of the crew, which is not the first.  It prints nothing, as only the first prints what pan says, and its
 * trails have names of their own. */
static void begin_other(unsigned number)
{
	assert(number > 0 && !own.is_other);
	static VM_SHARED char name[200];
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	own.is_other = true;
	if (nowhere >= 0)
		dup2(nowhere, STDOUT_FILENO);
	snprintf(name, sizeof name, "%s.%u", TrailFile, number);
	TrailFile = name;
}

void vm_crew_open(void)
{
	const char *cores = getenv("BITSPIN_CORES");
	unsigned long processes = cores ? strtoul(cores, NULL, 10) : 0;
	if (!vm_several() || !vm_visits)
		return;
	void *range = mmap(NULL, sizeof *crew, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (range == MAP_FAILED)
		return;
	assert(!crew && processes > 1);
	crew = range;
	const char *how = getenv("BITSPIN_CREW");
	crew->eager = how && strcmp(how, "eager") == 0;
	atomic_store(&crew->processes, (unsigned)processes);
	for (unsigned i = 1; i < processes && !own.is_other; i++) {
		pid_t pid = fork();
		if (pid == 0)
			begin_other(i);
		else if (pid < 0)
			atomic_fetch_sub(&crew->processes, 1);
	}
}

/* ---- gifts ------------------------------------------------------------------------------------------------------------ */

bool vm_crew_is_eager(void)
{
	return crew && crew->eager;
}

bool vm_crew_wants(void)
{
	bool idles = crew && (crew->eager || atomic_load_explicit(&crew->idle, memory_order_relaxed));
	return idles && atomic_load_explicit(&crew->box, memory_order_relaxed) == BOX_EMPTY;
}

static bool change_box(enum box_state from, enum box_state to)
{
	assert(crew);
	int expected = from;
	return atomic_compare_exchange_strong(&crew->box, &expected, to);
}

bool vm_crew_begin(void)
{
	return change_box(BOX_EMPTY, BOX_FILLING);
}

void vm_crew_end(void)
{
	assert(atomic_load(&crew->box) == BOX_FILLING); /* by this process */
	atomic_store(&crew->box, BOX_EMPTY);
}

bool vm_crew_has_room(uint64_t steps)
{
	return steps <= MOST_STEPS;
}

void vm_crew_give(const struct vm_gift *gift)
{
	assert(gift->count > 0 && gift->count <= MOST_STEPS && atomic_load(&crew->box) == BOX_FILLING);
	crew->gift = *gift;
	memcpy(crew->steps, gift->steps, gift->count * sizeof *crew->steps);
	atomic_store(&crew->box, BOX_FULL);
}

static const struct vm_gift *take(void)
{
	assert(atomic_load(&crew->box) == BOX_EMPTYING && atomic_load(&crew->idle) > 0);
	own.given = crew->gift;
	assert(own.given.count > 0 && own.given.count <= MOST_STEPS);
	own.given.steps = own.steps = vm_grow(own.steps, &own.capacity, own.given.count, sizeof *own.steps);
	memcpy(own.steps, crew->steps, own.given.count * sizeof *own.steps);
	atomic_fetch_sub(&crew->idle, 1);
	own.idle = false;
	atomic_store(&crew->box, BOX_EMPTY);
	return &own.given;
}

static bool is_over(void)
{
	unsigned all = atomic_load(&crew->processes);
	return atomic_load(&crew->idle) >= all && atomic_load(&crew->box) == BOX_EMPTY && atomic_load(&crew->idle) >= all;
}

const struct vm_gift *vm_crew_wait(void)
{
	assert(crew && !own.idle);
	const struct timespec while_ = { .tv_nsec = 20000 };
	atomic_fetch_add(&crew->idle, 1);
	own.idle = true;
	while (!is_over()) {
		if (change_box(BOX_FULL, BOX_EMPTYING))
			return take();
		vm_limit_at_rest();
		vm_crew_heed_others();
		nanosleep(&while_, NULL);
	}
	return NULL;
}

/* ---- the end ---------------------------------------------------------------------------------------------------------- */

void vm_crew_call_off(void)
{
	if (crew)
		atomic_store(&crew->off, true);
}

void vm_crew_heed_others(void)
{
	if (crew && atomic_load_explicit(&crew->off, memory_order_relaxed))
		vm_driver.stop(STOP_SIGNAL);
}

void vm_crew_leave(void)
{
	if (!crew)
		return;
	if (!own.idle)
		atomic_fetch_add(&crew->idle, 1);
	own.idle = true;
	while (!own.is_other && waitpid(-1, NULL, 0) > 0)
		;
}
