import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { barChart, calibrationChart, lineChart, niceStep } from './chart.ts';

const chartText = {
  id: 'c',
  title: 'a <title>',
  about: 'what it shows',
  columns: [{ name: 'at' }, { name: 'value', figures: true }],
};
const unit = { from: 0, to: 1, ticks: [0, 0.5, 1].map((at) => ({ at, label: String(at) })) };

/** The coordinates in a path. */
const pathPoints = (path: string) =>
  [...path.matchAll(/([ML])([-\d.]+) ([-\d.]+)/g)].map(([, pen, x, y]) => [pen, Number(x), Number(y)]);
const linePathIn = (markup: string, kind: string) =>
  new RegExp(`class="line ${kind}" d="([^"]*)"`).exec(markup)?.[1] ?? '';

describe('a line', () => {
  const draw = (points: [number, number | null][]) =>
    lineChart({
      ...chartText,
      x: { from: 0, to: 10, ticks: [] },
      y: unit,
      lines: [{ name: 'calm', kind: 'calm', points }],
      rows: points.map(([at, y]) => ({ at, cells: [at, y ?? ''] })),
    }).markup;

  test('spans the axes from edge to edge, larger values higher', () => {
    assert.deepEqual(
      pathPoints(
        linePathIn(
          draw([
            [0, 0],
            [5, 0.5],
            [10, 1],
          ]),
          'calm',
        ),
      ),
      [
        ['M', 58, 232],
        ['L', 257, 123],
        ['L', 456, 14],
      ],
    );
  });

  test('a null value is drawn as a gap', () => {
    const pens = pathPoints(
      linePathIn(
        draw([
          [0, 0],
          [5, null],
          [10, 1],
        ]),
        'calm',
      ),
    ).map(([pen]) => pen);
    assert.deepEqual(pens, ['M', 'M']);
  });

  test('stays within the plot area for any values within its axes', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(share, share), { minLength: 1, maxLength: 50 }), (pairs) => {
        const points = pairs.map(([x, y]): [number, number] => [10 * x, y]);
        for (const [, x, y] of pathPoints(linePathIn(draw(points), 'calm')) as [string, number, number][]) {
          assert.ok(x >= 58 && x <= 456 && y >= 14 && y <= 232, `${x} ${y}`);
        }
      }),
    );
  });

  test('has a title and description, and a table of the same figures with the x coordinate of each row', () => {
    const markup = draw([
      [0, 0.25],
      [10, 0.75],
    ]);
    assert.match(
      markup,
      /role="img" aria-labelledby="c-title c-about"><title id="c-title">a &lt;title&gt;<\/title><desc id="c-about">what it shows/,
    );
    assert.match(markup, /<tr data-x=58><th scope=row>0<td class=figures>0\.25/);
    assert.match(markup, /<tr data-x=456><th scope=row>10<td class=figures>0\.75/);
  });

  test('a band is a closed path along its upper and lower bounds', () => {
    const { markup } = lineChart({
      ...chartText,
      x: { from: 0, to: 10, ticks: [] },
      y: unit,
      lines: [],
      band: {
        name: 'likely',
        points: [
          [0, 0.5, 0.5],
          [10, 0, 1],
        ],
      },
      rows: [],
    });
    assert.match(markup, /class="band" d="M58 123L456 14L456 232L58 123Z"/);
    assert.match(markup, /class="key band">likely/);
  });
});

describe('bars', () => {
  test('start at the axis and are as tall as their value; a null value has no bar', () => {
    const { markup } = barChart({
      ...chartText,
      kind: 'calm',
      y: { ...unit, to: 100 },
      bars: [{ value: 100, label: 'first' }, { value: null }, { value: 0 }, { value: 50 }],
      rows: [],
    });
    const heights = [...markup.matchAll(/class="column calm"[^>]*y="([\d.]+)"[^>]*height="([\d.]+)"/g)];
    assert.deepEqual(
      heights.map(([, y, height]) => [Number(y), Number(height)]),
      [
        [14, 218],
        [232, 0],
        [123, 109],
      ],
    );
    assert.equal(markup.match(/>first</g)?.length, 1);
  });
});

describe('a calibration curve', () => {
  test('a forecaster that is as accurate as it states lies on the diagonal', () => {
    const points = [0.7, 0.8, 0.9].map((said) => ({ said, observed: said, n: 10 }));
    const { markup } = calibrationChart({ ...chartText, points, rows: [] });
    const [, x1, y1, x2, y2] =
      /class="slant" x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)"/.exec(markup)?.map(Number) ?? [];
    const slope = ((y2 ?? 0) - (y1 ?? 0)) / ((x2 ?? 1) - (x1 ?? 0));
    const circles = [
      ...markup.matchAll(/<circle class="dot calm" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/g),
    ];
    assert.equal(circles.length, 3);
    for (const [, cx, cy] of circles) {
      assert.ok(Math.abs(Number(cy) - ((y1 ?? 0) + slope * (Number(cx) - (x1 ?? 0)))) < 0.1);
    }
  });

  test('dots grow with the number of forecasts, and the axis includes the lowest observed value', () => {
    const points = [
      { said: 0.7, observed: 0.25, n: 1 },
      { said: 0.9, observed: 0.9, n: 100 },
    ];
    const { markup } = calibrationChart({ ...chartText, points, rows: [] });
    const radii = [...markup.matchAll(/class="dot calm"[^>]* r="([\d.]+)"/g)].map(([, r]) => Number(r));
    assert.deepEqual(radii, [3.6, 9]);
    assert.match(markup, />20\u00a0%</);
  });
});

test('ticks are round numbers, about four of them', () => {
  const cases: [most: number, step: number][] = [
    [1, 1],
    [4, 1],
    [5, 2],
    [96, 50],
    [160, 50],
    [1654, 500],
    [11_597, 5000],
  ];
  for (const [most, step] of cases) assert.equal(niceStep(most), step, `${most}`);
});
