import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heatLevel, heatMap } from './heat-map.ts';

test('five equal steps; a value outside 0 to 1 gets the nearest one', () => {
  const table: [share: number, level: number][] = [
    [-1, 0],
    [0, 0],
    [0.199, 0],
    [0.2, 1],
    [0.5, 2],
    [0.79, 3],
    [0.8, 4],
    [1, 4],
    [1.4, 4],
  ];
  for (const [share, level] of table) assert.equal(heatLevel(share), level, String(share));
});

const example = {
  caption: 'Use by hour',
  corner: 'Hour',
  columns: ['Mon', 'Tue'],
  rows: [
    {
      label: '<09:00>',
      cells: [
        { level: 2, text: '50%', marked: true },
        { level: null, text: '–', words: 'closed' },
      ],
    },
  ],
  scale: 'use',
  keys: [[0, 'under 20%']],
} as const;

test('every cell has its colour as a class and its meaning as text', () => {
  const { markup } = heatMap(example);
  assert.match(markup, /<th scope="col">Hour<\/th><th scope="col">Mon<\/th><th scope="col">Tue<\/th>/);
  assert.match(markup, /<th scope="row">&lt;09:00&gt;<\/th><td class="h2 marked">50%<\/td>/);
  assert.match(
    markup,
    /<td class="none"><span aria-hidden="true">–<\/span><span class="unseen">closed<\/span><\/td>/,
  );
  assert.match(markup, /<span class="key h0">under 20%<\/span>/);
});

test('compact cells keep their meaning for screen readers', () => {
  const { markup } = heatMap({ ...example, compact: true });
  assert.match(markup, /class="heat use compact"/);
  assert.match(markup, /<td class="h2 marked"><span class="unseen">50%<\/span><\/td>/);
  assert.match(markup, /<td class="none"><span class="unseen">closed<\/span><\/td>/);
});
