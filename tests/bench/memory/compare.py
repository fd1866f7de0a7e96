# SPDX-License-Identifier: MIT
#
# Random programs with atomics of all orders: bitspin's outcomes under --memory c11 against the axioms (rc11.py).  Each outcome of the
# axioms is an assertion that fails at a line of its own, and any other one fails at the last: with --all, bitspin must report the
# lines of the former and not the latter.
#
# With MODEL=tso in the environment, the same for x86 under --memory tso.  With STYLE=chain (or another one of STYLES), programs of
# that style only; chain: release sequences of several links, with fences.
#
# With RULES=off, each program is also checked without the rules of the canonical form of states (runtime/memory/rule.def): without
# all of them, and without one, in turn.  The outcomes must be the same; the last lines say how many states each rule saves.
#
# Stories are not made short here: each outcome has one, and a program with hundreds would take minutes (seed 1629 has 257
# outcomes and 16,837 states: 8 s of CPU for the states, 25 s for short stories).
#
#     usage: compare.py BITSPIN COUNT [FIRST [OPTIONS...]]       options of bitspin
#            compare.py --show SEED

import json
import os
import random
import subprocess
import sys
import tempfile
from multiprocessing import Pool

from rc11 import X86, Explorer, Graph, Program, TooLarge

ORDERS = {'x': 'relaxed', 'a': 'acquire', 'r': 'release', 'b': 'acq_rel', 's': 'seq_cst'}
MODEL = os.environ.get('MODEL', 'c11')
GRAPHS = {'c11': Graph, 'tso': X86}
LIMIT = 250  # seconds for a program
RULES = ['drop', 'later', 'joins', 'own', 'merge', 'marks', 'pending', 'known', 'hidden']  # the words of rule.def
STYLE = os.environ.get('STYLE')
STYLES = [STYLE] if STYLE else ['cycle', 'mix', 'sequence', 'fences', 'locks', 'publish', 'strong', 'total', 'hops', 'hops']


# ---- programs ---------------------------------------------------------------------------------------------------------------


class Maker:
    """Makes the program of a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.style = STYLES[seed % len(STYLES)]
        self.registers = 0

    def register(self):
        self.registers += 1
        return 'r%d' % self.registers

    def order(self, kind):
        orders = {'load': 'xas', 'store': 'xrs', 'change': 'xarbs', 'fence': 'arbs'}[kind]
        if self.style in ('sequence', 'publish', 'locks'):
            orders = orders.replace('s', '') or orders
        if self.style == 'strong':
            orders = orders.replace('x', '')
        if self.style == 'total' and self.random.random() < 0.7:
            return 's'
        if self.style == 'fences' and kind != 'fence' and self.random.random() < 0.7:
            return 'x'
        return self.random.choice(orders)

    def event(self, place):
        choice, rnd = self.random.random(), self.random
        if choice < 0.38:
            return ('store', place, rnd.randint(1, 2), self.order('store'))
        if choice < 0.76:
            return ('load', place, self.order('load'), self.register())
        if choice < 0.86:
            return ('add', place, self.order('change'), self.register())
        if choice < 0.92:
            return ('xchg', place, rnd.randint(1, 2), self.order('change'), self.register())
        return ('cas', place, rnd.choice([0, 0, 1]), 2, self.order('change'), self.order('load'), self.register())

    def thread(self, places, length):
        ops = []
        fences = {'fences': 0.5, 'sequence': 0.25, 'publish': 0.2}.get(self.style, 0.15)
        for k in range(length):
            if k and self.random.random() < fences:
                ops.append(('fence', self.order('fence')))
            ops.append(self.event(self.random.choice(places)))
        return ops

    def make(self):
        return getattr(self, 'make_' + self.style, self.make_mix)()

    def make_cycle(self):
        """Threads around a cycle of locations, as in litmus tests."""
        count = self.random.choice([2, 2, 3, 3, 4])
        places = 'xyz'[:min(count, self.random.choice([2, 3]))]
        threads = []
        for t in range(count):
            ops = [self.event(places[t % len(places)])]
            if count < 4:
                if self.random.random() < 0.3:
                    ops.append(('fence', self.order('fence')))
                ops.append(self.event(places[(t + 1) % len(places)]))
            threads.append(ops)
        return Program([[]] + threads)

    make_fences = make_cycle

    def weak(self, kind):
        strong = {'load': 'a', 'store': 'r', 'change': 'b'}[kind]
        return 's' if self.random.random() < self.of_total else self.random.choice(['x', 'x', strong])

    def short(self, kind, place):
        if kind == 'load':
            return ('load', place, self.weak('load'), self.register())
        if kind == 'store':
            return ('store', place, self.random.randint(1, 2), self.weak('store'))
        return ('add', place, self.weak('change'), self.register())

    def make_hops(self):
        """Threads around a cycle, with seq_cst fences, linked by what need not synchronize: where fences, or seq_cst accesses beside
        them, need not happen in the order S."""
        rnd, threads = self.random, []
        self.of_total = rnd.choice([0, 0, 0.3, 0.5])
        count, last = rnd.choice([2, 3, 3, 3, 4]), None
        places = rnd.choice(['xy', 'xyz', 'xyz'])
        for t in range(count):
            here, there = places[t % len(places)], places[(t + 1) % len(places)]
            last = rnd.choice(['store', 'load', 'change'] if last is None else ['load', 'load', 'store', 'change'])
            ops = [self.short(last, here)]
            if rnd.random() < 0.6:
                ops.append(('fence', 's'))
            last = rnd.choice(['load', 'store', 'store', 'change'])
            ops.append(self.short(last, there))
            if count < 3 or rnd.random() < 0.15:
                ops += [('fence', 's')] * (rnd.random() < 0.3) + [self.short(rnd.choice(['load', 'store']), rnd.choice(places))]
            threads.append(ops)
        return Program([[]] + threads)

    def make_mix(self):
        places = 'xyz'[:self.random.choice([1, 2, 2, 3])]
        lengths = self.random.choice([(3, 3), (4, 2), (2, 2, 2), (3, 2, 1)])
        before, main = 0, []
        if self.random.random() < 0.3:
            before = 1
            main = [self.event(self.random.choice(places))]
        after = 0
        if self.random.random() < 0.3:
            after = 1
            main = main + [self.event(self.random.choice(places))]
        return Program([main] + [self.thread(places, length) for length in lengths], before, after)

    def make_sequence(self):
        """Release sequences: what is behind a release is continued by read-modify-writes of others, then acquired."""
        first = [('write', 'd', 1)]
        if self.random.random() < 0.5:
            first += [('fence', 'r'), ('store', 'x', 1, self.random.choice('xr'))]
        else:
            first += [('store', 'x', 1, self.random.choice('xrr'))]
        if self.random.random() < 0.3:
            first.append(('store', 'x', 2, 'x'))
        middle = [self.random.choice([('add', 'x', self.random.choice('xarb'), self.register()),
                                      ('cas', 'x', 1, 2, self.random.choice('xarb'), 'x', self.register()),
                                      ('store', 'x', 2, self.random.choice('xr'))])]
        if self.random.random() < 0.3:
            middle.append(('add', 'x', self.random.choice('xb'), self.register()))
        seen = self.register()
        last = [('load', 'x', self.random.choice('xaa'), seen)]
        if self.random.random() < 0.5:
            last.append(('fence', self.random.choice('aab')))
        last += [('skip', 1, seen, self.random.choice([1, 2, 2, 3])), ('read', 'd', self.register())]
        return Program([[], first, middle, last])

    def make_chain(self):
        """Release sequences of several links, each by another thread or the same, with fences and data at any link."""
        rnd = self.random
        first = [('write', 'd', 1)]
        if rnd.random() < 0.4:
            first.append(('fence', rnd.choice('rrab')))
        first.append(('store', 'x', 1, rnd.choice('xr')))
        if rnd.random() < 0.25:
            first.append(rnd.choice([('add', 'x', rnd.choice('xr'), self.register()), ('store', 'x', 1, 'x')]))
        threads = [first]
        for _ in range(rnd.choice([1, 1, 2])):
            link = []
            own = rnd.random() < 0.3
            if own:
                link.append(('write', 'e', 1))
            if rnd.random() < 0.3:
                link.append(('fence', rnd.choice('rab')))
            seen = self.register()
            link.append(rnd.choice([('add', 'x', rnd.choice('xxarb'), seen), ('xchg', 'x', 2, rnd.choice('xarb'), seen),
                                    ('cas', 'x', 1, 2, rnd.choice('xarb'), rnd.choice('xa'), seen)]))
            if rnd.random() < 0.3:
                link.append(('fence', rnd.choice('aarb')))
            if not own and rnd.random() < 0.3:
                link += [('skip', 1, seen, 1), ('read', 'd', self.register())]
            threads.append(link)
        seen = self.register()
        last = [('load', 'x', rnd.choice('xaa'), seen) if rnd.random() < 0.7 else ('add', 'x', rnd.choice('xa'), seen)]
        if rnd.random() < 0.5:
            last.append(('fence', rnd.choice('aarb')))
        last += [('skip', 1, seen, rnd.choice([1, 2, 2, 3])), ('read', rnd.choice('dde'), self.register())]
        return Program([[]] + threads + [last])

    def make_publish(self):
        first = [('write', 'd', 1)] + self.thread('xy', 2)
        other = self.thread('xy', 2)
        loads = [op for op in other if op[0] in ('load', 'add')]
        if loads:
            other += [('skip', 1, loads[-1][-1], self.random.choice([1, 2])), ('read', 'd', self.register())]
        return Program([[], first, other])

    def make_locks(self):
        threads = []
        for _ in range(self.random.choice([2, 2, 3])):
            ops = self.thread('xy', 1)
            inside = [self.random.choice([('write', 'd', 1), ('read', 'd', self.register()), self.event('x')])]
            ops += [('lock', 'm')] + inside + [('unlock', 'm')]
            if self.random.random() < 0.3:
                ops += self.thread('xy', 1)
            threads.append(ops)
        return Program([[]] + threads)


# ---- the program in C --------------------------------------------------------------------------------------------------------


def order_of(letter):
    return 'memory_order_' + ORDERS[letter]


def failure_of(letter):
    return order_of(letter if letter in 'xas' else 'x')


def statement(op, atomic):
    kind = op[0]
    plain = '*(int *)&%s' if op[1] in atomic else '%s'
    if kind == 'load':
        return '%s = atomic_load_explicit(&%s, %s);' % (op[3], op[1], order_of(op[2]))
    if kind == 'store':
        return 'atomic_store_explicit(&%s, %d, %s);' % (op[1], op[2], order_of(op[3]))
    if kind == 'add':
        return '%s = atomic_fetch_add_explicit(&%s, 1, %s);' % (op[3], op[1], order_of(op[2]))
    if kind == 'xchg':
        return '%s = atomic_exchange_explicit(&%s, %d, %s);' % (op[4], op[1], op[2], order_of(op[3]))
    if kind == 'cas':
        return '%s = %d; atomic_compare_exchange_strong_explicit(&%s, &%s, %d, %s, %s);' % (
            op[6], op[2], op[1], op[6], op[3], order_of(op[4]), failure_of(op[5]))
    if kind == 'fence':
        return 'atomic_thread_fence(%s);' % order_of(op[1])
    if kind == 'read':
        return '%s = %s;' % (op[2], plain % op[1])
    if kind == 'write':
        return '%s = %d;' % (plain % op[1], op[2])
    if kind == 'lock':
        return 'pthread_mutex_lock(&%s);' % op[1]
    if kind == 'unlock':
        return 'pthread_mutex_unlock(&%s);' % op[1]
    raise ValueError(kind)


def body(program, thread, atomic, first=0, end=None):
    lines, skip = [], 0
    ops = program.threads[thread][first:end]
    for op in ops:
        if op[0] == 'skip':
            lines.append('\tif (%s == %d)' % (op[2], op[3]))
            skip = op[1] + 1
            continue
        if op[0] in ('load', 'add', 'xchg', 'cas', 'read') and skip <= 0:
            pass
        lines.append('\t' + ('\t' if skip == 1 else '') + statement(op, atomic))
        skip -= 1
    return lines


def source(program, outcomes):
    """Return the text, and the lines of the outcomes; the line after the last is that of any other outcome."""
    atomic = {op[1] for thread in program.threads for op in thread if op[0] in ('load', 'store', 'add', 'xchg', 'cas')}
    registers = program.registers()
    threads = range(1, len(program.threads))
    main = program.threads[0]
    lines = ['#include <assert.h>', '#include <pthread.h>', '#include <stdatomic.h>', '#include <stddef.h>', '']
    lines += ['static %s %s;' % ('atomic_int' if x in atomic else 'int', x) for x in program.places()]
    lines += ['static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;']
    lines += ['static int %s_;' % r for _, r in registers]
    for t in threads:
        own = [r for u, r in registers if u == t]
        lines += ['', 'static void *thread%d(void *unused)' % t, '{'] + ['\tint %s = 0;' % r for r in own]
        lines += body(program, t, atomic) + ['\t%s_ = %s;' % (r, r) for r in own] + ['\treturn unused;', '}']
    lines += ['', 'int main(void)', '{', '\tpthread_t threads[%d];' % len(program.threads)]
    own = [r for u, r in registers if u == 0]
    lines += ['\tint %s = 0;' % r for r in own] + body(program, 0, atomic, 0, program.before)
    lines += ['\tpthread_create(&threads[%d], NULL, thread%d, NULL);' % (t, t) for t in threads]
    lines += body(program, 0, atomic, program.before, len(main) - program.after)
    lines += ['\tpthread_join(threads[%d], NULL);' % t for t in threads]
    lines += body(program, 0, atomic, len(main) - program.after) + ['\t%s_ = %s;' % (r, r) for r in own]
    values = [r + '_' for _, r in registers] + [('*(int *)&%s' if x in atomic else '%s') % x for x in program.places()]
    lines.append('\tunsigned long all = 0;')
    lines += ['\tall = all * 8 + (unsigned long)%s;' % value for value in values]
    where = {}
    for outcome in sorted(outcomes):
        number = 0
        for value in outcome:
            number = number * 8 + value
        lines.append('\tif (all == %d) assert(!"known");' % number)
        where[len(lines)] = outcome
    lines += ['\tassert(!"unknown");', '}', '']
    return '\n'.join(lines), where, len(lines) - 2


# ---- comparing ---------------------------------------------------------------------------------------------------------------


def ask(text, options, without=()):
    with tempfile.NamedTemporaryFile('w', suffix='.c', delete=False) as file:
        file.write(text)
    try:
        done = subprocess.run([bitspin, 'check', '--all', '--story', 'full', '--cores', '1', '--max-time', str(LIMIT), '--json', '-',
                               *options, file.name], capture_output=True, text=True,
                              env={**os.environ, 'BITSPIN_RULES_OFF': ' '.join(without)})
        return json.loads(done.stdout)
    except ValueError:
        return {'violations': [], 'verdict': 'error', 'reason': done.stdout[-200:] + done.stderr[-200:]}
    finally:
        os.unlink(file.name)


def compare(report, axioms, where, unknown):
    """Compare a report with the axioms: the lines where outcomes are, and that of any other one."""
    found = [(v['kind'], v.get('line')) for v in report['violations']]
    if axioms.racy:
        return ('ok', 'racy') if any(kind == 'data-race' for kind, _ in found) else ('FAIL', 'a race is not found')
    if any(kind != 'assertion' for kind, _ in found):
        return 'FAIL', 'unexpected: %s' % found
    lines = {line for _, line in found}
    if unknown in lines:
        return 'FAIL', 'an outcome that the axioms forbid'
    missing = [outcome for line, outcome in where.items() if line not in lines]
    if missing and report.get('statistics', {}).get('seconds', 0) >= LIMIT:
        return 'skip', 'out of time'
    if missing:
        return 'FAIL', 'outcomes are missing: %s of %d (%s)' % (missing[:2], len(where), report.get('reason'))
    return 'ok', 'free'


def judge(seed):
    """Return what came out, why, and the states: with all rules, and by what was left out."""
    program = Maker(seed).make()
    try:
        axioms = Explorer(program, graph=GRAPHS[MODEL]).run()
    except TooLarge:
        return 'skip', 'too large', {}
    text, where, unknown = source(program, [] if axioms.racy else axioms.agreeing)
    parts = {'': []}
    if os.environ.get('RULES') == 'off':
        one = RULES[seed // len(STYLES) % len(RULES)]
        parts.update({one: [one], 'all': RULES})
    states, why = {}, ''
    for part, without in parts.items():
        report = ask(text, options, without)
        result, why = compare(report, axioms, where, unknown)
        if result != 'ok':
            return result, why + (', without rule: %s' % part if part else ''), {}
        states[part] = report['statistics']['states']
    return 'ok', why, states


def one(seed):
    return (seed, *judge(seed))


def tell_rules(all_states):
    """Print how many states there are with the rules, and without some."""
    for part in RULES + ['all']:
        pairs = [(states[''], states[part]) for states in all_states if part in states]
        if pairs:
            print('without %s: %d states in %d programs, %d with all rules; more in %d programs' % (
                part, sum(b for _, b in pairs), len(pairs), sum(a for a, _ in pairs), sum(b > a for a, b in pairs)))


def main():
    if sys.argv[1] == '--show':
        program = Maker(int(sys.argv[2])).make()
        print(source(program, Explorer(program).run().agreeing)[0])
        return 0
    count, first = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    results = {'ok': 0, 'skip': 0, 'FAIL': 0}
    racy, all_states = 0, []
    with Pool(int(os.environ.get('JOBS', '2'))) as pool:
        for seed, result, why, states in pool.imap_unordered(one, range(first, first + count)):
            results[result] += 1
            all_states += [states] if why == 'free' else []
            racy += why == 'racy'
            if result == 'FAIL':
                print('FAIL %d (%s): %s' % (seed, Maker(seed).style, why), flush=True)
    tell_rules(all_states)
    print('%d programs from seed %d on, %d racy, %d too large for the axioms or the time' % (count, first, racy, results['skip']))
    print('%d passed, %d failed' % (results['ok'], results['FAIL']))
    return results['FAIL'] > 0


bitspin = os.path.abspath(sys.argv[1])
options = ['--memory', MODEL + ':16'] + sys.argv[4:]
if __name__ == '__main__':
    sys.exit(main())
