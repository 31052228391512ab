// Sharpens pages that are whole without it: reads a live page again when a new reading is due, lets charts be read
// point by point, and sorts tables.

const QUARTER_HOUR = 15 * 60_000;
/** After a quarter hour a reading takes a moment to be written; spread out so that not all ask at once. */
const dueIn = () => QUARTER_HOUR - (Date.now() % QUARTER_HOUR) + 8_000 + Math.random() * 12_000;

/** A reading may be late: it is looked for a few times. */
const AGAIN_MS = 30_000;
const MOST_TRIES = 6;

/** As the server sent it, before anything was added. */
let shown = document.querySelector('main')?.innerHTML;

function keepLive() {
  if (document.querySelector('main[data-live]')) setTimeout(readAgain, dueIn(), 1);
}

async function readAgain(tried) {
  if (document.visibilityState === 'hidden') {
    document.addEventListener('visibilitychange', () => readAgain(tried), { once: true });
    return;
  }
  if ((await isRenewed()) || tried === MOST_TRIES) keepLive();
  else setTimeout(readAgain, AGAIN_MS, tried + 1);
}

/** Shows the page as it is now; false where it is still the same, or cannot be had. */
async function isRenewed() {
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-cache' });
    if (!response.ok) return false;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    const [main, next] = [document.querySelector('main'), fresh.querySelector('main')];
    const focused = document.activeElement;
    // Nobody is torn away from what they are at.
    if (!main || !next || next.innerHTML === shown || (main !== focused && main.contains(focused)))
      return false;
    shown = next.innerHTML;
    const opened = [...main.querySelectorAll('details')].map(({ open }) => open);
    main.replaceChildren(...next.childNodes);
    for (const [at, details] of main.querySelectorAll('details').entries())
      details.open = opened[at] ?? false;
    sharpen(main);
    return true;
  } catch {
    // Offline: what is shown stays, with its time.
    return false;
  }
}

/** A chart's table knows where each of its rows stands. */
function readable(figure) {
  const svg = figure.querySelector('svg');
  const cursor = svg?.querySelector('.cursor');
  const rows = [...figure.querySelectorAll('tr[data-x]')];
  const names = [...figure.querySelectorAll('thead th')].map((heading) => heading.textContent);
  if (!cursor || !rows.length) return;
  const places = rows.map((row) => Number(row.dataset.x));
  const readout = document.createElement('p');
  readout.className = 'readout';
  readout.setAttribute('role', 'status');
  svg.after(readout);
  svg.setAttribute('tabindex', '0');
  let current = -1;
  const show = (at) => {
    current = Math.min(rows.length - 1, Math.max(0, at));
    cursor.setAttribute('x1', places[current]);
    cursor.setAttribute('x2', places[current]);
    cursor.classList.add('shown');
    const cells = [...rows[current].cells].map((cell) => cell.textContent.trim());
    readout.textContent = cells
      .map((cell, i) => (cell === '' ? '' : i === 0 ? cell : `${names[i]} ${cell}`))
      .filter(Boolean)
      .join(' · ');
  };
  const hide = () => {
    cursor.classList.remove('shown');
    readout.textContent = '';
  };
  svg.addEventListener('pointermove', (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
    let nearest = 0;
    for (let i = 1; i < places.length; i++) {
      if (Math.abs(places[i] - x) < Math.abs(places[nearest] - x)) nearest = i;
    }
    show(nearest);
  });
  svg.addEventListener('pointerleave', hide);
  svg.addEventListener('blur', hide);
  svg.addEventListener('focus', () => show(current < 0 ? rows.length - 1 : current));
  svg.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -rows.length, End: rows.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(current + step);
  });
}

const figureIn = (text) => {
  const number = Number.parseFloat(text.replaceAll(/[,+]/g, '').replace('−', '-'));
  return Number.isNaN(number) ? undefined : number;
};

function sortable(table) {
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
      const compared = (a, b) => {
        const [x, y] = [figureIn(a), figureIn(b)];
        if (x === undefined || y === undefined || /^\d{4}-/.test(a)) return a.localeCompare(b);
        return x - y;
      };
      const rows = [...body.rows].sort((a, b) => compared(value(a), value(b)) * (down ? -1 : 1));
      body.append(...rows);
    });
  }
}

function sharpen(root) {
  for (const figure of root.querySelectorAll('figure.chart')) readable(figure);
  for (const table of root.querySelectorAll('table.sortable')) sortable(table);
}

sharpen(document);
keepLive();
