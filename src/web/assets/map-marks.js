// Keeps the marks of the map apart at every zoom, and no farther from their places than that takes. The server has done it
// for the whole map, whose marks stay where they are. Runs before map-labels.js, with the functions of label-placement.ts.

/** Between the middles of two marks, as the server keeps them. */
const APART = 26;

/** Lengths are those of a pin: units of the map before zooming. */
function readMarks(svg) {
  const marks = [...svg.querySelectorAll('a.spot')].map((spot) => {
    const { e: x, f: y } = spot.transform.baseVal[0].matrix;
    const mark = spot.querySelector('.hit').parentNode;
    const { e: dx, f: dy } = mark.transform.baseVal[0]?.matrix ?? { e: 0, f: 0 };
    return { x, y, dx, dy, mark, leader: spot.querySelector('.leader:not(.to)') };
  });
  return (zoom) => {
    const points = marks.map(({ x, y }) => ({ x: x * zoom, y: y * zoom }));
    const dots = zoom > 1 && spread(points, APART);
    for (const [at, { dx, dy, mark, leader }] of marks.entries()) {
      const right = dots ? dots[at].x - points[at].x : dx;
      const down = dots ? dots[at].y - points[at].y : dy;
      mark.setAttribute('transform', `translate(${right} ${down})`);
      leader?.setAttribute('d', Math.hypot(right, down) < 1 ? 'M0 0' : `M0 0L${right} ${down}`);
    }
  };
}

const known = new WeakMap();
document.addEventListener('mapview', ({ target, detail }) => {
  if (!known.has(target)) known.set(target, readMarks(target));
  known.get(target)(detail.zoom);
});
