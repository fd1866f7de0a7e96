/* SPDX-License-Identifier: MIT
 *
 * The page: what is shown, which event is chosen, and the keys.
 */

const byId = id => document.getElementById(id);
const { report, sources } = JSON.parse(byId('report').textContent);
const violations = report.violations || [];
const shown = { number: -1, index: 0 };
let source;

function titleOf(violation) {
  if (violation.formula)
    return 'a formula does not hold';
  return violation.kind + (violation.line ? ' at ' + placeText(violation) : '');
}

/* ---- stepping --------------------------------------------------------------------------------------------------------- */

function choose(index) {
  const { trace, lanes } = shown, last = trace.events.length - 1;
  shown.index = index = trace.toldFor(Math.max(0, Math.min(last, index)));
  showEvent(byId('now'), trace, index, choose); /* first: the rest of the page makes room for these */
  showValues(byId('watch'), byId('filter'), trace, index, choose);
  showFrames(byId('frames'), trace, index);
  lanes.select(index);
  source.show(trace, index);
  const output = trace.outputUpTo(index);
  byId('output').hidden = !output;
  byId('output').lastElementChild.textContent = output;
  byId('slider').value = index;
  byId('slider').setAttribute('aria-valuetext', `event ${index + 1} of ${last + 1}`);
  byId('place').textContent = `${index + 1} of ${last + 1}`;
  byId('back').disabled = byId('first').disabled = byId('before').disabled = index === 0;
  const atEnd = trace.rowOf(index) === trace.rows.length - 1;
  byId('next').disabled = atEnd && trace.loop < 0;
  byId('last').disabled = byId('after').disabled = atEnd;
  rememberPlace();
}

/* In the address, so that it can be sent on; not at each step, as browsers do not like that. */
function rememberPlace() {
  clearTimeout(shown.timer);
  shown.timer = setTimeout(() => history.replaceState(null, '', `#violation${shown.number + 1}-event${shown.index + 1}`), 400);
}

const moves = {
  first: () => 0,
  before: () => shown.trace.nextSwitch(shown.index, -1),
  back: () => shown.trace.before(shown.index),
  next: () => shown.trace.after(shown.index),
  after: () => shown.trace.nextSwitch(shown.index, 1),
  last: () => shown.trace.events.length - 1,
  marked: () => shown.trace.nextRelevant(shown.index, 1),
  markedBefore: () => shown.trace.nextRelevant(shown.index, -1),
  loop: () => (shown.trace.loop >= 0 ? shown.trace.loop : shown.index),
};

/* The next event behind the chosen one whose words, place or function have what is searched for, from the beginning again at the end;
 * -1: there is none. */
function findNext(words) {
  const { events } = shown.trace, wanted = words.trim().toLowerCase(), count = events.length;
  for (let i = 1; wanted && i <= count; i++) {
    const at = (shown.index + i) % count, event = events[at];
    if (`${eventText(event)} ${event.function || ''} ${placeText(event)} thread ${event.thread}`.toLowerCase().includes(wanted))
      return at;
  }
  return -1;
}

/* The story, with lines folded as in the text, or all events. */
function tellAll(all) {
  shown.trace.tellAll(all);
  shown.lanes.begin();
  choose(shown.index);
  byId('all').checked = shown.trace.all;
}

function onFind(event) {
  if (event.key !== 'Enter' || !shown.trace)
    return;
  const at = findNext(byId('find').value);
  byId('find').classList.toggle('missing', at < 0);
  if (at >= 0)
    choose(at);
}

const keys = {
  ArrowLeft: 'back', ArrowUp: 'back', k: 'back', ArrowRight: 'next', ArrowDown: 'next', j: 'next',
  Home: 'first', End: 'last', n: 'after', p: 'before', l: 'loop',
  m: 'marked', M: 'markedBefore',
};

function onKey(event) {
  const field = event.target.matches('input[type=search], select, textarea') || byId('keys').open;
  if (event.ctrlKey || event.metaKey || event.altKey || field)
    return;
  if (event.key === '?') {
    byId('keys').showModal();
  } else if (event.key === '/') {
    event.preventDefault();
    byId('find').focus();
  } else if (event.key === 'a' && shown.trace) {
    tellAll(!byId('all').checked);
  } else if (keys[event.key] && shown.trace && shown.trace.events.length) {
    event.preventDefault();
    choose(moves[keys[event.key]]());
  }
}

/* What each switch of threads that is left is needed for. */
function showWhy(violation) {
  const { switches, schedule, causes } = violation, sentences = (causes || []).map(c => c.text);
  sentences.push(...(switches || []).map(s => s.text).filter(Boolean).map(t => `in this schedule, ${t}`));
  if (schedule && schedule.text)
    sentences.push(schedule.text);
  byId('why').hidden = !sentences.length;
  byId('why').replaceChildren(...sentences.map(s => make('li', {}, s)));
}

/* The first screen is what the header leaves of the window. */
function fit() {
  document.documentElement.style.setProperty('--header', document.querySelector('header').offsetHeight + 'px');
}

/* ---- what is shown ---------------------------------------------------------------------------------------------------- */

function open(number, index) {
  const violation = violations[number], trace = new Trace(violation);
  byId('title').textContent = titleOf(violation);
  byId('message').textContent = violation.message;
  document.title = 'bitspin: ' + titleOf(violation);
  Object.assign(shown, { number, trace });
  showWhy(violation);
  showOperations(byId('operations'), violation.kind === 'not-linearizable' ? trace.events : []);
  byId('stage').hidden = !trace.events.length;
  showStacks(byId('stacks'), violation);
  fit();
  if (!trace.events.length)
    return;
  byId('slider').max = trace.events.length - 1;
  byId('slider').disabled = trace.events.length === 1;
  trace.tellAll(byId('all').checked);
  shown.lanes = new Lanes(byId('lanes'), byId('threads'), trace, choose);
  choose(index === undefined ? (trace.loop >= 0 ? trace.loop : trace.events.length - 1) : index);
}

function showVerdict() {
  const badge = byId('verdict');
  badge.textContent = report.verdict;
  badge.dataset.verdict = report.verdict;
  const files = ((report.options || {}).files || []).map(baseName).join(', ');
  byId('title').textContent = files || 'the program';
  byId('message').textContent = report.message || (report.verdict === 'verified' ? report.last_line || '' : '');
  document.title = `bitspin: ${report.verdict}${files ? ' ' + files : ''}`;
  showSummary(byId('summary'), report);
}

/* Go to the first event of a step that the address names: #12. */
function goToStep() {
  const [, step] = /^#(\d+)$/.exec(location.hash) || [];
  const at = step && shown.trace ? shown.trace.events.findIndex(e => e.step >= Number(step)) : -1;
  if (at >= 0)
    choose(at);
}

function showViolations() {
  const box = byId('violations');
  byId('choose').hidden = violations.length < 2;
  violations.forEach((v, i) => box.append(make('option', { value: i }, `${i + 1} of ${violations.length}: ${titleOf(v)}`)));
  box.onchange = () => open(Number(box.value));
  const [, number, index] = /^#violation(\d+)-event(\d+)$/.exec(location.hash) || [];
  const known = violations[number - 1] ? Number(number) - 1 : 0;
  box.value = known;
  open(known, violations[number - 1] ? Number(index) - 1 : undefined);
  goToStep();
  addEventListener('hashchange', goToStep);
}

function showLegend() {
  for (const [kind, words] of Object.entries(ARROWS)) {
    const svg = makeSvg('svg', { width: 40, height: 12, viewBox: '0 0 40 12', 'aria-hidden': 'true' });
    svg.append(makeSvg('path', { d: 'M2,6 H30', class: 'arrow ' + kind }), makeSvg('path', { d: 'M30,2 l7,4 l-7,4 z', class: 'arrow tip ' + kind }));
    byId('legend').append(make('dt', {}, svg), make('dd', {}, words));
  }
  const band = makeSvg('svg', { width: 40, height: 12, viewBox: '0 0 40 12', 'aria-hidden': 'true' });
  band.append(makeSvg('line', { x1: 2, x2: 38, y1: 6, y2: 6, class: 'hold' }));
  byId('legend').append(make('dt', {}, band), make('dd', {}, 'the thread holds a lock'));
}

/* Light or dark: as the system has it, until the reader decides; remembered where pages may remember. */
function switchTheme() {
  const root = document.documentElement, dark = matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = (root.dataset.theme || (dark ? 'dark' : 'light')) === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem('bitspin-theme', root.dataset.theme);
  } catch { /* a page from a file may not */ }
}

function rememberTheme() {
  try {
    const theme = localStorage.getItem('bitspin-theme');
    if (theme)
      document.documentElement.dataset.theme = theme;
  } catch { /* as above */ }
}

function start() {
  rememberTheme();
  showVerdict();
  showLegend();
  const missed = missedLines(report);
  source = new Source(byId('code'), byId('file'), sources, missed);
  showCoverage(byId('coverage'), byId('missedfiles'), new Source(byId('missed'), make('span'), sources, missed), missed);
  for (const id of ['first', 'before', 'back', 'next', 'after', 'last'])
    byId(id).onclick = () => choose(moves[id]());
  byId('slider').oninput = () => choose(Number(byId('slider').value));
  byId('filter').oninput = () => showValues(byId('watch'), byId('filter'), shown.trace, shown.index, choose);
  byId('find').onkeydown = onFind;
  byId('all').onchange = () => tellAll(byId('all').checked);
  byId('theme').onclick = switchTheme;
  byId('help').onclick = () => byId('keys').showModal();
  document.addEventListener('keydown', onKey);
  if (violations.length)
    showViolations();
  addEventListener('resize', () => {
    if (shown.lanes) {
      fit();
      shown.lanes.measure();
      choose(shown.index);
    }
  });
}

start();
