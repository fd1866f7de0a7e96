/* SPDX-License-Identifier: MIT
 *
 * The timeline: a row for each event, and a lane for each thread beside the rows.  Only what can be seen is in the document, so
 * that long traces cost no more than short ones.
 */

/* An element with text and attributes; text is never read as markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false)
      element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function makeSvg(tag, attributes = {}, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  if (text !== undefined)
    element.textContent = text;
  return element;
}

const colourOf = lane => `var(--thread${lane % 8})`;
const baseName = path => path.slice(path.lastIndexOf('/') + 1);
const placeText = at => (at.line ? baseName(at.file) + ':' + at.line : '');

/* A column of rows of equal height, of which those near the window are in the document. */
class Rows {
  constructor(box, count, draw, className = '') {
    Object.assign(this, { box, count, draw });
    this.inner = make('div', { class: 'rows ' + className, role: 'presentation' });
    this.list = make('div', { class: 'shown', role: 'presentation' });
    this.inner.append(this.list);
    this.height = parseFloat(getComputedStyle(box).getPropertyValue('--row')) || 26;
    this.inner.style.height = count * this.height + 'px';
    box.replaceChildren(this.inner);
    this.from = this.to = 0;
  }

  /* Rows that can be seen, and some more. */
  window() {
    const { box, height, count } = this, spare = 6;
    const from = Math.max(0, Math.floor(box.scrollTop / height) - spare);
    return [from, Math.min(count, Math.ceil((box.scrollTop + box.clientHeight) / height) + spare)];
  }

  show(force = false) {
    const [from, to] = this.window();
    if (!force && from === this.from && to === this.to)
      return false;
    [this.from, this.to] = [from, to];
    this.list.style.transform = `translateY(${from * this.height}px)`;
    const rows = [];
    for (let i = from; i < to; i++)
      rows.push(this.draw(i));
    this.list.replaceChildren(...rows);
    return true;
  }

  /* Scroll so that a row can be seen, with some around it. */
  reveal(index) {
    const { box, height } = this, margin = Math.min(3 * height, box.clientHeight / 3);
    const top = index * height, bottom = top + height;
    if (top - margin < box.scrollTop)
      box.scrollTop = top - margin;
    else if (bottom + margin > box.scrollTop + box.clientHeight)
      box.scrollTop = bottom + margin - box.clientHeight;
  }
}

class Lanes {
  /* choose(index) is called when the reader picks an event. */
  constructor(box, heads, trace, choose) {
    Object.assign(this, { box, heads, trace, selected: -1 });
    this.svg = makeSvg('svg', { class: 'lines', 'aria-hidden': 'true' });
    this.begin();
    box.onscroll = () => requestAnimationFrame(() => this.draw());
    box.onclick = e => {
      const row = e.target.closest('[data-index]');
      if (row && row.dataset.number !== undefined)
        this.unfold(Number(row.dataset.number), choose);
      else if (row)
        choose(Number(row.dataset.index));
    };
  }

  /* Make the rows that the trace has now. */
  begin() {
    this.rows = new Rows(this.box, this.trace.rows.length, i => this.row(i));
    this.rows.inner.append(this.svg);
    this.measure();
  }

  /* Show the events of a line that is folded. */
  unfold(number, choose) {
    const row = this.trace.rows.find(r => r.number === number && r.kind === 'folded');
    this.trace.opened.add(number);
    this.trace.tellAll(this.trace.all);
    this.begin();
    choose(row.first);
  }

  measure() {
    const wide = this.box.clientWidth, { threads, loop } = this.trace;
    this.margin = loop >= 0 ? 22 : 8;
    const most = wide > 700 ? 64 : 40, room = wide * (wide > 700 ? 0.42 : 0.36);
    this.step = Math.max(2, Math.min(most, room / threads.length));
    this.width = this.margin + this.step * threads.length;
    this.box.style.setProperty('--gutter', this.width + 'px');
    this.box.parentElement.style.setProperty('--content', this.rows.height * this.trace.rows.length + 66 + 'px');
    const each = Math.ceil((threads.length > 10 ? 28 : 20) / this.step); /* there may be no room for all of them */
    this.heads.replaceChildren(...threads.filter((_, i) => i % each === 0).map(thread => {
      const i = this.trace.lane.get(thread.number);
      const title = 'thread ' + thread.number + (thread.name ? ': ' + thread.name : '');
      const head = make('span', { class: 'chip', title }, String(thread.number));
      head.style.cssText = `left: ${this.x(i)}px; --colour: ${colourOf(i)}`;
      return head;
    }));
  }

  x(lane) { return this.margin + this.step * (lane + 0.5); }
  /* The middle of row `i`; of the row of an event. */
  middle(i) { return (i + 0.5) * this.rows.height; }
  y(index) { return this.middle(this.trace.rowOf(index)); }

  row(i) {
    const { trace } = this, told = trace.rows[i], event = trace.events[told.at], lane = trace.lane.get(event.thread);
    if (!trace.isStep(told))
      return this.foldedRow(i, told);
    const fresh = i === 0 || trace.isSwitch(i) || !trace.isStep(trace.rows[i - 1]);
    const row = make('div', {
      id: 'event' + told.at, class: 'row' + (fresh ? ' fresh' : '') + (told.first === trace.loop ? ' loop' : '') +
        (event.action === 'omitted' ? ' omitted' : '') + (this.isUnseen(told) ? ' unseen' : '') + (trace.isMarked(told) ? ' relevant' : trace.hasRelevant ? ' other' : ''),
      role: 'option', 'aria-selected': String(i === this.selectedRow()), 'aria-posinset': i + 1,
      'aria-setsize': trace.rows.length, 'data-index': told.at, 'data-action': event.action,
    });
    row.style.setProperty('--colour', colourOf(lane));
    row.append(make('span', { class: 'who' }, fresh ? 'thread ' + event.thread : ''),
      make('span', { class: 'what' }, ...this.words(event, told)),
      make('span', { class: 'where' }, ...(event.line ? [make('span', { class: 'of' }, baseName(event.file)), ':' + event.line] : [])));
    return row;
  }

  /* Has the row a store that is not visible to the thread of the chosen event? */
  isUnseen(told) {
    return this.selected >= 0 && this.trace.unseenAt(this.selected).some(at => at >= told.first && at <= told.last);
  }

  selectedRow() {
    return this.selected < 0 ? -1 : this.trace.rowOf(this.selected);
  }

  /* Text in place of events, or between them. */
  foldedRow(i, told) {
    const row = make('div', {
      id: 'event' + told.at, class: 'row fresh omitted', role: 'option', 'aria-selected': String(i === this.selectedRow()),
      'aria-posinset': i + 1, 'aria-setsize': this.trace.rows.length, 'data-index': told.at, 'data-action': told.kind,
      'data-number': told.kind === 'folded' ? told.number : undefined, title: told.kind === 'folded' ? 'show these events' : undefined,
    });
    row.append(make('span', { class: 'what' }, told.kind === 'folded' ? '\u25b8 ' + told.text.replace(/^\.\.\. /, '') : told.text));
    return row;
  }

  /* Of a long name its end is left out, never the value. */
  words(event, told) {
    if (told.text !== undefined)
      return [make('span', { class: 'name', title: told.text }, told.text), ...(told.note ? [make('em', { class: 'note', title: told.note }, told.note)] : [])];
    const text = eventText(event).replace(/\s+/g, ' '), { object, value } = event;
    if (!object || value === undefined || !text.startsWith(object + ' ') || !text.endsWith(' ' + value))
      return [make('span', { class: 'name' }, text)];
    return [make('span', { class: 'name' }, object), make('span', { class: 'value' }, text.slice(object.length))];
  }

  select(index) {
    this.selected = index;
    this.rows.reveal(this.trace.rowOf(index));
    this.box.setAttribute('aria-activedescendant', 'event' + this.trace.rows[this.trace.rowOf(index)].at);
    this.draw(true);
  }

  draw(force = false) {
    if (!this.rows.show(force) && !force)
      return;
    const { from, to, height } = this.rows;
    const parts = [...this.lifelines(from, to), ...this.arrowLines(from, to), ...this.dots(from, to)];
    this.svg.setAttribute('width', this.width);
    this.svg.setAttribute('height', (to - from) * height);
    this.svg.setAttribute('viewBox', `0 ${from * height} ${this.width} ${(to - from) * height}`);
    this.svg.style.top = from * height + 'px';
    this.svg.replaceChildren(...parts);
  }

  /* A vertical line from row to row in a lane, cut to the window. */
  vertical(lane, a, b, className) {
    const { from, to, height } = this.rows;
    if (b < from - 1 || a > to)
      return [];
    const line = makeSvg('line', {
      x1: this.x(lane), x2: this.x(lane), y1: Math.max(this.middle(a), from * height), y2: Math.min(this.middle(b), to * height), class: className,
    });
    line.style.setProperty('--colour', colourOf(lane));
    return [line];
  }

  lifelines(from, to) {
    const { trace } = this, lines = [], rowOf = i => trace.rowOf(i);
    if (trace.loop >= 0)
      lines.push(...this.bracket(from, to));
    trace.threads.forEach((thread, lane) => {
      for (const life of thread.lives)
        lines.push(...this.vertical(lane, rowOf(life.born), rowOf(life.end), 'life'));
    });
    for (const hold of trace.holds)
      lines.push(...this.vertical(trace.lane.get(hold.thread), rowOf(hold.from), rowOf(hold.to), 'hold'));
    for (let i = Math.max(from, 1); i < to; i++) /* who runs */
      if (!trace.isSwitch(i) && this.hasDot(i) && trace.isStep(trace.rows[i - 1]))
        lines.push(...this.vertical(trace.lane.get(trace.threadOf(trace.rows[i])), i - 1, i, 'run'));
    return lines;
  }

  hasDot(i) {
    const row = this.trace.rows[i];
    return this.trace.isStep(row) && this.trace.events[row.at].action !== 'omitted';
  }

  /* The loop of a lasso, at the left. */
  bracket(from, to) {
    const top = this.y(this.trace.loop) - 8, bottom = this.y(this.trace.events.length - 1) + 8, { height } = this.rows;
    if (bottom < from * height || top > to * height)
      return [];
    const a = Math.max(top, from * height - 9), b = Math.min(bottom, to * height + 9);
    const path = makeSvg('path', { d: `M13,${b} h-3 q-4,0 -4,-4 V${a + 4} q0,-4 4,-4 h3`, class: 'bracket' });
    const tip = makeSvg('path', { d: `M10,${top - 3.5} l5,3.5 l-5,3.5 z`, class: 'tip' });
    return [path, tip];
  }

  arrowLines(from, to) {
    const { trace } = this, rowOf = i => trace.rowOf(i), within = (low, high) => low <= to && high >= from;
    const near = trace.arrows.filter(a => within(rowOf(a.from), rowOf(a.to)) && this.isDrawn(a));
    const mine = a => rowOf(a.from) === this.selectedRow() || rowOf(a.to) === this.selectedRow();
    return near.sort((a, b) => mine(a) - mine(b)).flatMap(a => this.arrow(a, mine(a)));
  }

  /* No arrow begins or ends in a folded line. */
  isDrawn({ from, to }) {
    const { trace } = this, a = trace.rowOf(from), b = trace.rowOf(to);
    const told = (event, row) => trace.isStep(trace.rows[row]) && event >= trace.rows[row].first && event <= trace.rows[row].last;
    return a !== b && told(from, a) && told(to, b);
  }

  /* Ends far outside of the window would be numbers that browsers draw badly. */
  arrow({ kind, from, to }, chosen) {
    const { trace } = this, far = 40 * this.rows.height;
    const [low, high] = [this.rows.from * this.rows.height - far, this.rows.to * this.rows.height + far];
    const clip = y => Math.max(low, Math.min(high, y));
    const laneOf = i => trace.lane.get(trace.events[i].thread);
    const side = Math.sign(laneOf(to) - laneOf(from)) * Math.min(5, this.step / 3);
    const x1 = this.x(laneOf(from)) + side, y1 = clip(this.y(from)), x2 = this.x(laneOf(to)) - side - Math.sign(side) * 4, y2 = clip(this.y(to));
    const bend = (x2 - x1) * 0.55;
    const className = 'arrow ' + kind + (chosen ? ' chosen' : '');
    const path = makeSvg('path', { d: `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`, class: className });
    const tip = makeSvg('path', { d: `M${x2},${y2 - 4} l${Math.sign(side) * 6},4 l${-Math.sign(side) * 6},4 z`, class: className + ' tip' });
    return [path, tip];
  }

  dots(from, to) {
    const dots = [];
    for (let i = from; i < to; i++) {
      const event = this.trace.events[this.trace.rows[i].at], lane = this.trace.lane.get(event.thread);
      if (!this.hasDot(i))
        continue;
      const chosen = i === this.selectedRow(), bad = event.action === 'fault';
      const dot = makeSvg('circle', {
        cx: this.x(lane), cy: this.middle(i), r: chosen || bad ? 6 : Math.min(event.action === 'read' ? 3 : 4.5, 1 + this.step * 0.3),
        class: 'dot ' + event.action + (chosen ? ' chosen' : ''),
      });
      dot.style.setProperty('--colour', colourOf(lane));
      dots.push(dot);
    }
    return dots;
  }
}
