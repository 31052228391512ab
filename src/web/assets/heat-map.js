// Shows the figure of a heat map's cell at the pointer, where it is tapped, or at the arrow keys' position. Listens on
// the document, so that it also works for content that live.js has replaced.

const cellHeadings = (cell) => {
  const table = cell.closest('table');
  return [cell.parentElement.cells[0], table.tHead.rows[0].cells[cell.cellIndex]].map((heading) =>
    heading.textContent.trim(),
  );
};

function show(cell) {
  const table = cell.closest('table.week-map');
  table.querySelector('.chosen')?.classList.remove('chosen');
  cell.classList.add('chosen');
  const [day, hour] = cellHeadings(cell);
  const text = cell.textContent.trim();
  const readout = table.closest('figure').querySelector('.readout');
  readout.textContent = `${day}, ${hour}:00 · ${text ? `calm level ${text}` : 'no reading'}`;
}

const eventCell = (event) => event.target.closest?.('table.week-map td');
for (const kind of ['pointerover', 'click']) {
  document.addEventListener(kind, (event) => {
    const cell = eventCell(event);
    if (cell) show(cell);
  });
}

const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
document.addEventListener('keydown', (event) => {
  const step = steps[event.key];
  const table = event.target;
  if (!step || !table.matches?.('table.week-map')) return;
  event.preventDefault();
  const rows = [...table.tBodies[0].rows];
  const chosen = table.querySelector('td.chosen');
  const row = chosen ? rows.indexOf(chosen.parentElement) + step[0] : 0;
  const column = chosen ? chosen.cellIndex + step[1] : 1;
  const cell = rows[Math.min(rows.length - 1, Math.max(0, row))]?.cells[Math.min(24, Math.max(1, column))];
  if (cell) show(cell);
});
