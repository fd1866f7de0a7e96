/* SPDX-License-Identifier: MIT
 *
 * See limits.h.
 *
 * The driver's own handler of SIGINT may exit at once, perhaps from the middle of a malloc of ours.  Ours takes its place when the
 * search has begun, and asks the driver to stop where that is safe.
 */
#include "limits.h"
#include "progress.h"
#include "report.h"
#include "../../bitspin_vm.h"
#include "../../state/driver.h"
#include "../../memory/interrupts.h"
#include "../../trace/record.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_REASONS = 64, OFTEN = 1024 };

static VM_OWN bool searching;        /* the search has begun: the driver can end it */
static VM_OWN struct timespec began; /* the run of steps under way */
static VM_OWN struct timespec first; /* the search */
/* what has cut paths */
static VM_OWN struct {
	enum vm_limit limits[MOST_REASONS];
	uint32_t locations[MOST_REASONS];
	unsigned count;
	uint64_t paths;
} cut;

/* ---- being stopped ------------------------------------------------------------------------------------------------- */

static double since(const struct timespec *time, const struct timespec *now)
{
	return (double)(now->tv_sec - time->tv_sec) + (double)(now->tv_nsec - time->tv_nsec) / 1e9;
}

/* Ask the search to stop.  If signal `number` comes again more than half a second later, die by it.  Before that, it counts as the
 * same signal: timeout(1) sends two at the same time. */
static void on_interrupt(int number)
{
	static VM_SHARED struct timespec before;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!vm_limit_stopping)
		before = now;
	if (since(&before, &now) > 0.5) {
		signal(number, SIG_DFL);
		raise(number); /* when the handler has returned */
	}
	vm_limit_stopping = 1;
}

static void begin_search(void)
{
	assert(!searching);
	searching = true;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &first);
	struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART };
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
}

/* Report the step that was interrupted, if it took more than a second, or if all steps so far took long on average. */
static void report_long_run(void)
{
	struct timespec now;
	char reason[120];
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	double took = since(&began, &now), average = since(&first, &now) / (double)(vm_this.step + 1);
	assert(!vm_interrupted.happened || vm_interrupted.slot < VM_MAX_SLOTS);
	if (took > 1)
		snprintf(reason, sizeof reason, "thread %u was in one uninterrupted run for %.0f seconds", vm_interrupted.slot,
			 took);
	else
		snprintf(reason, sizeof reason, "an uninterrupted run takes %.1f seconds on average, the last one was of thread %u",
			 average, vm_interrupted.slot);
	if (vm_interrupted.happened && (took > 1 || average > 0.05))
		vm_report_inconclusive(LIMIT_STOPPED, reason, vm_interrupted.location);
	vm_interrupted.happened = false;
}

/* ---- ending -------------------------------------------------------------------------------------------------------- */

static const struct {
	enum vm_limit_effect what;
	const char *advice;
} effects[] = {
#define LIMIT(name, text, what, meaning, advice) { VM_LIMIT_##what, advice },
#include "../../state/limit.def"
#undef LIMIT
};

/* Does the limit end the search, and not only a path? */
static bool ends(enum vm_limit limit)
{
	assert((size_t)limit < sizeof effects / sizeof *effects);
	const char *more = getenv("BITSPIN_MORE_THREADS");
	enum vm_limit_effect what = effects[limit].what;
	return what == VM_LIMIT_ENDS || what == VM_LIMIT_AGAIN || (what == VM_LIMIT_WIDENS && more && *more);
}

static _Noreturn void stop(enum vm_stop why)
{
	if (vm_driver.stop)
		vm_driver.stop(why);
	exit(2);
}

_Noreturn void vm_limit_end(enum vm_limit limit, const char *reason, uint32_t location)
{
	assert(ends(limit)); /* else the command would take it for a limit that has cut a path */
	vm_report_inconclusive(limit, reason, location);
	if (!searching) {
		fprintf(stderr, "bitspin: %s\n", reason);
		exit(2);
	}
	stop(STOP_LIMIT);
}

/* End the search, where that limit does so, if one thread creates more threads than the model has room for (trial.c). */
static void want_names(void)
{
	struct vm *vm = &vm_this;
	if (vm->names.wanted <= vm->max_threads || !ends(LIMIT_THREADS))
		return;
	vm->most_slots = vm->names.wanted;
	assert(vm->most_slots > vm->max_threads && vm->most_slots <= VM_MAX_SLOTS);
	vm_limit_end(LIMIT_THREADS, "one thread creates more threads than the model has room for", 0);
}

static void end_after(unsigned *steps, unsigned more, enum vm_limit limit, const char *reason)
{
	assert(*steps < more); /* the search has ended otherwise */
	if (++*steps == more)
		vm_limit_end(limit, reason, 0);
}

/* End the search some steps after it has found places at which a handler of a signal has to run: these steps may find more of
 * them.  The search is then repeated with rests at these places, and finds again what else this one has found. */
static void look_at_findings(void)
{
	enum { AFTER_PLACE = 5000 };
	static VM_OWN unsigned steps_after_place;
	unsigned places = 0;
	if (vm_has_interrupts())
		vm_interrupts_found(&places);
	if (places)
		end_after(&steps_after_place, AFTER_PLACE, LIMIT_INTERRUPTS, "a signal handler has to run at more places");
}

void vm_limit_at_rest(void)
{
	enum { PAUSE = 100000000 }; /* nanoseconds between notes of progress */
	static VM_OWN unsigned times;
	static VM_OWN struct timespec noted;
	if (!searching) {
		begin_search();
		want_names();
	}
	if (vm_limit_stopping) {
		report_long_run();
		stop(STOP_SIGNAL);
	}
	look_at_findings();
	clock_gettime(CLOCK_MONOTONIC_COARSE, &began);
	if (began.tv_sec != noted.tv_sec || began.tv_nsec - noted.tv_nsec > PAUSE) {
		noted = began;
		vm_progress_note();
	}
	if (++times % OFTEN == 0 && !vm_limit_allows(0))
		vm_limit_end(LIMIT_MEMORY, "the memory limit is reached", 0);
}

/* ---- cutting paths ------------------------------------------------------------------------------------------------- */

/* Is this limit new at this place?  It is not where it was met there before, or so many others were that it does not matter. */
static bool is_news(enum vm_limit limit, uint32_t location)
{
	assert(cut.count <= MOST_REASONS);
	for (unsigned i = 0; i < cut.count; i++)
		if (cut.limits[i] == limit && image_same_line(&vm_this.image, cut.locations[i], location))
			return false;
	if (cut.count == MOST_REASONS)
		return false;
	cut.limits[cut.count] = limit;
	cut.locations[cut.count++] = location;
	return true;
}

void vm_limit_cut(void)
{
	const struct vm_ending *ending = &vm_this.ending;
	assert(ending->end == END_INCONCLUSIVE && (size_t)ending->limit < sizeof effects / sizeof *effects);
	if (vm_limit_stopping)
		vm_limit_at_rest();
	cut.paths++;
	if (vm_driver.tries)
		return;
	if (effects[ending->limit].advice)
		printf("bitspin: %s; make the model %s\n", ending->message, effects[ending->limit].advice);
	if (ends(ending->limit))
		vm_limit_end(ending->limit, ending->message, ending->location);
	if (is_news(ending->limit, ending->location))
		vm_report_inconclusive(ending->limit, ending->message, ending->location);
}

uint64_t vm_limit_paths(void)
{
	return cut.paths;
}

unsigned vm_limit_reasons(void)
{
	return cut.count;
}
