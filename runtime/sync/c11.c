/* SPDX-License-Identifier: MIT
 *
 * threads.h: the functions of pthread.h with other ways to say what happened.  As in glibc, the objects are the same.
 */
#include "mutex.h"
#include "sync.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>

/* Turn the result of a call that is over, an errno, into a result of threads.h. */
static enum vm_outcome translated(struct vm_call *call, enum vm_outcome outcome)
{
	if (outcome != CALL_DONE)
		return outcome;
	switch (call->results[0]) {
	case 0: call->results[0] = thrd_success; break;
	case EBUSY: call->results[0] = thrd_busy; break;
	case ENOMEM: call->results[0] = thrd_nomem; break;
	case ETIMEDOUT: call->results[0] = thrd_timedout; break;
	default: call->results[0] = thrd_error; break;
	}
	return outcome;
}

enum vm_outcome run_mtx_init(struct vm_call *call)
{
	uint32_t type = (uint32_t)call->arguments[1];
	if (type & ~(uint32_t)(mtx_timed | mtx_recursive))
		vm_violation(VIOLATION_MUTEX_MISUSE, "mtx_init of %s with type %u, which is none", vm_describe(call->arguments[0]),
			     type);
	vm_mutex_init(call->arguments[0], type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL, false);
	return CALL_DONE;
}

#define TRANSLATED(name, of) \
	enum vm_outcome run_##name(struct vm_call *call) \
	{ \
		return translated(call, run_##of(call)); \
	}

TRANSLATED(mtx_lock, mutex_lock)
TRANSLATED(mtx_trylock, mutex_trylock)
TRANSLATED(mtx_unlock, mutex_unlock)
TRANSLATED(cnd_wait, cond_wait)
TRANSLATED(thrd_join, thread_join)
