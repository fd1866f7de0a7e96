/* SPDX-License-Identifier: MIT
 *
 * Signals that are read from a descriptor: signalfd().  A set of epoll is told of signals for the process alone.
 */
#include "signals.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* What a thread waits for that waits for any of these signals: half a word each. */
void __bitspin_list_signals(struct waited list[SIGNAL_WORDS], uint64_t signals)
{
	const uint64_t *words[] = { __bitspin_signal_words(SELF) + PENDING, __bitspin_signal_words(PROCESS) + PENDING,
				    __bitspin_signal_words(TIMERS) };
	for (int i = 0; i < SIGNAL_WORDS; i++) {
		list[i].word = (const unsigned *)words[i / 2] + i % 2;
		list[i].mask = (unsigned)(signals >> 32 * (i % 2));
	}
}

unsigned __bitspin_signals_of_process(int end)
{
	uint64_t pending = __bitspin_signal_get(PROCESS, PENDING) | __bitspin_signals_armed();
	return pending & __bitspin_ends[end].counter ? POLLIN | POLLRDNORM : 0;
}

unsigned __bitspin_signals_ready(int end)
{
	int own = !!(__bitspin_signal_get(SELF, PENDING) & __bitspin_ends[end].counter);
	return own ? POLLIN | POLLRDNORM : __bitspin_signals_of_process(end);
}

const void *__bitspin_signals_object(void)
{
	return __bitspin_signal_words(PROCESS) + PENDING;
}

void __bitspin_signals_are_watched(int end)
{
	if (__bitspin_signal_get(SELF, PENDING) & __bitspin_ends[end].counter)
		__bitspin_refuse("a signal for one thread, while epoll watches a descriptor of it, is not modelled");
	__bitspin_ends[end].messages = 1;
}

/* With fd = -1 it makes a descriptor, otherwise it changes which signals one is for. */
int signalfd(int fd, const sigset_t *set, int flags)
{
	uint64_t signals = bits_of(set) & ~(bit(SIGKILL) | bit(SIGSTOP));
	if (flags & ~(SFD_NONBLOCK | SFD_CLOEXEC))
		return fail(EINVAL);
	LOCKED;
	int end = fd == -1 ? __bitspin_new_duct(SIGNALS, END_CLOSED, flags & SFD_NONBLOCK) : __bitspin_end_of(fd);
	int error = fd != -1 && !__bitspin_is_open(fd) ? EBADF : end < 0 || __bitspin_ends[end].kind != SIGNALS ? EINVAL : 0;
	if (!error && fd == -1 && (fd = __bitspin_name_end(end, 0, !!(flags & SFD_CLOEXEC))) < 0)
		__bitspin_refuse("more than 64 descriptors are open");
	if (!error) {
		__bitspin_signals_by_descriptor = 1;
		__bitspin_ends[end].counter = signals;
		__bitspin_order(end);
		__bitspin_update(end);
	}
	UNLOCKED;
	return error ? fail(error) : fd;
}

/* Take as many signals as there is room for.  In an atomic section. */
static size_t take_signals(uint64_t signals, struct signalfd_siginfo *to, size_t most)
{
	size_t count = 0;
	struct origin origin;
	for (int number; count < most && (number = __bitspin_signal_take(signals, &origin)); count++) {
		siginfo_t info;
		__bitspin_signal_info(&info, number, &origin);
		memset(&to[count], 0, sizeof to[count]);
		to[count].ssi_signo = (uint32_t)number;
		to[count].ssi_code = info.si_code;
		if (origin.code != SI_TIMER) {
			to[count].ssi_pid = (uint32_t)info.si_pid;
			to[count].ssi_uid = (uint32_t)info.si_uid;
		}
		if (origin.code == SI_TIMER || origin.code == SI_QUEUE) {
			to[count].ssi_int = info.si_int;
			to[count].ssi_ptr = (uint64_t)info.si_ptr;
		}
	}
	return count;
}

long __bitspin_signals_read(int end, int fd, void *to, size_t size, int waits)
{
	enum { MOST = 4 };
	struct signalfd_siginfo found[MOST];
	uint64_t signals = __bitspin_ends[end].counter;
	size_t most = size / sizeof *found < MOST ? size / sizeof *found : MOST,
	       count = most ? take_signals(signals, found, most) : 0;
	int error = !most ? EINVAL : !count && !waits ? EAGAIN : 0;
	if (!error && !count) {
		struct waited list[SIGNAL_WORDS];
		__bitspin_list_signals(list, signals);
		int told = __bitspin_told_end(fd, end);
		__bitspin_ends[end].refs++;
		UNLOCKED;
		if (__bitspin_await(list, SIGNAL_WORDS, __bitspin_signals_object(), AWAIT_RESTARTS, told) >= 0)
			count = take_signals(signals, found, most);
		else
			error = EINTR;
		__bitspin_release(end);
	}
	UNLOCKED;
	if (error == EINTR)
		pthread_testcancel();
	if (count)
		memcpy(to, found, count * sizeof *found);
	return error ? -error : (long)(count * sizeof *found);
}
