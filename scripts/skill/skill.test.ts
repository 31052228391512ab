import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CsvError, parseSheet, readSheet } from '../../src/sources/csv.ts';
import { table } from './print.ts';
import { classOf, judged, momentOf } from './protocol.ts';
import { methods, type Result, replay } from './replay.ts';
import { seriesOf } from './series.ts';

const HOUR = 3_600_000;
const stamp = (i: number, step = HOUR) =>
  new Date(Date.UTC(2024, 0, 1) + i * step).toISOString().slice(0, 19);

const sheet = (lines: readonly string[], header = 'timestamp,place,value') =>
  parseSheet([header, ...lines].join('\n'));

test('a file is laid on an even grid, with its gaps', () => {
  const series = seriesOf(
    parseSheet(
      [
        'timestamp,place,value,nea_2h_forecast,suspect,temp_c',
        '2024-03-15T00:14:45+08:00,b,7,Fair (Night),0,27.5',
        '2024-03-15T00:14:45+08:00,a,5,Heavy Thundery Showers,0,',
        '2024-03-15T00:30:10+08:00,a,6,Light Showers,0,26',
        '2024-03-15T00:45:01+08:00,a,900,Cloudy,1,26',
        '2024-03-15T01:00:00+08:00,a,8,Cloudy,0,25',
        '2024-03-15T01:14:59+08:00,a,,Cloudy,0,25',
      ].join('\n'),
    ),
  );
  assert.equal(series.stepMinutes, 15);
  assert.deepEqual(series.places, ['b', 'a']);
  const nan = Number.NaN;
  assert.deepEqual([...series.values], [7, nan, nan, nan, nan, 5, 6, nan, 8, nan]);
  assert.deepEqual(series.exogenousNames, ['nea_2h_forecast', 'temp_c']);
  assert.deepEqual([...(series.exogenous[0] as Float64Array)].slice(5), [1, 0.6, nan, 0, 0]);
  assert.equal(
    momentOf(series, 0).stepOfWeek,
    4 * 96 + 1,
    'a Friday, a quarter past midnight in its own zone',
  );
});

test('without a value column the first numeric one is forecast, or the one that is named', () => {
  const file = sheet(
    [0, 1, 2].map((i) => `${stamp(i)},x,word,${i},${2 * i}`),
    'timestamp,place,note,rain,temp',
  );
  assert.equal(seriesOf(file).valueName, 'rain');
  assert.deepEqual([...seriesOf(file, 'temp').values], [0, 2, 4]);
  assert.throws(() => seriesOf(file, 'wind'), /named 'wind'/);
});

const faults: readonly (readonly [name: string, text: string, message: RegExp])[] = [
  ['nothing', '', /empty/],
  ['no place', 'timestamp,value\n2024-01-01T00:00Z,1', /no column 'place'/],
  ['a short line', 'timestamp,place,value\n2024-01-01T00:00Z,a', /line 2 has 2 fields/],
  ['an odd time', 'timestamp,place,value\nyesterday,a,1', /row 2: 'yesterday' is not/],
  ['words for numbers', `timestamp,place,value\n${stamp(0)},a,1\n${stamp(1)},a,many`, /holds 'many'/],
  ['one row', `timestamp,place,value\n${stamp(0)},a,1`, /two rows/],
  ['an open quote', 'timestamp,place,value\n"2024,a,1', /does not end/],
];
for (const [name, text, message] of faults)
  test(`a file with ${name} is refused, and says why`, () => {
    assert.throws(
      () => seriesOf(parseSheet(text)),
      (error) => error instanceof CsvError && message.test(error.message),
    );
  });

test('a file that cannot be read or judged says why', async () => {
  await assert.rejects(readSheet('no-such-file.csv'), /no-such-file.csv: cannot be read/);
  const short = sheet(Array.from({ length: 60 }, (_, i) => `${stamp(i)},a,${i % 7}`));
  assert.throws(() => replay(judged(seriesOf(short))), /too short/);
});

test('where most values are the lowest, that one is the calm one', () => {
  const rain = sheet(Array.from({ length: 100 }, (_, i) => `${stamp(i)},a,${i % 10 === 0 ? 0.4 : 0}`));
  const { edges } = judged(seriesOf(rain));
  assert.deepEqual(edges, [[0.2, 0.2, 0.2]]);
  assert.deepEqual(
    [0, 0.2, 3].map((value) => classOf(edges[0] as number[], value)),
    [0, 3, 3],
  );
});

/** Five weeks of a street: busy by day, quieter on Sundays, a few rows missing. */
const street = () =>
  sheet(
    Array.from({ length: 35 * 24 }, (_, i) => {
      const day = Math.sin((Math.PI * (i % 24)) / 24);
      const wobble = 40 * Math.sin(i * i);
      const value = 50 + (Math.floor(i / 24) % 7 === 6 ? 250 : 500) * day * day + wobble;
      return `${stamp(i)},street,${i % 37 === 0 ? '' : value.toFixed(0)}`;
    }),
  );

test('all methods are scored on the same rows, and a plain rhythm is forecast well', () => {
  const results = replay(judged(seriesOf(street())));
  assert.deepEqual(
    results.map(({ horizon_hours, window }) => `${horizon_hours} ${window}`),
    ['1 all hours', '1 07-22 h', '2 all hours', '2 07-22 h', '3 all hours', '3 07-22 h'],
  );
  for (const { scores } of results) {
    assert.equal(new Set(methods.map((method) => scores[method].rows)).size, 1);
    assert.ok(scores.forecaster.calm_brier < scores.persistence.calm_brier);
  }
  assert.match(table(results), /forecaster +\.\d{3}\/\.\d{3}\/\.\d{3}/);
  assert.deepEqual(replay(judged(seriesOf(street()))), results);
});

const folder = process.env.SKILL_DATA ?? join(import.meta.dirname, '../../../shared/data');
const bikes = join(folder, 'dc_bikeshare_hourly_2011_2012.csv');
const absent = existsSync(bikes) ? false : `skipped: no measurements at ${folder} (set SKILL_DATA)`;

test('real bike hires: the marks are reached', { skip: absent }, async () => {
  const results = replay(judged(seriesOf(await readSheet(bikes))));
  const marks = [0.025, 0.034, 0.039];
  for (const { horizon_hours, scores } of results.filter(({ window }: Result) => window === 'all hours')) {
    const references = methods.slice(1).map((method) => scores[method]);
    const best = Math.min(...references.map((score) => score.calm_brier));
    assert.ok(scores.forecaster.calm_brier < (marks[horizon_hours - 1] as number));
    assert.ok(scores.forecaster.calm_brier <= 0.75 * best);
    assert.ok(scores.forecaster.accuracy >= Math.max(...references.map((score) => score.accuracy)));
    assert.ok(scores.forecaster.calm_calibration <= 0.02);
  }
});
