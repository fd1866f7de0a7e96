/* SPDX-License-Identifier: MIT
 *
 * Random programs for clocks.c: made as lists of instructions and printed as C.  A thread's program has one register and
 * forward jumps.  Seeds that 4 divides mix plain accesses of atomic objects in, those that leave 1 use strong orders only,
 * and those that leave 2 have no fences.  Of every 8 times 16 seeds, the threads of the last 16 are alike, and main joins all.
 */
#ifndef BITSPIN_BENCH_WEAK_PROGRAM_H
#define BITSPIN_BENCH_WEAK_PROGRAM_H

#include <string.h>

#include "random.h"

enum { THREADS = 4, MOST = 14 };
enum { X0, X1, F0, F1, M0, M1, SEM, RWLOCK, READERS, CONDITION, BARRIER, ONCE, OBJECTS, LOCATIONS = M0 }; /* READERS: of RWLOCK */

enum order { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

enum op {
	READ, WRITE, INIT,                           /* plain; INIT is atomic_init */
	LOAD, AWAIT, STORE, ADD, EXCHANGE, CAS,      /* AWAIT: reads once, and goes on if that is `value` */
	FENCE, SIGNAL_FENCE,
	LOCK, UNLOCK, TRYLOCK, TIMEDLOCK,            /* UNLOCK: if the thread holds it */
	POST, WAIT, TRYWAIT, TIMEDWAIT, GETVALUE,
	RDLOCK, WRLOCK, TRYRDLOCK, TRYWRLOCK, RWUNLOCK,
	SLEEP, TIMEDSLEEP, SIGNAL, BROADCAST,        /* on the condition variable, with M0: nothing if that is not held */
	ARRIVE, CALL,                                /* at the barrier; of pthread_once */
	CREATE, JOIN,                                /* object: the thread */
	RETURN,                                      /* from main, after which nothing runs; others may run before */
	SKIP,                                        /* if the register is `value`, skip the next `more` instructions */
};

struct insn {
	enum op op;
	int object, value, more; /* CAS: expected and new value */
	enum order order, failure;
};

static struct {
	unsigned long seed;
	int threads, count[THREADS], creator[THREADS];
	struct insn code[THREADS][MOST + 1];
	int units;       /* of the semaphore, at first */
	int parties;     /* of the barrier */
	bool meets;       /* main arrives at the barrier after F0 is 1 */
	struct insn once; /* what the initialisation of pthread_once does: a plain access */
	bool main_exits; /* by pthread_exit: the others go on */
	bool strong, mixed, fences;
	bool alike; /* all threads but main have one function */
} program;

/* ---- making a program ---------------------------------------------------------------------------------------------- */

static bool chance(unsigned percent)
{
	return pick(100) < percent;
}

static enum order one_of(const char *orders)
{
	static const char letters[] = "xcarbs"; /* as in enum order */
	return (enum order)(strchr(letters, orders[pick((unsigned)strlen(orders))]) - letters);
}

static enum order load_order(void)
{
	return one_of(program.strong ? "as" : "xxxcas");
}

static enum order store_order(void)
{
	return one_of(program.strong ? "rs" : "xxxrs");
}

static enum order modify_order(void)
{
	return one_of(program.strong ? "bs" : "xxarbs");
}

static void add(int t, struct insn insn)
{
	if (program.count[t] < MOST)
		program.code[t][program.count[t]++] = insn;
}

static void add_access(int t, int object, unsigned writes)
{
	add(t, (struct insn){ .op = chance(writes) ? WRITE : READ, .object = object });
}

static int any_location(void)
{
	return program.mixed && chance(40) ? F0 + (int)pick(2) : X0 + (int)pick(2);
}

static void add_skip(int t, int value, int more)
{
	add(t, (struct insn){ .op = SKIP, .value = value, .more = more });
}

static void add_fence(int t, const char *orders, unsigned percent)
{
	if (!program.fences || !chance(percent))
		return;
	if (chance(10))
		add(t, (struct insn){ .op = SIGNAL_FENCE, .order = SEQ_CST });
	else
		add(t, (struct insn){ .op = FENCE, .order = one_of(orders) });
}

static void add_modify(int t, int object, int value)
{
	switch (pick(3)) {
	case 0: add(t, (struct insn){ .op = ADD, .object = object, .order = modify_order() }); break;
	case 1: add(t, (struct insn){ .op = EXCHANGE, .object = object, .value = value, .order = modify_order() }); break;
	case 2:
		add(t, (struct insn){ .op = CAS, .object = object, .value = chance(70) ? 0 : value, .more = value,
				      .order = modify_order(), .failure = load_order() });
	}
}

enum channel { FLAG, MUTEX, SEMAPHORE, LOCK_OF_READERS, SIGNALS, ROUNDS, FIRST_CALL };

static enum channel any_channel(void)
{
	static const enum channel rare[] = { MUTEX, SEMAPHORE, SEMAPHORE, LOCK_OF_READERS, LOCK_OF_READERS,
					     SIGNALS, ROUNDS, FIRST_CALL };
	unsigned n = pick(16);
	enum channel channel = n < 8 ? FLAG : rare[n - 8];
	bool tells_apart = channel == LOCK_OF_READERS || channel == FIRST_CALL; /* no symmetric program has it */
	return program.alike && tells_apart ? FLAG : channel;
}

static void add_call(int t, enum op op, int object)
{
	add(t, (struct insn){ .op = op, .object = object });
}

/* Let others see what has been done so far, or not quite. */
static void publish(int t, enum channel channel, int flag, int value)
{
	if (channel == MUTEX) {
		add_call(t, LOCK, M0);
		if (chance(80))
			add_call(t, UNLOCK, M0);
		if (chance(40))
			add_call(t, LOCK, M0);
	} else if (channel == SEMAPHORE) {
		for (unsigned n = 1 + pick(2); n > 0; n--)
			add_call(t, chance(70) ? POST : WAIT, SEM);
	} else if (channel == LOCK_OF_READERS) {
		add_call(t, chance(60) ? RDLOCK : WRLOCK, RWLOCK);
		if (chance(80))
			add_call(t, RWUNLOCK, RWLOCK);
		if (chance(30))
			add_call(t, chance(50) ? RDLOCK : WRLOCK, RWLOCK);
	} else if (channel == SIGNALS) {
		bool locks = chance(60);
		if (locks)
			add_call(t, LOCK, M0);
		if (locks && chance(50))
			add_call(t, UNLOCK, M0);
		add_call(t, chance(60) ? SIGNAL : BROADCAST, CONDITION);
		if (locks)
			add_call(t, UNLOCK, M0);
	} else if (channel == ROUNDS || channel == FIRST_CALL) {
		add_call(t, channel == ROUNDS ? ARRIVE : CALL, channel == ROUNDS ? BARRIER : ONCE);
	} else {
		add_fence(t, "rrrbsa", 40);
		if (chance(55))
			add(t, (struct insn){ .op = STORE, .object = flag, .value = value, .order = store_order() });
		else
			add_modify(t, flag, value);
	}
}

/* Go on only if something has been published, or not quite. */
static void observe(int t, enum channel channel, int flag, int value)
{
	if (channel == MUTEX) {
		add_call(t, chance(70) ? TRYLOCK : TIMEDLOCK, M0);
		add_skip(t, chance(70), MOST);
	} else if (channel == SEMAPHORE) {
		for (unsigned n = 1 + pick(2); n > 0; n--) {
			enum op op = chance(50) ? WAIT : (enum op)(TRYWAIT + pick(3));
			add_call(t, op, SEM);
			if (op != WAIT)
				add_skip(t, (int)pick(2), MOST);
		}
	} else if (channel == LOCK_OF_READERS) {
		enum op op = RDLOCK + (enum op)pick(4);
		add_call(t, op, RWLOCK);
		if (op == TRYRDLOCK || op == TRYWRLOCK)
			add_skip(t, chance(70), MOST);
		if (chance(40))
			add_call(t, RWUNLOCK, RWLOCK);
	} else if (channel == SIGNALS) {
		add_call(t, LOCK, M0);
		add_call(t, chance(70) ? SLEEP : TIMEDSLEEP, CONDITION);
		if (chance(50))
			add_call(t, UNLOCK, M0);
		add_skip(t, chance(20), MOST);
	} else if (channel == ROUNDS || channel == FIRST_CALL) {
		publish(t, channel, flag, value);
	} else if (chance(35)) {
		add(t, (struct insn){ .op = AWAIT, .object = flag, .value = value, .order = load_order() });
	} else if (chance(50)) {
		add(t, (struct insn){ .op = LOAD, .object = flag, .order = load_order() });
		add_skip(t, 0, MOST);
	} else if (chance(60)) {
		add_modify(t, flag, value);
		add_skip(t, 0, MOST);
	} else {
		add(t, (struct insn){ .op = CAS, .object = flag, .value = 0, .more = 3, .order = modify_order(), .failure = load_order() });
		add_skip(t, 1, MOST);
	}
	if (channel == FLAG)
		add_fence(t, "aaabsr", 40);
}

/* Does the one who observes learn nothing about what went before?  A flag that orders nothing can tell it. */
static bool tells_nothing(enum channel channel)
{
	return channel == MUTEX || channel == LOCK_OF_READERS || channel == FIRST_CALL;
}

static void tell(int t, int flag)
{
	add(t, (struct insn){ .op = STORE, .object = flag, .value = 1, .order = chance(85) ? RELAXED : store_order() });
}

static void be_told(int t, int flag)
{
	add(t, (struct insn){ .op = AWAIT, .object = flag, .value = 1, .order = chance(85) ? RELAXED : load_order() });
}

/* Threads that wait for one another before they access. */
static void make_chain(void)
{
	int x = X0 + (int)pick(2), flags[THREADS], values[THREADS];
	enum channel channel[THREADS], first = any_channel();
	bool one = chance(60), told = chance(60);
	for (int t = 0; t < program.threads; t++) {
		flags[t] = one ? F0 : F0 + (int)pick(2);
		values[t] = 1 + chance(30);
		channel[t] = one ? first : any_channel();
	}
	for (int t = 1; t < program.threads; t++) {
		int y = program.mixed && chance(40) ? F0 + (int)pick(2) : x;
		if (chance(8))
			add_call(t, LOCK, M0);
		if (t > 1 && told && tells_nothing(channel[t - 1]))
			be_told(t, flags[t - 1]);
		if (t > 1 && told && channel[t - 1] == MUTEX)
			add_call(t, LOCK, M0);
		else if (t > 1)
			observe(t, chance(92) ? channel[t - 1] : any_channel(), flags[t - 1], values[t - 1]);
		if (t > 1 && chance(15))
			publish(t, channel[t - 1], flags[t - 1], values[t - 1]);
		if (t == 1 || t == program.threads - 1 || chance(30))
			add_access(t, y, t == 1 ? 90 : 60);
		if (t < program.threads - 1) {
			publish(t, chance(92) ? channel[t] : any_channel(), flags[t], values[t]);
			if (told && tells_nothing(channel[t]))
				tell(t, flags[t]);
			if (chance(8))
				add_access(t, y, 60);
			if (chance(30))
				publish(t, channel[t], flags[t], chance(50) ? values[t] : 3);
		}
		if (chance(50))
			add_call(t, UNLOCK, M0);
	}
}

/* What a failed attempt does not order: thread 1 accesses and lets others know in vain, thread 3 knows by another way. */
static void make_failing(void)
{
	int x = X0 + (int)pick(2);
	bool mutex = chance(40), waits = !mutex && chance(50);
	program.threads = 4;
	program.units = waits;
	add_access(1, x, 70);
	if (waits) {
		add_call(1, WAIT, SEM);
		add_call(2, POST, SEM);
	} else {
		add_call(1, mutex ? LOCK : POST, mutex ? M0 : SEM);
		add_call(1, mutex ? UNLOCK : WAIT, mutex ? M0 : SEM);
		if (mutex)
			add_call(2, LOCK, M0);
		else if (chance(30))
			add_call(2, chance(50) ? POST : WAIT, SEM);
	}
	add(1, (struct insn){ .op = STORE, .object = F0, .value = 1, .order = store_order() });
	add(3, (struct insn){ .op = AWAIT, .object = F0, .value = 1, .order = load_order() });
	add_call(3, waits ? WAIT : mutex ? TRYLOCK : chance(80) ? TRYWAIT : GETVALUE, mutex ? M0 : SEM);
	if (!waits)
		add_skip(3, chance(80), MOST);
	add_access(3, x, 70);
}

/* A thread that sleeps on the condition variable, and one that wakes it or lets it time out; both access, before or after. */
static void make_sleepers(void)
{
	int x = X0 + (int)pick(2);
	bool timed = chance(40), before = chance(50), knows = chance(70), wakes = chance(50);
	bool late = timed && chance(40); /* it sleeps when all signals are gone */
	add_call(1, LOCK, M0);
	if (before)
		add_access(1, x, 70);
	if (knows)
		tell(1, F0);
	if (late)
		be_told(1, F1);
	add_call(1, timed ? TIMEDSLEEP : SLEEP, CONDITION);
	if (timed && !late)
		add_skip(1, chance(30), MOST);
	if (timed && !late && chance(60))
		be_told(1, F1);
	if (!before || chance(20))
		add_access(1, x, 70);
	if (chance(50))
		add_call(1, UNLOCK, M0);
	for (int t = 2; t < program.threads; t++) {
		if (knows && chance(70))
			be_told(t, F0);
		if (t == 3 && chance(50))
			add_call(t, LOCK, M0), add_call(t, SLEEP, CONDITION);
		if (!late && chance(60))
			add_call(t, LOCK, M0);
		bool first = chance(50);
		if (first)
			add_access(t, x, 60);
		if (wakes)
			add_call(t, chance(60) ? SIGNAL : BROADCAST, CONDITION);
		if (!first)
			add_access(t, x, 60);
		if (chance(60))
			tell(t, F1);
		if (!wakes && chance(50))
			add_call(t, chance(60) ? SIGNAL : BROADCAST, CONDITION);
		if (chance(70))
			add_call(t, UNLOCK, M0);
	}
}

/* Rounds of a barrier for two: thread 1 meets thread 2, and thread 3 meets main or thread 2 later. */
static void make_rounds(void)
{
	int x = X0 + (int)pick(2);
	program.threads = 4;
	program.parties = 2;
	program.meets = chance(60);
	add_access(1, x, 70);
	add_call(1, ARRIVE, BARRIER);
	tell(1, F0);
	add_call(2, ARRIVE, BARRIER);
	if (chance(30))
		add_access(2, x, 30);
	if (!program.meets || chance(20))
		add_call(2, ARRIVE, BARRIER);
	be_told(3, F0);
	add_call(3, ARRIVE, BARRIER);
	add_access(3, x, 70);
}

/* Two threads, one after the other, give what a third gets: read locks, or units of the semaphore. */
static void make_givers(void)
{
	int x = X0 + (int)pick(2), first = chance(60) ? 1 : 2;
	bool posts = chance(50);
	program.threads = 4;
	program.units = 0;
	for (int t = 1; t < 3; t++) {
		if (t == 2)
			be_told(t, F0);
		if (t == first)
			add_access(t, x, 70);
		add_call(t, posts ? POST : RDLOCK, posts ? SEM : RWLOCK);
		if (!posts)
			add_call(t, RWUNLOCK, RWLOCK);
		tell(t, t == 1 ? F0 : F1);
	}
	be_told(3, F1);
	add_call(3, posts ? WAIT : chance(70) ? WRLOCK : RDLOCK, posts ? SEM : RWLOCK);
	if (posts && chance(40))
		add_call(3, WAIT, SEM);
	add_access(3, x, 70);
}

/* A lock made of an atomic, as everyone writes one: try once, and do something if it was free. */
static void add_section(int t, int flag)
{
	bool swaps = chance(50);
	if (swaps)
		add(t, (struct insn){ .op = EXCHANGE, .object = flag, .value = 1, .order = modify_order() });
	else
		add(t, (struct insn){ .op = CAS, .object = flag, .value = 0, .more = 1, .order = modify_order(), .failure = load_order() });
	add_skip(t, swaps ? 1 : 0, 4);
	add_fence(t, "aab", 30);
	add_access(t, X0, 70);
	add_fence(t, "rrb", 30);
	add(t, (struct insn){ .op = STORE, .object = flag, .value = 0, .order = store_order() });
}

static void add_anything(int t)
{
	int flag = F0 + (int)pick(2), value = 1 + (int)pick(2);
	switch (pick(13)) {
	case 0: case 1: case 2: add_access(t, any_location(), 65); break;
	case 3: case 4: publish(t, any_channel(), flag, value); break;
	case 5: case 6: observe(t, any_channel(), flag, value); break;
	case 7: add_modify(t, flag, value); break;
	case 8:
		add(t, (struct insn){ .op = LOAD, .object = flag, .order = load_order() });
		add_skip(t, (int)pick(2), 1 + (int)pick(2));
		break;
	case 9: case 10:
		add(t, (struct insn){ .op = chance(50) ? LOCK : TRYLOCK, .object = M0 + (int)pick(2) });
		add_skip(t, 0, 1 + (int)pick(2));
		add_access(t, any_location(), 65);
		add(t, (struct insn){ .op = UNLOCK, .object = program.code[t][program.count[t] > 2 ? program.count[t] - 3 : 0].object });
		break;
	case 11: add_section(t, flag); break;
	case 12: add_fence(t, "arbs", 100); break;
	}
}

/* Main creates the others, does something itself, and joins some; one of them may be created by another. */
static void make_main(void)
{
	int last = program.threads - 1, creator = program.threads == 4 && chance(30) ? 1 : 0;
	struct insn *code = program.code[1];
	if (creator) {
		int at = (int)pick((unsigned)(program.count[1] < MOST ? program.count[1] : MOST - 1) + 1);
		memmove(code + at + 1, code + at, (size_t)(MOST - at - 1) * sizeof *code);
		code[at] = (struct insn){ .op = CREATE, .object = last };
		program.count[1] += program.count[1] < MOST;
	}
	program.creator[last] = creator;
	for (int t = 1; t < program.threads - (creator != 0); t++) {
		if (chance(8))
			add_access(0, any_location(), 70);
		add(0, (struct insn){ .op = CREATE, .object = t });
	}
	if (program.meets) {
		be_told(0, F0);
		add_call(0, ARRIVE, BARRIER);
	}
	for (int left = chance(40) ? (int)pick(3) : 0; left > 0 && program.threads < 4; left--)
		add_anything(0);
	for (int t = 1; t < program.threads - (creator != 0); t++)
		if (chance(50)) {
			add(0, (struct insn){ .op = JOIN, .object = t });
			if (chance(30))
				add_access(0, any_location(), 50);
		}
	program.main_exits = chance(60);
	if (!program.main_exits)
		program.code[0][program.count[0]++] = (struct insn){ .op = RETURN };
}

/* Several threads do the same, once they have taken turns or not; main joins them, and looks at what they have done. */
static void make_alike(void)
{
	unsigned length = 2 + pick(3);
	program.threads = 4;
	if (chance(60)) {
		add(1, (struct insn){ .op = ADD, .object = F1, .order = modify_order() });
		add_skip(1, (int)pick(3), 1 + (int)pick(3));
	}
	while (program.count[1] < (int)length + 2)
		chance(25) ? add_section(1, F0) : add_anything(1);
	for (int t = 2; t < program.threads; t++) {
		memcpy(program.code[t], program.code[1], sizeof program.code[1]);
		program.count[t] = program.count[1];
	}
	for (int t = 1; t < program.threads; t++)
		add(0, (struct insn){ .op = CREATE, .object = t });
	for (int t = 1; t < program.threads; t++)
		add(0, (struct insn){ .op = JOIN, .object = t });
	if (chance(50))
		add_access(0, X0, 70);
	add_call(0, RETURN, X0);
}

/* No thread is created or joined by some executions only; jumps end where the program does. */
static void mend_jumps(void)
{
	for (int t = 0; t < program.threads; t++)
		for (int i = 0; i < program.count[t]; i++) {
			struct insn *insn = &program.code[t][i];
			int to = i + 1;
			while (insn->op == SKIP && to < program.count[t] && to <= i + insn->more &&
			       (program.code[t][to].op < CREATE || program.code[t][to].op == SKIP))
				to++;
			if (insn->op == SKIP)
				insn->more = to - i - 1;
		}
}

static void make_one(unsigned long seed, unsigned attempt)
{
	memset(&program, 0, sizeof program);
	state = (seed * 64 + attempt) * 7919 + 1;
	pick(2);
	program.seed = seed;
	program.mixed = seed % 4 == 0;
	program.strong = seed % 4 == 1;
	program.fences = seed % 4 != 2;
	program.threads = 3 + chance(45);
	program.units = chance(25);
	program.parties = 2 + chance(20);
	program.once = (struct insn){ .op = chance(60) ? WRITE : READ, .object = X0 + (int)pick(2) };
	program.alike = seed / 16 % 8 == 7;
	unsigned style = pick(24), length = program.threads == 3 ? 5 : 3;
	if (program.alike) {
		make_alike();
		mend_jumps();
		return;
	}
	if (style < 14) {
		make_chain();
	} else if (style == 14) {
		make_failing();
	} else if (style < 18) {
		make_sleepers();
	} else if (style == 18) {
		chance(50) ? make_rounds() : make_givers();
	} else {
		for (int t = 1; t < program.threads; t++)
			for (unsigned left = 1 + pick(length); left > 0 && program.count[t] < (int)length + 2; left--)
				style == 19 ? add_section(t, F0) : add_anything(t);
	}
	make_main();
	mend_jumps();
}

/* ---- as C ---------------------------------------------------------------------------------------------------------- */

static const char *const objects[] = { "x0", "x1", "f0", "f1", "m0", "m1", "sem", "rwlock", "", "condition", "barrier", "once" };
static const char *const orders[] = { "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst" };

/* The result of an atomic operation is used, or not; seq_cst may be written in short. */
static void print_atomic(const struct insn *insn)
{
	const char *f = objects[insn->object], *order = orders[insn->order], *r = chance(80) ? "r = " : "";
	bool brief = insn->order == SEQ_CST && chance(50), gnu = chance(25);
	char gcc[] = "__ATOMIC_SEQ_CST";
	snprintf(gcc, sizeof gcc, "__ATOMIC_%s", order);
	for (char *c = gcc; *c; c++)
		*c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
	switch (insn->op) {
	case LOAD:
		if (brief)
			printf("r = %s;\n", f);
		else if (gnu && insn->order != CONSUME)
			printf("r = __atomic_load_n(PLAIN(%s), %s);\n", f, gcc);
		else
			printf("r = atomic_load_explicit(&%s, memory_order_%s);\n", f, order);
		break;
	case AWAIT: printf("AWAIT(%s, %d, memory_order_%s);\n", f, insn->value, order); break;
	case STORE:
		if (brief)
			printf("%s = %d;\n", f, insn->value);
		else if (gnu)
			printf("__atomic_store_n(PLAIN(%s), %d, %s);\n", f, insn->value, gcc);
		else
			printf("atomic_store_explicit(&%s, %d, memory_order_%s);\n", f, insn->value, order);
		break;
	case ADD:
		if (brief)
			printf("r = %s++;\n", f);
		else
			printf("%satomic_fetch_add_explicit(&%s, 1, memory_order_%s);\n", "r = ", f, order);
		break;
	case EXCHANGE: /* one whose result nobody uses may become a store, which ends a release sequence: LLVM does that */
		printf("r = atomic_exchange_explicit(&%s, %d, memory_order_%s); __asm__ volatile(\"\" : : \"r\"(r));\n", f, insn->value,
		       order);
		break;
	case CAS:
		printf("{ int e = %d; %satomic_compare_exchange_strong_explicit(&%s, &e, %d, memory_order_%s, memory_order_%s); }\n",
		       insn->value, "r = ", f, insn->more, order, orders[insn->failure]);
		break;
	default: break;
	}
	(void)r;
}

static void print_call(const struct insn *insn)
{
	const char *name = objects[insn->object];
	int m = insn->object - M0;
	switch (insn->op) {
	case LOCK: printf("pthread_mutex_lock(&%s); held[%d] = 1;\n", name, m); break;
	case UNLOCK: printf("if (held[%d]) { held[%d] = 0; pthread_mutex_unlock(&%s); }\n", m, m, name); break;
	case TRYLOCK: printf("r = pthread_mutex_trylock(&%s) == 0; if (r) held[%d] = 1;\n", name, m); break;
	case TIMEDLOCK: printf("r = pthread_mutex_timedlock(&%s, &soon) == 0; if (r) held[%d] = 1;\n", name, m); break;
	case POST: puts("sem_post(&sem);"); break;
	case WAIT: puts("sem_wait(&sem);"); break;
	case TRYWAIT: puts("r = sem_trywait(&sem) == 0;"); break;
	case TIMEDWAIT: puts("r = sem_timedwait(&sem, &soon) == 0;"); break;
	case GETVALUE: puts("sem_getvalue(&sem, &r);"); break;
	case RDLOCK: puts("if (!keeps) { pthread_rwlock_rdlock(&rwlock); keeps = 1; }"); break;
	case WRLOCK: puts("if (!keeps) { pthread_rwlock_wrlock(&rwlock); keeps = 1; }"); break;
	case TRYRDLOCK: puts("if (!keeps) r = keeps = pthread_rwlock_tryrdlock(&rwlock) == 0;"); break;
	case TRYWRLOCK: puts("if (!keeps) r = keeps = pthread_rwlock_trywrlock(&rwlock) == 0;"); break;
	case RWUNLOCK: puts("if (keeps) { keeps = 0; pthread_rwlock_unlock(&rwlock); }"); break;
	case SLEEP: puts("if (held[0]) r = pthread_cond_wait(&condition, &m0) == 0;"); break;
	case TIMEDSLEEP: puts("if (held[0]) r = pthread_cond_timedwait(&condition, &m0, &soon) == 0;"); break;
	case SIGNAL: puts("pthread_cond_signal(&condition);"); break;
	case BROADCAST: puts("pthread_cond_broadcast(&condition);"); break;
	case ARRIVE: puts("pthread_barrier_wait(&barrier);"); break;
	case CALL: puts("pthread_once(&once, initialise);"); break;
	case CREATE:
		printf("pthread_create(&id%d, 0, thread%d, 0);\n", insn->object, program.alike ? 1 : insn->object);
		break;
	case JOIN: printf("pthread_join(id%d, 0);\n", insn->object); break;
	default: break;
	}
}

static void print_access(const struct insn *insn, int number)
{
	const char *name = objects[insn->object];
	if (insn->op == READ)
		printf(insn->object < F0 ? "(void)(%d + %s);\n" : "(void)(%d + *PLAIN(%s));\n", number, name);
	else
		printf(insn->object < F0 ? "%s = %d;\n" : "*PLAIN(%s) = %d;\n", name, 7);
}

static void print_insn(int t, int at)
{
	const struct insn *insn = &program.code[t][at];
	printf("\tPAUSE; ");
	switch (insn->op) {
	case READ: case WRITE: print_access(insn, at); break;
	case FENCE: printf("atomic_thread_fence(memory_order_%s);\n", orders[insn->order]); break;
	case RETURN: puts(""); break;
	case SIGNAL_FENCE: puts("atomic_signal_fence(memory_order_seq_cst);"); break;
	case SKIP: printf("if (r == %d) goto L%d;\n", insn->value, at + 1 + insn->more); break;
	default: insn->op < FENCE ? print_atomic(insn) : print_call(insn);
	}
}

static void print_thread(int t)
{
	puts("\tint r = 0; _Bool held[2] = { 0 }, keeps = 0;");
	if (!program.alike || t == 0)
		puts("\tpthread_t id1, id2, id3;");
	for (int i = 0; i <= program.count[t]; i++) {
		for (int k = 0; k < i; k++)
			if (program.code[t][k].op == SKIP && k + 1 + program.code[t][k].more == i) {
				printf("L%d:;\n", i);
				break;
			}
		if (i < program.count[t])
			print_insn(t, i);
	}
	puts("\t(void)r; (void)held; (void)keeps;");
	if (!program.alike || t == 0)
		puts("\t(void)id1; (void)id2; (void)id3;");
}

/* Objects are variables, or lie in one on the heap. */
static void print(void)
{
	bool heap = pick(3) == 0;
	printf("/* Made by clocks.c from seed %lu. */\n", program.seed);
	puts("#define _GNU_SOURCE\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
	     "#include <time.h>\n#include \"bitspin.h\"\n#define PLAIN(f) ((volatile int *)&(f))\n"
	     "#ifndef PAUSE\n#define PAUSE\n#endif\n"
	     "#ifdef __BITSPIN__\n#define AWAIT(f, v, order) { r = atomic_load_explicit(&f, order); bitspin_assume(r == v); }\n"
	     "#else /* gives up after a while */\n#define AWAIT(f, v, order) \\\n"
	     "\tfor (int i = 0; (r = atomic_load_explicit(&f, order)) != v; i++) { if (i > 300) _Exit(0); PAUSE; }\n#endif");
	puts("struct all { volatile int x0, x1; atomic_int f0, f1; pthread_mutex_t m0, m1; sem_t sem;\n"
	     "\tpthread_rwlock_t rwlock; pthread_cond_t condition; pthread_barrier_t barrier; pthread_once_t once; };\n"
	     "static const struct timespec soon = { 1, 0 };");
	puts(heap ? "static struct all *all;" : "static struct all here;\n#define all (&here)");
	for (int i = 0; i < OBJECTS; i++)
		if (objects[i][0])
			printf("#define %s all->%s\n", objects[i], objects[i]);
	puts("static void initialise(void)\n{");
	print_access(&program.once, 0);
	puts("}");
	int functions = program.alike ? 2 : program.threads;
	for (int t = 1; t < functions; t++)
		printf("static void *thread%d(void *);\n", t);
	for (int t = 1; t < functions; t++) {
		printf("static void *thread%d(void *p)\n{\n", t);
		print_thread(t);
		puts("\treturn p;\n}");
	}
	puts("int main(void)\n{");
	if (heap)
		puts("\tall = calloc(1, sizeof *all);\n\tpthread_mutex_init(&m0, 0);\n\tpthread_mutex_init(&m1, 0);\n"
		     "\tpthread_rwlock_init(&rwlock, 0);\n\tpthread_cond_init(&condition, 0);");
	printf("\tsem_init(&sem, 0, %d);\n\tpthread_barrier_init(&barrier, 0, %d);\n", program.units, program.parties);
	print_thread(0);
	puts(program.main_exits ? "\tpthread_exit(0);\n}" : "\treturn 0;\n}");
}

#endif
