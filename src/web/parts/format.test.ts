import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import {
  againstThreshold,
  allDecimals,
  count,
  duration,
  fixedDecimals,
  ofN,
  percent,
  percentagePoints,
  plural,
  rangeText,
  scalar,
  shareOfN,
  spacedName,
} from './format.ts';
import { bars, table } from './table.ts';
import { clockTime, dateTime, formatDate } from './times.ts';

test('numbers are formatted for reading; an unknown value is not shown as zero', () => {
  assert.deepEqual([scalar(0.5), scalar(0), scalar(null)], ['0.50', '0.00', 'not known']);
  assert.deepEqual(
    [allDecimals(0.6), allDecimals(0.146), allDecimals(0.49996), allDecimals(null)],
    ['0.600', '0.146', '0.49996', 'not known'],
  );
  assert.deepEqual([percent(0.8725), percent(null)], ['87.3\u00a0%', 'not known']);
  assert.deepEqual(
    [count(36118), ofN(36118), plural(1, 'hour'), plural(2, 'hour')],
    ['36,118', 'n = 36,118', '1 hour', '2 hours'],
  );
  assert.deepEqual(
    [percentagePoints(0.196), percentagePoints(-0.2634), percentagePoints(null)],
    ['+19.6', '−26.3', 'not known'],
  );
  assert.equal(spacedName('why_this_place'), 'why this place');
});

test('measurements of one kind have the same decimals', () => {
  assert.deepEqual(
    [27, 27.94, 0].map((value) => fixedDecimals(value, 1)),
    ['27.0', '27.9', '0.0'],
  );
  assert.equal(fixedDecimals(1447, 0), '1,447');
});

test('a range has the dash of pages', () => assert.equal(rangeText('14:00-18:00'), '14:00–18:00'));

test('a share of fewer than five samples is not shown', () => {
  assert.deepEqual(
    [4, 5].map((n) => shareOfN(0.5, n)),
    ['too few to say', '50.0\u00a0%'],
  );
});

test('a time is shown in Singapore time, with the exact time on hover', () => {
  const moment = '2026-11-10T16:05:00.000Z';
  assert.equal(
    dateTime(moment, singapore).markup,
    `<time datetime="${moment}" title="${moment}">11 Nov 2026, 00:05 SGT</time>`,
  );
  assert.match(clockTime(moment, singapore).markup, />00:05 SGT</);
  assert.equal(formatDate('2026-02-01'), '1 Feb 2026');
});

test('a duration is in minutes under two hours, else in hours and minutes', () => {
  const table: [minutes: number, shown: string][] = [
    [0, '0 min'],
    [14.6, '15 min'],
    [90, '90 min'],
    [119, '119 min'],
    [120, '2 h'],
    [150, '2 h 30 min'],
    [72_000, '1,200 h'],
  ];
  for (const [minutes, shown] of table) assert.equal(duration(minutes), shown);
});

test('interface text begins with a capital letter', () => {
  assert.deepEqual(['calm level', 'échelle', '', '9 pockets'].map(sentenceCase), [
    'Calm level',
    'Échelle',
    '',
    '9 pockets',
  ]);
});

test('a bar shows the threshold of its value, where it has one', () => {
  const drawn = (threshold: number | undefined) =>
    bars('gates', [{ label: 'a', share: 0.496, value: '0.496', ...(threshold && { threshold }) }]).markup;
  assert.match(drawn(0.5), /<rect class="fill" width="49\.6" height="8"\/><rect class="threshold" x="50"/);
  assert.match(drawn(0.5), /0\.496 <small>needs 0\.5<\/small>/);
  assert.match(drawn(1), /class="threshold" x="99"/);
  assert.doesNotMatch(drawn(undefined), /threshold|needs/);
});

test('a value is never rounded across the threshold that it is shown against', () => {
  const table: [value: number | null, threshold: number, shown: string][] = [
    [0.496, 0.5, '0.496'],
    [0.4, 0.5, '0.40'],
    [0.49, 0.5, '0.49'],
    [0.49999, 0.5, '0.49999'],
    [0.5, 0.5, '0.50'],
    [0.504, 0.5, '0.504'],
    [0.506, 0.5, '0.51'],
    [0.999, 1, '0.999'],
    [1, 1, '1.00'],
    [0, 0.35, '0.00'],
    [0.3499, 0.35, '0.3499'],
    [69.996, 70, '69.996'],
    [null, 0.5, 'not known'],
  ];
  for (const [value, threshold, shown] of table) assert.equal(againstThreshold(value, threshold), shown);
  fc.assert(
    fc.property(fc.integer({ max: 10_000, min: 0 }), fc.integer({ max: 100, min: 0 }), (n, limit) => {
      const [value, threshold] = [n / 10_000, limit / 100];
      assert.equal(Number(againstThreshold(value, threshold)) >= threshold, value >= threshold);
    }),
  );
});

test('a wide table of few rows states the column in each cell, for cards on a phone; others scroll', () => {
  const columns = ['Pocket', 'Calm', 'More', 'State'].map((name) => ({ name, unseen: name === 'More' }));
  const row = { cells: ['Holland', '0.50', 'x', 'calm-social'] };
  const { markup } = table('t', columns, [row]);
  assert.match(markup, /<table class="sortable cards" role="table">/);
  assert.match(
    markup,
    /<tr role="row"><th scope="row" role="rowheader">Holland<\/th><td role="cell" data-label="Calm">0\.50<\/td><td role="cell">x<\/td>/,
  );
  for (const plain of [
    table('t', columns.slice(0, 3), [{ cells: row.cells.slice(0, 3) }]),
    table('t', columns, Array(41).fill(row)),
    table('t', columns, [{ ...row, x: 1 }]),
  ])
    assert.match(plain.markup, /<table class="sortable">/);
});

test('the figures of a chart may have more columns before they become cards, which keep their place in the chart', () => {
  const columns = ['Day', 'Came true', 'Baseline', 'Brier score', 'n', 'Their n'].map((name) => ({ name }));
  const { markup } = table('t', columns, [{ cells: ['Monday', 1, 2, 3, 4, 5], x: 7.5 }]);
  assert.match(markup, /<table class="sortable cards"/);
  assert.match(markup, /<tr role="row" data-x="7.5">/);
});

test('a table without rows says so', () => {
  assert.equal(table('Weekly reports', [{ name: 'Week' }], []).markup, '<p>Weekly reports: none.</p>');
});
