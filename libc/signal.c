/* SPDX-License-Identifier: MIT
 *
 * Signals that the program sends to itself: signal.h.
 *
 * What each thread blocks, and what is pending for it, lies in memory of the VM, as a new thread blocks what its creator does.
 * A signal that a thread sends to itself is delivered at once, if it does not block it: its handler runs within the call.  A
 * blocked one is pending until it is unblocked or waited for, by sigwait(), sigsuspend() and their kin.  One for another thread
 * that handles it is pending too, and the VM lets it interrupt that thread wherever it rests (runtime/sync/interrupt.c).
 */
#include "signals.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { A_SIGNAL = -2 }; /* what is waited for, for people */

/* In the mask of a thread: it is in sigsuspend(), and runs handlers of what it does not block as soon as it is pending.  The
 * bit is that of SIGKILL, which nobody can block. */
#define SUSPENDED bit(SIGKILL)

/* The number of a thread, -1 if there is none; and can the program call this? */
int __bitspin_thread_number(pthread_t thread);
int __bitspin_signals_are_sent(void);
/* Done by the VM, for the function that interrupts: an event; back to what the thread waited for, out of an atomic section; is the
 * call to fail? */
void __bitspin_signal_told(const char *signal, int thread); /* the event: sent to a thread, to the process, or come to SELF */
void __bitspin_interrupt_ends(unsigned long wait, unsigned long address, unsigned long other, unsigned long outcomes, int fails);

static struct sigaction actions[MOST_SIGNALS + 1];

static const struct origin by_thread = { .code = SI_TKILL }, by_process = { .code = SI_USER };

/* ---- actions --------------------------------------------------------------------------------------------------------- */

static int ignores(int number, const struct sigaction *action)
{
	int harmless = number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
	return action->sa_handler == SIG_IGN || (action->sa_handler == SIG_DFL && harmless);
}

static int is_handled(int number, const struct sigaction *action)
{
	return !ignores(number, action) && action->sa_handler != SIG_DFL;
}

/* In an atomic section. */
static void set_action(int number, struct sigaction action)
{
	uint64_t handled = __bitspin_signal_get(HANDLED);
	actions[number] = action;
	__bitspin_order_before(&actions[number]);
	__bitspin_signal_set(HANDLED, is_handled(number, &action) ? handled | bit(number) : handled & ~bit(number));
	if (!(handled & bit(number)))
		__bitspin_armed_interrupt(bit(number));
}

/* Of a signal that is delivered: who has set it comes before.  In an atomic section. */
static struct sigaction action_of(int number)
{
	__bitspin_order_after(&actions[number]);
	return actions[number];
}

int sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
	struct sigaction before;
	if (!is_signal(number) || (new && (number == SIGKILL || number == SIGSTOP)))
		return fail(EINVAL);
	LOCKED;
	before = actions[number];
	if (new) {
		struct sigaction action = { .sa_flags = new->sa_flags, .sa_mask.__val[0] = bits_of(&new->sa_mask) };
		if (new->sa_flags & SA_SIGINFO)
			action.sa_sigaction = new->sa_sigaction;
		else
			action.sa_handler = new->sa_handler;
		set_action(number, action);
	}
	UNLOCKED;
	if (old)
		*old = before;
	return 0;
}

static sighandler_t install(int number, sighandler_t handler, int flags)
{
	struct sigaction new = { .sa_handler = handler, .sa_flags = flags }, old;
	return sigaction(number, &new, &old) < 0 ? SIG_ERR : old.sa_handler;
}

sighandler_t signal(int number, sighandler_t handler)
{
	return install(number, handler, SA_RESTART);
}

sighandler_t __sysv_signal(int number, sighandler_t handler)
{
	return install(number, handler, (int)SA_RESETHAND | SA_NODEFER);
}

/* Nobody handles it: most signals end the program, some as an error. */
static void act_by_default(int number)
{
	static const char errors[] = { SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGXCPU, SIGXFSZ };
	static const char stops[] = { SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU };
	for (size_t i = 0; i < sizeof errors; i++)
		if (errors[i] == number)
			__bitspin_killed(number == SIGABRT         ? "SIGABRT" :
						 number == SIGSEGV ? "SIGSEGV" :
								     "a signal that is an error");
	for (size_t i = 0; i < sizeof stops; i++)
		if (stops[i] == number)
			__bitspin_refuse("a signal stops the program");
	_exit(128 + number);
}

static void run_pending(void);

/* Who sends signals looks at it. */
static void set_mask(uint64_t bits)
{
	int sent = __bitspin_signals_are_sent();
	if (sent)
		LOCKED;
	__bitspin_signal_set(SELF, MASK, bits);
	if (sent)
		UNLOCKED;
}

/* What its handler blocks beside what the thread does. */
static uint64_t blocked_by(int number, const struct sigaction *action)
{
	return (action->sa_flags & SA_NODEFER ? 0 : bit(number)) | bits_of(&action->sa_mask);
}

static int overruns(int timer)
{
	LOCKED;
	int count = __bitspin_timer_overruns(timer);
	UNLOCKED;
	return count;
}

void __bitspin_signal_info(siginfo_t *info, int number, const struct origin *origin)
{
	memset(info, 0, sizeof *info);
	info->si_signo = number;
	info->si_code = origin->code;
	if (origin->code == SI_TIMER)
		info->si_overrun = overruns(origin->timer - 1);
	else if (origin->code != SI_KERNEL)
		info->si_pid = info->si_uid = PROCESS_ID; /* and that of the user */
	if (origin->code == SI_TIMER || origin->code == SI_QUEUE)
		info->si_value = origin->value;
}

static void call_handler(int number, const struct sigaction *action, const struct origin *origin)
{
	if (action->sa_flags & SA_SIGINFO) {
		siginfo_t info;
		__bitspin_signal_info(&info, number, origin);
		action->sa_sigaction(number, &info, NULL);
	} else {
		action->sa_handler(number);
	}
}

/* The calling thread does not block the signal. */
static void deliver(int number, const struct sigaction *action, const struct origin *origin)
{
	if (ignores(number, action))
		return;
	if (action->sa_handler == SIG_DFL) {
		act_by_default(number);
		return;
	}
	if (action->sa_flags & (int)SA_RESETHAND) {
		LOCKED;
		set_action(number, (struct sigaction){ 0 });
		UNLOCKED;
	}
	uint64_t before = __bitspin_signal_get(SELF, MASK);
	set_mask(before | blocked_by(number, action));
	call_handler(number, action, origin);
	set_mask(before);
	run_pending();
}

void __bitspin_broken_pipe(void)
{
	LOCKED;
	struct sigaction action = action_of(SIGPIPE);
	UNLOCKED;
	if (__bitspin_signal_get(SELF, MASK) & bit(SIGPIPE))
		__bitspin_refuse("SIGPIPE while the thread blocks it is not modelled");
	if (action.sa_handler == SIG_DFL)
		__bitspin_killed("SIGPIPE: it writes to a pipe or socket that nobody can read from");
	deliver(SIGPIPE, &action, &by_thread);
}

/* ---- what is pending ------------------------------------------------------------------------------------------------- */

/* Run the handlers of what is pending and not blocked, in any order: Linux takes the least number first, but has the handler of the
 * next interrupt that of the first before it begins.  What timers may send may as well come later. */
static void run_pending(void)
{
	int number;
	do {
		struct sigaction action = { 0 };
		struct origin origin;
		uint64_t open = ~__bitspin_signal_get(SELF, MASK);
		int waits = !!(__bitspin_signal_get(SELF, PENDING) & open);
		if (!waits && !__bitspin_signals_are_sent())
			return;
		LOCKED;
		number = __bitspin_signal_take_any(open, 0, &origin);
		if (number)
			action = action_of(number);
		__bitspin_armed_interrupt(open);
		UNLOCKED;
		if (number)
			deliver(number, &action, &origin);
	} while (number);
}

static int change_mask(int how, const sigset_t *set, sigset_t *old)
{
	uint64_t before, never = bit(SIGKILL) | bit(SIGSTOP);
	int sent = __bitspin_signals_are_sent(), error = 0;
	if (sent) /* others look at it */
		LOCKED;
	before = __bitspin_signal_get(SELF, MASK);
	if (set) {
		uint64_t bits = bits_of(set) & ~never;
		error = how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK ? EINVAL : 0;
		if (!error)
			__bitspin_signal_set(SELF, MASK,
					     how == SIG_BLOCK           ? before | bits :
						     how == SIG_UNBLOCK ? before & ~bits :
									  bits);
	}
	if (sent)
		UNLOCKED;
	if (old && !error)
		put_bits(old, before);
	if (set && !error && how != SIG_BLOCK)
		run_pending();
	return error;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	return change_mask(how, set, old);
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	int error = change_mask(how, set, old);
	return error ? fail(error) : 0;
}

int sigpending(sigset_t *set)
{
	LOCKED;
	uint64_t mask = __bitspin_signal_get(SELF, MASK);
	__bitspin_signals_may_pend(mask);
	uint64_t bits = __bitspin_signal_get(SELF, PENDING) | __bitspin_signal_get(PROCESS, PENDING);
	UNLOCKED;
	put_bits(set, bits & mask);
	return 0;
}

/* ---- sending --------------------------------------------------------------------------------------------------------- */

static int raise_as(int number, const struct origin *origin)
{
	LOCKED;
	struct sigaction action = action_of(number);
	int blocked = !!(__bitspin_signal_get(SELF, MASK) & bit(number));
	if (blocked)
		__bitspin_signal_post(SELF, number, origin);
	UNLOCKED;
	if (!blocked)
		deliver(number, &action, origin);
	return 0;
}

int raise(int number)
{
	if (!is_signal(number))
		return number ? fail(EINVAL) : 0;
	return raise_as(number, &by_thread);
}

/* Done by the VM: the program ends, aborted. */
_Noreturn void __bitspin_abort(void);

/* Only where SIGABRT may have a handler (is_left_to_vm() in translator/symbols/functions.c).  That runs although the thread blocks
 * the signal; it may leave by longjmp(), and if it returns the program ends nevertheless. */
_Noreturn void abort(void)
{
	LOCKED;
	struct sigaction action = action_of(SIGABRT);
	UNLOCKED;
	set_mask(__bitspin_signal_get(SELF, MASK) & ~bit(SIGABRT));
	if (is_handled(SIGABRT, &action))
		deliver(SIGABRT, &action, &by_thread);
	__bitspin_abort();
}

static const char *name_of(int number)
{
	static const char *const names[] = {
		[SIGHUP] = "SIGHUP",   [SIGINT] = "SIGINT",   [SIGQUIT] = "SIGQUIT", [SIGUSR1] = "SIGUSR1", [SIGUSR2] = "SIGUSR2",
		[SIGPIPE] = "SIGPIPE", [SIGALRM] = "SIGALRM", [SIGTERM] = "SIGTERM", [SIGCHLD] = "SIGCHLD",
	};
	return number < (int)(sizeof names / sizeof *names) && names[number] ? names[number] : "a signal";
}

/* For another thread: it is pending, or has no effect, or ends the program. */
static void send_to(int thread, int number, const struct origin *origin)
{
	struct sigaction action = actions[number];
	if (!__bitspin_signal_words(thread)) /* it has ended meanwhile */
		return;
	uint64_t mask = __bitspin_signal_get(thread, MASK);
	int handled = is_handled(number, &action);
	if (number != SIGKILL && ((mask & bit(number)) || (handled && (mask & SUSPENDED)))) {
		__bitspin_signal_post(thread, number, origin);
		__bitspin_signal_told(name_of(number), thread);
	} else if (handled) {
		__bitspin_interrupts_others(__bitspin_interrupted);
		__bitspin_signal_post(thread, number, origin);
		__bitspin_signal_told(name_of(number), thread);
	} else if (!ignores(number, &action)) {
		act_by_default(number);
	}
}

static int kill_thread(pthread_t thread, int number, const struct origin *origin)
{
	int to = __bitspin_thread_number(thread);
	if (number && !is_signal(number))
		return EINVAL;
	if (to < 0)
		return ESRCH;
	if (!number)
		return 0;
	if (pthread_equal(thread, pthread_self()))
		return raise_as(number, origin);
	LOCKED;
	send_to(to, number, origin);
	UNLOCKED;
	return 0;
}

int pthread_kill(pthread_t thread, int number)
{
	return kill_thread(thread, number, &by_thread);
}

int pthread_sigqueue(pthread_t thread, int number, const union sigval value)
{
	struct origin origin = { SI_QUEUE, value };
	return kill_thread(thread, number, &origin);
}

/* To the process: any thread that does not block it may get it. */
static int kill_process(pid_t process, int number, const struct origin *origin)
{
	if (process != PROCESS_ID && process != 0)
		__bitspin_refuse("a signal is sent to another process");
	if (number && !is_signal(number))
		return fail(EINVAL);
	if (!number)
		return 0;
	LOCKED;
	int others = 0, suspended = 0, own = !(__bitspin_signal_get(SELF, MASK) & bit(number)) || number == SIGKILL;
	struct sigaction action = action_of(number);
	for (int i = 0; i < 256; i++)
		if (__bitspin_signal_words(i)) {
			uint64_t mask = __bitspin_signal_get(i, MASK);
			others += !(mask & bit(number)) || number == SIGKILL;
			suspended += !(mask & bit(number)) && (mask & SUSPENDED);
		}
	others -= own;
	int handled = is_handled(number, &action), for_them = handled && others;
	if (for_them && (own || suspended < others))
		__bitspin_interrupts_others(__bitspin_interrupted);
	if ((!own && !others) || for_them) /* any of them takes it, or the caller, behind the call */
		__bitspin_signal_post(PROCESS, number, origin);
	if (for_them)
		__bitspin_signal_told(name_of(number), PROCESS);
	UNLOCKED;
	if ((own || others) && !for_them)
		deliver(number, &action, origin);
	return 0;
}

int kill(pid_t process, int number)
{
	return kill_process(process, number, &by_process);
}

int sigqueue(pid_t process, int number, const union sigval value)
{
	struct origin origin = { SI_QUEUE, value };
	return kill_process(process, number, &origin);
}

/* ---- interrupts ------------------------------------------------------------------------------------------------------ */

enum { GOES_ON, UNLESS_RESTARTED, FAILS, MASKED }; /* a call that is interrupted: enum await, as runtime/sync/interrupt.c has it */

/* In an atomic section, with a signal pending that the thread does not block, or that a timer may send. */
void __bitspin_interrupted(unsigned long wait, unsigned long address, unsigned long other, unsigned long outcomes,
			   unsigned long call)
{
	uint64_t before = __bitspin_signal_get(SELF, MASK);
	struct origin origin;
	int number = __bitspin_signal_take_any(~before & __bitspin_signal_get(HANDLED), 1, &origin);
	struct sigaction action = action_of(number);
	int fails = call == FAILS || (call == UNLESS_RESTARTED && !(action.sa_flags & SA_RESTART));
	if (fails) /* unless it has not begun */
		fails = bitspin_choose(0, 1);
	fails = fails || call == MASKED;
	if (action.sa_flags & (int)SA_RESETHAND)
		set_action(number, (struct sigaction){ 0 });
	__bitspin_signal_set(SELF, MASK, before | blocked_by(number, &action));
	__bitspin_signal_told(name_of(number), SELF);
	UNLOCKED;
	call_handler(number, &action, &origin);
	LOCKED;
	__bitspin_signal_set(SELF, MASK, before);
	__bitspin_interrupt_ends(wait, address, other, outcomes, fails);
}

uint64_t __bitspin_mask_for(const sigset_t *mask)
{
	if (!mask)
		return 0;
	uint64_t before = __bitspin_signal_get(SELF, MASK), bits = bits_of(mask) & ~(bit(SIGKILL) | bit(SIGSTOP));
	if (before & ~bits & __bitspin_signal_get(HANDLED))
		__bitspin_interrupts_others(__bitspin_interrupted);
	__bitspin_signal_set(SELF, MASK, bits);
	return before;
}

void __bitspin_mask_back(const sigset_t *mask, uint64_t before)
{
	if (mask)
		__bitspin_signal_set(SELF, MASK, before);
}

/* ---- waiting --------------------------------------------------------------------------------------------------------- */

/* 0: the time is up; -EINTR, -EINVAL. */
static int wait_for(const sigset_t *set, int how, const struct timespec *timeout, struct origin *origin)
{
	if (timeout && !__bitspin_is_duration(timeout))
		return -EINVAL;
	long begin = __bitspin_clock_passed();
	uint64_t bits = bits_of(set);
	struct waited list[SIGNAL_WORDS];
	__bitspin_list_signals(list, bits);
	LOCKED;
	int number = __bitspin_signal_take(bits, origin);
	if (number) {
		UNLOCKED;
		return number;
	}
	UNLOCKED;
	int result = __bitspin_await(list, SIGNAL_WORDS, __bitspin_signal_words(PROCESS) + PENDING, how, A_SIGNAL);
	if (!result)
		__bitspin_clock_reach(begin + timeout->tv_sec * 1000000000 + timeout->tv_nsec);
	number = result < 0 ? -EINTR : __bitspin_signal_take(bits, origin);
	UNLOCKED;
	if (result < 0)
		pthread_testcancel();
	return number;
}

int sigwait(const sigset_t *set, int *number)
{
	struct origin origin;
	*number = wait_for(set, 0, NULL, &origin);
	return 0;
}

static int with_info(int number, siginfo_t *info, const struct origin *origin)
{
	if (info)
		__bitspin_signal_info(info, number, origin);
	return number;
}

int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	struct origin origin;
	int number = wait_for(set, AWAIT_FAILS, NULL, &origin);
	return number > 0 ? with_info(number, info, &origin) : fail(EINTR);
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	struct origin origin;
	int number = wait_for(set, AWAIT_FAILS | (timeout ? AWAIT_TIMED : 0), timeout, &origin);
	return number > 0 ? with_info(number, info, &origin) : fail(number ? -number : EAGAIN);
}

/* ---- waiting until a handler has run ----------------------------------------------------------------------------------- */

/* A signal that the thread does not block while it has this mask; waits until there is one.  In an atomic section.  -1: the thread
 * is to end. */
static int next_signal(uint64_t mask, struct origin *origin)
{
	struct waited list[SIGNAL_WORDS];
	int number = __bitspin_signal_take_any(~mask, 1, origin);
	__bitspin_list_signals(list, ~mask);
	while (!number) {
		UNLOCKED;
		if (__bitspin_await(list, SIGNAL_WORDS, __bitspin_signal_words(PROCESS) + PENDING, 0, A_SIGNAL) < 0)
			return -1;
		number = __bitspin_signal_take_any(~mask, 1, origin); /* of the process: another may have been faster */
	}
	return number;
}

/* While the thread waits it has this mask; its own is back as soon as the last of the handlers has returned, which is one
 * step. */
static int suspend(uint64_t mask)
{
	uint64_t before = __bitspin_signal_get(SELF, MASK);
	mask &= ~(bit(SIGKILL) | bit(SIGSTOP));
	LOCKED;
	__bitspin_signal_set(SELF, MASK, mask | SUSPENDED);
	struct origin origin;
	int number;
	for (int handlers = 0;
	     (number = handlers ? __bitspin_signal_take_any(~mask, 0, &origin) : next_signal(mask, &origin)) > 0;) {
		struct sigaction action = action_of(number);
		if (is_handled(number, &action)) {
			if (action.sa_flags & (int)SA_RESETHAND)
				set_action(number, (struct sigaction){ 0 });
			__bitspin_signal_set(SELF, MASK, mask | blocked_by(number, &action));
			UNLOCKED;
			call_handler(number, &action, &origin);
			LOCKED;
			handlers++;
		} else if (!ignores(number, &action)) {
			act_by_default(number);
		} else if (origin.timer && __bitspin_timer_armed(origin.timer - 1)) {
			__bitspin_refuse("a wait for a signal, while a timer sends one again and again that is ignored");
		}
	}
	__bitspin_signal_set(SELF, MASK, before);
	UNLOCKED;
	if (number < 0)
		pthread_testcancel();
	run_pending();
	return fail(EINTR);
}

int sigsuspend(const sigset_t *mask)
{
	return suspend(bits_of(mask));
}

int pause(void)
{
	return suspend(__bitspin_signal_get(SELF, MASK));
}
