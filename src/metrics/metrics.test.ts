import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byLabel, createMetrics } from './metrics.ts';
import { createCounter, createHistogram } from './series.ts';
import { type Family, metricsText } from './text.ts';

const gauge = (samples: Family['samples'], help = 'a'): Family => ({
  name: 'm',
  help,
  type: 'gauge',
  samples,
});
const head = '# HELP m a\n# TYPE m gauge\n';

test('families as text', () => {
  const table: [Family, text: string][] = [
    [gauge([]), ''],
    [gauge([{ value: 0 }]), `${head}m 0\n`],
    [gauge([{ value: 1.5e-7 }, { value: 1e300 }]), `${head}m 1.5e-7\nm 1e+300\n`],
    [
      gauge([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN].map((value) => ({ value }))),
      `${head}m +Inf\nm -Inf\nm NaN\n`,
    ],
    [gauge([{ labels: {}, value: 1 }]), `${head}m 1\n`],
    [gauge([{ labels: { a: 'x', b: 200 }, value: 1 }]), `${head}m{a="x",b="200"} 1\n`],
    [gauge([{ labels: { a: 'q"\\\n{},é' }, value: 1 }]), `${head}m{a="q\\"\\\\\\n{},é"} 1\n`],
    [gauge([{ value: 1 }], 'a "b" \\ c\nd'), '# HELP m a "b" \\\\ c\\nd\n# TYPE m gauge\nm 1\n'],
  ];
  for (const [family, text] of table) assert.equal(metricsText([family]), text);
});

test('a counter counts each combination of label values by itself', () => {
  const counter = createCounter(['route', 'code']);
  assert.deepEqual(counter.samples(), []);
  counter.add(1, '/a', 200);
  counter.add(2, '/a', 404);
  counter.add(1, '/a', 200);
  counter.declare('/b', 200);
  assert.deepEqual(counter.samples(), [
    { labels: { route: '/a', code: 200 }, value: 2 },
    { labels: { route: '/a', code: 404 }, value: 2 },
    { labels: { route: '/b', code: 200 }, value: 0 },
  ]);
});

test('a counter without labels is 0 from the beginning', () => {
  const counter = createCounter([]);
  assert.deepEqual(counter.samples(), [{ labels: {}, value: 0 }]);
  counter.add(3);
  assert.deepEqual(counter.samples(), [{ labels: {}, value: 3 }]);
});

test('past its bound, all further combinations are one', () => {
  const counter = createCounter(['a', 'b'], 2);
  for (const [a, b] of ['xy', 'yx', 'yy', 'xx', 'xy', 'zz']) counter.add(1, a as string, b as string);
  assert.deepEqual(counter.samples(), [
    { labels: { a: 'x', b: 'y' }, value: 2 },
    { labels: { a: 'y', b: 'x' }, value: 1 },
    { labels: { a: 'other', b: 'other' }, value: 3 },
  ]);
});

test('the buckets of a histogram are cumulative, and a bound is in its bucket', () => {
  const table: [observed: number[], buckets: number[]][] = [
    [[0.5], [1, 1, 1]],
    [[1], [1, 1, 1]],
    [
      [1.5, 0.1],
      [1, 2, 2],
    ],
    [
      [2, 2.1, 1000],
      [0, 1, 3],
    ],
  ];
  for (const [observed, buckets] of table) {
    const histogram = createHistogram(['route'], [1, 2]);
    for (const value of observed) histogram.observe(value, '/a');
    const sum = observed.reduce((total, value) => total + value, 0);
    assert.deepEqual(histogram.samples(), [
      ...['1', '2', '+Inf'].map((le, at) => ({
        suffix: '_bucket',
        labels: { route: '/a', le: le === '+Inf' ? le : Number(le) },
        value: buckets[at],
      })),
      { suffix: '_sum', labels: { route: '/a' }, value: sum },
      { suffix: '_count', labels: { route: '/a' }, value: observed.length },
    ]);
  }
});

test('what is read is read each time, and what was not measured has no sample', () => {
  const metrics = createMetrics();
  let value: number | undefined;
  metrics.gauge('g', 'a gauge', () => value);
  metrics.readCounter('c_total', 'a counter', () => byLabel('of', { a: value, b: 2 }));
  const counter = '# HELP c_total a counter\n# TYPE c_total counter\n';
  assert.equal(metrics.text(), `${counter}c_total{of="b"} 2\n`);
  value = 0;
  assert.equal(
    metrics.text(),
    `# HELP g a gauge\n# TYPE g gauge\ng 0\n${counter}c_total{of="a"} 0\nc_total{of="b"} 2\n`,
  );
  assert.throws(() => metrics.gauge('g', 'another', () => 1), /the metric g is there already/);
});
