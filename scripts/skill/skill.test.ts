import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CsvError } from '../../src/sources/core/rows/table.ts';
import { parseSheet } from '../../src/sources/csv.ts';
import { resultTable } from './print.ts';
import { classIndex, localCalendarStep, prepareEvaluation } from './protocol.ts';
import { readSheet } from './read-sheet.ts';
import { methods, type Result, replay } from './replay.ts';
import { readSeries } from './series.ts';

const HOUR = 3_600_000;
const stamp = (i: number, step = HOUR) =>
  new Date(Date.UTC(2024, 0, 1) + i * step).toISOString().slice(0, 19);

const sheet = (lines: readonly string[], header = 'timestamp,place,value') =>
  parseSheet([header, ...lines].join('\n'));

test('a file is read onto a regular grid, with its gaps', () => {
  const series = readSeries(
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
    localCalendarStep(series, 0).stepOfWeek,
    4 * 96 + 1,
    'a Friday, a quarter past midnight in its own zone',
  );
});

test('without a value column the first numeric one is forecast, or the named one', () => {
  const file = sheet(
    [0, 1, 2].map((i) => `${stamp(i)},x,word,${i},${2 * i}`),
    'timestamp,place,note,rain,temp',
  );
  assert.equal(readSeries(file).valueName, 'rain');
  assert.deepEqual([...readSeries(file, 'temp').values], [0, 2, 4]);
  assert.throws(() => readSeries(file, 'wind'), /named 'wind'/);
});

const faults: readonly (readonly [name: string, text: string, message: RegExp])[] = [
  ['nothing', '', /empty/],
  ['no place', 'timestamp,value\n2024-01-01T00:00Z,1', /no column 'place'/],
  ['a short line', 'timestamp,place,value\n2024-01-01T00:00Z,a', /row 2 has 2 fields/],
  ['an odd time', 'timestamp,place,value\nyesterday,a,1', /row 2: 'yesterday' is not/],
  ['words for numbers', `timestamp,place,value\n${stamp(0)},a,1\n${stamp(1)},a,many`, /holds 'many'/],
  ['one row', `timestamp,place,value\n${stamp(0)},a,1`, /two rows/],
  ['an open quote', 'timestamp,place,value\n"2024,a,1', /does not end/],
];
for (const [name, text, message] of faults)
  test(`a file with ${name} is refused with the reason`, () => {
    assert.throws(
      () => readSeries(parseSheet(text)),
      (error) => error instanceof CsvError && message.test(error.message),
    );
  });

test('a file that cannot be read or evaluated is refused with the reason', async () => {
  await assert.rejects(readSheet('no-such-file.csv'), /no-such-file.csv: cannot be read/);
  const short = sheet(Array.from({ length: 60 }, (_, i) => `${stamp(i)},a,${i % 7}`));
  assert.throws(() => replay(prepareEvaluation(readSeries(short))), /too short/);
});

test('where the lowest value is the most frequent, it is the calm one', () => {
  const rain = sheet(Array.from({ length: 100 }, (_, i) => `${stamp(i)},a,${i % 10 === 0 ? 0.4 : 0}`));
  const { edges } = prepareEvaluation(readSeries(rain));
  assert.deepEqual(edges, [[0.2, 0.2, 0.2]]);
  assert.deepEqual(
    [0, 0.2, 3].map((value) => classIndex(edges[0] as number[], value)),
    [0, 3, 3],
  );
});

/** Five weeks of footfall: busy by day, quieter on Sundays, a few values missing. */
const street = () =>
  sheet(
    Array.from({ length: 35 * 24 }, (_, i) => {
      const day = Math.sin((Math.PI * (i % 24)) / 24);
      const wobble = 40 * Math.sin(i * i);
      const value = 50 + (Math.floor(i / 24) % 7 === 6 ? 250 : 500) * day * day + wobble;
      return `${stamp(i)},street,${i % 37 === 0 ? '' : value.toFixed(0)}`;
    }),
  );

test('all methods are scored on the same rows, and a regular pattern is forecast well', () => {
  const results = replay(prepareEvaluation(readSeries(street())));
  assert.deepEqual(
    results.map(({ horizon_hours, window }) => `${horizon_hours} ${window}`),
    ['1 all hours', '1 07-22 h', '2 all hours', '2 07-22 h', '3 all hours', '3 07-22 h'],
  );
  for (const { scores } of results) {
    assert.equal(new Set(methods.map((method) => scores[method].rows)).size, 1);
    assert.ok(scores.forecaster.calm_brier < scores.persistence.calm_brier);
  }
  assert.match(resultTable(results), /forecaster +\.\d{3}\/\.\d{3}\/\.\d{3}/);
  assert.deepEqual(replay(prepareEvaluation(readSeries(street()))), results);
});

/** The scores of the forecaster and the best of the references, over all hours, for each horizon. */
const comparisons = (results: readonly Result[]) =>
  results
    .filter(({ window }) => window === 'all hours')
    .map(({ scores }) => {
      const references = methods.slice(1).map((method) => scores[method]);
      return {
        own: scores.forecaster,
        brier: Math.min(...references.map((score) => score.calm_brier)),
        accuracy: Math.max(...references.map((score) => score.accuracy)),
      };
    });

/** Five months of four thermometers: on some afternoons a storm cools them all at once. */
function storms() {
  let state = 3;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const lines: string[] = [];
  const own = [0, 0, 0, 0];
  let season = 0;
  let cooled = 0;
  for (let i = 0; i < 150 * 24; i++) {
    const hour = i % 24;
    season = 0.995 * season + 0.15 * random();
    if (hour >= 12 && hour <= 17 && random() > 0.42) cooled = 5 + 2 * random();
    cooled *= 0.75;
    for (const [p, wobble] of own.entries()) {
      own[p] = 0.7 * wobble + 0.5 * random();
      const shared = 27 + 3.5 * Math.sin((Math.PI * (hour - 7)) / 12) + season - cooled;
      lines.push(`${stamp(i)},s${p},${(shared + (own[p] as number)).toFixed(1)}`);
    }
  }
  return sheet(lines);
}

test('rare storms at all places at once: calm stays calibrated and no simple method is better', () => {
  for (const { own, brier, accuracy } of comparisons(replay(prepareEvaluation(readSeries(storms()))))) {
    assert.ok(own.calm_calibration <= 0.015, `calibration error ${own.calm_calibration}`);
    assert.ok(own.calm_brier < brier, `${own.calm_brier} against ${brier}`);
    assert.ok(own.accuracy >= accuracy, `${own.accuracy} against ${accuracy}`);
  }
});

const folder = process.env.SKILL_DATA ?? join(import.meta.dirname, '../../../shared/data');
const without = (file: string) =>
  existsSync(join(folder, file)) ? false : `skipped: no ${file} at ${folder} (set SKILL_DATA)`;
/** The short file is always tested; the others take a minute and run only where SKILL_DATA is set. */
const long = process.env.SKILL_DATA ? false : 'skipped: set SKILL_DATA to the folder of measurements';

/** The calm Brier must be below `share` of the best reference's, and below `limits` at each horizon. */
const real: readonly {
  file: string;
  value?: string;
  share: number;
  limits?: readonly number[];
  skip: string | false;
}[] = [
  { file: 'dc_bikeshare_hourly_2011_2012.csv', share: 0.75, limits: [0.025, 0.034, 0.039], skip: false },
  { file: 'singapore_taxi_15min_2024.csv.gz', share: 0.8, skip: long },
  { file: 'dublin_footfall_hourly_2023.csv.gz', share: 0.75, limits: [0.048, 0.057, 0.063], skip: long },
  { file: 'nea_stations_2016_12_to_2017_06.csv.gz', share: 1, skip: long },
  { file: 'nea_stations_2016_12_to_2017_06.csv.gz', value: 'temp_c', share: 0.75, skip: long },
];
for (const { file, value, share, limits, skip } of real)
  test(`real measurements, ${file} ${value ?? ''}: the limits hold`, {
    skip: without(file) || skip,
  }, async () => {
    const results = replay(prepareEvaluation(readSeries(await readSheet(join(folder, file)), value)));
    for (const [h, { own, brier, accuracy }] of comparisons(results).entries()) {
      assert.ok(own.calm_brier < share * brier, `${own.calm_brier} against ${brier}`);
      assert.ok(own.calm_brier < (limits?.[h] ?? 1), `${own.calm_brier}`);
      assert.ok(own.accuracy >= accuracy, `${own.accuracy} against ${accuracy}`);
      assert.ok(own.calm_calibration <= 0.02, `${own.calm_calibration}`);
    }
  });
