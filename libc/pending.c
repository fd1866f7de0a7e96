/* SPDX-License-Identifier: MIT
 *
 * Signals that are pending, and signals that timers may send.
 *
 * A word of each thread, and one of the process, has a bit for each signal that is pending.  What came with it is in a letter; a
 * signal without one is of kill() or its kin.  Linux keeps one signal of a kind, and what came with the first; of real-time
 * signals, and for each timer of timer_create(), it keeps all, in their order.
 *
 * A timer that is set may expire at any moment.  Until then its signal is not pending, but a thread may be interrupted by it and
 * may wait for it as if it were: that the thread takes the signal is how it expires.  A timer with an interval stays set.
 */
#include "signals.h"

#include <pthread.h>

#define ARMED TIMERS, MASK /* a bit for each signal that a timer may send */

int __bitspin_signals_by_descriptor;

/* ---- the queue ------------------------------------------------------------------------------------------------------- */

enum { LETTERS = 16 };

/* In their order; `whose`: the words of the thread or process. */
static struct letter {
	const uint64_t *whose;
	int number; /* 0: the entry is free, and so are those behind it */
	struct origin origin;
} letters[LETTERS];

/* The first one; NULL if there is none. */
static struct letter *find_letter(const uint64_t *whose, int number)
{
	for (int i = 0; i < LETTERS && letters[i].number; i++)
		if (letters[i].number == number && letters[i].whose == whose)
			return &letters[i];
	return NULL;
}

static void append_letter(const uint64_t *whose, int number, const struct origin *origin)
{
	int i = 0;
	while (i < LETTERS && letters[i].number)
		i++;
	if (i == LETTERS)
		__bitspin_refuse("more than 16 signals with values, of timers and of real time are pending");
	letters[i] = (struct letter){ whose, number, *origin };
}

static void remove_letter(struct letter *letter)
{
	for (; letter + 1 < letters + LETTERS && letter[1].number; letter++)
		*letter = letter[1];
	*letter = (struct letter){ 0 };
}

/* Of a signal without a letter. */
static struct origin plain_origin(int whose)
{
	return (struct origin){ .code = whose == PROCESS ? SI_USER : SI_TKILL };
}

static int is_queued(int number, const struct origin *origin)
{
	return number >= SIGRTMIN || origin->code == SI_TIMER;
}

static void put_letter(int whose, int number, const struct origin *origin)
{
	const uint64_t *words = __bitspin_signal_words(whose);
	int pending = !!(__bitspin_signal_get(whose, PENDING) & bit(number)), queued = is_queued(number, origin);
	struct letter *letter;
	while (!pending && (letter = find_letter(words, number))) /* of a thread that has ended and left its words to this one */
		remove_letter(letter);
	if (pending && !queued)
		return;
	if (pending && !find_letter(words, number)) {
		struct origin first = plain_origin(whose);
		append_letter(words, number, &first);
	}
	if (queued || origin->code == SI_QUEUE || origin->code == SI_KERNEL)
		append_letter(words, number, origin);
}

/* Who watches descriptors of signals is told that the signals of the process are others. */
static void tell_watchers(void)
{
	if (!__bitspin_signals_by_descriptor)
		return;
	if (__bitspin_watchers)
		__bitspin_any = 0;
	for (int i = 0; i < ENDS; i += 2)
		if (__bitspin_ends[i].kind == SIGNALS)
			__bitspin_update(i);
}

/* epoll is told of signals for the process alone. */
static void check_watched(int number)
{
	for (int i = 0; i < ENDS; i += 2)
		if (__bitspin_ends[i].kind == SIGNALS && __bitspin_ends[i].messages && (__bitspin_ends[i].counter & bit(number)))
			__bitspin_refuse("a signal for one thread, while epoll watches a descriptor of it, is not modelled");
}

/* Who waits for signals waits for a write to the words of the process. */
static void tell_waiters(void)
{
	__bitspin_signal_set(PROCESS, PENDING, __bitspin_signal_get(PROCESS, PENDING));
	tell_watchers();
}

void __bitspin_signal_post(int whose, int number, const struct origin *origin)
{
	if (is_queued(number, origin) || origin->code != plain_origin(whose).code)
		put_letter(whose, number, origin);
	if (whose != PROCESS && __bitspin_signals_by_descriptor)
		check_watched(number);
	__bitspin_order_before(__bitspin_signal_words(whose));
	__bitspin_signal_set(whose, PENDING, __bitspin_signal_get(whose, PENDING) | bit(number));
	tell_waiters();
}

/* One that is pending there. */
static struct origin unpost(int whose, int number)
{
	const uint64_t *words = __bitspin_signal_words(whose);
	struct letter *letter = find_letter(words, number);
	struct origin origin = letter ? letter->origin : plain_origin(whose);
	if (letter)
		remove_letter(letter);
	if (!letter || !find_letter(words, number))
		__bitspin_signal_set(whose, PENDING, __bitspin_signal_get(whose, PENDING) & ~bit(number));
	__bitspin_order_after(words);
	if (whose == PROCESS)
		tell_watchers();
	return origin;
}

/* ---- timers ---------------------------------------------------------------------------------------------------------- */

static struct sender {
	int number; /* the signal, while the timer is set */
	int again, expired, plain;
	int overruns; /* behind the last time; -1: nobody has asked yet */
	union sigval value;
} senders[SENDERS];

/* Signals of timers can interrupt somebody.  Only programs that set one have it. */
static void (*interrupts)(void);

static void interrupt_others(void)
{
	__bitspin_interrupts_others(__bitspin_interrupted);
}

void __bitspin_armed_interrupt(uint64_t open)
{
	if (__bitspin_signal_get(ARMED) & open & __bitspin_signal_get(HANDLED))
		interrupts();
}

static void list_armed(void)
{
	uint64_t armed = 0;
	for (int i = 0; i < SENDERS; i++)
		if (senders[i].number)
			armed |= bit(senders[i].number);
	__bitspin_signal_set(ARMED, armed);
	tell_waiters();
}

/* Signals that some thread other than the calling one does not block. */
static uint64_t open_elsewhere(int number)
{
	const uint64_t *own = __bitspin_signal_words(SELF);
	for (int i = 0; i < MOST_THREADS; i++) {
		const uint64_t *words = __bitspin_signal_words(i);
		if (words && words != own && !(__bitspin_signal_get(i, MASK) & bit(number)))
			return bit(number);
	}
	return 0;
}

void __bitspin_timer_arms(int timer, int number, int again, const union sigval *value)
{
	senders[timer] = (struct sender){ .number = number, .again = again, .plain = !value };
	if (value)
		senders[timer].value = *value;
	__bitspin_order_before(&senders[timer]);
	interrupts = interrupt_others;
	list_armed();
	__bitspin_armed_interrupt(~__bitspin_signal_get(SELF, MASK) | open_elsewhere(number));
}

int __bitspin_timer_armed(int timer)
{
	return senders[timer].number ? 1 + senders[timer].expired : 0;
}

/* It expires: where its signal is from. */
static struct origin expire(int timer)
{
	struct sender *s = &senders[timer];
	struct origin origin = { s->plain ? SI_KERNEL : SI_TIMER, s->value, timer + 1 };
	__bitspin_order_after(s);
	s->expired = 1;
	s->overruns = s->again ? -1 : 0;
	if (!s->again || !__bitspin_timeout()) {
		s->number = 0;
		list_armed();
	}
	return origin;
}

/* It expires, and its signal is pending, unless that of the last time is. */
static void send(int timer)
{
	int number = senders[timer].number;
	for (int i = 0; i < LETTERS && letters[i].number; i++)
		if (letters[i].origin.timer == timer + 1)
			return;
	struct origin origin = expire(timer);
	__bitspin_signal_post(PROCESS, number, &origin);
}

int __bitspin_timer_disarms(int timer)
{
	struct sender *s = &senders[timer];
	if (!s->number)
		return 0;
	int may_pend = (__bitspin_signal_get(SELF, MASK) & bit(s->number)) ||
		(open_elsewhere(s->number) & __bitspin_signal_get(HANDLED));
	if (may_pend && bitspin_choose(0, 1))
		send(timer);
	int set = !!s->number;
	s->number = 0;
	list_armed();
	return set;
}

int __bitspin_timer_overruns(int timer)
{
	struct sender *s = &senders[timer];
	if (s->overruns < 0)
		s->overruns = bitspin_choose(0, 1);
	return s->overruns;
}

uint64_t __bitspin_signals_armed(void)
{
	return __bitspin_signal_get(ARMED);
}

void __bitspin_signals_may_pend(uint64_t set)
{
	for (int i = 0; (__bitspin_signal_get(ARMED) & set) && i < SENDERS; i++)
		if (senders[i].number && (set & bit(senders[i].number)) && bitspin_choose(0, 1))
			send(i);
}

/* How many timers may send one of these signals. */
static int count_senders(uint64_t set)
{
	int count = 0;
	for (int i = 0; (__bitspin_signal_get(ARMED) & set) && i < SENDERS; i++)
		count += senders[i].number && (set & bit(senders[i].number));
	return count;
}

/* One of those expires, the `which`th. */
static int take_sent(uint64_t set, int which, struct origin *origin)
{
	int i = 0;
	while (!senders[i].number || !(set & bit(senders[i].number)) || which-- > 0)
		i++;
	int number = senders[i].number;
	*origin = expire(i);
	return number;
}

/* ---- taking ---------------------------------------------------------------------------------------------------------- */

static int take_pending(uint64_t one, struct origin *origin)
{
	*origin = unpost(__bitspin_signal_get(SELF, PENDING) & one ? SELF : PROCESS, __builtin_ctzl(one) + 1);
	return __builtin_ctzl(one) + 1;
}

int __bitspin_signal_take(uint64_t set, struct origin *origin)
{
	uint64_t own = __bitspin_signal_get(SELF, PENDING) & set, all = own ? own : __bitspin_signal_get(PROCESS, PENDING) & set;
	int timers = count_senders(set), pending = !!all, which = timers ? bitspin_choose(0, timers + pending - 1) : 0;
	if (!timers && !pending)
		return 0;
	return pending && !which ? take_pending(all & -all, origin) : take_sent(set, which - pending, origin);
}

int __bitspin_signal_take_any(uint64_t set, int of_timers, struct origin *origin)
{
	uint64_t all = (__bitspin_signal_get(SELF, PENDING) | __bitspin_signal_get(PROCESS, PENDING)) & set;
	int timers = of_timers ? count_senders(set) : 0, pending = __builtin_popcountl(all), count = timers + pending;
	int which = count > 1 ? bitspin_choose(0, count - 1) : 0;
	if (!count)
		return 0;
	if (which >= pending)
		return take_sent(set, which - pending, origin);
	for (; which > 0; which--)
		all &= all - 1;
	return take_pending(all & -all, origin);
}
