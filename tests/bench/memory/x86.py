# SPDX-License-Identifier: MIT
#
# Random programs of accesses of several sizes to the same bytes, copies of structures, blocks, calls, fences and locked instructions:
# bitspin's outcomes under --memory tso against a machine with store buffers that is written anew here.  Its buffers may be flushed at
# any moment, and all its states are visited; bitspin's are flushed on demand (runtime/memory/buffers.h).
#
#     usage: x86.py BITSPIN COUNT [FIRST [OPTIONS...]]       options of bitspin
#            x86.py --show SEED

import os
import random
import sys
from multiprocessing import Pool
from types import SimpleNamespace

from compare import ask, compare

# Shared memory is two structures of 8 bytes, and two words for locked instructions.  An operation is one of
#
#     ('put', at, size, value)        ('get', at, size, r)            a store and a load
#     ('xput', at, value)             ('add', at, r)  ('cas', at, expected, value, r)      locked instructions on a word
#     ('copy', to, from, parts)       ('move', to, from, parts)       parts: a list of sizes
#     ('fill', to, byte, parts)       ('block', to, from, size)       block: of a length that is not known: memory at once
#     ('fence', text)                 ('call', text)                  a call touches nothing that is shared
#     ('own', text)                   a locked instruction on memory of the thread's own
#     ('give', value, value)          own memory is set, its address is stored in a pointer, it is set again
#     ('take', r)                     ... and is read through the pointer: 9 where that is null
SIZE, POINTER = 24, 24
FENCES = ['__asm__ volatile("mfence" ::: "memory");', '__sync_synchronize();', 'atomic_thread_fence(memory_order_seq_cst);',
          '__asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");']
CALLS = ['sched_yield();', 'free(malloc(8));', '(void)atoi("17");', '{ char t[4]; strcpy(t, "abc"); }', '(void)twice(3);',
         '{ struct parts a = { { 1 } }, b; b = a; (void)b; }']
NOTHING = ['atomic_thread_fence(memory_order_acq_rel);', '__asm__ volatile("" ::: "memory");']
OWN = ['{ atomic_int l = 0; atomic_fetch_add_explicit(&l, 1, memory_order_relaxed); }', '{ int l = 0, v = 1; __asm__ volatile('
       '"xchgl %0,%1" : "+r"(v), "+m"(l) :: "memory"); }']
TYPES = {1: 'char', 2: 'short', 4: 'int', 8: 'long'}


class Maker:
    def __init__(self, seed):
        self.random, self.registers = random.Random(seed), 0

    def register(self):
        self.registers += 1
        return 'r%d' % self.registers

    def access(self):
        rnd = self.random
        size = rnd.choice([1, 4, 4, 4, 2, 8]) if self.mixed else 4
        return rnd.choice([at for at in range(0, 16 if self.wide else 8, size)]), size

    def event(self):
        rnd, choice = self.random, self.random.random()
        if choice < 0.34:
            return ('put', *self.access(), rnd.choice([1, 2]))
        if choice < 0.64:
            return ('get', *self.access(), self.register())
        if choice < 0.74:
            return rnd.choice([('fence', rnd.choice(FENCES)), ('call', rnd.choice(CALLS + NOTHING)), ('own', rnd.choice(OWN))])
        if choice < 0.82:
            at = rnd.choice([0, 4, 16, 20])
            return rnd.choice([('add', at, self.register()), ('xput', at, rnd.choice([1, 2])),
                               ('cas', at, rnd.choice([0, 1]), 2, self.register())])
        if choice < 0.96:
            parts = rnd.choice([[4, 4], [4, 4], [1] * rnd.choice([2, 8])]) if self.mixed else [4, 4]
            to = rnd.choice([0, 8])
            return rnd.choice([('copy', to, 8 - to, parts), ('fill', to, rnd.choice([0, 1]), parts), ('move', 4, 0, [4, 4]),
                               ('move', 0, 4, [4, 4]), ('block', to, 8 - to, 8)])
        return rnd.choice([('give', 1, 2), ('take', self.register())])

    def make(self):
        rnd = self.random
        self.mixed, self.wide = rnd.random() < 0.5, rnd.random() < 0.4
        return [[self.event() for _ in range(n)] for n in rnd.choice([(3, 3), (3, 3), (4, 3), (2, 2, 2), (3, 2, 2)])]


# ---- the machine -------------------------------------------------------------------------------------------------------------
#
# An operation is made of the steps ('store', at, bytes), ('load', at, size, r), ('lock', function of memory, r), ('fence',).  Loaded
# values are in a thread's registers; a store's bytes may be a register's name.  Own memory that is given is bytes POINTER + 8 on.


def steps_of(op):
    kind = op[0]
    if kind == 'put':
        return [('store', op[1], value_of(op[3], op[2]))]
    if kind == 'get':
        return [('load', op[1], op[2], op[3])]
    if kind == 'xput':
        return [('lock', op, None)]
    if kind in ('add', 'cas', 'block'):
        return [('lock', op, op[-1] if kind != 'block' else None)]
    if kind == 'fill':
        return [('store', op[1] + at, bytes([op[2]] * size)) for at, size in places(op[3])]
    if kind in ('copy', 'move'):
        loads = [('load', op[2] + at, size, '%d' % at) for at, size in places(op[3])]
        stores = [('store', op[1] + at, '%d' % at) for at, size in places(op[3])]
        return loads + stores if kind == 'move' else [step for pair in zip(loads, stores) for step in pair]
    if kind in ('fence', 'own'):
        return [('fence',)]
    if kind == 'call':
        return []
    if kind == 'give':
        return [('store', POINTER + 8, bytes([op[1]])), ('store', POINTER, b'\1'), ('store', POINTER + 8, bytes([op[2]]))]
    return [('load', POINTER, 1, 'pointer'), ('unless', 'pointer', op[1], 9), ('load', POINTER + 8, 1, op[1])]


def places(parts):
    return [(sum(parts[:i]), size) for i, size in enumerate(parts)]


def value_of(value, size):
    return value.to_bytes(size, 'little')


def locked(op, memory):
    """What a locked instruction does, and the value it reads."""
    memory = bytearray(memory)
    if op[0] == 'block':
        memory[op[1]:op[1] + op[3]] = memory[op[2]:op[2] + op[3]]
        return bytes(memory), None
    old = bytes(memory[op[1]:op[1] + 4])
    number = int.from_bytes(old, 'little')
    new = op[2] if op[0] == 'xput' else (number + 1) % 2**32 if op[0] == 'add' else op[3] if number == op[2] else number
    memory[op[1]:op[1] + 4] = value_of(new, 4)
    return bytes(memory), old


class TooLarge(Exception):
    pass


def outcomes_of(program, most=60000):
    threads = [[step for op in ops for step in steps_of(op)] for ops in program]
    names = [(t, op[-1]) for t, ops in enumerate(program) for op in ops if op[0] in ('get', 'add', 'cas', 'take')]
    first = (bytes(POINTER + 9), tuple(() for _ in threads), tuple(0 for _ in threads), tuple(() for _ in threads))
    seen, stack, outcomes = {first}, [first], set()
    while stack:
        state = stack.pop()
        if len(seen) > most:
            raise TooLarge
        for following in successors(threads, *state):
            if following not in seen:
                seen.add(following)
                stack.append(following)
        memory, buffers, counters, registers = state
        if not any(buffers) and all(counters[t] == len(threads[t]) for t in range(len(threads))):
            values = [int.from_bytes(dict(registers[t])[r], 'little') for t, r in names]
            outcomes.add(tuple(values) + tuple(memory[:SIZE]))
    return outcomes


def with_item(items, t, item):
    return items[:t] + (item,) + items[t + 1:]


def successors(threads, memory, buffers, counters, registers):
    for t, steps in enumerate(threads):
        if buffers[t]:
            at, data = buffers[t][0]
            yield memory[:at] + data + memory[at + len(data):], with_item(buffers, t, buffers[t][1:]), counters, registers
        if counters[t] == len(steps):
            continue
        step, after, own = steps[counters[t]], with_item(counters, t, counters[t] + 1), dict(registers[t])

        def with_register(name, data):
            return with_item(registers, t, tuple(sorted({**own, name: data}.items()))) if name else registers
        if step[0] == 'store':
            data = own[step[2]] if isinstance(step[2], str) else step[2]
            yield memory, with_item(buffers, t, buffers[t] + ((step[1], data),)), after, registers
        elif step[0] == 'load':
            data = loaded(memory, buffers[t], step[1], step[2])
            if data is not None:
                yield memory, buffers, after, with_register(step[3], data)
        elif step[0] == 'unless':
            null = own[step[1]] == b'\0'
            yield memory, buffers, with_item(after, t, after[t] + null), with_register(step[2], bytes([step[3]])) if null else registers
        elif not buffers[t]:
            new, old = locked(step[1], memory) if step[0] == 'lock' else (memory, None)
            yield new, buffers, after, with_register(step[2], old) if step[0] == 'lock' else registers


def loaded(memory, buffer, at, size):
    """None: the load waits until the store that has some of the bytes is in memory."""
    for start, data in reversed(buffer):
        if start < at + size and at < start + len(data):
            within = start <= at and at + size <= start + len(data)
            return data[at - start:at - start + size] if within else None
    return memory[at:at + size]


# ---- the program in C --------------------------------------------------------------------------------------------------------


def place(at, size=4):
    return '*(volatile %s *)(m.bytes + %d)' % (TYPES[size], at)


def word(at):
    return '(atomic_int *)(void *)(m.bytes + %d)' % at


def structure(at, parts):
    return '(*(struct %s *)(m.bytes + %d))' % ('bytes%d' % len(parts) if parts[0] == 1 else 'words', at)


def statement(op):
    kind = op[0]
    if kind == 'put':
        return '%s = %d;' % (place(op[1], op[2]), op[3])
    if kind == 'get':
        return '%s = (unsigned long)(unsigned %s)%s;' % (op[3], TYPES[op[2]], place(op[1], op[2]))
    if kind == 'xput':
        return 'atomic_store(%s, %d);' % (word(op[1]), op[2])
    if kind == 'add':
        return '%s = (unsigned)atomic_fetch_add_explicit(%s, 1, memory_order_relaxed);' % (op[2], word(op[1]))
    if kind == 'cas':
        return '{ int e = %d; atomic_compare_exchange_strong_explicit(%s, &e, %d, memory_order_relaxed, memory_order_relaxed); ' \
            '%s = (unsigned)e; }' % (op[2], word(op[1]), op[3], op[4])
    if kind == 'copy':
        return '%s = %s;' % (structure(op[1], op[3]), structure(op[2], op[3]))
    if kind == 'move':
        return '__builtin_memmove(&m.words[%d], &m.words[%d], 8);' % (op[1] // 4, op[2] // 4)
    if kind == 'fill':
        return '__builtin_memset(&%s, %d, %d);' % (structure(op[1], op[3]), op[2], sum(op[3]))
    if kind == 'block':
        return 'memcpy(m.bytes + %d, m.bytes + %d, eight);' % (op[1], op[2])
    if kind == 'give':
        return '{ volatile char *own = malloc(1); *own = %d; given = own; *own = %d; }' % (op[1], op[2])
    if kind == 'take':
        return '{ volatile char *there = given; %s = there ? (unsigned long)*there : 9; }' % op[1]
    return op[1]


def source(program, outcomes):
    """Return the text, and the lines of the outcomes; the line after the last is that of any other outcome."""
    registers = [op[-1] for ops in program for op in ops if op[0] in ('get', 'add', 'cas', 'take')]
    lines = ['#include <assert.h>', '#include <pthread.h>', '#include <sched.h>', '#include <stdatomic.h>', '#include <stdlib.h>',
             '#include <string.h>', '', 'struct words { int a, b; };', 'struct bytes2 { char c[2]; };', 'struct bytes8 { char c[8]; };',
             'struct parts { int c[40]; };', 'static union { char bytes[24]; int words[6]; long longs[3]; } m;',
             'static volatile char *volatile given;', 'static volatile size_t eight = 8;']
    lines += ['static unsigned long %s;' % r for r in registers]
    lines += ['', 'static int twice(int n) { return 2 * n; }']
    for t, ops in enumerate(program):
        own = [op[-1] for op in ops if op[0] in ('get', 'add', 'cas', 'take')]
        lines += ['', 'static void *thread%d(void *unused)' % t, '{'] + ['\tunsigned long %s_ = 0;' % r for r in own]
        for op in ops:
            text = statement(op[:-1] + (op[-1] + '_',) if op[-1] in own else op)
            lines.append('\t' + text)
        lines += ['\t%s = %s_;' % (r, r) for r in own] + ['\treturn unused;', '}']
    lines += ['', 'int main(void)', '{', '\tpthread_t threads[%d];' % len(program), '\tunsigned long all = 0;', '\t(void)twice(1);']
    lines += ['\tpthread_create(&threads[%d], NULL, thread%d, NULL);' % (t, t) for t in range(len(program))]
    lines += ['\tpthread_join(threads[%d], NULL);' % t for t in range(len(program))]
    values = registers + ['(unsigned char)m.bytes[%d]' % i for i in range(SIZE)]
    lines += ['\tall = all * 1000003 + %s;' % value for value in values]
    where = {}
    for outcome in sorted(outcomes):
        number = 0
        for value in outcome:
            number = (number * 1000003 + value) % 2**64
        lines.append('\tif (all == %du) assert(!"known");' % number)
        where[len(lines)] = outcome
    lines += ['\tassert(!"unknown");', '}', '']
    return '\n'.join(lines), where, len(lines) - 2


# ---- comparing ---------------------------------------------------------------------------------------------------------------


def judge(seed):
    program = Maker(seed).make()
    try:
        outcomes = outcomes_of(program)
    except TooLarge:
        return 'skip', 'too large'
    if len(outcomes) > 60:
        return 'skip', 'too many outcomes'
    text, where, unknown = source(program, outcomes)
    return compare(ask(text, options), SimpleNamespace(racy=False), where, unknown)


def one(seed):
    return (seed, *judge(seed))


def main():
    if sys.argv[1] == '--show':
        program = Maker(int(sys.argv[2])).make()
        print(source(program, outcomes_of(program))[0])
        return 0
    count, first = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    results = {'ok': 0, 'skip': 0, 'FAIL': 0}
    with Pool(int(os.environ.get('JOBS', '2'))) as pool:
        for seed, result, why in pool.imap_unordered(one, range(first, first + count)):
            results[result] += 1
            if result == 'FAIL':
                print('FAIL %d: %s' % (seed, why), flush=True)
    print('%d programs from seed %d on, %d too large' % (count, first, results['skip']))
    print('%d passed, %d failed' % (results['ok'], results['FAIL']))
    return results['FAIL'] > 0 or results['ok'] == 0


options = ['--memory', 'tso:16'] + sys.argv[4:]
if __name__ == '__main__':
    sys.exit(main())
