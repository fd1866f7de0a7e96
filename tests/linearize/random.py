#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Random small objects for `bitspin linearize`: operations of a few steps on shared numbers, locks and semaphores, often broken.
# All executions are enumerated here, without any reduction, and each history is checked by the algorithm of Wing and Gong ("Testing
# and verifying concurrent objects", 1993) against what the operations do in one piece; a history that ends with blocked
# operations, by definition 3 of Line-Up.  The verdict of the command must be the same.
#
#     usage: tests/linearize/random.py BITSPIN [--count N] [--seed N] [--options 'OPTION...'] [--condition NAME] [--keep DIR]
import argparse
import os
import random
import subprocess
import sys
import tempfile

# ---- objects ---------------------------------------------------------------------------------------------------------------
# A step is a tuple; `a` is the operation's local variable, which it returns.

STEPS = {
    'load': 'a = {0};',
    'store': '{0} = a + {1};',
    'set': '{0} = {1};',
    'add': 'a = {0}++;',
    'swap': 'a = atomic_exchange(&{0}, {1});',
    'cas': '{{ int e = a; a = atomic_compare_exchange_strong(&{0}, &e, a + 1) ? a + 1 : -1; }}',
    'lock': 'pthread_mutex_lock(&{0});',
    'unlock': 'pthread_mutex_unlock(&{0});',
    'wait': 'sem_wait(&{0});',
    'post': 'sem_post(&{0});',
    'leave': 'if (a < {0}) return a;',
}


def random_operation(rng):
    steps = []
    for _ in range(rng.randint(1, 3)):
        var = rng.choice('xy')
        kind = rng.choice(['load', 'store', 'store', 'add', 'set', 'swap', 'cas', 'leave', 'load'])
        if kind in ('store', 'set', 'swap'):
            steps.append((kind, var, rng.randint(0, 2)))
        elif kind == 'leave':
            steps.append((kind, rng.randint(0, 2)))
        else:
            steps.append((kind, var))
    way = rng.random()
    if way < 0.45 and not any(s[0] == 'leave' for s in steps):
        steps = [('lock', 'm')] + steps + [('unlock', 'm')]
        if rng.random() < 0.35:  # break it: cut the section in two, or begin it late
            at = rng.randint(1, len(steps) - 1)
            steps = steps[:at] + [('unlock', 'm'), ('lock', 'm')] + steps[at:]
        elif rng.random() < 0.1:
            steps.pop()  # nobody gets the lock any more
    elif way < 0.6:
        steps.insert(rng.randint(0, len(steps)), (rng.choice(['wait', 'post']), 's'))
    return steps


def random_object(rng):
    operations = [random_operation(rng) for _ in range(rng.randint(1, 3))]
    while True:
        threads = [[rng.randrange(len(operations)) for _ in range(rng.randint(1, 2))] for _ in range(rng.randint(2, 3))]
        if sum(len(operations[o]) + 1 for t in threads for o in t) <= 16:
            return operations, threads, rng.randint(0, 1)
        operations[rng.randrange(len(operations))] = random_operation(rng)


def c_text(operations, semaphore):
    out = ['#include <pthread.h>', '#include <semaphore.h>', '#include <stdatomic.h>', 'static atomic_int x, y;',
           'static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;', 'static sem_t s;',
           'int ready(void) { return sem_init(&s, 0, %d); }' % semaphore]
    for n, steps in enumerate(operations):
        out.append('int op%d(void)\n{\n\tint a = 0;' % n)
        out += ['\t' + STEPS[s[0]].format(*s[1:]) for s in steps]
        out.append('\treturn a;\n}')
    return '\n'.join(out) + '\n'


# ---- executions ------------------------------------------------------------------------------------------------------------
# A state: x, y, the thread that holds m (or None), the count of s.

def step(state, thread, a, s):
    """Return the state and `a` after a step, and whether the operation returns; None if the step has to wait."""
    x, y, holder, count = state
    v = {'x': x, 'y': y}
    kind = s[0]
    leaves = False
    if kind == 'load':
        a = v[s[1]]
    elif kind == 'store':
        v[s[1]] = a + s[2]
    elif kind == 'set':
        v[s[1]] = s[2]
    elif kind == 'add':
        a = v[s[1]]
        v[s[1]] += 1
    elif kind == 'swap':
        a, v[s[1]] = v[s[1]], s[2]
    elif kind == 'cas':
        if v[s[1]] == a:
            a = v[s[1]] = a + 1
        else:
            a = -1
    elif kind == 'lock':
        if holder is not None:
            return None
        holder = thread
    elif kind == 'unlock':
        holder = None
    elif kind == 'wait':
        if count == 0:
            return None
        count -= 1
    elif kind == 'post':
        count += 1
    elif kind == 'leave':
        leaves = a < s[1]
    return (v['x'], v['y'], holder, count), a, leaves


def whole(operations, state, thread, number):
    """Run an operation in one piece.  Return the state and the result; None if it is stuck."""
    a = 0
    for s in operations[number]:
        after = step(state, thread, a, s)
        if after is None:
            return None
        state, a, leaves = after
        if leaves:
            break
    return state, a


def histories(operations, threads, start):
    """Yield the histories of all executions: of each operation (thread, index) its result, and which had returned when it was
    called; and the operations that are blocked in the end."""
    seen = set()
    found = set()
    # of each thread: operation, step, a; results, and what had returned before each call
    todo = [(start, tuple((0, 0, 0) for _ in threads), ())]
    while todo:
        node = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        state, places, events = node
        moved = False
        done = frozenset((e[1], e[2]) for e in events if e[0] == 'r')
        for t, (o, at, a) in enumerate(places):
            if o == len(threads[t]):
                continue
            steps = operations[threads[t][o]]
            called = events if at else events + (('c', t, o, done, sum(e[0] == 'c' for e in events) == len(done)),)
            after = step(state, t, a, steps[at])
            if after is None:
                continue
            moved = True
            new, b, leaves = after
            if leaves or at + 1 == len(steps):
                place = (o + 1, 0, 0)
                called += (('r', t, o, b),)
            else:
                place = (o, at + 1, b)
            # only which operations had returned matters of the order of events
            todo.append((new, places[:t] + (place,) + places[t + 1:], tuple(sorted(called, key=repr))))
        if moved:
            continue
        blocked = []
        for t, (o, at, _) in enumerate(places):
            if o < len(threads[t]):
                blocked.append((t, o))
                if at == 0:
                    events += (('c', t, o, done, False),)
        found.add((frozenset(events), tuple(blocked)))
    return found


# ---- Wing and Gong ---------------------------------------------------------------------------------------------------------

def explained(operations, threads, start, events, blocked, condition):
    before = {(e[1], e[2]): e[3] for e in events if e[0] == 'c'}
    results = {(e[1], e[2]): e[3] for e in events if e[0] == 'r'}
    # what had returned when a call was made while no operation was under way: what comes after that call comes after all of it
    periods = [e[3] for e in events if e[0] == 'c' and e[4]]

    def follows(op):
        """Which operations must take effect before this one?"""
        mine = frozenset((op[0], i) for i in range(op[1]))
        if condition == 'quiescent':
            return frozenset().union(*(p for p in periods if p <= before[op]))
        return mine if condition == 'sequential' else before[op] | mine

    def search(state, done, last, seen):
        """Can what has returned take effect from here, and then, `last` be stuck?"""
        if (state, done) in seen:
            return False
        seen.add((state, done))
        if len(done) == len(results) and (last is None or whole(operations, state, last[0], threads[last[0]][last[1]]) is None):
            return True
        for op, result in results.items():
            if op in done or not follows(op) <= done:
                continue
            after = whole(operations, state, op[0], threads[op[0]][op[1]])
            if after and after[1] == result and search(after[0], done | {op}, last, seen):
                return True
        return False

    return all(search(start, frozenset(), last, set()) for last in (blocked or [None]))


def is_right(operations, threads, semaphore, condition):
    start = (0, 0, None, semaphore)
    return all(explained(operations, threads, start, events, blocked, condition)
               for events, blocked in histories(operations, threads, start))


# ---- the command -----------------------------------------------------------------------------------------------------------

def verdict_of(bitspin, path, threads, options):
    argv = [bitspin, 'linearize', '-q', '--setup', 'ready()'] + options
    for calls in threads:
        argv += ['--thread', '; '.join('op%d()' % o for o in calls)]
    out = subprocess.run(argv + [path], capture_output=True, text=True, timeout=120)
    last = out.stdout.strip().split('\n')[-1]
    if out.returncode == 0 and last.startswith(('linearizable: ', 'sequentially consistent: ', 'quiescently consistent: ')):
        return True, last
    if out.returncode == 1 and last.startswith('violated: not-linearizable'):
        return False, last
    return None, ' '.join(argv) + ': ' + last + out.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('bitspin')
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--options', default='')
    parser.add_argument('--condition', default='linearizable')
    parser.add_argument('--keep', default='.')
    args = parser.parse_args()
    options = args.options.split()
    if args.condition != 'linearizable':
        options += ['--condition', args.condition]
    right = wrong = 0
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, 'object.c')
        for seed in range(args.seed, args.seed + args.count):
            operations, threads, semaphore = random_object(random.Random(seed))
            with open(path, 'w') as file:
                file.write(c_text(operations, semaphore))
            expected = is_right(operations, threads, semaphore, args.condition)
            verdict, line = verdict_of(args.bitspin, path, threads, options)
            if verdict is not expected:
                kept = os.path.join(args.keep, 'linearize-%d.c' % seed)
                with open(kept, 'w') as file:
                    file.write('/* --setup ready() %s */\n' % ' '.join(
                        "--thread '%s'" % '; '.join('op%d()' % o for o in t) for t in threads) + c_text(operations, semaphore))
                print('seed %d (kept in %s): the histories are %s, but: %s' % (seed, kept, 'right' if expected else 'wrong', line))
                return 1
            right += expected
            wrong += not expected
    print('%d objects are linearizable, %d are not, as the command says' % (right, wrong))
    return 0 if right and wrong else 1


if __name__ == '__main__':
    sys.exit(main())
