import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { HOUR, MINUTE } from '../../../domain/time/slot.ts';
import { nextRun, type SensorRun } from '../frozen.ts';
import { closedTogether, LONGEST_FULL_MS, mayBeFull, zeroMeaning } from './zero-meaning.ts';

const start = Date.parse('2026-06-10T10:00:00Z');
const down = { points: 'down', fresh_minutes: 30 } as const;
const up = { points: 'up', fresh_minutes: 30 } as const;
const STEP = 5 * MINUTE;

/** What is remembered after values five minutes apart, the last of them at `start`. */
const after = (...values: number[]): SensorRun | undefined =>
  values.reduce<SensorRun | undefined>(
    (run, value, i) => nextRun(run, value, start - (values.length - 1 - i) * STEP),
    undefined,
  );

describe('what a zero means by the values of its own sensor', () => {
  const table: [why: string, use: typeof down | typeof up, values: number[], meaning: string][] = [
    ['a garage that ran down to its last places is full', down, [400, 120, 31, 4], 'value'],
    ['up to a tenth of its largest value may go at once', down, [400, 40], 'value'],
    ['one that jumps from far above is out of order or closed', down, [400], 'no_data'],
    ['more than a tenth is far above', down, [400, 41], 'no_data'],
    ['a few units are near, however small the place', down, [9, 3], 'value'],
    ['a counter of passers-by ends its evening', up, [80, 3, 1], 'value'],
    ['a counter that stops at midday is out of order', up, [80, 75], 'no_data'],
    ['a sensor that has shown nothing says nothing', down, [], 'no_data'],
  ];
  for (const [why, use, values, meaning] of table)
    test(why, () => assert.equal(zeroMeaning(after(...values), start + STEP, use), meaning));

  test('it holds for as long as the zeros last, except that no garage is full for more than half a day', () => {
    const ranDown = { ...nextRun(after(400, 2), 0, start + STEP), zero: 'value' } as SensorRun;
    const later = (ms: number): SensorRun => ({ ...ranDown, until: ranDown.since + ms - STEP });
    for (const hours of [1, 5, 11]) {
      const at = ranDown.since + hours * HOUR;
      assert.equal(zeroMeaning(later(hours * HOUR), at, down), 'value');
    }
    const at = ranDown.since + LONGEST_FULL_MS + STEP;
    assert.equal(zeroMeaning(later(at - ranDown.since), at, down), 'no_data');
    assert.equal(zeroMeaning(later(at - ranDown.since), at, up), 'value', 'a street may be empty for longer');
    const jumped = { ...nextRun(after(400), 0, start + STEP), zero: 'no_data' } as SensorRun;
    assert.equal(zeroMeaning(jumped, jumped.until + STEP, down), 'no_data');
  });

  test('a value from before a gap does not lead to it', () => {
    assert.equal(zeroMeaning(after(400, 4), start + HOUR, down), 'value');
    assert.equal(zeroMeaning(after(400, 4), start + HOUR + 1, down), 'no_data');
    assert.equal(zeroMeaning(after(400, 4), start + 3 * HOUR, { ...down, fresh_minutes: 180 }), 'value');
  });

  test('of any two last values the one nearer to zero is never the less plausible', () => {
    const values = fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 8 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 1000 }), fc.nat(1000), (before, last, less) => {
        const nearer = Math.max(1, last - less);
        const meaning = (value: number) => zeroMeaning(after(1000, ...before, value), start + STEP, down);
        assert.ok(meaning(last) === 'no_data' || meaning(nearer) === 'value');
        assert.equal(meaning(last), last <= 100 ? 'value' : 'no_data');
      }),
    );
  });
});

describe('places that close together', () => {
  const places = (...values: [before: number | null, now: number][]) =>
    values.map(([before, value]) => ({ run: before === null ? undefined : after(200, before), value }));
  const table: [why: string, values: [number | null, number][], closed: boolean][] = [
    [
      'all of three',
      [
        [90, 0],
        [50, 0],
        [2, 0],
      ],
      true,
    ],
    [
      'all of three that were near zero',
      [
        [3, 0],
        [1, 0],
        [2, 0],
      ],
      true,
    ],
    [
      'half of six, one from far above',
      [
        [90, 0],
        [5, 0],
        [2, 0],
        [7, 7],
        [9, 8],
        [80, 80],
      ],
      true,
    ],
    [
      'half of six, all nearly full: they filled up',
      [
        [4, 0],
        [5, 0],
        [2, 0],
        [7, 7],
        [9, 8],
        [80, 80],
      ],
      false,
    ],
    [
      'fewer than half',
      [
        [90, 0],
        [50, 0],
        [40, 0],
        [7, 7],
        [9, 8],
        [80, 80],
        [60, 61],
      ],
      false,
    ],
    [
      'two',
      [
        [90, 0],
        [50, 0],
      ],
      false,
    ],
    [
      'zeros of places that were at zero or not seen before do not count',
      [
        [0, 0],
        [null, 0],
        [90, 0],
        [50, 0],
      ],
      false,
    ],
  ];
  for (const [why, values, closed] of table)
    test(`${why}: ${closed ? 'closed' : 'not closed'}`, () => {
      assert.equal(closedTogether(places(...values)), closed);
    });

  test('a system whose places all go to zero has closed, whatever they showed', () => {
    const shown = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 3, maxLength: 30 });
    fc.assert(
      fc.property(shown, (values) => closedTogether(places(...values.map((v): [number, number] => [v, 0])))),
    );
  });
});

describe('a garage that is said to be full', () => {
  const day = 24 * HOUR;
  const seen = (value: number): SensorRun => ({
    ...(after(400, value) as SensorRun),
    first_seen: start - day,
  });
  test('is believed, unless more than half was free just before and it is known for a day', () => {
    assert.equal(mayBeFull(undefined, start, down), true);
    assert.equal(mayBeFull(after(400, 390), start + STEP, down), true, 'on its first day');
    assert.equal(mayBeFull(seen(200), start + STEP, down), true);
    assert.equal(mayBeFull(seen(201), start + STEP, down), false);
    assert.equal(mayBeFull(seen(201), start + STEP, up), true, 'a full platform is another matter');
  });

  test('is not believed for longer than half a day', () => {
    const full = nextRun(after(400, 3), 0, start + STEP);
    assert.equal(mayBeFull(full, full.since + LONGEST_FULL_MS, down), true);
    assert.equal(mayBeFull(full, full.since + LONGEST_FULL_MS + 1, down), false);
  });
});
