/* SPDX-License-Identifier: MIT
 *
 * Message queues (mqueue.h) and sets of semaphores (sys/sem.h) of the one process there is.  A lock and a condition variable make
 * each call one step, and let it wait.
 */
#include "library.h"

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

enum { QUEUES = 8, OPEN = 16, FIRST = 512, MOST_MESSAGES = 256, ROOM = 10 * 8192, NAME = 256 };

struct message {
	unsigned size, priority;
};

static struct queue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
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
static pthread_mutex_t names = PTHREAD_MUTEX_INITIALIZER;

static struct queue *named(const char *name)
{
	for (int i = 0; i < QUEUES; i++)
		if (queues[i].name[0] && strcmp(queues[i].name, name) == 0)
			return &queues[i];
	return NULL;
}

/* Make a queue; with the lock of names. */
static struct queue *make(const char *name, const struct mq_attr *attributes)
{
	long most = attributes ? attributes->mq_maxmsg : 10, size = attributes ? attributes->mq_msgsize : 8192;
	if (most <= 0 || size <= 0) {
		errno = EINVAL;
		return NULL;
	}
	if (most > MOST_MESSAGES || most * size > ROOM)
		__bitspin_refuse("a message queue has more than 256 messages, or more than 80 KB");
	for (int i = 0; i < QUEUES; i++)
		if (!queues[i].name[0] && !queues[i].opened) {
			strcpy(queues[i].name, name);
			queues[i].most = most;
			queues[i].size = size;
			return &queues[i];
		}
	__bitspin_refuse("more than 8 message queues exist");
}

static struct queue *found_or_made(const char *name, int flags, const struct mq_attr *attributes)
{
	struct queue *queue = named(name);
	if (queue && (flags & O_CREAT) && (flags & O_EXCL))
		errno = EEXIST;
	else if (queue)
		return queue;
	else if (!(flags & O_CREAT))
		errno = ENOENT;
	else
		return make(name, attributes);
	return NULL;
}

mqd_t mq_open(const char *name, int flags, ...)
{
	const struct mq_attr *attributes = NULL;
	if (flags & O_CREAT) {
		va_list arguments;
		va_start(arguments, flags);
		(void)va_arg(arguments, mode_t);
		attributes = va_arg(arguments, const struct mq_attr *);
		va_end(arguments);
	}
	if (name[0] != '/' || !name[1])
		return fail(EINVAL);
	if (strlen(name) >= NAME)
		__bitspin_refuse("the name of a message queue has more than 255 characters");
	pthread_mutex_lock(&names);
	int place = 0;
	while (place < OPEN && opened[place].queue)
		place++;
	if (place == OPEN)
		__bitspin_refuse("message queues are open 16 times");
	struct queue *queue = found_or_made(name, flags, attributes);
	if (queue) {
		opened[place].queue = queue;
		opened[place].flags = flags & (O_ACCMODE | O_NONBLOCK);
		queue->opened++;
	}
	pthread_mutex_unlock(&names);
	return queue ? FIRST + place : -1;
}

/* Forget what is in a queue that has neither a name nor descriptors. */
static void settle(struct queue *queue)
{
	if (queue->opened || queue->name[0])
		return;
	queue->count = 0;
	queue->most = queue->size = 0;
	memset(queue->messages, 0, sizeof queue->messages);
	memset(queue->bytes, 0, sizeof queue->bytes);
}

int mq_close(mqd_t mq)
{
	if (mq < FIRST || mq >= FIRST + OPEN)
		return fail(EBADF);
	pthread_mutex_lock(&names);
	struct queue *queue = opened[mq - FIRST].queue;
	opened[mq - FIRST].queue = NULL;
	opened[mq - FIRST].flags = 0;
	if (queue) {
		queue->opened--;
		settle(queue);
	}
	pthread_mutex_unlock(&names);
	return queue ? 0 : fail(EBADF);
}

int mq_unlink(const char *name)
{
	pthread_mutex_lock(&names);
	struct queue *queue = named(name);
	if (queue) {
		memset(queue->name, 0, NAME);
		settle(queue);
	}
	pthread_mutex_unlock(&names);
	return queue ? 0 : fail(ENOENT);
}

/* Return the queue that `mq` names, for reading (`how` is O_RDONLY), writing or anything (-1), and whether calls wait; NULL and
 * errno if it names none. */
static struct queue *queue_of(mqd_t mq, int how, int *waits)
{
	struct queue *queue = NULL;
	if (mq >= FIRST && mq < FIRST + OPEN) {
		pthread_mutex_lock(&names);
		int access = opened[mq - FIRST].flags & O_ACCMODE;
		if (how < 0 || access == O_RDWR || access == how)
			queue = opened[mq - FIRST].queue;
		*waits = !(opened[mq - FIRST].flags & O_NONBLOCK);
		pthread_mutex_unlock(&names);
	}
	if (!queue)
		errno = EBADF;
	return queue;
}

int mq_getattr(mqd_t mq, struct mq_attr *attributes)
{
	int waits;
	struct queue *queue = queue_of(mq, -1, &waits);
	if (!queue)
		return -1;
	pthread_mutex_lock(&queue->lock);
	*attributes = (struct mq_attr){ .mq_flags = waits ? 0 : O_NONBLOCK,
					.mq_maxmsg = queue->most,
					.mq_msgsize = queue->size,
					.mq_curmsgs = queue->count };
	pthread_mutex_unlock(&queue->lock);
	return 0;
}

int mq_setattr(mqd_t mq, const struct mq_attr *attributes, struct mq_attr *before)
{
	if (before && mq_getattr(mq, before) < 0)
		return -1;
	if (mq < FIRST || mq >= FIRST + OPEN)
		return fail(EBADF);
	pthread_mutex_lock(&names);
	opened[mq - FIRST].flags = (opened[mq - FIRST].flags & ~O_NONBLOCK) | (attributes->mq_flags & O_NONBLOCK);
	pthread_mutex_unlock(&names);
	return 0;
}

/* Wait, with the lock, until the queue has changed.  0, or an error number. */
static int wait_for_change(struct queue *queue, int waits, const struct timespec *until)
{
	if (!waits)
		return EAGAIN;
	if (!until)
		return pthread_cond_wait(&queue->changed, &queue->lock);
	if (until->tv_nsec < 0 || until->tv_nsec >= 1000000000)
		return EINVAL;
	return pthread_cond_timedwait(&queue->changed, &queue->lock, until);
}

static void release(void *lock)
{
	pthread_mutex_unlock(lock);
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
	int waits, error = 0;
	struct queue *queue = queue_of(mq, O_WRONLY, &waits);
	if (!queue)
		return -1;
	if (priority >= PRIORITIES)
		return fail(EINVAL);
	pthread_mutex_lock(&queue->lock);
	pthread_cleanup_push(release, &queue->lock);
	if ((long)size > queue->size)
		error = EMSGSIZE;
	while (!error && queue->count == (unsigned long)queue->most)
		error = wait_for_change(queue, waits, until);
	if (!error) {
		insert(queue, bytes, size, priority);
		pthread_cond_broadcast(&queue->changed);
	}
	pthread_cleanup_pop(1);
	return error ? fail(error) : 0;
}

int mq_send(mqd_t mq, const char *bytes, size_t size, unsigned priority)
{
	return mq_timedsend(mq, bytes, size, priority, NULL);
}

/* Take the first message out, and return its size. */
static ssize_t take(struct queue *queue, char *to, unsigned *priority)
{
	struct message first = queue->messages[0];
	memcpy(to, queue->bytes, first.size);
	if (priority)
		*priority = first.priority;
	queue->count--;
	memmove(queue->messages, queue->messages + 1, queue->count * sizeof *queue->messages);
	memmove(queue->bytes, queue->bytes + queue->size, queue->count * (size_t)queue->size);
	queue->messages[queue->count] = (struct message){ 0, 0 };
	memset(queue->bytes + queue->count * queue->size, 0, (size_t)queue->size);
	return first.size;
}

ssize_t mq_timedreceive(mqd_t mq, char *to, size_t size, unsigned *priority, const struct timespec *until)
{
	int waits, error = 0;
	ssize_t taken = 0;
	struct queue *queue = queue_of(mq, O_RDONLY, &waits);
	if (!queue)
		return -1;
	pthread_mutex_lock(&queue->lock);
	pthread_cleanup_push(release, &queue->lock);
	if ((long)size < queue->size)
		error = EMSGSIZE;
	while (!error && queue->count == 0)
		error = wait_for_change(queue, waits, until);
	if (!error) {
		taken = take(queue, to, priority);
		pthread_cond_broadcast(&queue->changed);
	}
	pthread_cleanup_pop(1);
	return error ? fail(error) : taken;
}

ssize_t mq_receive(mqd_t mq, char *to, size_t size, unsigned *priority)
{
	return mq_timedreceive(mq, to, size, priority, NULL);
}

/* ---- sets of semaphores ------------------------------------------------------------------------------------------------ */

enum { SETS = 4, SEMAPHORES = 16, MOST_VALUE = 32767, ID = 100 };

static struct set {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int exists, removed; /* removed: how often a set here has been, so that who waits finds out */
	key_t key;
	unsigned count;
	unsigned short values[SEMAPHORES], increase[SEMAPHORES], zero[SEMAPHORES]; /* zero, increase: how many threads wait for that */
} sets[SETS];

int semget(key_t key, int count, int flags)
{
	int id = -1, error = 0;
	if (count < 0)
		return fail(EINVAL);
	if (count > SEMAPHORES)
		__bitspin_refuse("a set has more than 16 semaphores");
	pthread_mutex_lock(&names);
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
	pthread_mutex_unlock(&names);
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

/* Wait until the set has changed, for operation `op` that cannot be done.  0, or an error number. */
static int wait_in_set(struct set *set, const struct sembuf *op, const struct timespec *until)
{
	unsigned short *waiting = &(op->sem_op ? set->increase : set->zero)[op->sem_num];
	int removed = set->removed;
	if (op->sem_flg & IPC_NOWAIT)
		return EAGAIN;
	++*waiting;
	int error = until ? pthread_cond_timedwait(&set->changed, &set->lock, until) : pthread_cond_wait(&set->changed, &set->lock);
	if (removed != set->removed)
		return EIDRM;
	--*waiting;
	return error == ETIMEDOUT ? EAGAIN : error;
}

int semtimedop(int id, struct sembuf *operations, size_t count, const struct timespec *length)
{
	struct set *set = set_of(id);
	struct timespec until = { 0, 0 };
	int stuck = 0;
	if (!set)
		return -1;
	if (count == 0 || count > SEMAPHORES)
		return fail(count ? E2BIG : EINVAL);
	if (length) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec += length->tv_sec + (until.tv_nsec + length->tv_nsec) / 1000000000;
		until.tv_nsec = (until.tv_nsec + length->tv_nsec) % 1000000000;
	}
	pthread_mutex_lock(&set->lock);
	int error = wrong(set, operations, count);
	while (!error && (stuck = operate(set, operations, count)) >= 0)
		error = wait_in_set(set, &operations[stuck], length ? &until : NULL);
	if (!error && stuck == -2)
		error = ERANGE;
	if (!error)
		pthread_cond_broadcast(&set->changed);
	pthread_mutex_unlock(&set->lock);
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

/* Do what semctl() does to a set that exists.  The result, or minus an error number. */
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
	case IPC_STAT:
		memset(argument.stat, 0, sizeof *argument.stat);
		argument.stat->sem_nsems = set->count;
		return 0;
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
	pthread_mutex_lock(&set->lock);
	int result = set->exists ? control(set, number, command, argument) : -EINVAL;
	if (command == SETVAL || command == SETALL || command == IPC_RMID)
		pthread_cond_broadcast(&set->changed);
	pthread_mutex_unlock(&set->lock);
	return result < 0 ? fail(-result) : result;
}
