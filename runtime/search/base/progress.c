/* SPDX-License-Identifier: MIT
 *
 * See progress.h.  The driver counts its states; where the VM searches, the VM does.
 */
#include "progress.h"
#include "report.h"
#include "../../state/driver.h"
#include "../../bitspin_vm.h"
#include "../../state/limit.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static VM_SHARED struct vm_progress *progress; /* NULL: nobody wants to know */
static VM_SHARED uint64_t noted;               /* steps of this process that are in there */
static VM_SHARED pid_t first;

void vm_progress_open(void)
{
	first = getpid();
	const char *path = getenv("BITSPIN_PROGRESS");
	int file = path && *path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (file >= 0)
		close(file);
	progress = page == MAP_FAILED ? NULL : page;
}

/* of states that pan has asked about */
static VM_OWN struct {
	uint64_t asked, bytes, measured;
} sample;

void vm_progress_sample(vm_ref state)
{
	enum { OFTEN = 4096 };
	if (sample.asked++ % OFTEN)
		return;
	sample.bytes += vm_state_size(state);
	sample.measured++;
	assert(sample.measured <= sample.asked);
}

uint64_t vm_progress_size(void)
{
	return sample.measured ? sample.bytes / sample.measured : 0;
}

bool vm_progress_is_first(void)
{
	return getpid() == first;
}

/* Get from the driver how many states and steps there are so far. */
static void count(uint64_t *states, uint64_t *steps)
{
	*states = *steps = 0;
	if (vm_driver.count)
		vm_driver.count(states, steps);
}

uint64_t vm_progress_states(void)
{
	uint64_t states, steps;
	count(&states, &steps);
	return vm_own_figures ? vm_own_figures().states : states;
}

void vm_progress_note(void)
{
	if (!progress)
		return;
	uint64_t states, steps;
	count(&states, &steps);
	assert(vm_this.step >= noted); /* else the sum goes back */
	atomic_store(&progress->states, vm_progress_states());
	atomic_fetch_add(&progress->steps, vm_this.step - noted);
	noted = vm_this.step;
	atomic_store(&progress->depth, steps);
	atomic_store(&progress->resident, vm_limit_resident());
	atomic_store(&progress->limit, vm_limit_most());
}
