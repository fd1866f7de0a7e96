/* SPDX-License-Identifier: MIT
 *
 * A counterexample as a model: its events, the lanes of its threads, the arrows between them, and what the variables hold after
 * each event.  Nothing here knows of the page.
 */
'use strict';

const BLOCK = 8;         /* bytes; the last writes are kept by such pieces of an object */
const WIDE = 32768;      /* bytes; larger writes are kept as a whole */
const CHECKPOINT = 200;  /* events between two copies of all values */

/* Kinds of arrows: what the reader is told of them. */
const ARROWS = {
  create: 'creates the thread',
  join: 'ends, and is waited for',
  lock: 'gives the lock back, and the other thread takes it',
  wake: 'wakes the other thread',
  reads: 'writes the value that the other thread reads',
  waits: 'waits for what the other thread holds',
  race: 'the other access of a data race',
};

/* Actions whose detail speaks for itself; the others' names come before it. */
const SPEAKING = new Set(['read', 'write', 'atomic', 'exit', 'call', 'fault', 'blocked', 'holds', 'omitted']);

function eventText(event) {
  const detail = event.detail || '';
  return SPEAKING.has(event.action) ? detail : (event.action + ' ' + detail).trim();
}

/* "OBJECT:OFFSET" */
function placeOf(event) {
  const [object, offset] = (event.address || '').split(':');
  return { object, offset: Number(offset) };
}

/* Who wrote which bytes of an object last. */
class LastWrites {
  constructor() {
    this.blocks = new Map();
    this.wide = [];
  }

  static* blocksOf(low, high) {
    for (let b = Math.floor(low / BLOCK); b * BLOCK < high; b++)
      yield b;
  }

  write(low, high, index, value) {
    if (high - low > WIDE) {
      this.wide.push({ low, high, index, value });
      return;
    }
    for (const b of LastWrites.blocksOf(low, high)) {
      const all = low <= b * BLOCK && high >= (b + 1) * BLOCK;
      const entry = { low, high, index, value };
      if (all || !this.blocks.has(b))
        this.blocks.set(b, [entry]);
      else
        this.blocks.set(b, this.blocks.get(b).filter(e => e.low < low || e.high > high).concat(entry));
    }
  }

  /* The latest write that meets [low, high), or undefined. */
  latest(low, high) {
    const blocks = [...LastWrites.blocksOf(low, Math.min(high, low + WIDE))].map(b => this.blocks.get(b) || []);
    let found;
    for (const entries of [this.wide, ...blocks])
      for (const e of entries)
        if (e.low < high && e.high > low && (!found || e.index > found.index))
          found = e;
    return found;
  }
}

/* Looks at the events once, in order, and finds the arrows. */
class Arrows {
  constructor(trace) {
    this.trace = trace;
    this.found = [];
    this.forget();
  }

  forget() {
    this.writes = new Map();    /* object -> LastWrites */
    this.released = new Map();  /* address -> index of the event that gave a lock back */
    this.posted = new Map();    /* address -> index of the last signal of a semaphore */
    this.holders = new Map();   /* address -> index of the event that took the lock */
    this.expected = new Map();  /* thread -> arrows that end at its next event */
    this.ended = new Map();     /* thread -> index of its end */
  }

  add(kind, from, to) {
    const { events } = this.trace;
    if (from !== undefined && from !== to && events[from].thread !== events[to].thread)
      this.found.push({ kind, from, to });
  }

  expect(kind, from, thread) {
    this.expected.set(thread, (this.expected.get(thread) || []).concat({ kind, from }));
  }

  access(event, index) {
    const { object, offset } = placeOf(event);
    const high = offset + (event.bytes || 1);
    if (!this.writes.has(object))
      this.writes.set(object, new LastWrites());
    const writes = this.writes.get(object);
    if (!event.write || event.action === 'atomic') {
      const last = writes.latest(offset, high);
      const known = last && last.value !== undefined && !event.write && last.low === offset && last.high === high;
      if (last && (!known || last.value === event.value)) /* else what was written in between is not told */
        this.add('reads', last.index, index);
    }
    if (event.write)
      writes.write(offset, high, index, event.value);
  }

  look(event, index) {
    const { action, address, thread } = event;
    if (action === 'omitted')
      return this.forget();
    if (action !== 'blocked' && action !== 'fault') {
      for (const { kind, from } of this.expected.get(thread) || [])
        this.add(kind, from, index);
      this.expected.delete(thread);
    }
    if (action === 'create' && event.to !== undefined)
      this.expect('create', index, event.to);
    else if (action === 'exit')
      this.ended.set(thread, index);
    else if (action === 'join' && event.write)
      this.add('join', this.ended.get(event.to), index);
    if (action === 'signal')
      for (const woken of event.woken || (event.to === undefined ? [] : [event.to]))
        this.expect('wake', index, woken);
    if (action === 'blocked')
      this.add('waits', this.holders.get(address), index);
    if (event.releases) {
      this.released.set(event.releases, index);
      this.holders.delete(event.releases);
    }
    if (address === undefined)
      return;
    if (action === 'lock' && event.write) {
      this.add('lock', this.released.get(address), index);
      this.holders.set(address, index);
    } else if (action === 'unlock') {
      this.released.set(address, index);
      this.holders.delete(address);
    } else if (action === 'signal' && event.write) {
      this.posted.set(address, index);
    } else if (action === 'wait' && event.write) {
      this.add('wake', this.posted.get(address), index);
    } else if (action === 'allocate') {
      this.writes.delete(placeOf(event).object);
    } else if (action === 'read' || action === 'write' || action === 'atomic') {
      this.access(event, index);
    }
  }
}

class Trace {
  constructor(violation) {
    this.violation = violation;
    this.events = violation.trace || [];
    this.hasRelevant = this.events.some(e => e.relevant);
    this.findLoop();
    this.findThreads();
    const arrows = new Arrows(this);
    this.events.forEach((event, index) => arrows.look(event, index));
    this.findRace(arrows);
    this.arrows = arrows.found.sort((a, b) => a.to - b.to);
    this.findHolds();
    this.checkpoints = [];
  }

  /* Where the loop of a lasso begins; -1: there is none. */
  findLoop() {
    const { loop } = this.violation;
    this.loop = loop ? this.events.findIndex(e => e.step >= loop) : -1;
  }

  /* Threads, in order, with their lives: a slot may be used again. */
  findThreads() {
    const threads = new Map(), names = new Map();
    const at = (number, index) => {
      if (!threads.has(number))
        threads.set(number, { number, name: number === 0 ? 'main' : '', lives: [] });
      const thread = threads.get(number), last = thread.lives[thread.lives.length - 1];
      if (!last || last.ended)
        thread.lives.push({ born: index, end: index, ended: false });
      return thread;
    };
    this.events.forEach((event, index) => {
      if (event.action === 'omitted')
        return;
      if (event.action === 'create' && event.to !== undefined) {
        names.set(event.to, (/to run (\S+)$/.exec(event.detail) || [])[1] || '');
        at(event.to, index).name = names.get(event.to);
      }
      const thread = at(event.thread, index), life = thread.lives[thread.lives.length - 1];
      life.end = index;
      life.ended = event.action === 'exit';
    });
    for (const { lives } of threads.values())
      if (!lives[lives.length - 1].ended)
        lives[lives.length - 1].end = this.events.length - 1;
    this.threads = [...threads.values()].sort((a, b) => a.number - b.number);
    this.lane = new Map(this.threads.map((t, i) => [t.number, i]));
  }

  /* The other access of a race: the latest event of its thread on its line that is about what the message names. */
  findRace(arrows) {
    const { other, message } = this.violation, last = this.events.length - 1;
    for (let i = last; other && i >= 0; i--) {
      const { thread, line, file, object } = this.events[i];
      if (thread === other.thread && line === other.line && file === other.file && object && message.includes(` of ${object} `))
        return arrows.add('race', i, last);
    }
  }

  /* From where to where a thread holds any lock. */
  findHolds() {
    const held = new Map(); /* thread -> Map(address -> how often) */
    const since = new Map();
    this.holds = [];
    const change = (thread, address, by, index) => {
      if (!held.has(thread))
        held.set(thread, new Map());
      const locks = held.get(thread), before = locks.size;
      const times = (locks.get(address) || 0) + by;
      if (times > 0)
        locks.set(address, times);
      else
        locks.delete(address);
      if (!before && locks.size)
        since.set(thread, index);
      else if (before && !locks.size)
        this.holds.push({ thread, from: since.get(thread), to: index });
    };
    const forget = index => {
      for (const [thread, locks] of held)
        if (locks.size)
          this.holds.push({ thread, from: since.get(thread), to: index });
      held.clear();
    };
    this.events.forEach((event, index) => {
      const { action, address, thread } = event;
      if (action === 'omitted') /* nobody knows who holds what after it */
        forget(Math.max(0, index - 1));
      else if (action === 'lock' && event.write && address)
        change(thread, address, 1, index);
      else if (action === 'unlock' && address)
        change(thread, address, -1, index);
      if (event.releases)
        change(thread, event.releases, -1, index);
    });
    forget(this.events.length - 1);
  }

  /* Who holds which locks and who waits on what after event `index`, as sentences. */
  standing(index) {
    const held = new Map(), waits = new Map(), words = [];
    const of = thread => held.get(thread) || held.set(thread, new Map()).get(thread);
    for (const { action, address, object, thread, write, releases, detail } of this.events.slice(0, index + 1)) {
      waits.delete(thread);
      if (action === 'omitted')
        held.clear();
      else if (action === 'lock' && write && address)
        of(thread).set(address, object || '?');
      else if (action === 'unlock' && address)
        of(thread).delete(address);
      if (releases)
        of(thread).delete(releases);
      if (action === 'blocked' || (action === 'wait' && !/ is over| does not begin|times out/.test(detail || '')))
        waits.set(thread, action === 'blocked' ? detail : `waits on ${object || '?'}`);
    }
    for (const [thread, locks] of held)
      if (locks.size)
        words.push(`thread ${thread} holds ${[...locks.values()].join(', ')}`);
    for (const [thread, what] of waits)
      words.push(`thread ${thread} ${what}`);
    return words;
  }

  /* The events up to `index` at which the variable of that name was accessed, or locked. */
  historyOf(name, index) {
    return this.events.slice(0, index + 1).flatMap((event, at) => event.object === name ? [at] : []);
  }

  arrowsAt(index) {
    return this.arrows.filter(a => a.from === index || a.to === index);
  }

  /* Does another thread go on at this event? */
  isSwitch(index) {
    return index > 0 && this.events[index].thread !== this.events[index - 1].thread;
  }

  /* The next event from `index` on in a direction at which the thread changes; the end if there is none. */
  nextSwitch(index, direction) {
    const last = this.events.length - 1;
    for (let i = index + direction; i > 0 && i <= last; i += direction)
      if (this.isSwitch(i))
        return i;
    return direction > 0 ? last : 0;
  }

  /* The next event in a direction that the violation depends on; the same if there is none. */
  nextRelevant(index, direction) {
    for (let i = index + direction; this.events[i]; i += direction)
      if (this.events[i].relevant)
        return i;
    return index;
  }

  /* One event on: after the last event of a loop comes its first. */
  after(index) {
    const last = this.events.length - 1;
    return index < last ? index + 1 : this.loop >= 0 ? this.loop : last;
  }

  /* The latest event of each thread, up to an event. */
  positions(index) {
    const places = new Map();
    for (let i = index; i >= 0 && places.size < this.threads.length && i > index - 5000; i--)
      if (!places.has(this.events[i].thread) && this.events[i].line && this.events[i].action !== 'omitted')
        places.set(this.events[i].thread, i);
    return places;
  }

  apply(values, index) {
    const event = this.events[index], { action, address, thread } = event;
    const put = (key, name, value) => {
      const old = values.get(key);
      values.set(key, { name, value, thread, index, changed: !old || old.value !== value ? index : old.changed });
    };
    if (action === 'omitted')
      values.clear();
    if (event.releases && values.has(event.releases))
      put(event.releases, values.get(event.releases).name, 'free');
    if (address === undefined)
      return;
    const { object, offset } = placeOf(event), high = offset + (event.bytes || 1);
    const others = meets => {
      for (const [key, entry] of values) {
        const [o, at] = key.split(':');
        if (o === object && meets(Number(at)))
          put(key, entry.name, action === 'free' ? 'freed' : '?');
      }
    };
    if (action === 'lock' && event.write)
      put(address, event.object, 'held by thread ' + thread);
    else if (action === 'unlock')
      put(address, event.object, 'free');
    else if (action === 'free')
      others(() => true);
    else if (action === 'allocate')
      for (const key of [...values.keys()].filter(k => k.startsWith(object + ':')))
        values.delete(key);
    else if (event.write && event.bytes && event.value === undefined)
      others(at => at >= offset && at < high);
    else if (event.value !== undefined)
      put(address, event.object, event.value);
  }

  /* What is known of each object after an event: Map(address -> { name, value, thread, index, changed }). */
  valuesAfter(index) {
    let from = Math.min(Math.floor(index / CHECKPOINT), this.checkpoints.length - 1);
    let values = from >= 0 ? new Map(this.checkpoints[from]) : new Map();
    for (let i = from >= 0 ? from * CHECKPOINT : 0; i <= index; i++) {
      if (i % CHECKPOINT === 0 && this.checkpoints.length === i / CHECKPOINT)
        this.checkpoints.push(new Map(values)); /* before event i */
      this.apply(values, i);
    }
    return values;
  }

  /* What the program has printed up to an event. */
  outputUpTo(index) {
    let text = '';
    for (let i = 0; i <= index; i++)
      if (this.events[i].action === 'output')
        text += this.events[i].detail;
    return text;
  }
}
