// Progressive enhancement: pages work without scripts. This one shows the figures of a chart at the pointer, sorts
// tables, and tells the reader's own time where it differs.

/**
 * Shows the figures at the pointer, where it is tapped, or at the arrow keys' position. They come from the figure's table,
 * by x coordinate. Several charts over the same hours share one table, and show the same position.
 */
function addReadout(figure) {
  const charts = [...figure.querySelectorAll('svg')];
  const readout = figure.querySelector('.readout');
  const cursors = [...figure.querySelectorAll('svg .cursor')];
  const rows = [...figure.querySelectorAll('tr[data-x]')];
  const names = [...figure.querySelectorAll('thead th')].map((heading) => heading.textContent);
  if (!readout || !cursors.length || !rows.length) return;
  const hint = readout.textContent;
  const places = rows.map((row) => Number(row.dataset.x));
  let current = -1;
  const show = (at) => {
    current = Math.min(rows.length - 1, Math.max(0, at));
    for (const cursor of cursors) {
      cursor.setAttribute('x1', places[current]);
      cursor.setAttribute('x2', places[current]);
      cursor.classList.add('shown');
    }
    const cells = [...rows[current].cells].map((cell) => cell.textContent.trim());
    readout.textContent = cells
      .map((cell, i) => (cell === '' ? '' : i === 0 ? cell : `${names[i]} ${cell}`))
      .filter(Boolean)
      .join(' · ');
  };
  const hide = () => {
    for (const cursor of cursors) cursor.classList.remove('shown');
    readout.textContent = hint;
  };
  for (const svg of charts) {
    const showAt = (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
      let nearest = 0;
      for (let i = 1; i < places.length; i++) {
        if (Math.abs(places[i] - x) < Math.abs(places[nearest] - x)) nearest = i;
      }
      show(nearest);
    };
    svg.setAttribute('tabindex', '0');
    // A tap is a pointerdown without a move. What it shows stays: a finger leaves the chart at once.
    svg.addEventListener('pointerdown', showAt);
    svg.addEventListener('pointermove', showAt);
    svg.addEventListener('pointerleave', (event) => {
      if (event.pointerType === 'mouse') hide();
    });
    svg.addEventListener('blur', hide);
    svg.addEventListener('focus', () => show(current < 0 ? rows.length - 1 : current));
    svg.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -rows.length, End: rows.length }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      show(current + step);
    });
  }
}

/** The number that a cell begins with, or undefined. */
const numberIn = (text) => {
  const number = Number.parseFloat(text.replaceAll(/[,+]/g, '').replace('−', '-'));
  return Number.isNaN(number) ? undefined : number;
};

/** Adds a sort button to each heading that is not already a link to a sorted page. */
function makeSortable(table) {
  const body = table.tBodies[0];
  for (const [column, heading] of [...(table.tHead?.rows[0]?.cells ?? [])].entries()) {
    if (heading.querySelector('a, .unseen') || body.rows.length < 3) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener('click', () => {
      const down = heading.getAttribute('aria-sort') === 'ascending';
      for (const other of heading.parentElement.cells) other.removeAttribute('aria-sort');
      heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const value = (row) => {
        const cell = row.cells[column];
        return cell.querySelector('time')?.dateTime ?? cell.textContent.trim();
      };
      const compareCells = (a, b) => {
        const [x, y] = [numberIn(a), numberIn(b)];
        if (x === undefined || y === undefined || /^\d{4}-/.test(a)) return a.localeCompare(b);
        return x - y;
      };
      const rows = [...body.rows].sort((a, b) => compareCells(value(a), value(b)) * (down ? -1 : 1));
      body.append(...rows);
    });
  }
}

/** Minutes that the clocks of a zone are ahead of UTC at that time. */
function minutesAhead(time, timeZone) {
  const zoneTime = new Date(time).toLocaleString('sv', { timeZone });
  return Math.round((Date.parse(`${zoneTime.replace(' ', 'T')}Z`) - time) / 60_000);
}

/** '7 hours behind' for a reader whose clock is 420 minutes behind the city's. */
function offsetText(minutes) {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const parts = [hours && `${hours} ${hours === 1 ? 'hour' : 'hours'}`, rest && `${rest} minutes`];
  return `${parts.filter(Boolean).join(' ')} ${minutes < 0 ? 'behind' : 'ahead'}`;
}

const clockIn = (timeZone) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });
const readerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const readerClock = clockIn(readerZone);
/** The note that names the city's time; every page has one. */
const zoneNote = document.querySelector('[data-zone]');
const zoneClock = zoneNote && clockIn(zoneNote.dataset.zone);

/** How far the reader's clock is from the city's. */
function addReaderZone() {
  const now = Date.now();
  const apart = minutesAhead(now, readerZone) - minutesAhead(now, zoneNote.dataset.zone);
  if (apart !== 0) zoneNote.append(` Your clock is ${offsetText(apart)}.`);
}

/** The reader's time in the title of a time, where it differs from the city's time that is shown. */
function addReaderTime(element) {
  const time = Date.parse(element.dateTime);
  if (Number.isNaN(time)) return;
  const own = readerClock.format(time);
  if (own !== zoneClock.format(time)) element.title = `${own} your time`;
}

function enhance(root) {
  if (zoneNote) for (const element of root.querySelectorAll('time[datetime]')) addReaderTime(element);
  for (const figure of root.querySelectorAll('figure.chart')) addReadout(figure);
  for (const table of root.querySelectorAll('table.sortable')) makeSortable(table);
}

if (zoneNote) addReaderZone();
enhance(document);
// live.js replaces the content of pages about the present.
const live = document.querySelector('main[data-live]');
if (live) new MutationObserver(() => enhance(live)).observe(live, { childList: true });
