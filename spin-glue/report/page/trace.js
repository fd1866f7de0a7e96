/* SPDX-License-Identifier: MIT
 *
 * A counterexample as a model: its events, the lanes of its threads, the arrows between them, and what the variables hold after
 * each event.  Nothing here knows of the page.
 */
'use strict';

const BLOCK = 8;         /* bytes; the last writes are kept by such pieces of an object */
const WIDE = 32768;      /* bytes; larger writes are kept as a whole */
const CHECKPOINT = 200;  /* events between two copies of all values */

const WAIT_ENDS = / is (over|woken|timed out|cancelled|ended)| does not begin| times out| would block/; /* what an event `wait` says where the thread does not wait */

/* Kinds of arrows: what the reader is told of them. */
const ARROWS = {
  create: 'creates the thread',
  join: 'ends, and is waited for',
  lock: 'gives the lock back, and the other thread takes it',
  wake: 'wakes the other thread',
  reads: 'writes the value that the other thread reads',
  old: 'stored the older value that the other thread reads, or puts its own behind',
  delayed: 'stored what waits in a store buffer: the other thread misses it, or sees to it that it leaves the buffer',
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
    this.plain = new Map();     /* the same, of writes that are no messages of --memory c11 */
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

  writesOf(map, object) {
    return map.get(object) || map.set(object, new LastWrites()).get(object);
  }

  /* Under --memory c11 the event says which store it has met; 0: what was there before all of them. */
  meets(event, low, high, index) {
    const store = event.store ? this.trace.storeAt(event.store, event.address) :
      (this.writesOf(this.plain, placeOf(event).object).latest(low, high) || {}).index;
    if (!event.write || event.action === 'atomic' || event.stale)
      this.add(event.stale ? 'old' : 'reads', store, index);
  }

  access(event, index) {
    const { object, offset } = placeOf(event);
    const high = offset + (event.bytes || 1), writes = this.writesOf(this.writes, object);
    for (const step of event.waiting || [])
      this.add('delayed', this.trace.storeAt(step, event.address), index);
    if (event.store !== undefined)
      this.meets(event, offset, high, index);
    else if ((!event.write || event.action === 'atomic') && !event.stale) {
      const last = writes.latest(offset, high);
      const known = last && last.value !== undefined && !event.write && last.low === offset && last.high === high;
      if (last && (!known || last.value === event.value)) /* else what was written in between is not told */
        this.add('reads', last.index, index);
    }
    for (const map of event.write ? [this.writes, ...(event.store === undefined ? [this.plain] : [])] : [])
      this.writesOf(map, object).write(offset, high, index, event.value);
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
      this.plain.delete(placeOf(event).object);
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
    this.stores = new Map(); /* "STEP ADDRESS" -> the last event of the step that has written there */
    this.events.forEach(({ step, address, write, action }, index) => {
      if (write && address && action !== 'fault')
        this.stores.set(`${step} ${address}`, index);
    });
    const arrows = new Arrows(this);
    this.events.forEach((event, index) => arrows.look(event, index));
    this.findRace(arrows);
    this.arrows = arrows.found.sort((a, b) => a.to - b.to);
    this.findHolds();
    this.checkpoints = [];
    this.opened = new Set(); /* numbers of folded lines that the reader has opened */
    this.tellAll(false);
  }

  /* What a row of the timeline is about: each event has one, or each line of the story, as the text for people has them.
   * { first, last, at: the event that is chosen with the row, kind, text, note, marked }; text undefined: that of the event. */
  tellAll(all) {
    const { story } = this.violation, single = i => ({ first: i, last: i, at: i, kind: 'step' });
    this.all = all || !story || !story.length;
    this.rows = this.all ? this.events.map((_, i) => single(i)) : story.flatMap((line, number) => {
      if (line.kind === 'folded' && this.opened.has(number))
        return this.events.slice(line.first, line.last + 1).map((_, i) => single(line.first + i));
      return [{ ...line, number, at: line.kind === 'folded' ? line.first : this.tellingOf(line) }];
    });
    this.rowOfEvent = new Array(this.events.length).fill(0);
    this.rows.forEach((row, i) => {
      const next = this.rows[i + 1], end = next ? next.first : this.events.length;
      this.rowOfEvent.fill(i, row.first, Math.max(end, row.first));
    });
  }

  /* The event of a store; undefined: it is not told. */
  storeAt(step, address) {
    return this.stores.get(`${step} ${address}`);
  }

  /* The events of stores that are newer than the one that event `index` has met, and so not visible to its thread yet. */
  unseenAt(index) {
    const { newer, address } = this.events[index];
    return (newer || []).map(step => this.storeAt(step, address)).filter(at => at !== undefined);
  }

  /* The event of a line that is chosen with it: the last that the violation depends on, or else the last. */
  tellingOf({ first, last }) {
    for (let i = last; i >= first; i--)
      if (this.events[i].relevant)
        return i;
    return last;
  }

  rowOf(index) { return this.rowOfEvent[index]; }

  /* The event that is chosen where the reader asks for event `index`: another one if no line tells it. */
  toldFor(index) {
    const row = this.rows[this.rowOf(index)];
    return index > row.last ? row.at : index;
  }

  /* Has the row a thread, which stands there? */
  isStep(row) { return row.kind === 'step' || row.kind === 'output'; }

  threadOf(row) { return this.events[row.at].thread; }

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
      if (action === 'fault')
        continue;
      waits.delete(thread);
      if (action === 'omitted')
        held.clear();
      else if (action === 'lock' && write && address)
        of(thread).set(address, object || '?');
      else if (action === 'unlock' && address)
        of(thread).delete(address);
      if (releases)
        of(thread).delete(releases);
      if (action === 'blocked' || (action === 'wait' && !WAIT_ENDS.test(detail || '')))
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

  /* Does another thread go on in row `i`? */
  isSwitch(i) {
    return i > 0 && this.threadOf(this.rows[i]) !== this.threadOf(this.rows[i - 1]);
  }

  /* The event of the next row from that of event `index` on in a direction for which `fits` holds; -1: there is none. */
  nextRow(index, direction, fits) {
    for (let i = this.rowOf(index) + direction; this.rows[i]; i += direction)
      if (fits(this.rows[i], i))
        return this.rows[i].at;
    return -1;
  }

  /* The next row in a direction at which the thread changes; the end if there is none. */
  nextSwitch(index, direction) {
    const found = this.nextRow(index, direction, (row, i) => this.isSwitch(i));
    return found >= 0 ? found : direction > 0 ? this.events.length - 1 : 0;
  }

  isMarked(row) {
    return row.marked === undefined ? this.events[row.at].relevant : row.marked;
  }

  /* The next row in a direction that the violation depends on; the same if there is none. */
  nextRelevant(index, direction) {
    const found = this.nextRow(index, direction, row => this.isMarked(row));
    return found >= 0 ? found : index;
  }

  /* One row back. */
  before(index) {
    const found = this.nextRow(index, -1, () => true);
    return found >= 0 ? found : index;
  }

  /* One row on: after the last event of a loop comes its first. */
  after(index) {
    const found = this.nextRow(index, 1, () => true);
    return found >= 0 ? found : this.loop >= 0 ? this.loop : this.events.length - 1;
  }

  /* The latest event of each thread, up to an event. */
  positions(index) {
    const places = new Map(), gone = new Set(); /* threads that have ended are nowhere */
    for (let i = index; i >= 0 && places.size + gone.size < this.threads.length && i > index - 5000; i--) {
      const { thread, line, action } = this.events[i];
      if (action === 'exit' && !places.has(thread) && thread !== this.events[index].thread)
        gone.add(thread);
      if (!places.has(thread) && !gone.has(thread) && line && action !== 'omitted')
        places.set(thread, i);
    }
    return places;
  }

  apply(values, index) {
    const event = this.events[index], { action, address, thread } = event;
    const put = (key, name, value) => {
      const old = values.get(key);
      values.set(key, { name, value, thread, index, changed: !old || old.value !== value ? index : old.changed });
    };
    this.applyWaits(values, index, put);
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
    else if (event.write && event.bytes && event.value === undefined && !event.stale)
      others(at => at >= offset && at < high);
    else if (event.value !== undefined && !event.stale) /* else another value is the newest */
      put(address, event.object, event.value);
  }

  /* Who waits on what is a value too: of a condition variable, a futex, a barrier.  It lies beside what its bytes hold. */
  applyWaits(values, index, put) {
    const { action, address, object, thread, detail, woken, to } = this.events[index], key = address + ':waits';
    const say = (place, name, waiting) => {
      put(place, name, waiting.length ? waiting.map(t => 'thread ' + t).join(', ') + (waiting.length > 1 ? ' wait' : ' waits') : 'nobody waits');
      values.get(place).waiting = waiting;
    };
    const without = gone => {
      for (const [place, entry] of values)
        if (entry.waiting && entry.waiting.some(t => gone.includes(t)))
          say(place, entry.name, entry.waiting.filter(t => !gone.includes(t)));
    };
    if (action === 'blocked' || action === 'fault' || action === 'omitted')
      return;
    without([thread]);
    if (action === 'wait' && address && !WAIT_ENDS.test(detail || ''))
      say(key, object, ((values.get(key) || {}).waiting || []).concat(thread));
    else if (action === 'signal' && address) {
      without(woken || (to === undefined ? [] : [to]));
      if (values.has(key) || /nobody waits/.test(detail || ''))
        say(key, object, (values.get(key) || { waiting: [] }).waiting);
    }
  }

  /* The call stack at an event, innermost first: [{ function, file, line, locals }].  Locals are those after the step, or before it
   * where the thread has left the frame in the step; undefined: not known. */
  stackAt(index) {
    const event = this.events[index], { thread, step } = event;
    if (!event.line)
      return [];
    const stack = [{ function: event.function, file: event.file, line: event.line }, ...(event.callers || [])];
    const known = (this.violation.frames || []).filter(f => f.thread === thread && f.step <= step);
    for (const { frames } of known.slice(-2).reverse()) {
      const users = frames.filter(f => f.function !== '_start');
      stack.forEach((frame, i) => {
        const own = users[users.length - stack.length + i];
        if (own && own.function === frame.function && !frame.locals)
          frame.locals = own.locals;
      });
    }
    return stack;
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
