// Keeps the marks of the map apart at every zoom, and no farther from their places than that takes. The server has done it
// for the whole map (spread of map-labels.ts), whose marks stay where they are. Runs before map-labels.js.

/** Between the middles of two marks, as the server keeps them. */
const APART = 26;
const ROUNDS = 60;

/** Lengths are those of a pin: units of the map before zooming. */
function spread(points) {
  const dots = points.map((point) => ({ ...point }));
  for (let round = 0, moved = true; moved && round < ROUNDS; round++) {
    moved = false;
    for (const [i, a] of dots.entries())
      for (const [after, b] of dots.slice(i + 1).entries()) {
        if (Math.abs(a.x - b.x) >= APART || Math.abs(a.y - b.y) >= APART) continue;
        const distance = Math.hypot(a.x - b.x, a.y - b.y);
        if (distance >= APART - 0.5) continue;
        moved = true;
        const shift = (APART - distance) / 2;
        const j = i + 1 + after;
        const [ux, uy] =
          distance > 0 ? [(b.x - a.x) / distance, (b.y - a.y) / distance] : [Math.cos(j), Math.sin(j)];
        a.x -= ux * shift;
        a.y -= uy * shift;
        b.x += ux * shift;
        b.y += uy * shift;
      }
  }
  return dots;
}

function marksOf(svg) {
  const marks = [...svg.querySelectorAll('a.spot')].map((spot) => {
    const { e: x, f: y } = spot.transform.baseVal[0].matrix;
    const mark = spot.querySelector('.hit').parentNode;
    const { e: dx, f: dy } = mark.transform.baseVal[0]?.matrix ?? { e: 0, f: 0 };
    return { x, y, dx, dy, mark, leader: spot.querySelector('.leader:not(.to)') };
  });
  return (zoom) => {
    const dots = zoom > 1 && spread(marks.map(({ x, y }) => ({ x: x * zoom, y: y * zoom })));
    for (const [at, { x, y, dx, dy, mark, leader }] of marks.entries()) {
      const right = dots ? dots[at].x - x * zoom : dx;
      const down = dots ? dots[at].y - y * zoom : dy;
      mark.setAttribute('transform', `translate(${right} ${down})`);
      leader?.setAttribute('d', Math.hypot(right, down) < 1 ? 'M0 0' : `M0 0L${right} ${down}`);
    }
  };
}

const known = new WeakMap();
document.addEventListener('mapview', ({ target, detail }) => {
  if (!known.has(target)) known.set(target, marksOf(target));
  known.get(target)(detail.zoom);
});
