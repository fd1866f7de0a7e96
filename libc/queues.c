/* SPDX-License-Identifier: MIT
 *
 * Message queues (mqueue.h) and sets of semaphores (sys/sem.h) of the one process there is.  A call is one step.
 */
#include "ducts.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>

static int fail(int error)
{
	errno = error;
	return -1;
}

/* ---- message queues -------------------------------------------------------------------------------------------------- */

enum { QUEUES = 8, OPEN = 16, FIRST = 200, MOST_MESSAGES = 256, ROOM = 10 * 8192, NAME = 256 };
enum { HAS_MESSAGE = 1, HAS_ROOM = 2 };

struct message {
	unsigned size, priority;
};

/* All of it is used in sections.  The system orders what goes before a call before what comes after a later one. */
static struct queue {
	unsigned ready;  /* HAS_MESSAGE, HAS_ROOM: what threads wait for */
	char name[NAME]; /* empty: the name is free */
	int opened;      /* descriptors */
	long most, size; /* messages; bytes of each */
	unsigned count;
	struct message messages[MOST_MESSAGES]; /* in the order in which they are received */
	char bytes[ROOM];
} queues[QUEUES];

static struct {
	struct queue *queue;
	int flags;
} opened[OPEN];

static struct queue *named(const char *name)
{
	for (int i = 0; i < QUEUES; i++)
		if (queues[i].name[0] && strcmp(queues[i].name, name) == 0)
			return &queues[i];
	return NULL;
}

/* Note what has become of a queue, for those who wait, and in what order calls come. */
static void settle(struct queue *queue)
{
	unsigned ready = (queue->count ? HAS_MESSAGE : 0) | (queue->count < (unsigned long)queue->most ? HAS_ROOM : 0);
	if (!queue->opened && !queue->name[0])
		memset(queue, 0, sizeof *queue);
	else if (ready != queue->ready)
		queue->ready = ready;
	__bitspin_order_after(queue);
	__bitspin_order_before(queue);
}

/* Make a queue.  Return NULL and an error number if that is not possible. */
static struct queue *make(const char *name, const struct mq_attr *attributes, int *error)
{
	*error = attributes->mq_maxmsg <= 0 || attributes->mq_msgsize <= 0 ? EINVAL : 0;
	if (*error)
		return NULL;
	if (attributes->mq_maxmsg > MOST_MESSAGES || attributes->mq_maxmsg * attributes->mq_msgsize > ROOM)
		__bitspin_refuse("a message queue has more than 256 messages, or more than 80 KB");
	for (int i = 0; i < QUEUES; i++)
		if (!queues[i].name[0] && !queues[i].opened) {
			strcpy(queues[i].name, name);
			queues[i].most = attributes->mq_maxmsg;
			queues[i].size = attributes->mq_msgsize;
			return &queues[i];
		}
	__bitspin_refuse("more than 8 message queues exist");
}

static struct queue *found_or_made(const char *name, int flags, const struct mq_attr *attributes, int *error)
{
	struct queue *queue = named(name);
	if (!queue && (flags & O_CREAT))
		return make(name, attributes, error);
	*error = !queue ? ENOENT : (flags & O_CREAT) && (flags & O_EXCL) ? EEXIST : 0;
	return *error ? NULL : queue;
}

/* Open a queue, in a section.  Return its number among those that are open, or minus an error number. */
static int open_queue(const char *name, int flags, const struct mq_attr *attributes)
{
	int place = 0, error;
	while (place < OPEN && opened[place].queue)
		place++;
	if (place == OPEN)
		__bitspin_refuse("message queues are open 16 times");
	struct queue *queue = found_or_made(name, flags, attributes, &error);
	if (!queue)
		return -error;
	opened[place].queue = queue;
	opened[place].flags = flags & (O_ACCMODE | O_NONBLOCK);
	queue->opened++;
	settle(queue);
	return place;
}

/* Copy the name of a queue, which is the caller's memory, and may race.  Return 0 or an error number. */
static int copy_name(char to[NAME], const char *name)
{
	size_t length = strlen(name);
	if (length >= NAME)
		return ENAMETOOLONG;
	memcpy(to, name, length + 1);
	return name[0] != '/' || !name[1] ? EINVAL : 0;
}

mqd_t mq_open(const char *name, int flags, ...)
{
	struct mq_attr usual = { .mq_maxmsg = 10, .mq_msgsize = 8192 };
	char copy[NAME];
	if (flags & O_CREAT) {
		va_list arguments;
		va_start(arguments, flags);
		(void)va_arg(arguments, mode_t);
		const struct mq_attr *attributes = va_arg(arguments, const struct mq_attr *);
		va_end(arguments);
		if (attributes) {
			usual.mq_maxmsg = attributes->mq_maxmsg;
			usual.mq_msgsize = attributes->mq_msgsize;
		}
	}
	int error = copy_name(copy, name);
	if (error)
		return fail(error);
	LOCKED;
	int place = open_queue(copy, flags, &usual);
	UNLOCKED;
	return place < 0 ? fail(-place) : FIRST + place;
}

/* Return the queue that `mq` names, in a section; NULL if it names none. */
static struct queue *queue_of(mqd_t mq)
{
	return mq >= FIRST && mq < FIRST + OPEN ? opened[mq - FIRST].queue : NULL;
}

int mq_close(mqd_t mq)
{
	LOCKED;
	struct queue *queue = queue_of(mq);
	if (queue) {
		opened[mq - FIRST].queue = NULL;
		opened[mq - FIRST].flags = 0;
		queue->opened--;
		settle(queue);
	}
	UNLOCKED;
	return queue ? 0 : fail(EBADF);
}

int mq_unlink(const char *name)
{
	char copy[NAME];
	if (copy_name(copy, name) == ENAMETOOLONG)
		return fail(ENAMETOOLONG);
	LOCKED;
	struct queue *queue = named(copy);
	if (queue) {
		memset(queue->name, 0, NAME);
		settle(queue);
	}
	UNLOCKED;
	return queue ? 0 : fail(ENOENT);
}

/* Set the flags of a descriptor, unless `new` is less than zero.  Return what the attributes were, in *before. */
static int exchange_attributes(mqd_t mq, long new, struct mq_attr *before)
{
	LOCKED;
	struct queue *queue = queue_of(mq);
	if (queue) {
		int *flags = &opened[mq - FIRST].flags;
		*before = (struct mq_attr){ .mq_flags = *flags & O_NONBLOCK,
					    .mq_maxmsg = queue->most,
					    .mq_msgsize = queue->size,
					    .mq_curmsgs = queue->count };
		if (new >= 0)
			*flags = (*flags & ~O_NONBLOCK) | ((int)new &O_NONBLOCK);
		settle(queue);
	}
	UNLOCKED;
	return queue ? 0 : fail(EBADF);
}

int mq_getattr(mqd_t mq, struct mq_attr *attributes)
{
	struct mq_attr now;
	int result = exchange_attributes(mq, -1, &now);
	if (result == 0)
		*attributes = now;
	return result;
}

int mq_setattr(mqd_t mq, const struct mq_attr *attributes, struct mq_attr *before)
{
	struct mq_attr old;
	int result = exchange_attributes(mq, attributes->mq_flags & O_NONBLOCK, &old);
	if (result == 0 && before)
		*before = old;
	return result;
}

/* Leave the section with an error. */
static int leave(struct queue *queue, int error)
{
	settle(queue);
	UNLOCKED;
	return error;
}

/* Wait, with the section left meanwhile, for a bit of queue->ready.  Return 0, in a section, or an error number, in none. */
static int wait_until(struct queue *queue, mqd_t mq, unsigned bit, const struct timespec *until)
{
	struct waited waited = { &queue->ready, bit };
	int how = AWAIT_RESTARTS | (until ? AWAIT_TIMED : 0), told = mq | MESSAGE_QUEUE << TOLD_KIND;
	queue->opened++; /* it stays if another thread closes the descriptor */
	UNLOCKED;
	int result = __bitspin_await(&waited, 1, &queue->ready, how, told);
	queue->opened--;
	if (result > 0)
		return 0;
	leave(queue, 0);
	if (result < 0) {
		pthread_testcancel();
		return EINTR;
	}
	if (__bitspin_clock_step)
		__bitspin_clock_reach(until->tv_sec * 1000000000 + until->tv_nsec - __bitspin_start_of_clocks());
	return ETIMEDOUT;
}

/* Enter a section in which the queue that `mq` names for `how`, O_RDONLY or O_WRONLY, has a message or room for one, where the
 * caller's has `size` bytes.  Return 0; or an error number, in no section. */
static int enter(struct queue **found, mqd_t mq, int how, size_t size, const struct timespec *until)
{
	struct timespec deadline = { 0, 0 };
	if (until)
		deadline = *until;
	pthread_testcancel();
	LOCKED;
	struct queue *queue = *found = queue_of(mq);
	int flags = queue ? opened[mq - FIRST].flags : 0, access = flags & O_ACCMODE;
	if (!queue || (access != O_RDWR && access != how)) {
		UNLOCKED;
		return EBADF;
	}
	if (how == O_RDONLY ? (long)size < queue->size : (long)size > queue->size)
		return leave(queue, EMSGSIZE);
	unsigned bit = how == O_RDONLY ? HAS_MESSAGE : HAS_ROOM;
	if (queue->ready & bit)
		return 0;
	if (flags & O_NONBLOCK)
		return leave(queue, EAGAIN);
	if (deadline.tv_nsec < 0 || deadline.tv_nsec >= 1000000000)
		return leave(queue, EINVAL);
	return wait_until(queue, mq, bit, until ? &deadline : NULL);
}

/* Put a message behind all that have its priority or a higher one. */
static void insert(struct queue *queue, const char *bytes, size_t size, unsigned priority)
{
	unsigned at = queue->count;
	while (at > 0 && queue->messages[at - 1].priority < priority)
		at--;
	memmove(queue->messages + at + 1, queue->messages + at, (queue->count - at) * sizeof *queue->messages);
	memmove(queue->bytes + (at + 1) * queue->size, queue->bytes + at * queue->size, (queue->count - at) * (size_t)queue->size);
	queue->messages[at] = (struct message){ (unsigned)size, priority };
	memset(queue->bytes + at * queue->size, 0, (size_t)queue->size);
	memcpy(queue->bytes + at * queue->size, bytes, size);
	queue->count++;
}

int mq_timedsend(mqd_t mq, const char *bytes, size_t size, unsigned priority, const struct timespec *until)
{
	enum { PRIORITIES = 32768 };
	if (priority >= PRIORITIES)
		return fail(EINVAL);
	if (size > ROOM)
		return fail(EMSGSIZE);
	char copy[size + 1];
	memcpy(copy, bytes, size);
	struct queue *queue;
	int error = enter(&queue, mq, O_WRONLY, size, until);
	if (error)
		return fail(error);
	insert(queue, copy, size, priority);
	settle(queue);
	__bitspin_told(TOLD_WRITE, mq | MESSAGE_QUEUE << TOLD_KIND, (long)size);
	UNLOCKED;
	return 0;
}

int mq_send(mqd_t mq, const char *bytes, size_t size, unsigned priority)
{
	return mq_timedsend(mq, bytes, size, priority, NULL);
}

/* Take the first message out. */
static void drop_first(struct queue *queue)
{
	queue->count--;
	memmove(queue->messages, queue->messages + 1, queue->count * sizeof *queue->messages);
	memmove(queue->bytes, queue->bytes + queue->size, queue->count * (size_t)queue->size);
	queue->messages[queue->count] = (struct message){ 0, 0 };
	memset(queue->bytes + queue->count * queue->size, 0, (size_t)queue->size);
}

ssize_t mq_timedreceive(mqd_t mq, char *to, size_t size, unsigned *priority, const struct timespec *until)
{
	struct queue *queue;
	int error = enter(&queue, mq, O_RDONLY, size, until);
	if (error)
		return fail(error);
	struct message first = queue->messages[0];
	char bytes[first.size + 1];
	memcpy(bytes, queue->bytes, first.size);
	drop_first(queue);
	settle(queue);
	__bitspin_told(TOLD_READ, mq | MESSAGE_QUEUE << TOLD_KIND, (long)first.size);
	UNLOCKED;
	memcpy(to, bytes, first.size);
	if (priority)
		*priority = first.priority;
	return first.size;
}

ssize_t mq_receive(mqd_t mq, char *to, size_t size, unsigned *priority)
{
	return mq_timedreceive(mq, to, size, priority, NULL);
}

/* ---- sets of semaphores ------------------------------------------------------------------------------------------------ */

enum { A_SET = -3 }; /* what is waited for, for people: as in runtime/sync/await.c */

enum { SETS = 4, SEMAPHORES = 16, MOST_VALUE = 32767, ID = 100 };

/* A call that waits, in a list of its set: the word is 1 once the set has changed. */
struct waiter {
	unsigned woken;
	struct waiter *next;
};

/* All of it is used in sections, as queues are. */
static struct set {
	struct waiter *waiters;
	volatile unsigned changed; /* written whenever waiters are woken: what they wait for is one object (runtime/sync/await.c) */
	int exists, removed;       /* removed: how often a set here has been, so that who waits finds out */
	key_t key;
	unsigned count;
	unsigned short values[SEMAPHORES], increase[SEMAPHORES],
		zero[SEMAPHORES]; /* zero, increase: how many threads wait for that */
} sets[SETS];

int semget(key_t key, int count, int flags)
{
	int id = -1, error = 0;
	if (count < 0)
		return fail(EINVAL);
	if (count > SEMAPHORES)
		__bitspin_refuse("a set has more than 16 semaphores");
	LOCKED;
	for (int i = 0; key != IPC_PRIVATE && i < SETS; i++)
		id = sets[i].exists && sets[i].key == key ? i : id;
	if (id >= 0)
		error = (flags & IPC_CREAT) && (flags & IPC_EXCL) ? EEXIST : (unsigned)count > sets[id].count ? EINVAL : 0;
	else if (key != IPC_PRIVATE && !(flags & IPC_CREAT))
		error = ENOENT;
	else if (count == 0)
		error = EINVAL;
	for (int i = 0; id < 0 && !error && i < SETS; i++)
		id = sets[i].exists ? -1 : i;
	if (id < 0 && !error)
		__bitspin_refuse("more than 4 sets of semaphores exist");
	if (!error && !sets[id].exists) {
		sets[id].exists = 1;
		sets[id].key = key;
		sets[id].count = (unsigned)count;
	}
	UNLOCKED;
	return error ? fail(error) : ID + id;
}

static struct set *set_of(int id)
{
	if (id >= ID && id < ID + SETS)
		return &sets[id - ID];
	errno = EINVAL;
	return NULL;
}

/* Do all operations, or none: the number of one that cannot be done, -1 if all are; -2: a value would be too large. */
static int operate(struct set *set, const struct sembuf *operations, size_t count)
{
	unsigned short values[SEMAPHORES];
	memcpy(values, set->values, sizeof values);
	for (size_t i = 0; i < count; i++) {
		unsigned short *value = &values[operations[i].sem_num];
		if (operations[i].sem_op == 0 ? *value != 0 : *value + operations[i].sem_op < 0)
			return (int)i;
		if (*value + operations[i].sem_op > MOST_VALUE)
			return -2;
		*value = (unsigned short)(*value + operations[i].sem_op);
	}
	memcpy(set->values, values, sizeof values);
	return -1;
}

/* What the operations are wrong in; 0 if they may be tried. */
static int wrong(const struct set *set, const struct sembuf *operations, size_t count)
{
	if (!set->exists)
		return EINVAL;
	for (size_t i = 0; i < count; i++)
		if (operations[i].sem_num >= set->count)
			return EFBIG;
	return 0;
}

/* Let all calls try again that wait in the set. */
static void wake(struct set *set)
{
	for (struct waiter *waiter = set->waiters; waiter; waiter = waiter->next)
		waiter->woken = 1;
	set->changed = 0;
	__bitspin_order_before(set);
}

static void leave_list(struct set *set, const struct waiter *waiter)
{
	struct waiter **at = &set->waiters;
	while (*at != waiter)
		at = &(*at)->next;
	*at = waiter->next;
}

/* Wait until the set has changed.  semop() is no cancellation point. */
static int wait_for_change(struct set *set, int timed)
{
	struct waiter waiter = { 0, set->waiters };
	struct waited waited = { &waiter.woken, 1 };
	int state;
	set->waiters = &waiter;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	UNLOCKED;
	int result = __bitspin_await(&waited, 1, (const void *)&set->changed, AWAIT_FAILS | (timed ? AWAIT_TIMED : 0), A_SET);
	leave_list(set, &waiter);
	pthread_setcancelstate(state, NULL);
	return result > 0 ? 0 : result < 0 ? EINTR : EAGAIN;
}

/* Wait, with the section left meanwhile, until it is worth while to try operation `op` again, which cannot be done.  0, or an error
 * number. */
static int wait_in_set(struct set *set, const struct sembuf *op, int timed)
{
	unsigned short *waiting = &(op->sem_op ? set->increase : set->zero)[op->sem_num];
	int removed = set->removed;
	if (op->sem_flg & IPC_NOWAIT)
		return EAGAIN;
	++*waiting;
	int error = wait_for_change(set, timed);
	if (removed != set->removed)
		return EIDRM;
	--*waiting;
	return error;
}

int semtimedop(int id, struct sembuf *operations, size_t count, const struct timespec *length)
{
	struct set *set = set_of(id);
	struct sembuf own[SEMAPHORES];
	long begin = length ? __bitspin_clock_passed() : 0;
	int stuck = 0;
	if (!set)
		return -1;
	if (count == 0 || count > SEMAPHORES)
		return fail(count ? E2BIG : EINVAL);
	if (length && !__bitspin_is_duration(length))
		return fail(EINVAL);
	memcpy(own, operations, count * sizeof *own);
	LOCKED;
	int error = wrong(set, own, count);
	while (!error && (stuck = operate(set, own, count)) >= 0)
		error = wait_in_set(set, &own[stuck], length != NULL);
	if (!error && stuck == -2)
		error = ERANGE;
	if (!error) {
		__bitspin_order_after(set);
		wake(set);
	}
	UNLOCKED;
	if (error == EAGAIN && length && !(own[stuck].sem_flg & IPC_NOWAIT))
		__bitspin_clock_reach(begin + length->tv_sec * 1000000000 + length->tv_nsec);
	return error ? fail(error) : 0;
}

int semop(int id, struct sembuf *operations, size_t count)
{
	return semtimedop(id, operations, count, NULL);
}

static int remove_set(struct set *set)
{
	int removed = set->removed + 1;
	memset(set->values, 0, sizeof set->values);
	memset(set->increase, 0, sizeof set->increase);
	memset(set->zero, 0, sizeof set->zero);
	set->exists = 0;
	set->key = 0;
	set->count = 0;
	set->removed = removed;
	return 0;
}

union argument {
	int value;
	struct semid_ds *stat;
	unsigned short *values;
};

/* Do what semctl() does to a set that exists, in a section, where `values` are the section's.  The result, or minus an error
 * number. */
static int control(struct set *set, int number, int command, union argument argument)
{
	int of_one = command == GETVAL || command == SETVAL || command == GETNCNT || command == GETZCNT || command == GETPID;
	if (of_one && (number < 0 || (unsigned)number >= set->count))
		return -EINVAL;
	switch (command) {
	case GETVAL: return set->values[number];
	case GETNCNT: return set->increase[number];
	case GETZCNT: return set->zero[number];
	case GETPID: return getpid();
	case SETVAL:
		if (argument.value < 0 || argument.value > MOST_VALUE)
			return -ERANGE;
		set->values[number] = (unsigned short)argument.value;
		return 0;
	case GETALL: memcpy(argument.values, set->values, set->count * sizeof *set->values); return 0;
	case SETALL: memcpy(set->values, argument.values, set->count * sizeof *set->values); return 0;
	case IPC_STAT: return (int)set->count;
	case IPC_SET: return 0;
	case IPC_RMID: return remove_set(set);
	default: return -EINVAL;
	}
}

int semctl(int id, int number, int command, ...)
{
	struct set *set = set_of(id);
	union argument argument = { .values = NULL };
	if (!set)
		return -1;
	if (command == SETVAL || command == GETALL || command == SETALL || command == IPC_STAT || command == IPC_SET) {
		va_list arguments;
		va_start(arguments, command);
		argument = va_arg(arguments, union argument);
		va_end(arguments);
	}
	unsigned short values[SEMAPHORES] = { 0 }, *others = argument.values;
	LOCKED;
	unsigned many = set->count;
	UNLOCKED;
	if (command == SETALL)
		memcpy(values, others, many * sizeof *values);
	if (command == SETALL || command == GETALL)
		argument.values = values;
	LOCKED;
	int result = set->exists ? control(set, number, command, argument) : -EINVAL;
	__bitspin_order_after(set);
	if (command == SETVAL || command == SETALL || command == IPC_RMID)
		wake(set);
	UNLOCKED;
	if (command == GETALL && result >= 0)
		memcpy(others, values, many * sizeof *values);
	if (command == IPC_STAT && result >= 0) {
		memset(argument.stat, 0, sizeof *argument.stat);
		argument.stat->sem_nsems = (unsigned long)result;
		result = 0;
	}
	return result < 0 ? fail(-result) : result;
}
