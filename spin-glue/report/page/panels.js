/* SPDX-License-Identifier: MIT
 *
 * What stands beside the timeline: the chosen event, the source, the values, call stacks, and the summary of the check.
 */

const MOST_VALUES = 300; /* rows; the latest, if there are more */

/* ---- operations ------------------------------------------------------------------------------------------------------- */

/* The operations of linearize: the thread and the call of each, when it begins and when it returns, counted in such events. */
function operationsOf(events) {
  const rows = [];
  let at = 0;
  for (const { action, thread, detail } of events) {
    const open = rows.find(row => row.thread === thread && row.returns === undefined);
    if (action === 'begins')
      rows.push({ thread, call: detail, begins: at++ });
    else if (action === 'returns' && open)
      Object.assign(open, { returns: at++, result: detail || '' });
  }
  return { rows, end: at };
}

/* Draw them as bars from call to return. */
function showOperations(box, events) {
  const { rows, end } = operationsOf(events);
  box.hidden = !rows.length;
  box.replaceChildren(...rows.flatMap(row => {
    const thread = document.createElement('span'), call = document.createElement('code'), bar = document.createElement('span');
    const returns = row.returns === undefined ? end : row.returns;
    thread.textContent = `thread ${row.thread}`;
    call.textContent = row.returns === undefined ? `${row.call} (which waits)` : row.result ? `${row.call} = ${row.result}` : row.call;
    bar.className = row.returns === undefined ? 'bar open' : 'bar';
    bar.style.marginLeft = `${100 * row.begins / end}%`;
    bar.style.width = `${100 * (returns - row.begins) / end}%`;
    return [thread, call, bar];
  }));
}

/* ---- source ----------------------------------------------------------------------------------------------------------- */

const TOKEN = new RegExp([
  '(?<comment>//.*|/\\*[\\s\\S]*?(?:\\*/|$))',
  '(?<string>"(?:[^"\\\\\\n]|\\\\.)*"?|\'(?:[^\'\\\\\\n]|\\\\.)*\'?)',
  '(?<directive>^[ \\t]*#[ \\t]*\\w+)',
  '(?<number>\\b\\d[\\w.]*)',
  '(?<keyword>\\b(?:auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|' +
    'register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|bool|' +
    '_Atomic|_Bool|_Noreturn|_Static_assert|_Thread_local)\\b)',
].join('|'), 'gm');

/* Lines of spans [class, text], so that comments may go over many lines. */
function colourLines(text) {
  const lines = [[]];
  const put = (kind, piece) => piece.split('\n').forEach((part, i) => {
    if (i)
      lines.push([]);
    if (part)
      lines[lines.length - 1].push([kind, part]);
  });
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    put('', text.slice(at, match.index));
    put(Object.keys(match.groups).find(k => match.groups[k] !== undefined), match[0]);
    at = match.index + match[0].length;
  }
  put('', text.slice(at));
  return lines;
}

class Source {
  /* missed: file -> set of lines that never ran, where that is known */
  constructor(box, title, sources, missed) {
    Object.assign(this, { box, title, sources, missed, file: null, cache: new Map(), marks: new Map(), lane: 0 });
  }

  /* Lines of a file, from 1 on; those that the report leaves out are undefined.  Null: the report has none of it. */
  linesOf(file) {
    if (!this.cache.has(file)) {
      const { pieces } = this.sources[file] || {}, lines = [];
      for (const { line, text } of pieces || [])
        colourLines(text.replace(/\r\n?/g, '\n').replace(/\n$/, '')).forEach((spans, i) => { lines[line + i] = spans; });
      this.cache.set(file, pieces ? lines : null);
    }
    return this.cache.get(file);
  }

  /* Show where the chosen event is, and where the other threads are. */
  show(trace, index) {
    const event = trace.events[index];
    this.trace = trace;
    this.marks = new Map(); /* line -> threads that are there */
    const places = trace.positions(index), own = places.get(event.thread);
    const at = event.line ? event : own === undefined ? null : trace.events[own];
    const file = at ? at.file : this.file;
    for (const [thread, i] of places)
      if (trace.events[i].file === file)
        this.marks.set(trace.events[i].line, (this.marks.get(trace.events[i].line) || []).concat(thread));
    this.line = at ? at.line : 0;
    this.lane = trace.lane.get(event.thread);
    this.thread = event.thread;
    const lines = file === null ? null : this.linesOf(file);
    if (file !== this.file || !this.rows) {
      this.file = file;
      this.open(lines);
    }
    if (lines && this.line)
      this.rows.reveal(this.line - 1);
    if (lines)
      this.rows.show(true);
  }

  /* Show a file, and none of its events. */
  showFile(file, line) {
    const lines = this.linesOf(file);
    this.file = file;
    this.open(lines);
    if (lines)
      this.rows.reveal(line - 1);
    if (lines)
      this.rows.show(true);
  }

  open(lines) {
    const { box, file } = this, note = (this.sources[file] || {}).note;
    this.title.replaceChildren(file === null ? 'Source' : baseName(file), ...(note ? [make('em', {}, note)] : []));
    this.title.title = file || '';
    this.rows = new Rows(box, lines ? Math.max(0, lines.length - 1) : 0, i => this.row(lines, i + 1), 'code');
    box.onscroll = () => requestAnimationFrame(() => this.rows.show());
    if (!lines)
      box.replaceChildren(make('p', { class: 'none' }, file ? `The source ${file} could not be read when this page was made.` :
        'This event is nowhere in the source.'));
  }

  row(lines, number) {
    const spans = lines[number], threads = this.marks.get(number) || [];
    const missed = (this.missed.get(this.file) || new Set()).has(number);
    const row = make('div', { class: 'row' + (missed ? ' missed' : '') + (number === this.line ? ' here' : '') });
    if (missed)
      row.title = 'this line never ran';
    if (number === this.line)
      row.setAttribute('aria-current', 'location');
    const marks = make('span', { class: 'marks' });
    const own = this.trace && number === this.line ? this.thread : -1, order = [...threads].sort((a, b) => (b === own) - (a === own) || a - b);
    const most = threads.length > 2 ? 1 : 2; /* as many as there is room for */
    for (const thread of order.slice(0, most)) {
      const chip = make('span', { class: 'chip', title: 'thread ' + thread + ' is here' }, String(thread));
      chip.style.setProperty('--colour', colourOf(this.trace.lane.get(thread)));
      marks.append(chip);
    }
    if (order.length > most)
      marks.append(make('span', { class: 'more', title: 'also here: threads ' + order.slice(most).join(', ') }, '+' + (order.length - most)));
    row.style.setProperty('--colour', colourOf(this.lane));
    const text = make('code');
    for (const [kind, piece] of spans || [['comment', '...']])
      text.append(kind ? make('span', { class: kind }, piece) : piece);
    row.append(marks, make('span', { class: 'line' }, String(number)), text);
    return row;
  }
}

/* file -> set of lines, of the report. */
function missedLines(report) {
  return new Map(((report.ran || {}).lines_never_ran || []).map(({ file, lines }) => [file, new Set(lines)]));
}

function showCoverage(section, select, source, missed) {
  section.hidden = !missed.size;
  for (const [file, lines] of missed)
    select.append(make('option', { value: file }, `${baseName(file)} (${lines.size})`));
  const show = () => source.showFile(select.value, Math.min(...missed.get(select.value)));
  select.onchange = show;
  if (missed.size)
    show();
}

/* ---- the chosen event ------------------------------------------------------------------------------------------------- */

function showEvent(box, trace, index, choose) {
  const event = trace.events[index], lane = trace.lane.get(event.thread);
  const thread = trace.threads[lane], chip = make('span', { class: 'chip' }, String(event.thread));
  box.style.setProperty('--colour', colourOf(lane));
  const head = make('p', { class: 'head' }, chip, ' thread ' + event.thread + (thread.name ? ' (' + thread.name + ')' : ''));
  if (event.line)
    head.append(make('span', { class: 'where' }, (event.function ? event.function + ' at ' : '') + placeText(event)));
  const said = event.action === 'fault' && event.detail === trace.violation.message; /* at the top of the page */
  const parts = [head, make('p', { class: 'text' }, said ? trace.violation.kind : eventText(event))];
  if (event.note)
    parts.push(make('p', { class: 'note' }, event.note));
  const links = trace.arrowsAt(index).map(arrow => {
    const other = arrow.from === index ? arrow.to : arrow.from, at = trace.events[other];
    const words = arrow.from === index ? `\u2192 thread ${at.thread}: ${eventText(at)}` : `\u2190 thread ${at.thread}: ${eventText(at)}`;
    const link = make('button', { type: 'button', class: 'link ' + arrow.kind, title: placeText(at) }, words);
    link.onclick = () => choose(other);
    return make('li', {}, link);
  });
  if (links.length)
    parts.push(make('ul', {}, ...links.slice(0, 12)));
  const unseen = trace.unseenAt(index);
  if (unseen.length)
    parts.push(make('p', { class: 'unseen' }, `Not visible to thread ${event.thread}: ` +
      unseen.map(at => `${eventText(trace.events[at])} (thread ${trace.events[at].thread}, ${placeText(trace.events[at])})`).join('; ')));
  const standing = trace.standing(index);
  if (standing.length)
    parts.push(make('p', { class: 'standing' }, standing.join('; ')));
  if (trace.loop >= 0 && index >= trace.loop)
    parts.push(make('p', { class: 'loop' }, index === trace.events.length - 1 ?
      'The loop ends here: the next event is its first, and so on for ever.' : 'In the loop, which is repeated for ever.'));
  box.replaceChildren(...parts);
}

/* ---- values ----------------------------------------------------------------------------------------------------------- */

const MOST_HISTORY = 40; /* events */

/* Show at which events the variable was accessed, the latest first. */
function showHistory(place, trace, name, index, choose) {
  const events = trace.historyOf(name, index).reverse().slice(0, MOST_HISTORY);
  place.replaceChildren(...events.map(at => {
    const event = trace.events[at];
    const link = make('button', { type: 'button', class: 'link' }, `thread ${event.thread}: ${eventText(event)}`);
    link.onclick = () => choose(at);
    return make('li', {}, link);
  }));
}

/* A button that looks like text. */
function quietButton(words, title, onclick) {
  const button = make('button', { type: 'button', class: 'cell', title }, words);
  button.onclick = onclick;
  return button;
}

function showValues(box, filter, trace, index, choose) {
  let rows = [...trace.valuesAfter(index).values()].filter(r => !(r.name || '').startsWith('__bitspin_')); /* of a harness */
  const all = rows.length, wanted = filter.value.trim().toLowerCase();
  filter.hidden = all < 12 && !wanted;
  if (wanted)
    rows = rows.filter(r => (r.name || '').toLowerCase().includes(wanted));
  const matching = rows.length;
  if (matching > MOST_VALUES)
    rows = rows.sort((a, b) => b.changed - a.changed).slice(0, MOST_VALUES);
  const unseen = trace.unseenAt(index).length ? trace.events[index].object : undefined; /* its newest value is not visible here */
  const history = make('ul', { class: 'history', 'aria-label': 'history of a value' });
  const lines = rows.map(row => {
    const now = row.index === index, changed = row.changed === index;
    const by = make('span', { class: 'chip', title: `thread ${row.thread}, event ${row.index + 1}` }, String(row.thread));
    by.style.setProperty('--colour', colourOf(trace.lane.get(row.thread)));
    const name = quietButton(row.name || '?', 'who wrote it last', () => choose(row.changed >= 0 ? row.changed : row.index));
    const value = quietButton(changed ? make('strong', {}, row.value) : row.value, 'its history', () =>
      showHistory(history, trace, row.name, index, choose));
    return make('tr', { class: changed ? 'changed' : now ? 'touched' : '' }, make('td', {}, name),
      make('td', { class: 'value' + (row.name === unseen ? ' unseen' : '') }, value), make('td', {}, by));
  });
  const note = matching > rows.length ? [make('p', { class: 'none' }, `the ${rows.length} that changed last, of ${matching}`)] : [];
  box.replaceChildren(...(lines.length ?
    [make('table', {}, make('thead', {}, make('tr', {}, ...['variable', 'value', 'by'].map(h => make('th', { scope: 'col' }, h)))),
      make('tbody', {}, ...lines)), ...note, history] :
    [make('p', { class: 'none' }, all ? 'no variable has this name' : 'no shared variable has been accessed yet')]));
}

/* ---- the stack of the chosen event ------------------------------------------------------------------------------------ */

function showFrames(box, trace, index) {
  const stack = trace.stackAt(index), { thread, step } = trace.events[index];
  box.hidden = !stack.length;
  box.replaceChildren(make('h2', {}, `Thread ${thread} after step ${step}`), ...stack.map(frame => {
    const rows = (frame.locals || []).map(({ name, value }) => make('tr', {}, make('td', {}, name), make('td', {}, value)));
    return make('div', { class: 'frame' }, make('p', {}, make('b', {}, (frame.function || '?') + '()'), ' ' + placeText(frame)),
      ...(rows.length ? [make('table', {}, make('tbody', {}, ...rows))] : []));
  }));
}

/* ---- call stacks ------------------------------------------------------------------------------------------------------ */

function stackList(title, frames) {
  return make('div', { class: 'stack' }, make('h3', {}, title), make('ol', {}, ...frames.filter(f => f.function !== '_start').map(f =>
    make('li', {}, make('b', {}, f.function || '?'), f.line ? ' ' + placeText(f) : ''))));
}

/* Whatever the report has: of the thread that fails, of the other side of a race, of all threads. */
function showStacks(box, violation) {
  const { stack, other, threads, starving } = violation, lists = [];
  const all = (threads || []).filter(t => Array.isArray(t.stack) && t.stack.length);
  if (stack && !all.some(t => t.thread === violation.thread))
    lists.push(stackList('thread ' + violation.thread, stack));
  if (other && other.stack)
    lists.push(stackList(`thread ${other.thread}, the other access`, other.stack));
  for (const t of all)
    lists.push(stackList('thread ' + t.thread + (t.waits ? ': ' + t.waits : ''), t.stack));
  for (const t of starving || [])
    lists.push(make('p', {}, `Meanwhile thread ${t.thread}${t.line ? ', at ' + placeText(t) + ',' : ''} ${t.waits}.`));
  box.hidden = !lists.length;
  box.replaceChildren(make('h2', {}, stack || all.length ? 'Call stacks at the end' : 'Outside of the loop'), ...lists);
}

/* ---- the check -------------------------------------------------------------------------------------------------------- */

const counted = n => Number(n).toLocaleString('en-US', { maximumFractionDigits: 2 });

function list(title, items) {
  return items.length ? [make('h2', {}, title), make('ul', {}, ...items.map(i => make('li', {}, i)))] : [];
}

function table(title, heads, rows) {
  return rows.length ? [make('h2', {}, title), make('table', {}, make('thead', {}, make('tr', {}, ...heads.map(h =>
    make('th', { scope: 'col' }, h)))), make('tbody', {}, ...rows.map(r => make('tr', {}, ...r.map(c => make('td', {}, String(c)))))))] : [];
}

function showSummary(box, report) {
  const s = report.statistics || {};
  const figures = s.states ? [['states', counted(s.states)], ['transitions', counted(s.transitions)], ['depth', counted(s.depth)],
    ['seconds', counted(s.seconds)], ['MB for states', counted(s.bytes / 1048576)], ['MB in all', counted(s.resident / 1048576)]] : [];
  const facts = make('dl', { class: 'figures' });
  for (const [name, value] of figures)
    facts.append(make('div', {}, make('dt', {}, name), make('dd', {}, value)));
  const arguments_ = ((report.options || {}).files || []).map(baseName).join(', ');
  box.replaceChildren(...(figures.length ? [make('h2', {}, 'The search'), facts] : []),
    ...list('It is assumed that', report.assumptions || []), ...list('Notes', report.notes || []),
    ...list('Limits that cut paths', (report.limits || {}).reasons || []),
    ...table('Formulas', ['formula', 'verdict', 'states'],
      (report.formulas || []).map(f => [f.formula, f.verdict, counted(f.statistics.states)])),
    ...table('Not distinguished: nothing that is checked depends on', ['variable', 'place'],
      (report.not_distinguished || []).map(v => [v.name, placeText(v)])),
    ...table('Bounds', ['preemptions', 'states', 'seconds'], (report.bounds || []).map(b =>
      [b.preemptions, counted(b.states), counted(b.seconds)])),
    ...table('Faults that were suppressed', ['kind', 'place', 'message'],
      (report.suppressed || []).map(f => [f.kind, placeText(f), f.message])),
    make('p', { class: 'none' }, `bitspin ${report.bitspin}${arguments_ ? ', of ' + arguments_ : ''}; memory model: ${report.memory_model}`));
}
