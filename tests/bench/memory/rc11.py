# SPDX-License-Identifier: MIT
#
# The executions of small programs without loops under C11's memory model, by its axioms alone: RC11 (Lahav, Vafeiadis, Kang, Hur,
# Dreyer: Repairing sequential consistency in C/C++11, PLDI 2017, section 3), with the release sequences of C20.  An execution is a
# graph of events.  Graphs grow event by event, in any order that extends program order and reads-from: these have no cycle in RC11,
# and each prefix of a consistent execution is consistent.
#
# A program is a list of threads, a thread a list of
#
#     ('load', x, order, r)       ('store', x, value, order)      ('add', x, order, r)     ('xchg', x, value, order, r)
#     ('cas', x, expected, desired, order, order on failure, r)   r: what was there
#     ('fence', order)            ('read', d, r)  ('write', d, value)                      plain accesses
#     ('lock', m)  ('unlock', m)  ('skip', n, r, value)           pass over the next n operations unless r is value
#
# Locations and registers are strings.  An order is one of x (relaxed), a (acquire), r (release), b (acq_rel), s (seq_cst).
# Thread 0 starts the others after its first operations, as many as `before` says, and joins them before its last, `after`.

ACQUIRES, RELEASES = set('abs'), set('rbs')


class TooLarge(Exception):
    pass


class Event:
    __slots__ = ('thread', 'kind', 'place', 'order', 'reads', 'value', 'locked')

    # kind: R, W, U (a read-modify-write), F, L, K (lock, unlock), S, J (all others start; have ended), I (what was there at first);
    # reads: the number of the event that it reads from, of a lock: of the unlock before it; order n: it is plain
    def __init__(self, thread, kind, place=None, order='n', reads=None, value=None):
        self.thread, self.kind, self.place, self.order, self.reads, self.value = thread, kind, place, order, reads, value
        self.locked = False  # on x86, a compare-exchange that fails is a locked instruction, too


def bits(mask):
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def compose(a, b):
    result = []
    for mask in a:
        reached = 0
        for i in bits(mask):
            reached |= b[i]
        result.append(reached)
    return result


def union(*relations):
    return [__import__('functools').reduce(int.__or__, row) for row in zip(*relations)]


def closure(relation):
    relation = list(relation)
    for k in range(len(relation)):
        for i in range(len(relation)):
            if relation[i] >> k & 1:
                relation[i] |= relation[k]
    return relation


def has_cycle(relation):
    return any(row >> i & 1 for i, row in enumerate(closure(relation)))


def among(relation, mask):
    """The pairs of a relation both of whose ends are in a set."""
    return [row & mask if mask >> i & 1 else 0 for i, row in enumerate(relation)]


class Graph:
    """Events in an order that extends program order and reads-from, and the modification orders of locations."""

    def __init__(self, events, stores):
        self.events, self.stores = events, stores

    def program_order(self):
        events = self.events
        before = [0] * len(events)
        for i, a in enumerate(events):
            for j in range(i + 1, len(events)):
                b = events[j]
                if a.kind == 'I' or a.thread == b.thread:
                    before[i] |= 1 << j
                elif a.kind == 'S' or b.kind == 'J':
                    before[i] |= 1 << j
                elif b.kind == 'L' and a.kind == 'K' and a.place == b.place:
                    before[i] |= 1 << j
        return before

    def own_order(self):
        events = self.events
        return [sum(1 << j for j in range(i + 1, len(events)) if events[j].thread == a.thread or a.kind == 'I')
                for i, a in enumerate(events)]

    def synchronizes(self):
        events = self.events
        result = [0] * len(events)
        for j, read in enumerate(events):
            if read.reads is None or read.order == 'n' or read.kind == 'L':
                continue
            sinks = [j] if read.order in ACQUIRES else []
            sinks += [k for k in range(j + 1, len(events))
                      if events[k].thread == read.thread and events[k].kind == 'F' and events[k].order in ACQUIRES]
            head = read.reads
            while events[head].order != 'n':
                write = events[head]
                sources = [head] if write.order in RELEASES else []
                sources += [k for k in range(head)
                            if events[k].thread == write.thread and events[k].kind == 'F' and events[k].order in RELEASES]
                for source in sources:
                    for sink in sinks:
                        result[source] |= 1 << sink
                if write.kind != 'U':
                    break
                head = write.reads
        return result

    def communications(self):
        """Reads-from, modification order and from-reads; None if a read-modify-write is not behind what it reads."""
        events, n = self.events, len(self.events)
        rf, mo, fr, position = [0] * n, [0] * n, [0] * n, {}
        for stores in self.stores.values():
            for at, i in enumerate(stores):
                position[i] = at
                for j in stores[at + 1:]:
                    mo[i] |= 1 << j
        for j, event in enumerate(events):
            if event.reads is None or event.kind == 'L':
                continue
            rf[event.reads] |= 1 << j
            fr[j] |= mo[event.reads] & ~(1 << j)
            if event.kind == 'U' and position[j] != position[event.reads] + 1:
                return None
        return rf, mo, fr

    def judge(self):
        """None if the graph is inconsistent.  Else the pairs that race, whether S agrees with happens-before (C17 7.17.3), and
        whether seq_cst operations can happen in the order S."""
        events, n = self.events, len(self.events)
        found = self.communications()
        if found is None:
            return None
        sb, (rf, mo, fr) = self.own_order(), found
        hb = closure(union(self.program_order(), self.synchronizes()))
        eco = closure(union(rf, mo, fr))
        if any((hb[i] | compose(hb, eco)[i]) >> i & 1 for i in range(n)):
            return None
        total = sum(1 << i for i, e in enumerate(events) if e.order == 's')
        fences = sum(1 << i for i, e in enumerate(events) if e.order == 's' and e.kind == 'F')
        psc = self.psc(sb, hb, eco, mo, fr, total, fences)
        if has_cycle(psc):
            return None
        return self.races(hb), not has_cycle(union(psc, among(hb, total))), not has_cycle(union(psc, sb, rf))

    def psc(self, sb, hb, eco, mo, fr, total, fences):
        events, n = self.events, len(self.events)
        place = [sum(1 << j for j, e in enumerate(events) if e.place == a.place and e.kind in 'RWUI') if a.kind in 'RWUI' else 0
                 for a in events]
        elsewhere = [sb[i] & ~place[i] for i in range(n)]
        scb = union(sb, compose(compose(elsewhere, hb), elsewhere), [hb[i] & place[i] for i in range(n)], mo, fr)
        one = [1 << i for i in range(n)]
        left = [(one[i] | (hb[i] if fences >> i & 1 else 0)) if total >> i & 1 else 0 for i in range(n)]
        right = [(one[i] & total) | (hb[i] & fences) for i in range(n)]
        base = compose(compose(left, scb), right)
        between = [row & fences if fences >> i & 1 else 0
                   for i, row in enumerate(union(hb, compose(hb, compose(eco, hb))))]
        return union(base, between)

    def races(self, hb):
        events = self.events
        for i, a in enumerate(events):
            for j in range(i + 1, len(events)):
                b = events[j]
                if a.place is None or a.place != b.place or a.kind not in 'RWU' or b.kind not in 'RWU':
                    continue
                conflict = (a.kind != 'R' or b.kind != 'R') and 'n' in (a.order, b.order) and a.thread != b.thread
                if conflict and not (hb[i] >> j & 1 or hb[j] >> i & 1):
                    return True
        return False


class X86(Graph):
    """x86-TSO by axioms: what is kept of program order is all but a store before a later load (Alglave, Maranget, Tautschnig: Herding
    cats, TOPLAS 2014)."""

    def judge(self):
        events, n = self.events, len(self.events)
        found = self.communications()
        if found is None:
            return None
        rf, mo, fr = found
        external = [sum(1 << j for j in bits(row) if events[j].thread != events[i].thread) for i, row in enumerate(rf)]
        order = self.program_order()
        own = [sum(1 << j for j in bits(order[i]) if events[j].place == events[i].place and events[j].kind in 'RWU')
               if events[i].kind in 'RWUI' else 0 for i in range(n)]
        if has_cycle(union(own, rf, mo, fr)):
            return None
        if has_cycle(union([self.kept(i, order[i]) for i in range(n)], external, mo, fr)):
            return None
        return False, True, True

    def kept(self, i, later):
        """Of what comes later in program order, what memory sees later, too."""
        first, result = self.events[i], 0
        if first.kind == 'F' and first.order != 's':
            return 0
        delayed = first.kind == 'W' and first.order != 's'
        for j in bits(later):
            second = self.events[j]
            if second.kind == 'F' and second.order != 's':
                continue
            if delayed and second.kind == 'R' and not second.locked and second.thread == first.thread:
                continue
            result |= 1 << j
        return result


class Program:
    def __init__(self, threads, before=0, after=0):
        self.threads, self.before, self.after = threads, before, after

    def places(self):
        return sorted({op[1] for thread in self.threads for op in thread if op[0] not in ('fence', 'lock', 'unlock', 'skip')})

    def registers(self):
        return [(t, op[-1]) for t, thread in enumerate(self.threads) for op in thread
                if op[0] in ('load', 'add', 'xchg', 'cas', 'read')]


class Explorer:
    """All consistent executions of a program; outcomes: the values of registers and the last values of locations."""

    def __init__(self, program, most=20000, graph=Graph):
        self.program, self.most, self.graph, self.racy = program, most, graph, False
        self.all, self.agreeing, self.in_order = set(), set(), set()
        self.seen = set()

    def run(self):
        events = [Event(-1, 'I', place, 'n', None, 0) for place in self.program.places()]
        stores = {event.place: [i] for i, event in enumerate(events)}
        self.stack = [(events, stores, [0] * len(self.program.threads), [{} for _ in self.program.threads], {})]
        while self.stack and not self.racy:
            self.expand(*self.stack.pop())
        return self

    def may_go(self, thread, counters, events):
        program = self.program
        started = any(event.kind == 'S' for event in events)
        if thread:
            return started and counters[thread] < len(program.threads[thread])
        return counters[0] < len(program.threads[0])

    def expand(self, events, stores, counters, registers, held):
        program, moved = self.program, False
        last = len(program.threads[0]) - program.after
        others_done = all(counters[t] >= len(program.threads[t]) for t in range(1, len(program.threads)))
        kinds = {event.kind for event in events}
        if 'S' not in kinds and counters[0] >= program.before:
            self.add(events + [Event(0, 'S')], stores, counters, registers, held)
            return
        if 'S' in kinds and 'J' not in kinds and counters[0] >= last and others_done:
            self.add(events + [Event(0, 'J')], stores, counters, registers, held)
            return
        for thread in range(len(program.threads)):
            waits = thread == 0 and 'J' not in kinds and 'S' in kinds and counters[0] >= last
            if self.may_go(thread, counters, events) and not waits:
                moved = True
                self.take(thread, events, stores, counters, registers, held)
        if not moved and all(counters[t] >= len(program.threads[t]) for t in range(len(program.threads))):
            self.finish(events, stores, registers)

    def take(self, thread, events, stores, counters, registers, held):
        op = self.program.threads[thread][counters[thread]]
        kind, me = op[0], len(events)

        def go(event, reads=None, after=None, skip=0, now=held):
            new = dict(stores)
            if after is not None:
                order = list(stores[op[1]])
                order.insert(order.index(after) + 1, me)
                new[op[1]] = order
            count = list(counters)
            count[thread] += 1 + skip
            values = registers
            if reads is not None:
                values = list(registers)
                values[thread] = {**registers[thread], op[-1]: events[reads].value}
            self.add(events + [event] if event else events, new, count, values, now)

        if kind in ('load', 'read'):
            for w in stores[op[1]]:
                go(Event(thread, 'R', op[1], op[2] if kind == 'load' else 'n', w), w)
        elif kind in ('store', 'write'):
            for w in stores[op[1]]:
                go(Event(thread, 'W', op[1], op[3] if kind == 'store' else 'n', None, op[2]), None, w)
        elif kind in ('add', 'xchg', 'cas'):
            for w in stores[op[1]]:
                old = events[w].value
                if kind == 'cas' and old != op[2]:
                    failed = Event(thread, 'R', op[1], op[5], w)
                    failed.locked = True
                    go(failed, w)
                else:
                    new = old + 1 if kind == 'add' else op[2] if kind == 'xchg' else op[3]
                    go(Event(thread, 'U', op[1], op[2] if kind == 'add' else op[3] if kind == 'xchg' else op[4], w, new), w, w)
        elif kind == 'fence':
            go(Event(thread, 'F', None, op[1]))
        elif kind == 'lock':
            if op[1] not in held:
                go(Event(thread, 'L', op[1]), now={**held, op[1]: thread})
        elif kind == 'unlock':
            go(Event(thread, 'K', op[1]), now={m: t for m, t in held.items() if m != op[1]})
        elif kind == 'skip':
            go(None, skip=0 if registers[thread].get(op[2], 0) == op[3] else op[1])

    def add(self, events, stores, counters, registers, held):
        number, names = {}, []
        count = {}
        for i, event in enumerate(events):
            at = count[event.thread] = count.get(event.thread, 0) + 1
            number[i] = (event.thread, at)
        for i, event in enumerate(events):
            names.append((number[i], event.kind, event.place, event.order, number.get(event.reads), event.value))
        locks = tuple((m, tuple(number[i] for i, e in enumerate(events) if e.kind in 'LK' and e.place == m))
                      for m in sorted({e.place for e in events if e.kind in 'LK'}))
        key = (tuple(sorted(names, key=str)), tuple(sorted((x, tuple(number[i] for i in l)) for x, l in stores.items())), locks,
               tuple(counters))
        if key in self.seen:
            return
        self.seen.add(key)
        if len(self.seen) > self.most:
            raise TooLarge
        verdict = self.graph(events, stores).judge()
        if verdict is None:
            return
        self.racy = self.racy or (verdict[0] and verdict[1])
        self.stack.append((events, stores, counters, registers, held))

    def finish(self, events, stores, registers):
        verdict = self.graph(events, stores).judge()
        values = tuple(registers[t].get(r, 0) for t, r in self.program.registers())
        outcome = values + tuple(events[stores[x][-1]].value for x in self.program.places())
        self.all.add(outcome)
        if verdict[1]:
            self.agreeing.add(outcome)
        if verdict[2]:
            self.in_order.add(outcome)
